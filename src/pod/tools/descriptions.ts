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
