import type {Item} from '../../../worker/index.ts';
import {closing, encodeBatch, headerLine, headerSum, type Header} from '../format/line.ts';
import {dumpViews} from './dumps.ts';
import {asItIs, createParts, replacedIn, type View} from './parts.ts';
import {lineNumber} from './place.ts';

/**
Returns the views of a text in which secrets are searched: the text as it is, the lines with escapes, decoded as in JSON
once and twice, and the text decoded as a URL, as HTML and as a mail. Dumps have their own views.
*/
export function* viewsOf(text: string): Generator<View> {
	const whole = asItIs(text);
	yield {...whole, text: withoutLongTexts(text)};
	yield* dumpViews(whole);
	for (const view of decodedOften(whole)) yield* [view, ...dumpViews(view)];
	yield* outerOf(whole);
}

/**
Returns the views of a text in which known secrets are searched: the text as it is and with decoded escapes, and each of
these also decoded as a URL and as HTML, without the line breaks in base64 and hex, and as dumps. A text that was
decoded as a URL or HTML may itself be encoded, so it is decoded further. Each view is made when it is needed, because
the views of a long text are long.
*/
export function* encodedViews(text: string): Generator<View> {
	const whole = asItIs(text);
	yield whole;
	yield* joinedLines(whole);
	yield* dumpViews(whole);
	for (const view of outerOf(whole)) {
		yield view;
		const meant = decoded(view);
		if (meant !== undefined) yield meant;
		yield* meaningsOf(view);
	}
	for (const view of decodedOften(whole)) {
		yield view;
		yield* meaningsOf(view);
		yield* dumpViews(view);
	}
}

/** Returns a view with escapes decoded once, twice and so on. */
function* decodedOften(whole: View): Generator<View> {
	for (let view = decoded(whole); view !== undefined; view = view.level < maxLevels ? decoded(view) : undefined)
		yield view;
}

/** Returns a view decoded as a URL, once and twice, as HTML, and as the text of a mail. */
function outerOf(view: View): readonly View[] {
	const address = replacedIn(view, inAddress, fromAddress);
	const twice = address && replacedIn(address, inAddress, fromAddress);
	return [address, twice, replacedIn(view, inHtml, fromHtml), replacedIn(view, inMail, fromMail)].filter(isView);
}

function* meaningsOf(view: View): Generator<View> {
	yield* outerOf(view);
	yield* joinedLines(view);
}

/** Returns the views in which base64 and hex of several lines is on one line. */
function* joinedLines(view: View): Generator<View> {
	for (const gap of lineGaps) {
		const joined = replacedIn(view, gap, () => '');
		if (joined !== undefined) yield joined;
	}
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

/** The codes and line breaks of quoted-printable. */
const inMail = /=(?:[2-7][\dA-F]|[C-F][\dA-F](?:=[89AB][\dA-F]){1,3}|\r?\n(?:[>|][ \t]{0,4}){0,4})/g;

/** The end of a line of base64 or hex: a quote and an operator in a program, a continued line, or nothing. */
const encodedEnd =
	String.raw`(?=[\\"'\`=<\r\n \t])(?<=[A-Za-z0-9+/_-]{16})` +
	String.raw`(?:\\{1,8}[rn]){0,2}(?:["'\`][ \t]{0,4}[,+.&]?)?[ \t]{0,4}(?:\\{1,2}|=|<br ?\/?>)?\r?\n`;

/** The start of the next line of base64 or hex. */
const encodedStart = '["\'`]?(?=[A-Za-z0-9+/_-])';

/** A sign at the start of a line: of a diff, a quotation, a comment, or a list. */
const lineSign = String.raw`(?:\/{2,3}|--|[-+<>|#*;%!])[ \t]{0,40}`;

/**
The text between the lines of base64 or hex. Signs at the start of a line may belong to base64. So each pattern removes
the same number of signs from each line.
*/
const lineGaps: readonly RegExp[] = [
	`[ \\t]{0,40}`,
	`${lineNumber}[ \\t]{0,40}`,
	...[1, 2, 3].map(signs => `(?:${lineNumber})??[ \\t]{0,40}(?:${lineSign}){${signs}}`),
].map(start => new RegExp(`${encodedEnd}${start}${encodedStart}`, 'g'));

function fromAddress(code: string): string {
	return Buffer.from(code.replaceAll('%', ''), 'hex').toString('utf8');
}

function fromMail(code: string): string {
	return code.includes('\n') ? '' : Buffer.from(code.replaceAll('=', ''), 'hex').toString('utf8');
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
function decoded(shown: View): View | undefined {
	const {text, level} = shown;
	const {add, isEmpty, view} = createParts(shown);
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
	return isEmpty() ? undefined : view(level + 1);
}

/** Returns the meaning of an escape, and its length. A backslash that begins no escape stays. */
function meaningAt(text: string, at: number): {readonly shown: string; readonly length: number} {
	const letter = text[at + 1] ?? '';
	const shown = escapes.get(letter);
	if (shown !== undefined) return {shown, length: 2};
	const octal = /^[0-3][0-7]{2}$/.exec(text.slice(at + 1, at + 4))?.[0];
	if (octal !== undefined) return {shown: String.fromCharCode(Number.parseInt(octal, 8)), length: 4};
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
