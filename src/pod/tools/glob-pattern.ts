import {globProblem} from './glob-check.ts';
import {classEnd, outside} from './glob-scan.ts';

/**
Tells whether a path, relative and with `/`, matches. Built for patterns that a model wrote: matching takes time in
proportion to pattern times path.
*/
export type PathMatcher = (path: string) => boolean;

export type CompiledGlob =
	| {readonly ok: true; readonly matches: PathMatcher}
	| {readonly ok: false; readonly message: string};

/**
Compiles a glob with ripgrep's meaning: `*` and `?` stay within a segment and match dots, `**` spans segments, `[a-z]`,
`[!a]`, `{a,b}`, `\` escapes.
A pattern without a slash matches the last segment at any depth; one with a slash is anchored. `!` in front turns the
answer round.
*/
export function compileGlob(pattern: string): CompiledGlob {
	const problem = globProblem(pattern);
	if (problem !== undefined) return {ok: false, message: problem};
	const negated = pattern.startsWith('!');
	const matchers = expandBraces(negated ? pattern.slice(1) : pattern).map(alternative =>
		compileAlternative(alternative),
	);
	return {ok: true, matches: path => matchers.some(matches => matches(path)) !== negated};
}

/**
Compiles one alternative that `expandBraces` made: braces and a `!` in front are plain characters. `hasContents`: what
is below a folder that matches does, too.
*/
export function compileAlternative(alternative: string, hasContents = false): PathMatcher {
	const tokens = tokensOf(anchored(alternative));
	return path => run(tokens, Array.from(path), hasContents);
}

/** A text whose first `plain` characters have no braces left to be written out. */
type Half = {readonly text: string; readonly plain: number};

/** `{a,b{c,d}}` to `a`, `bc`, `bd`: of a pattern that `globProblem` has nothing to say of, few enough. */
export function expandBraces(pattern: string): readonly string[] {
	const done: string[] = [];
	let open: readonly Half[] = [{text: pattern, plain: 0}];
	while (open.length > 0) {
		const next: Half[] = [];
		for (const half of open) {
			const brace = firstBrace(half);
			if (brace === 'none') done.push(half.text);
			else next.push(...brace);
		}
		open = next;
	}
	return done;
}

function firstBrace({text, plain}: Half): 'none' | readonly Half[] {
	const begin = outside(text, plain).find(({character}) => character === '{')?.index;
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
		if (depth === 0)
			return parts.map(part => ({text: text.slice(0, begin) + part + text.slice(from), plain: begin}));
	}
	throw new Error('a brace is not closed');
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

function tokensOf(pattern: string): readonly Token[] {
	const tokens: Token[] = [];
	for (let at = 0; at < pattern.length;) {
		const spans = at === 0 || pattern[at - 1] === '/' ? matchAt(/\*\*(?:\/|$)/y, pattern, at) : undefined;
		if (spans !== undefined) {
			const type = spans.endsWith('/') ? 'segments' : 'all';
			// A second `**/` says nothing that the first does not.
			if (type === 'all' || tokens.at(-1)?.type !== 'segments') tokens.push({type});
			at += spans.length;
			continue;
		}
		if (pattern[at] === '*') {
			tokens.push({type: 'star'});
			at += matchAt(/\*+/y, pattern, at)!.length;
		} else if (pattern[at] === '[') {
			const end = classEnd(pattern, at)!;
			tokens.push({type: 'one', fits: classTest(pattern.slice(at + 1, end))});
			at = end + 1;
		} else {
			const isEscaped = pattern[at] === '\\' && at + 1 < pattern.length;
			const literal = String.fromCodePoint(pattern.codePointAt(isEscaped ? at + 1 : at)!);
			tokens.push({type: 'one', fits: pattern[at] === '?' ? notSlash : character => character === literal});
			at += literal.length + (isEscaped ? 1 : 0);
		}
	}
	return tokens;
}

/** What a sticky pattern matches at an index. Nothing is copied: a pattern is gone through once. */
function matchAt(sticky: RegExp, text: string, at: number): string | undefined {
	sticky.lastIndex = at;
	return sticky.exec(text)?.[0];
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
	return character =>
		character !== '/' && ranges.some(([low, high]) => character >= low && character <= high) !== negated;
}

/** Walks the path once with the set of places in the pattern that are still possible. */
function run(tokens: readonly Token[], path: readonly string[], hasContents: boolean): boolean {
	let places = new Set<number>();
	enter(tokens, 0, places);
	for (const character of path) {
		if (hasContents && character === '/' && places.has(tokens.length)) return true;
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
