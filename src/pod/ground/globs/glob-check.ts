import {en} from '../../../language/index.ts';
import {outside} from './glob-scan.ts';

/**
Returns a sentence about the problem of a glob, or nothing if it can be compiled. It does not expand the pattern,
because a short pattern with braces may mean a very long one. Its time depends only on the pattern's length. For
example, 8 pairs of braces multiply the text around them by 256.
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

const maxLength = 1000;
const maxAlternatives = 256;
const maxPairs = 64;
const maxExpanded = 8192;

/** Returns the number of a glob's alternatives, and their total length. It does not write out any of them. */
export function globSize(pattern: string): Pick<Size, 'alternatives' | 'characters'> {
	const size = sizeOf(pattern);
	return size === 'unclosed' ? {alternatives: 1, characters: pattern.length} : size;
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
