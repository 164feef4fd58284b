import {lastAtMost, type View} from './parts.ts';
import {endOf, lineStart} from './place.ts';

/**
Returns the decoded dumps and lists of bytes of a view. The dumps are those of xxd, hexdump, od and tcpdump. The lists
have hex or decimal numbers, as in `0x68, 0x75` and `[104, 117]`. Some programs reverse the bytes of a group, so there
may be two views. A dump also writes the characters beside their bytes. So everything in a line of a dump has the
position of the whole line.
*/
export function* dumpViews(view: View): Generator<View> {
	const {shown, hasWords} = dumpView(view, false);
	if (shown === undefined) return;
	yield shown;
	const reversed = hasWords ? dumpView(view, true).shown : undefined;
	if (reversed !== undefined) yield reversed;
}

function dumpView(view: View, isReversed: boolean): {readonly shown: View | undefined; readonly hasWords: boolean} {
	const {text} = view;
	const dump = createDump(view);
	let hasWords = false;
	runs.lastIndex = 0;
	for (let match = runs.exec(text); match !== null; match = runs.exec(text)) {
		const {0: whole, index, groups: {cells = '', words = '', numbers = '', pairs = ''} = {}} = match;
		const run = cells || words || numbers || pairs;
		const from = index + whole.length - run.length;
		hasWords ||= words.search(/[\da-f]{4}/i) >= 0;
		if (cells !== '') dump.add(fromCells(cells), from, after(column, text, from + run.length));
		else if (words !== '') dump.add(fromWords(words, isReversed), from, after(column, text, from + run.length));
		else addList(text, from, dump.add, numbers === '' ? hexList : decimalList);
		runs.lastIndex = Math.max(dump.end(), index + whole.length);
	}
	return {shown: dump.view(), hasWords};
}

type Dump = {
	/** Adds bytes that are written between two positions. */
	readonly add: (bytes: Buffer, from: number, to: number) => void;
	/** Returns the position after the last bytes. */
	readonly end: () => number;
	readonly view: () => View | undefined;
};

/** Joins runs of bytes. A line break separates runs that do not belong to each other. */
function createDump({text, origin, ending, level}: View): Dump {
	const pieces: string[] = [];
	/** For each run: its offset in the new view, and its start and end in the old one. */
	const [starts, froms, tos]: [number[], number[], number[]] = [[], [], []];
	let decoder = new TextDecoder();
	let length = 0;
	function push(piece: string): void {
		pieces.push(piece);
		length += piece.length;
	}
	return {
		add(bytes, from, to) {
			const last = tos.at(-1);
			if (last !== undefined && !isNext(text, last, from)) {
				push(`${decoder.decode()}\n`);
				decoder = new TextDecoder();
			}
			starts.push(length);
			froms.push(from);
			tos.push(to);
			push(decoder.decode(bytes, {stream: true}));
		},
		end: () => tos.at(-1) ?? 0,
		view: () =>
			pieces.length === 0
				? undefined
				: {
						level,
						text: pieces.join(''),
						origin: offset => origin(froms[lastAtMost(starts, offset)] ?? 0),
						ending: offset => ending(tos[lastAtMost(starts, Math.max(0, offset - 1))] ?? 0),
					},
	};
}

/** Tells whether a run continues the one before it: there is at most a line break between them. */
function isNext(text: string, last: number, from: number): boolean {
	return from - last <= maxGap && runGap.test(text.slice(last, from));
}

/** Adds the bytes of a list in parts, because a list may be long. */
function addList(text: string, from: number, add: Dump['add'], {items, read}: List): void {
	for (let at = from, end = after(items, text, at); end > at; at = end, end = after(items, text, at))
		add(
			Buffer.from(
				text
					.slice(at, end)
					.split(/[^\w]+/)
					.filter(isNumber)
					.map(read),
			),
			at,
			after(side, text, end),
		);
}

function isNumber(word: string): boolean {
	return word !== '';
}

type List = {readonly items: RegExp; readonly read: (item: string) => number};

const pair = '[\\da-f]{2}';

/** Blanks, and maybe the start of a quoted line or of a line of a diff. */
const blanks = '(?:[ \\t]{0,8}\\r?\\n[ \\t]{0,20}(?:[+>|][ \\t]{0,40}){1,3}|\\s{0,40})';

const comma = `,${blanks}`;

const hexList: List = {
	items: new RegExp(`(?:(?:[ :-]|${comma})?(?:0x)?${pair}(?!\\w)){1,1000}`, 'iy'),
	read: item => Number.parseInt(item.replace(/^0x/i, ''), 16),
};

const decimalList: List = {
	items: new RegExp(`(?:(?: |${comma})?\\d{1,3}(?!\\w)){1,1000}`, 'y'),
	read: Number,
};

/** The offset of a line. tcpdump writes `0x` before it. */
const address = '(?:0x)?[\\da-f]{4,16}:?';

/** A character of `od -c`, in a column of four characters. */
const cell = ' (?: {2}[ -~]| \\\\[0abfnrtv]|[0-7]{3})';

const eight = `${pair}(?: ${pair}){7}`;

/** Groups of bytes, in hex or bits. `hexdump -C` writes two blanks after eight bytes, `hexdump -x` four blanks. */
const words =
	`${eight} {2}${pair}(?: ${pair}){0,7}|(?:${pair}){2}(?: {4}(?:${pair}){2}){1,7}` +
	`|(?:${pair}){1,8}(?: (?:${pair}){1,8}){0,63}`;

/** The start of a line. Its indentation comes first, because the offset of a dump may look like a line number. */
const start = `^(?:[ \\t]{0,80}?|${lineStart})`;

const runs = new RegExp(
	[
		`${start}(?:${address}|(?=(?:${cell}){4}))(?<cells>(?:${cell}){1,64})(?=[ \\t]{0,20}$)`,
		`${start}${address}[ \\t]{1,8}(?<words>${words})(?![\\w:])`,
		`(?<=[[({]${blanks})(?<numbers>\\d{1,3}(?:(?: |${comma})\\d{1,3}){5})(?!\\w)`,
		`(?<![\\w.])(?<pairs>(?:0x)?${pair}(?:(?:[ :-]|${comma})(?:0x)?${pair}){3})(?!\\w)`,
	].join('|'),
	'gim',
);

/** The column of characters, which follows the bytes of a line. */
const column = /(?:(?!\\{1,8}n)[^\r\n]){0,100}/y;

/** The column of characters after a list of bytes. */
const side = /(?:[ \t]{0,40}[|>]|[ \t]{2,40})(?:(?!\\{1,8}n)[^\r\n]){0,100}/y;

const runGap = new RegExp(`^[ \\t,]{0,8}(?:\\r?\\n${lineStart})?(?:${address}[ \\t]{0,8})?$`, 'i');

/** The maximum length of the text between two runs. */
const maxGap = 500;

function fromCells(cells: string): Buffer {
	return Buffer.concat(
		Array.from({length: cells.length / 4}, (_, index) => {
			const shown = cells.slice(index * 4 + 1, index * 4 + 4).trimStart();
			if (/^\d{3}$/.test(shown)) return Buffer.of(Number.parseInt(shown, 8) & 0xff);
			return Buffer.from(shown.length === 2 ? (escapes[shown] ?? '') : shown || ' ');
		}),
	);
}

const escapes: Readonly<Record<string, string>> = {
	'\\0': '\0',
	'\\a': '\u0007',
	'\\b': '\b',
	'\\f': '\f',
	'\\n': '\n',
	'\\r': '\r',
	'\\t': '\t',
	'\\v': '\v',
};

function fromWords(shown: string, isReversed: boolean): Buffer {
	const groups = shown.split(/ +/);
	if (groups.every(group => /^[01]{8}$/.test(group)))
		return Buffer.from(groups.map(bits => Number.parseInt(bits, 2)));
	const isOctal = groups.every(group => /^[01][0-7]{5}$/.test(group));
	return Buffer.concat(
		groups.map(group => {
			const hex = isOctal ? Number.parseInt(group, 8).toString(16).padStart(4, '0') : group;
			const bytes = Buffer.from(hex, 'hex');
			return isReversed ? bytes.reverse() : bytes;
		}),
	);
}

/** Returns where a match at a position ends, or the position if there is none. */
function after(pattern: RegExp, text: string, at: number): number {
	return endOf(pattern, text, at) ?? at;
}
