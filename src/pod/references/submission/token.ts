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
Returns the web address that starts at `from`, right after the `@`. It runs to white space. Punctuation and closing
brackets at its end belong to the sentence, unless the address contains the opening bracket.
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

/** Scans an unquoted name. A backslash escapes a character that would end it. */
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
