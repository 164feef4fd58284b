/** The commands of the lines of a text. */
type Commands = {
	/**
	Tells whether a pattern matches in the command that contains a position, before this position. The positions must
	ascend.
	*/
	readonly has: (pattern: RegExp, to: number) => boolean;
};

/**
Reads the commands of a text once, from its start to its end. A command begins with a line, or after `|`, `;`, `&&` or
`$(`. An operator in quotes is a part of an argument, but text in quotes that are still open may be a command.
*/
export function createCommands(text: string): Commands {
	let read = 0;
	let command = commandAt(0);
	/** The quotes that are open, where they opened, and the commands in which they opened. */
	const open: Array<{readonly quote: string; readonly at: number; readonly outer: Command}> = [];

	function close(quote: string): void {
		const index = open.findIndex(each => each.quote === quote);
		const {at = 0, outer = command} = open[index] ?? {};
		if (outer !== command) leaveOut(text, outer, at, read + 1);
		command = outer;
		open.length = index;
	}

	function readOne(sign: string): void {
		if (sign === '\n') {
			open.length = 0;
			command = commandAt(read + 1);
		} else if (sign === '"' || sign === "'") {
			if (open.some(({quote}) => quote === sign)) close(sign);
			else open.push({quote: sign, at: read, outer: command});
		} else if (
			sign === '|' ||
			sign === ';' ||
			(text[read + 1] === sign ? sign === '&' : text.startsWith('$(', read))
		)
			command = commandAt(read + 1);
	}

	return {
		has(pattern, to) {
			for (; read < to; read++) readOne(text[read] ?? '');
			return hasMatch(text, command, pattern, to);
		},
	};
}

/** The text of a command consists of `before`, of which only the end is kept, and of the text from `start` on. */
type Command = {
	before: string;
	/** The length of the text before `start`. */
	length: number;
	start: number;
	/** For each pattern, how much of the command was searched, and whether the pattern matched. */
	readonly searched: Map<RegExp, {readonly length: number; readonly isFound: boolean}>;
};

function commandAt(start: number): Command {
	return {before: '', length: 0, start, searched: new Map()};
}

/** Replaces a part of a command with a blank, because it contains other commands. */
function leaveOut(text: string, command: Command, from: number, to: number): void {
	const piece = text.slice(Math.max(command.start, from - maxLength), from);
	command.before = `${command.before}${piece} `.slice(-maxLength);
	command.length += from - command.start + 1;
	command.start = to;
}

/** Returns the text of a command between an offset and a position in the whole text. */
function partOf(text: string, {before, length, start}: Command, from: number, to: number): string {
	if (from >= length) return text.slice(start + from - length, to);
	return before.slice(Math.max(0, before.length - (length - from))) + text.slice(start, to);
}

function hasMatch(text: string, command: Command, pattern: RegExp, to: number): boolean {
	const length = command.length + to - command.start;
	const last = command.searched.get(pattern) ?? {length: 0, isFound: false};
	if (last.isFound) return length - last.length < maxLength;
	// A program has at least two letters, so that short options alone cannot end a match.
	const isSame = last.length > 0 && !/[\w.]{2}/.test(partOf(text, command, last.length, to));
	const from = Math.max(0, last.length - maxMatch, length - maxLength);
	// The letter is not a boundary before the name of a program.
	const isFound = !isSame && pattern.test(`${from > 0 ? 'x' : ''}${partOf(text, command, from, to)}`);
	command.searched.set(pattern, {length, isFound});
	return isFound;
}

/** The maximum length of what a pattern matches. */
const maxMatch = 200;

/** How far an option may be from its program. */
const maxLength = 4000;
