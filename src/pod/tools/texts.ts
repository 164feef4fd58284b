import type {OpenFailure} from '../scope/scoped-fs.ts';
import type {DirFailure} from '../scope/scoped-dir.ts';
import type {ReadFailure} from '../scope/read.ts';
import type {WriteFailure} from '../scope/write-target.ts';
import type {EditFailure} from './edits.ts';

/** What the model reads about each tool. */
export const descriptions = {
	read_file:
		'Reads a text file of the working directory. Lines are numbered from 1. Long files come in parts: the answer says with which offset to go on.',
	glob: 'Lists files by a glob pattern, sorted by path: `**/*.ts`, `*.{ts,tsx}` (at any depth), `src/**`. Files that .gitignore names and .git are left out.',
	grep: 'Searches file contents with a regular expression, line by line. Files that .gitignore names, binary files and files that look like secrets are left out.',
	write_file:
		'Writes a whole file and makes missing directories. A file that exists has to be read whole before; change parts of one with edit_file.',
	edit_file:
		'Replaces texts in a file that was read before. Edits apply one after another, all of them or none. Line ends and permissions stay.',
	bash: 'Runs a command with bash in the working directory, without a terminal and with an empty input. The answer is what it wrote to stdout and stderr, in order, and its exit code; of a long output the middle is left out, and a file holds all of it. What a command leaves running is stopped when it ends: start servers and watchers with `background`.',
	bash_stop: 'Stops a command that runs in the background, with everything that it started.',
};

/** What the model reads about each argument. */
export const argumentTexts = {
	readPath: 'Relative to the working directory, or absolute.',
	offset: 'The first line, from 1.',
	lineLimit: 'How many lines, 2000 at most.',
	globPattern: 'A pattern without a slash matches at any depth; one with a slash is relative to `path`.',
	searchPath: 'Where to look: a directory (the working directory by default).',
	grepPattern: 'A regular expression in the syntax of ripgrep; (?i) at its start ignores case.',
	grepPath: 'A directory or file (the working directory by default).',
	grepGlob:
		'Only files that match this glob; with a slash it is relative to the working directory, `!` in front excludes.',
	output: 'content: matching lines; files: paths only; count: matching lines per file.',
	context: 'Lines shown before and after each match.',
	grepLimit: 'How many matches (or files) are shown.',
	content: 'The whole content of the file.',
	edits: 'In the order in which they apply.',
	old: 'The text as it stands in the file, without line numbers, with as much around it as makes it unique.',
	new: 'What takes its place.',
	all: 'Replace every occurrence; `old` need not be unique.',
	command: 'May have several lines.',
	timeout: 'Seconds after which it is stopped: 120 by default, 600 at most. In the background there is no default.',
	background: 'Answers at once with an id and the file of the output. You are told when the command ends.',
	stopId: 'The id that bash answered with.',
};

export type ToolFailure = OpenFailure | DirFailure | ReadFailure;

/** Why a tool could not use a path. One sentence each, for the model and the person. */
export function sentenceFor(reason: ToolFailure, path: string): string {
	return `${path}: ${sentences[reason]}`;
}

/** The same without the path. */
export function reasonFor(reason: ToolFailure): string {
	return sentences[reason];
}

const sentences: Readonly<Record<ToolFailure, string>> = {
	out_of_scope: 'it lies outside the directories that may be read.',
	not_found: 'there is no such file or directory.',
	not_a_file: 'it is a FIFO, a device or a socket, not a file.',
	is_directory: 'it is a directory. Use glob to list it.',
	not_a_directory: 'it is not a directory.',
	binary: 'it is not a text file.',
	too_large: 'it is too large to be read.',
	bad_range: 'the lines asked for lie beyond its end.',
	denied: 'it looks like a secret, and reading it was not allowed.',
	aborted: 'reading it was stopped.',
	io: 'it could not be read.',
};

/**
Why a file was not changed. `not_read`: nothing of it was; `partly_read`: not the whole of it; `changed`: it is another
than was read; `not_as_shown`: than the person was shown.
*/
export type ChangeFailure =
	| WriteFailure
	| 'binary'
	| 'not_read'
	| 'partly_read'
	| 'not_as_shown'
	| 'moved'
	| 'unchanged'
	| 'not_text';

/** One sentence each, for the model and the person. `code` is the system's, of an `io`. */
export function changeSentence(reason: ChangeFailure, path: string, code = ''): string {
	return `${path}: ${changeSentences[reason]}${reason === 'io' && code !== '' ? ` (${code})` : ''}`;
}

const changeSentences: Readonly<Record<ChangeFailure, string>> = {
	read_only: 'nothing may be changed, the working directory is read-only (read_only).',
	out_of_scope: 'it lies outside what may be changed (out_of_scope).',
	not_found: 'there is no such file, nor can there be one by this name (not_found).',
	is_directory: 'it is a directory (is_directory).',
	not_a_file: 'it is a FIFO, a device or a socket, not a file (not_a_file).',
	not_a_directory: 'a part of its path is no directory (not_a_directory).',
	binary: 'it is no UTF-8 text file, and only such files are changed (binary).',
	too_large: 'it is too large to be changed (too_large).',
	not_read: 'it has to be read before it is changed (not_read). Use read_file.',
	partly_read:
		'it has to be read whole before it is overwritten (not_read). Read the rest with read_file, or use edit_file.',
	changed: 'it was changed on disk since it was read (changed). Read it again.',
	not_as_shown:
		'it was changed on disk since the change was shown to the person (changed). Nothing was written. Read it again.',
	moved: 'its path has just begun to lead to another file (changed).',
	unchanged: 'it stands there exactly so already. Nothing was written.',
	not_text: 'what was to be written is no text: it holds a NUL or half a character. Nothing was written.',
	io: 'it could not be written (io).',
};

/** Why an edit does not apply, one sentence. */
export function editSentence({reason, index, count, lines}: EditFailure, path: string): string {
	const where = lines.length === 0 ? '' : `line${lines.length === 1 ? '' : 's'} ${lines.join(', ')}`;
	const sentence = {
		missing: `its \`old\` does not occur.${where === '' ? '' : ` A text that differs in white space begins at ${where}.`}`,
		ambiguous: `its \`old\` occurs ${count} times, at ${where}${count > lines.length ? ' and on' : ''}: make it unique, or set \`all\`.`,
	}[reason];
	return `${path}: edit ${index + 1} does not apply: ${sentence} Nothing was written.`;
}
