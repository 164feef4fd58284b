import {atomBefore, draftLine, type Draft, type Position} from '../../editor/draft.ts';
import {textOfAtom, type Atom, type Line} from '../../editor/graphemes.ts';
import {rangeAtEnd, textOf} from '../../editor/chip-range.ts';

/** The text at the caret that can be completed. A column is an index into the atoms of the caret's line. */
export type Token = {
	/**
	`path` begins with `@`, `command` with `/` at the draft's start, and `workflow` with `/` at the start of another
	word.
	*/
	readonly kind: 'path' | 'command' | 'workflow';
	/** The position of the token's mark: `@`, `＠` or `/`. */
	readonly start: Position;
	/** The column after the token's last atom. The suffix is a part of the token. */
	readonly end: number;
	readonly mark: string;
	/** The text to complete, without quotes, escapes and suffix. */
	readonly text: string;
	/** The line range at the end of the token, such as `:10-20`. It may be incomplete. */
	readonly suffix: string;
};

/**
Returns the token around a position. The function reads at most `reach` atoms on each side of the position, so it is
fast in a long draft.
*/
export function tokenAt(draft: Draft, caret: Position): Token | undefined {
	return pathToken(draft, caret) ?? slashToken(draft, caret);
}

/** The maximum number of atoms of a token on each side of the caret. A longer token has no popup. */
const reach = 512;

function pathToken(draft: Draft, caret: Position): Token | undefined {
	const line = draftLine(draft, caret.line);
	const start = pathStart(draft, caret);
	if (start === undefined) return undefined;
	const quoted = line[start + 1] === '"' && caret.column > start + 1;
	const end = quoted ? quotedEnd(line, caret.column) : bareEnd(line, caret.column);
	const isClosed = quoted && end > caret.column;
	const written = quoted
		? unquote(textOf(line, start + 2, isClosed ? end - 1 : end))
		: unescape(textOf(line, start + 1, end));
	const suffix = quoted ? '' : written.slice(written.length - (rangeAtEnd(written)?.length ?? 0));
	const text = written.slice(0, written.length - suffix.length);
	return {
		kind: 'path',
		start: {line: caret.line, column: start},
		end,
		mark: textOf(line, start, start + 1),
		text,
		suffix,
	};
}

/** Returns the column of the token's mark: the nearest mark of a bare token, or the mark of an open quote. */
function pathStart(draft: Draft, {line: index, column}: Position): number | undefined {
	const line = draftLine(draft, index);
	const isStart = (at: number) => isMark(line[at]) && mayPrecedeRef(before(draft, {line: index, column: at}));
	let bare = true;
	for (let at = column - 1; at >= Math.max(0, column - reach); at--) {
		const atom = line[at];
		if (typeof atom !== 'string') return undefined;
		if (bare && isStart(at)) return at;
		if (atom === '"' && !(line[at - 1] === '\\' && isEscaped(line, at, bare)))
			return isStart(at - 1) ? at - 1 : undefined;
		if (endsToken(atom) && line[at - 1] !== '\\') bare = false;
	}
	return undefined;
}

/**
Tells whether a backslash before an atom escapes it. In a quoted name a backslash also escapes another backslash. In a
bare name it escapes any character that would end the name.
*/
function isEscaped(line: Line, at: number, bare: boolean): boolean {
	if (bare) return true;
	let backslashes = 0;
	while (line[at - 1 - backslashes] === '\\') backslashes++;
	return backslashes % 2 === 1;
}

/** Returns the column after the closing quote, or the caret's column if there is no closing quote. */
function quotedEnd(line: Line, column: number): number {
	for (let at = column; at < Math.min(line.length, column + reach) && typeof line[at] === 'string'; at++) {
		if (line[at] === '"' && !isEscaped(line, at, false)) return at + 1;
	}
	return column;
}

/**
Returns the end of a bare name. A CJK character after an ASCII character ends the name. Punctuation at the end of a
sentence does not belong to the name.
*/
function bareEnd(line: Line, column: number): number {
	let end = column;
	while (end < Math.min(line.length, column + reach) && goesOn(line[end], line[end - 1])) end++;
	while (end > column && trailing.has(textOf(line, end - 1, end))) end--;
	return end;
}

function goesOn(atom: Atom | undefined, last: Atom | undefined): boolean {
	if (typeof atom !== 'string' || (endsToken(atom) && last !== '\\')) return false;
	return !(cjk.test(atom) && typeof last === 'string' && last.charCodeAt(0) < 0x80);
}

function slashToken(draft: Draft, caret: Position): Token | undefined {
	const line = draftLine(draft, caret.line);
	let column = caret.column - 1;
	while (column >= Math.max(0, caret.column - reach) && isSlugAtom(line[column])) column--;
	if (line[column] !== '/') return undefined;
	const start: Position = {line: caret.line, column};
	const ahead = before(draft, start);
	if (!mayPrecedeWorkflow(ahead)) return undefined;
	let end = caret.column;
	while (end < Math.min(line.length, caret.column + reach) && isSlugAtom(line[end])) end++;
	const next = line[end];
	if (typeof next === 'string' && /^[\p{L}\p{N}_/\\@~]/u.test(next) && !cjk.test(next)) return undefined;
	return {
		kind: ahead === '' ? 'command' : 'workflow',
		start,
		end,
		mark: '/',
		text: textOf(line, column + 1, end),
		suffix: '',
	};
}

function isSlugAtom(atom: Atom | undefined): boolean {
	return typeof atom === 'string' && /^[A-Za-z0-9_:-]$/.test(atom);
}

function isMark(atom: Atom | undefined): boolean {
	return atom === '@' || atom === '＠';
}

/**
Returns the character before a position. Returns an empty text at the draft's start. Returns a letter after a chip,
because no token may begin after a chip.
*/
function before(draft: Draft, {line, column}: Position): string {
	if (column === 0) return line === 0 ? '' : '\n';
	const atom = atomBefore(draft, {line, column});
	const text = textOfAtom(atom) ?? (typeof atom === 'object' && atom.type === 'paste' ? atom.content : undefined);
	if (text === undefined) return 'x';
	const end = text.slice(-2);
	return /^[\ud800-\udbff][\udc00-\udfff]$/.test(end) ? end : end.slice(-1);
}

/** Tells whether a ref may start after this character, by the pod's rules. An empty text means the draft's start. */
export function mayPrecedeRef(character: string): boolean {
	return character === '' || /^[\s\p{Ps}\p{Pi}"'`<]/u.test(character) || cjk.test(character);
}

/** Tells whether `/name` may start after this character, by the pod's rules. An empty text means the draft's start. */
export function mayPrecedeWorkflow(character: string): boolean {
	return character === '' || /^\s/.test(character) || cjk.test(character);
}

function endsToken(atom: string): boolean {
	return stops.has(atom) || /^\s/.test(atom);
}

function unescape(text: string): string {
	return text.replaceAll(/\\(["'`、。，！？：；）」』】〉》]|[^\S\r\n])/gu, '$1');
}

function unquote(text: string): string {
	return text.replaceAll(/\\(["\\])/g, '$1');
}

const stops: ReadonlySet<string> = new Set('"\'`、。，！？：；）」』】〉》');
const trailing: ReadonlySet<string> = new Set('.,;:!?)]}”’»>…');
const cjk = new RegExp(
	[
		String.raw`^[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Bopomofo}`,
		String.raw`\u3000-\u303F\uFF00-\uFF0F\uFF1A-\uFF20\uFF3B-\uFF40\uFF5B-\uFFEF]`,
	].join(''),
	'u',
);
