import type {Item} from '../../../worker/index.ts';
import {closing, encodeBatch, headerLine, headerSum, type Header} from '../format/line.ts';

/** A decoded version of a text, with the positions of its characters in the original. */
export type View = {
	readonly text: string;
	/**
	Returns the position in the original of the character at an offset. The offset may also be the end of the text.
	*/
	readonly origin: (offset: number) => number;
	/** The number of times that escapes were decoded. */
	readonly level: number;
};

/**
Returns the views of a text in which secrets are searched: the text as it is, and the lines with escapes, decoded as in
JSON once and twice.
*/
export function viewsOf(text: string): readonly View[] {
	const views: View[] = [{text: withoutLongTexts(text), origin: offset => offset, level: 0}];
	let view: View | undefined = {text, origin: offset => offset, level: 0};
	while (view.level < maxLevels) {
		view = decoded(view);
		if (view === undefined) break;
		views.push(view);
	}
	return views;
}

/**
Returns the views of a text in which known secrets are searched: the text as it is and with decoded escapes, and each of
these also decoded as a URL and as HTML, and without the line breaks in base64 and hex. A text that was decoded as a URL
or HTML may itself be encoded, so it is decoded further.
*/
export function encodedViews(text: string): readonly View[] {
	const whole: View = {text, origin: offset => offset, level: 0};
	const outer = outerOf(whole);
	const views = [whole, ...outer, ...joinedLines(whole)];
	for (const view of outer) views.push(...[decoded(view), ...meaningsOf(view)].filter(isView));
	for (let view = decoded(whole); view !== undefined; view = view.level < maxLevels ? decoded(view) : undefined)
		views.push(view, ...meaningsOf(view));
	return [...new Map(views.map(view => [view.text, view])).values()];
}

/** Returns a view with each code replaced with its meaning. Returns `undefined` if the text contains no codes. */
export function replacedIn(
	{text, origin, level}: View,
	codes: RegExp,
	meaningOf: (code: string) => string,
): View | undefined {
	const parts = createParts(origin);
	let last = 0;
	for (const {0: code, index} of text.matchAll(codes)) {
		parts.add(text.slice(last, index), last);
		parts.add(meaningOf(code), index);
		last = index + code.length;
	}
	if (last === 0) return undefined;
	parts.add(text.slice(last), last);
	return parts.view(level, text.length);
}

/** Returns a view decoded as a URL, once and twice, and as HTML. */
function outerOf(view: View): readonly View[] {
	const address = replacedIn(view, inAddress, fromAddress);
	const twice = address && replacedIn(address, inAddress, fromAddress);
	return [address, twice, replacedIn(view, inHtml, fromHtml)].filter(isView);
}

function meaningsOf(view: View): readonly View[] {
	return [...outerOf(view), ...joinedLines(view)];
}

function joinedLines(view: View): readonly View[] {
	return [replacedIn(view, wrapped, () => '')].filter(isView);
}

function isView(view: View | undefined): view is View {
	return view !== undefined;
}

/**
Returns a whole history.json with these items, as bytes. The checksums of the chain are computed again. `redacted`: the
number of secrets that were left out, and the checksum of the last line of the original.
*/
export function historyBytes(
	{session, cwd, created, fork, unfinished}: Pick<Header, 'session' | 'cwd' | 'created' | 'fork' | 'unfinished'>,
	items: readonly Item[],
	redacted?: RedactedHeader,
): Buffer {
	const line = headerLine({
		session,
		cwd,
		created,
		fork,
		unfinished,
		redacted,
	});
	const {pieces} = encodeBatch(items, headerSum(line));
	return Buffer.concat([Buffer.from(`${line}\n`), ...pieces, closing]);
}

/** Matches the percent-encoded bytes of one character. */
const inAddress = /%[0-7][\da-f]|%[c-f][\da-f](?:%[89ab][\da-f]){1,3}/gi;

const inHtml = /&(?:#\d{1,7}|#x[\da-f]{1,6}|amp|lt|gt|quot|apos);/gi;

const wrapped = /(?<=[A-Za-z0-9+/_-]{32})\r?\n[ \t]{0,16}(?=[A-Za-z0-9+/_-])/g;

function fromAddress(code: string): string {
	return Buffer.from(code.replaceAll('%', ''), 'hex').toString('utf8');
}

function fromHtml(code: string): string {
	const name = code.slice(1, -1).toLowerCase();
	if (!name.startsWith('#')) return entities.get(name) ?? code;
	const point = name.startsWith('#x') ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
	return point <= 0x10_ff_ff ? String.fromCodePoint(point) : code;
}

const entities: ReadonlyMap<string, string> = new Map([
	['amp', '&'],
	['lt', '<'],
	['gt', '>'],
	['quot', '"'],
	['apos', "'"],
]);

/**
Replaces long escaped strings in a JSON text with blanks, because they are searched in the decoded view. Blanks keep the
offsets the same.
*/
function withoutLongTexts(text: string): string {
	if (!/^\s{0,80}[[{]/.test(text) || text.length < longText) return text;
	const pieces: string[] = [];
	let last = 0;
	for (let start = text.indexOf('"'); start >= 0;) {
		const end = endOfString(text, start);
		if (end < 0) break;
		if (end - start >= longText && text.slice(start, end).includes('\\')) {
			pieces.push(text.slice(last, start + 1), ' '.repeat(end - start - 1));
			last = end;
		}
		start = text.indexOf('"', end + 1);
	}
	return pieces.length === 0 ? text : pieces.join('') + text.slice(last);
}

/** Returns the index of the quote that ends a JSON string, or -1. */
function endOfString(text: string, start: number): number {
	for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
		let slashes = 0;
		while (end - slashes - 1 > start && text[end - slashes - 1] === '\\') slashes++;
		if (slashes % 2 === 0) return end;
	}
	return -1;
}

/** Returns a view of the lines with escapes, decoded. Returns `undefined` if no line has an escape. */
function decoded({text, origin, level}: View): View | undefined {
	const {add, isEmpty, view} = createParts(origin);
	for (let at = text.indexOf('\\'), done = 0; at >= 0; at = text.indexOf('\\', done)) {
		const start = Math.max(done, text.lastIndexOf('\n', at) + 1);
		const next = text.indexOf('\n', at);
		const end = next < 0 ? text.length : next + 1;
		let last = start;
		for (let slash = at; slash >= 0 && slash < end; slash = text.indexOf('\\', last)) {
			const {shown, length: taken} = meaningAt(text, slash);
			if (slash > last) add(text.slice(last, slash), last);
			add(shown, slash);
			last = slash + taken;
		}
		if (last < end) add(text.slice(last, end), last);
		done = end;
	}
	return isEmpty() ? undefined : view(level + 1, text.length);
}

type Parts = {
	readonly add: (piece: string, place: number) => void;
	readonly isEmpty: () => boolean;
	/** `end`: the length of the text. */
	readonly view: (level: number, end: number) => View;
};

/** Joins parts of a text, and stores the original position of each part. */
function createParts(origin: View['origin']): Parts {
	const pieces: string[] = [];
	// For each part, `starts` contains its offset in the view, and `places` its offset in the text.
	const starts = [0];
	const places = [0];
	let length = 0;
	function mark(place: number): void {
		if (starts.at(-1) === length) {
			starts.pop();
			places.pop();
		}
		starts.push(length);
		places.push(place);
	}
	return {
		add(piece, place) {
			mark(place);
			pieces.push(piece);
			length += piece.length;
		},
		isEmpty: () => pieces.length === 0,
		view(level, end) {
			mark(end);
			return {
				level,
				text: pieces.join(''),
				origin(offset) {
					const at = lastAtMost(starts, offset);
					return origin((places[at] ?? 0) + offset - (starts[at] ?? 0));
				},
			};
		},
	};
}

/**
Returns the index of the last number that is at most `wanted`. The numbers are in ascending order, and the first number
is 0.
*/
function lastAtMost(numbers: readonly number[], wanted: number): number {
	let [low, high] = [0, numbers.length - 1];
	while (low < high) {
		const middle = (low + high + 1) >> 1;
		if ((numbers[middle] ?? 0) <= wanted) low = middle;
		else high = middle - 1;
	}
	return low;
}

/** Returns the meaning of an escape, and its length. A backslash that begins no escape stays. */
function meaningAt(text: string, at: number): {readonly shown: string; readonly length: number} {
	const letter = text[at + 1] ?? '';
	const shown = escapes.get(letter);
	if (shown !== undefined) return {shown, length: 2};
	const digits = letter === 'u' ? 4 : letter === 'x' ? 2 : 0;
	const code = text.slice(at + 2, at + 2 + digits);
	return code.length === digits && digits > 0 && /^[\da-f]+$/i.test(code)
		? {shown: String.fromCharCode(Number.parseInt(code, 16)), length: 2 + digits}
		: {shown: '\\', length: 1};
}

const escapes: ReadonlyMap<string, string> = new Map([
	['n', '\n'],
	['r', '\r'],
	['t', '\t'],
	['b', '\b'],
	['f', '\f'],
	...['"', "'", '`', '\\', '/'].map(letter => [letter, letter] as const),
]);

/** The maximum number of decodings, for JSON in JSON. */
const maxLevels = 2;

const longText = 2000;

/** The part of a header that tells that a history is a redacted copy. */
type RedactedHeader = {readonly count: number; readonly originalHead: string};
