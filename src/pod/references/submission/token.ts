import type {Range} from '../../protocol.ts';
import {relative, resolve} from 'node:path';
import {fileURLToPath} from 'node:url';
import {diskPath, existsIn} from '../../scope/disk-path.ts';
import {contains} from '../../ground/files/contains.ts';
import type {Scope} from '../../scope/scope.ts';

/** The text after an `@`. `ends[n]` is the position in the text after the first `n` characters of the name. */
export type Token = {readonly name: string; readonly ends: readonly number[]; readonly quoted: boolean};

/** The maximum length of a token. A longer text is not a name. */
const maxToken = 16_384;

const space = /\s/u;

const stops: ReadonlySet<string> = new Set('"\'`、。，！？：；）」』】〉》');

const opening = /[\p{Ps}\p{Pi}"'`<]/u;

/** Matches one character of CJK text or punctuation. Full-width letters and digits count as letters. */
export const cjk = new RegExp(
	String.raw`[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Bopomofo}` +
		String.raw`\u3000-\u303F\uFF00-\uFF0F\uFF1A-\uFF20\uFF3B-\uFF40\uFF5B-\uFFEF]`,
	'u',
);

const trailing: ReadonlySet<string> = new Set('.,;:!?)]}”’»>…');

/** Tells whether a ref may start after this character. An empty text is the start of the draft. */
export function mayPrecedeRef(before: string): boolean {
	return before === '' || space.test(before) || opening.test(before) || cjk.test(before);
}

/** Tells whether `/slug` may start after this character. An empty text means the start of the draft. */
export function mayPrecedeWorkflow(before: string): boolean {
	return before === '' || space.test(before) || cjk.test(before);
}

/** Returns the token that starts at `from`, right after the `@`. */
export function scanToken(text: string, from: number): Token | 'too_long' | undefined {
	return text[from] === '"' ? scanQuoted(text, from + 1) : scanBare(text, from);
}

/**
Returns the web address that starts at `from`, right after the `@`. The address ends before white space. Punctuation and
closing brackets at its end belong to the sentence, unless the address contains the opening bracket.
*/
export function scanWebAddress(text: string, from: number): {readonly url: string; readonly end: number} | undefined {
	if (!/^https?:\/\/[^\s/\\]/iu.test(text.slice(from, from + 12))) return undefined;
	const found = /^\S*/u.exec(text.slice(from, from + maxToken))?.[0] ?? '';
	let length = found.length;
	while (length > 0 && isAfterAddress(found, length)) length -= 1;
	const url = found.slice(0, length);
	return /^https?:\/\/[^/\\]/i.test(url) ? {url, end: from + length} : undefined;
}

/** Scans the name of a resource, `server:uri`, up to a space or the punctuation of the sentence. */
export function scanResource(text: string, from: number): {readonly name: string; readonly end: number} | undefined {
	const found = /^[^\s/\\:@]{1,64}:[a-z][a-z\d+.-]*:\S*/iu.exec(text.slice(from, from + maxToken))?.[0] ?? '';
	let length = found.length;
	while (length > 0 && isAfterAddress(found, length)) length -= 1;
	return length === 0 ? undefined : {name: found.slice(0, length), end: from + length};
}

/** Tells whether the last of the first `length` characters follows the address. */
function isAfterAddress(found: string, length: number): boolean {
	const last = found.charAt(length - 1);
	const opening = {')': '(', ']': '[', '}': '{'}[last];
	if (opening === undefined) return trailing.has(last) || stops.has(last);
	const address = found.slice(0, length);
	return address.split(last).length > address.split(opening).length;
}

/** Tells whether a token ends here, not counting the punctuation of the sentence. */
export function tokenEndsAt(text: string, at: number): boolean {
	let end = at;
	while (trailing.has(text[end] ?? '') && end - at < 16) end += 1;
	return end >= text.length || endsToken(text.charAt(end));
}

/** Scans an unquoted name. A backslash escapes a character that would end the name. */
function scanBare(text: string, from: number): Token | 'too_long' | undefined {
	const taken = collector(from);
	let at = from;
	while (at < text.length) {
		const escaped =
			text[at] === '\\' &&
			at + 1 < text.length &&
			endsToken(text.charAt(at + 1)) &&
			!'\r\n'.includes(text.charAt(at + 1));
		if (!escaped && endsToken(text.charAt(at))) break;
		if (taken.length() === maxToken) return 'too_long';
		at += escaped ? 2 : 1;
		taken.add(text.charAt(at - 1), at);
	}
	return taken.length() === 0 ? undefined : taken.token(false);
}

/** Scans a name up to the closing quote. `\"` and `\\` are escapes. */
function scanQuoted(text: string, from: number): Token | 'too_long' | undefined {
	const taken = collector(from);
	let at = from;
	while (at < text.length && text[at] !== '"') {
		if (taken.length() === maxToken) return 'too_long';
		const escaped = text[at] === '\\' && (text[at + 1] === '"' || text[at + 1] === '\\');
		at += escaped ? 2 : 1;
		taken.add(text.charAt(at - 1), at);
	}
	if (at >= text.length || taken.length() === 0) return undefined;
	taken.close(at + 1);
	return taken.token(true);
}

/**
Returns the possible ends of the path in a bare name, longest first. These are the end of the name, the place before
trailing punctuation, a change from ASCII to CJK, and the place before a `#`.
*/
export function cutsOf(name: string): number[] {
	const cuts = new Set<number>();
	for (const cut of [name.length, ...cjkChanges(name)])
		for (const stripped of withoutTrailing(name, cut)) cuts.add(stripped);
	const hash = name.indexOf('#');
	if (hash > 0) cuts.add(hash);
	return [...cuts].filter(cut => cut === name.length || /[^.]/.test(name.slice(0, cut)));
}

/** Tells whether a cut at this index leaves a name that does not end with the sentence's punctuation. */
export function isStripped(name: string, cut: number): boolean {
	return cut > 0 && !trailing.has(name.charAt(cut - 1));
}

/**
Returns a test that tells whether a position of `text` is in inline code or in a Markdown fence. The caller must pass
ascending positions.
*/
export function codeRegions(text: string): (at: number) => boolean {
	const regions = text.includes('`') || text.includes('~~~') ? findRegions(text) : [];
	let next = 0;
	return at => {
		let region = regions[next];
		while (region !== undefined && region.end <= at) region = regions[++next];
		return region !== undefined && region.start <= at;
	};
}

/**
Splits `path:10-20` into path and range. Returns `undefined` if there is no range at the end, or no path before the
range.
*/
export function splitRange(name: string): (Found & {readonly path: string}) | undefined {
	const found = atEnd.exec(name);
	return found === null || found.index === 0
		? undefined
		: {path: name.slice(0, found.index), range: rangeOf(found.groups)};
}

/** Returns the range at the start of `text`, and the length of the range in characters. */
export function leadingRange(text: string): (Found & {readonly length: number}) | undefined {
	const found = atStart.exec(text.slice(0, 64));
	return found === null ? undefined : {range: rangeOf(found.groups), length: found[0].length};
}

/**
Returns the path of the existing file that a pasted or dragged text names, or `undefined` for any other text. A path
below the working directory is relative to it.
*/
export async function namedPath(text: string, scope: Scope): Promise<string | undefined> {
	const exists = existsIn(scope);
	for (const path of readingsOf(text)) {
		if (!(await exists(path))) continue;
		const absolute = resolve(scope.pwd, diskPath(path, scope));
		const below = contains(scope.pwd, absolute) ? relative(scope.pwd, absolute) : '';
		return below === '' || below.startsWith('~') ? path : below;
	}
	return undefined;
}

/**
Returns the paths that pasted or dragged text can mean: as it is, without its quotes, without its backslashes, or as a
`file:` address. Terminals write a dragged file in one of these forms, often with a space after it.
*/
export function readingsOf(text: string): readonly string[] {
	const written = text.trim();
	if (written === '' || written.length > maxLength || control.test(written)) return [];
	const readings = [written, unquoted(written), unescaped(written), ofAddress(written)];
	return [...new Set(readings.filter(reading => reading !== undefined && !control.test(reading)))] as string[];
}

function cjkChanges(name: string): number[] {
	const changes: number[] = [];
	for (const found of name.matchAll(asciiThenCjk)) changes.push(found.index + 1);
	changes.reverse();
	return changes.length <= maxCuts * 2 ? changes : [...changes.slice(0, maxCuts), ...changes.slice(-maxCuts)];
}

const asciiThenCjk = new RegExp(`[\\x21-\\x7E](?=${cjk.source})`, 'gu');

const maxCuts = 8;

const maxSingleStrips = 4;

function withoutTrailing(name: string, cut: number): number[] {
	let end = cut;
	while (isTrailing(name, end)) end -= 1;
	const singles: number[] = [];
	for (let at = cut; at > end && singles.length < maxSingleStrips; at -= 1) singles.push(at);
	return end > 0 ? [...singles, end] : singles;
}

function isTrailing(name: string, end: number): boolean {
	return end > 0 && trailing.has(name.charAt(end - 1));
}

function endsToken(character: string): boolean {
	return stops.has(character) || space.test(character);
}

function collector(from: number): {
	length(): number;
	add(character: string, end: number): void;
	close(end: number): void;
	token(quoted: boolean): Token;
} {
	const characters: string[] = [];
	const ends = [from];
	return {
		length: () => characters.length,
		add(character, end) {
			characters.push(character);
			ends.push(end);
		},
		close: end => void (ends[ends.length - 1] = end),
		token: quoted => ({name: characters.join(''), ends, quoted}),
	};
}

type Region = {readonly start: number; readonly end: number};

type Run = {readonly start: number; readonly length: number; readonly block: number};

function findRegions(text: string): Region[] {
	const regions: Region[] = [];
	const runs: Run[] = [];
	let fence: {readonly mark: string; readonly start: number} | undefined;
	let block = 0;
	let start = 0;
	for (const line of text.split('\n')) {
		const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
		if (fence !== undefined) {
			if (mark?.startsWith(fence.mark) && line.trim() === mark) {
				regions.push({start: fence.start, end: start + line.length});
				fence = undefined;
			}
		} else if (mark !== undefined && !(mark.startsWith('`') && line.trim().slice(mark.length).includes('`'))) {
			fence = {mark, start};
			block += 1;
		} else if (line.trim() === '') {
			block += 1;
		} else {
			for (const run of line.matchAll(/`+/g)) runs.push({start: start + run.index, length: run[0].length, block});
		}
		start += line.length + 1;
	}
	if (fence !== undefined) regions.push({start: fence.start, end: text.length});
	return [...regions, ...pairs(runs)].toSorted((a, b) => a.start - b.start);
}

/** Returns the pairs of backtick runs. A run is closed by the next run of the same length in the same paragraph. */
function pairs(runs: readonly Run[]): Region[] {
	const nextSame = new Map<string, Run>();
	const closers = new Map<Run, Run>();
	for (const run of runs.toReversed()) {
		const key = `${run.block}/${run.length}`;
		const closer = nextSame.get(key);
		if (closer !== undefined) closers.set(run, closer);
		nextSame.set(key, run);
	}
	const regions: Region[] = [];
	let closedAt = -1;
	for (const run of runs) {
		const closer = closers.get(run);
		if (closer === undefined || run.start <= closedAt) continue;
		regions.push({start: run.start + run.length, end: closer.start});
		closedAt = closer.start;
	}
	return regions;
}

/**
Matches ranges like `:10`, `:10-20`, `:10-`, `#L10`, `#L10-L20`, which are 1-based and inclusive. Larger numbers become
MAX_SAFE_INTEGER.
*/
const suffix = /(?::(?<from>\d{1,24})(?<dash>-(?<to>\d{1,24})?)?|#L(?<line>\d{1,24})(?:-L?(?<until>\d{1,24}))?)/;

const atEnd = new RegExp(`${suffix.source}$`);

/** Matches a range at the start of the text. No word may follow it, but CJK text may follow without a space. */
const atStart = new RegExp(`^${suffix.source}(?!(?!${cjk.source})[\\p{L}\\p{N}_])`, 'u');

/** A range in the text. `range` is absent if it contains line 0, which does not exist in any file. */
type Found = {readonly range: Range | undefined};

function rangeOf(groups: Readonly<Record<string, string | undefined>> | undefined): Range | undefined {
	const first = lineNumber(groups?.['from'] ?? groups?.['line'] ?? '0');
	const end = groups?.['to'] ?? groups?.['until'];
	const last = end === undefined ? undefined : lineNumber(end);
	if (first === 0 || last === 0) return undefined;
	if (last !== undefined) return {first, last};
	return groups?.['dash'] === undefined ? {first, last: first} : {first};
}

function lineNumber(digits: string): number {
	return Math.min(Number(digits), Number.MAX_SAFE_INTEGER);
}

/** The maximum length of a path with its quotes or escapes, in UTF-16 code units. */
const maxLength = 3 * 4096;

const control = /[\u0000-\u001F\u007F]/;

/**
Returns the text without its quotes. In single quotes a quote is written as `'\''`, and in double quotes a backslash
escapes a quote or itself.
*/
function unquoted(text: string): string | undefined {
	const single = /^'((?:[^']|'\\'')*)'$/.exec(text)?.[1];
	if (single !== undefined) return single.replaceAll(String.raw`'\''`, "'");
	return /^"((?:[^"\\]|\\.)*)"$/.exec(text)?.[1]?.replaceAll(/\\(["\\$`])/g, '$1');
}

/**
Returns the text without its backslashes. A shell would split the text at a space without a backslash, so text with such
a space is not one path.
*/
function unescaped(text: string): string | undefined {
	return /^(?:[^\s\\'"]|\\.)+$/u.test(text) && text.includes('\\') ? text.replaceAll(/\\(.)/gu, '$1') : undefined;
}

/**
Returns the path in a `file:` address. Only addresses of this machine name a file: without a host, or with `localhost`.
*/
function ofAddress(text: string): string | undefined {
	if (!/^file:\/\/(?:localhost)?\//i.test(text) || /[?#]/.test(text)) return undefined;
	try {
		return fileURLToPath(new URL(text.replace(/^file:\/\/localhost/i, 'file://')));
	} catch {
		return undefined;
	}
}
