/** Tells whether a path, relative and with `/`, matches. Built for patterns that a model wrote: matching takes time in proportion to pattern times path. */
export type PathMatcher = (path: string) => boolean;

export type CompiledGlob = {readonly ok: true; readonly matches: PathMatcher} | {readonly ok: false; readonly message: string};

/**
Compiles a glob with ripgrep's meaning: `*` and `?` stay within a segment and match dots, `**` spans segments, `[a-z]`, `[!a]`, `{a,b}`, `\` escapes.
A pattern without a slash matches the last segment at any depth; one with a slash is anchored. `!` in front turns the answer round.
*/
export function compileGlob(pattern: string): CompiledGlob {
	if (pattern.length > maxLength) return {ok: false, message: `The glob is longer than ${maxLength} characters.`};
	const negated = pattern.startsWith('!');
	const positive = negated ? pattern.slice(1) : pattern;
	if (positive.replaceAll('/', '') === '') return {ok: false, message: 'The glob is empty.'};
	const alternatives = expandBraces(positive);
	if (typeof alternatives === 'string') return {ok: false, message: alternatives};
	const programs: Array<readonly Token[]> = [];
	for (const alternative of alternatives) {
		const tokens = tokensOf(anchored(alternative));
		if (typeof tokens === 'string') return {ok: false, message: tokens};
		programs.push(tokens);
	}
	return {
		ok: true,
		matches(path) {
			const characters = Array.from(path);
			return programs.some(tokens => run(tokens, characters)) !== negated;
		},
	};
}

const maxLength = 1000;
const maxAlternatives = 256;

/** `{a,b{c,d}}` to `a`, `bc`, `bd`; a sentence where that cannot be done. */
function expandBraces(pattern: string): readonly string[] | string {
	let done: string[] = [];
	let open = [pattern];
	while (open.length > 0) {
		const next: string[] = [];
		for (const text of open) {
			const brace = firstBrace(text);
			if (brace === 'none') done = [...done, text];
			else if (brace === 'unclosed') return `The glob has a { without its }: ${pattern}`;
			else next.push(...brace);
		}
		if (done.length + next.length > maxAlternatives) return `The glob has more than ${maxAlternatives} alternatives.`;
		open = next;
	}
	return done;
}

function firstBrace(text: string): 'none' | 'unclosed' | readonly string[] {
	const begin = outside(text, 0).find(({character}) => character === '{')?.index;
	if (begin === undefined) return 'none';
	const parts: string[] = [];
	let depth = 0;
	let from = begin + 1;
	for (const {character, index} of outside(text, begin)) {
		if (character === '{') depth += 1;
		if (character === '}') depth -= 1;
		if (depth === 0 || (depth === 1 && character === ',')) {
			parts.push(text.slice(from, index));
			from = index + 1;
		}
		if (depth === 0) return parts.map(part => text.slice(0, begin) + part + text.slice(from));
	}
	return 'unclosed';
}

/** The characters that are neither escaped nor inside a class, from an index on. */
function outside(text: string, start: number): ReadonlyArray<{readonly character: string; readonly index: number}> {
	const found: Array<{readonly character: string; readonly index: number}> = [];
	for (let index = start; index < text.length; index += 1) {
		const character = text[index]!;
		if (character === '\\') index += 1;
		else if (character === '[') index = classEnd(text, index) ?? index;
		else found.push({character, index});
	}
	return found;
}

function classEnd(text: string, start: number): number | undefined {
	const first = /^\[[!^]?\]?/.exec(text.slice(start, start + 3))![0].length;
	const end = text.indexOf(']', start + first);
	return end < 0 ? undefined : end;
}

function anchored(pattern: string): string {
	const tail = pattern.endsWith('/') ? `${pattern}**` : pattern;
	if (tail.startsWith('/')) return tail.slice(1);
	return tail.includes('/') ? tail.replace(/^\.\//, '') : `**/${tail}`;
}

type Token =
	| {readonly type: 'one'; readonly fits: (character: string) => boolean}
	/** Any run of characters without a slash. */
	| {readonly type: 'star'}
	/** Any run of characters. */
	| {readonly type: 'all'}
	/** Nothing, or whole segments with their slash. */
	| {readonly type: 'segments'};

function tokensOf(pattern: string): readonly Token[] | string {
	const tokens: Token[] = [];
	for (let at = 0; at < pattern.length; ) {
		const rest = pattern.slice(at);
		const atSegment = at === 0 || pattern[at - 1] === '/';
		const spans = atSegment ? /^\*\*(?:\/|$)/.exec(rest)?.[0] : undefined;
		if (spans !== undefined) {
			tokens.push(spans.endsWith('/') ? {type: 'segments'} : {type: 'all'});
			at += spans.length;
			continue;
		}
		if (rest.startsWith('*')) {
			tokens.push({type: 'star'});
			at += /^\*+/.exec(rest)![0].length;
		} else if (rest.startsWith('[')) {
			const end = classEnd(pattern, at);
			if (end === undefined) return `The glob has a [ without its ]: ${pattern}`;
			tokens.push({type: 'one', fits: classTest(pattern.slice(at + 1, end))});
			at = end + 1;
		} else {
			const literal = Array.from(rest.startsWith('\\') && rest.length > 1 ? rest.slice(1) : rest)[0]!;
			tokens.push({type: 'one', fits: rest.startsWith('?') ? notSlash : character => character === literal});
			at += literal.length + (rest.startsWith('\\') && rest.length > 1 ? 1 : 0);
		}
	}
	return tokens;
}

function notSlash(character: string): boolean {
	return character !== '/';
}

function classTest(body: string): (character: string) => boolean {
	const negated = /^[!^]/.test(body);
	const points = Array.from(negated ? body.slice(1) : body);
	const ranges: Array<readonly [string, string]> = [];
	for (let at = 0; at < points.length; at += 1) {
		const isRange = points[at + 1] === '-' && points[at + 2] !== undefined;
		ranges.push([points[at]!, isRange ? points[at + 2]! : points[at]!]);
		if (isRange) at += 2;
	}
	return character => character !== '/' && ranges.some(([low, high]) => character >= low && character <= high) !== negated;
}

/** Walks the path once with the set of places in the pattern that are still possible. */
function run(tokens: readonly Token[], path: readonly string[]): boolean {
	let places = new Set<number>();
	enter(tokens, 0, places);
	for (const character of path) {
		const next = new Set<number>();
		for (const place of places) {
			const token = tokens[place];
			if (token === undefined) continue;
			if (token.type === 'one') {
				if (token.fits(character)) enter(tokens, place + 1, next);
			} else if (token.type === 'all') enter(tokens, place, next);
			else if (token.type === 'star') {
				if (character !== '/') enter(tokens, place, next);
			} else {
				next.add(place);
				if (character === '/') enter(tokens, place + 1, next);
			}
		}
		places = next;
		if (places.size === 0) return false;
	}
	return places.has(tokens.length);
}

/** Adds a place and those reached from it without a character. */
function enter(tokens: readonly Token[], place: number, places: Set<number>): void {
	for (let at = place; ; at += 1) {
		places.add(at);
		const type = tokens[at]?.type;
		if (type === undefined || type === 'one') return;
	}
}
