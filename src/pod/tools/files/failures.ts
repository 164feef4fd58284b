import {en} from '../../../language/index.ts';
import type {ToolOutput} from '../../../worker/index.ts';
import type {OpenFailure} from '../../scope/scoped-fs.ts';
import type {DirFailure} from '../../scope/disk-path.ts';
import type {ReadFailure} from '../../scope/read.ts';
import type {WriteFailure} from '../../scope/write-failure.ts';
import type {EditFailure} from './edits.ts';
import {errorOutput} from '../../ground/values/is-record.ts';

export type ToolFailure = OpenFailure | DirFailure | ReadFailure;

/** Returns a sentence that explains to the model and the user why a tool could not use a path. */
export function sentenceFor(reason: ToolFailure, path: string): string {
	return en`${path}: ${sentences[reason]}`;
}

export function failureOutput(reason: ToolFailure, path: string): ToolOutput {
	return errorOutput(sentenceFor(reason, path));
}

/** Returns the reason without the path. */
export function reasonFor(reason: ToolFailure): string {
	return sentences[reason];
}

const sentences: Readonly<Record<ToolFailure, string>> = {
	out_of_scope: en`it is outside the directories that may be read.`,
	not_found: en`there is no such file or directory.`,
	not_a_file: en`it is a FIFO, a device or a socket, not a file.`,
	is_directory: en`it is a directory. Use glob to list it.`,
	not_a_directory: en`it is not a directory.`,
	binary: en`it is not a text file.`,
	too_large: en`it is too large to be read.`,
	bad_range: en`these lines are past the end of the file.`,
	denied: en`it looks like a secret, and reading it was not allowed.`,
	aborted: en`reading it was stopped.`,
	io: en`it could not be read.`,
};

/**
The reason why a file was not changed. `not_read`: the model read none of it. `partly_read`: it read only a part.
`changed`: the file differs from the one that was read. `not_as_shown`: it differs from the preview.
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

/** Returns a sentence for the model and the user. `code` is the system's error code for `io`. */
export function changeSentence(reason: ChangeFailure, path: string, code = ''): string {
	return en`${path}: ${changeReason(reason, code)}`;
}

function changeReason(reason: ChangeFailure, code: string): string {
	return reason === 'io' && code !== '' ? en`it could not be written (io). (${code})` : changeSentences[reason];
}

const changeSentences: Readonly<Record<ChangeFailure, string>> = {
	read_only: en`nothing may be changed, because the working directory is read-only (read_only).`,
	out_of_scope: en`it is outside the directories that may be changed (out_of_scope).`,
	not_found: en`there is no such file, and no file can have this name (not_found).`,
	is_directory: en`it is a directory (is_directory).`,
	not_a_file: en`it is a FIFO, a device or a socket, not a file (not_a_file).`,
	not_a_directory: en`a part of its path is not a directory (not_a_directory).`,
	binary: en`it is not a UTF-8 text file, and only text files can be changed (binary).`,
	too_large: en`it is too large to be changed (too_large).`,
	not_read: en`read the file with read_file before you change it (not_read).`,
	partly_read: en`read the whole file before you overwrite it (not_read). Read the rest with read_file, or use
		edit_file.`,
	changed: en`it was changed on disk since it was read (changed). Read it again.`,
	not_as_shown: en`it was changed on disk after the change was shown to the user (changed). Nothing was written.
		Read it again.`,
	moved: en`its path now leads to another file (changed).`,
	unchanged: en`the file already has exactly this content. Nothing was written.`,
	not_text: en`the content is not text: it contains a NUL or an incomplete character. Nothing was written.`,
	io: en`it could not be written (io).`,
};

/** Returns a sentence that explains why an edit does not apply. */
export function editSentence({reason, index, count, lines}: EditFailure, path: string): string {
	const where = enLines(lines);
	const sentence = {
		missing:
			lines.length === 0
				? en`its \`old\` does not occur.`
				: en`its \`old\` does not occur. Text that differs from it only in white space begins at ${where}.`,
		ambiguous:
			count > lines.length
				? en`its \`old\` occurs ${count} times, first at ${where}: make it unique, or set \`all\`.`
				: en`its \`old\` occurs ${count} times, at ${where}: make it unique, or set \`all\`.`,
	}[reason];
	return en`${path}: edit ${index + 1} does not apply: ${sentence} Nothing was written.`;
}

function enLines(lines: readonly number[]): string {
	return lines.length === 1 ? en`line ${lines.join(', ')}` : en`lines ${lines.join(', ')}`;
}
