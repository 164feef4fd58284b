import {codesOf, compilePlaces, matchingGlobs, type GlobPlaces, type PlaceToken} from './glob-places.ts';
import {en} from '../../../language/index.ts';

/**
Tells whether a path matches. The path is relative and uses `/`. A model can write any pattern, so the time of a match
must be proportional to the length of the pattern times the length of the path.
*/
export type PathMatcher = (path: string) => boolean;

type CompiledGlob = {readonly ok: true; readonly matches: PathMatcher} | {readonly ok: false; readonly message: string};

/**
Compiles a glob, which has the same meaning as in ripgrep: `*` and `?` stay within a segment and match dots, `**` spans
segments, `[a-z]` and `[!a]` are classes, `{a,b}` are alternatives, and `\` escapes. A pattern without a slash matches
the last segment at any depth, while a pattern with a slash is anchored. A `!` at the start inverts the answer.
*/
export function compileGlob(pattern: string): CompiledGlob {
	const problem = globProblem(pattern);
	if (problem !== undefined) return {ok: false, message: problem};
	const negated = pattern.startsWith('!');
	const globs = compileAlternatives(expandBraces(negated ? pattern.slice(1) : pattern));
	return {ok: true, matches: path => matchingGlobs(globs, codesOf(path)).length > 0 !== negated};
}

/** Compiles alternatives from `expandBraces`, in which braces and a `!` at the start are ordinary characters. */
export function compileAlternatives(alternatives: readonly string[]): GlobPlaces {
	return compilePlaces(alternatives.map(alternative => tokensOf(anchored(alternative))));
}

/** A text whose first `plain` characters contain no braces to expand. */
type Half = {readonly text: string; readonly plain: number};

/** Expands `{a,b{c,d}}` to `a`, `bc`, `bd`. A pattern that `globProblem` accepts has few alternatives. */
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

/**
Returns a sentence about the problem of a glob, or nothing if it can be compiled. Does not expand the pattern, because a
short pattern with braces can represent a very long one. Its time depends only on the pattern's length. For example, 8
pairs of braces multiply the text around them by 256.
*/
export function globProblem(pattern: string): string | undefined {
	if (pattern.length > maxLength) return en`The glob is longer than ${maxLength} characters.`;
	const positive = pattern.startsWith('!') ? pattern.slice(1) : pattern;
	if (positive.replaceAll('/', '') === '') return en`The glob is empty.`;
	const size = sizeOf(positive);
	if (size === 'unclosed') return en`The glob has a { without its }: ${positive}`;
	if (size.pairs > maxPairs) return en`The glob has more than ${maxPairs} pairs of braces.`;
	if (size.alternatives > maxAlternatives) return en`The glob has more than ${maxAlternatives} alternatives.`;
	if (size.characters > maxExpanded)
		return en`The glob has more than ${maxExpanded} characters with its alternatives written out.`;
	return hasOpenClass(positive) ? en`The glob has a [ without its ]: ${positive}` : undefined;
}

/** Returns the number of a glob's alternatives, and their total length. Does not write out any of them. */
export function globSize(pattern: string): Pick<Size, 'alternatives' | 'characters'> {
	const size = sizeOf(pattern);
	return size === 'unclosed' ? {alternatives: 1, characters: pattern.length} : size;
}

/**
Yields the characters of a glob, from an index on, that are neither escaped nor inside a class. Also yields a `[` whose
class has no end.
*/
export function* outside(text: string, start: number): Generator<Found, undefined> {
	for (let index = start; index < text.length; index += 1) {
		const character = text.charAt(index);
		const end = character === '[' ? classEnd(text, index) : undefined;
		if (character === '\\') index += 1;
		else if (end === undefined) yield {character, index};
		else index = end;
	}
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

function tokensOf(pattern: string): readonly PlaceToken[] {
	const tokens: PlaceToken[] = [];
	for (let at = 0; at < pattern.length;) {
		const spans = at === 0 || pattern[at - 1] === '/' ? matchAt(/\*\*(?:\/|$)/y, pattern, at) : undefined;
		if (spans !== undefined) {
			const type = spans.endsWith('/') ? 'segments' : 'all';
			// A second `**/` has no effect.
			if (type === 'all' || tokens.at(-1)?.type !== 'segments') tokens.push({type});
			at += spans.length;
			continue;
		}
		const character = String.fromCodePoint(pattern.codePointAt(at) ?? 0);
		if (character === '*') {
			tokens.push({type: 'star'});
			at += matchAt(/\*+/y, pattern, at)?.length ?? 1;
			continue;
		}
		const end = character === '[' ? classEnd(pattern, at) : undefined;
		if (end !== undefined) {
			tokens.push({type: 'class', fits: classTest(pattern.slice(at + 1, end))});
			at = end + 1;
			continue;
		}
		const escaped = character === '\\' ? pattern.codePointAt(at + 1) : undefined;
		const literal = escaped === undefined ? character : String.fromCodePoint(escaped);
		tokens.push(character === '?' ? {type: 'class', fits: notSlash} : {type: 'literal', character: literal});
		at += literal.length + (escaped === undefined ? 0 : 1);
	}
	return tokens;
}

/** Returns the match of a sticky pattern at an index, without copying the text. */
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
		const low = points[at] ?? '';
		ranges.push([low, (isRange ? points[at + 2] : undefined) ?? low]);
		if (isRange) at += 2;
	}
	return character =>
		character !== '/' && ranges.some(([low, high]) => character >= low && character <= high) !== negated;
}

const maxLength = 1000;

const maxAlternatives = 256;

const maxPairs = 64;

const maxExpanded = 8192;

/** Returns the end of the class that begins at an index. */
function classEnd(text: string, start: number): number | undefined {
	const [opening = ''] = /^\[[!^]?\]?/.exec(text.slice(start, start + 3)) ?? [];
	const end = text.indexOf(']', start + opening.length);
	return end < 0 ? undefined : end;
}

type Size = {readonly alternatives: number; readonly characters: number; readonly pairs: number};

/** The state between two braces: the number and length of the current texts, and of the finished alternatives. */
type Level = {count: number; characters: number; readonly ended: {count: number; characters: number}};

/** Returns the number of texts that a pattern represents, and their total length. */
function sizeOf(pattern: string): Size | 'unclosed' {
	const outer: Level[] = [];
	let level = newLevel();
	let pairs = 0;
	let from = 0;
	for (const {character, index} of outside(pattern, 0)) {
		const isInside = outer.length > 0;
		if (character !== '{' && !(isInside && (character === ',' || character === '}'))) continue;
		level.characters += (index - from) * level.count;
		from = index + 1;
		if (character === '{') {
			outer.push(level);
			level = newLevel();
			pairs += 1;
		} else {
			endAlternative(level);
			const around = character === '}' ? outer.pop() : undefined;
			if (around === undefined) continue;
			multiply(around, level.ended);
			level = around;
		}
	}
	if (outer.length > 0) return 'unclosed';
	return {alternatives: level.count, characters: level.characters + (pattern.length - from) * level.count, pairs};
}

function newLevel(): Level {
	return {count: 1, characters: 0, ended: {count: 0, characters: 0}};
}

function endAlternative(level: Level): void {
	level.ended.count += level.count;
	level.ended.characters += level.characters;
	level.count = 1;
	level.characters = 0;
}

function multiply(level: Level, by: Level['ended']): void {
	level.characters = level.characters * by.count + by.characters * level.count;
	level.count *= by.count;
}

function hasOpenClass(pattern: string): boolean {
	for (const {character} of outside(pattern, 0)) if (character === '[') return true;
	return false;
}

type Found = {readonly character: string; readonly index: number};
