import {draftLine, endOf, origin, type Draft, type Position} from './draft.ts';
import {textOfAtom, type Atom, type Line} from './graphemes.ts';

/** A motion of the cursor that does not depend on the width of the screen. */
export type Motion = keyof typeof motions;

/** Returns the target of a motion, or the same position at the edge. */
export function move(draft: Draft, from: Position, motion: Motion): Position {
	return motions[motion](draft, from);
}

/**
Tells whether text that is typed after an atom begins a new word. White space never begins a word. Punctuation belongs
to the previous word.
*/
export function beginsWord(before: Atom | undefined, typed: string): boolean {
	const [last, next] = [kindOf(before), kindOf(typed)];
	if (next === 'space') return false;
	if (last === 'space' || last === 'edge' || last === 'chip') return true;
	return (
		last !== next &&
		next !== 'mark' &&
		!(isLengthening(typed) && isKana(last)) &&
		(unspaced.has(last) || unspaced.has(next))
	);
}

const motions = {
	left: (draft: Draft, at: Position): Position => {
		if (at.column > 0) return {line: at.line, column: at.column - 1};
		return at.line === 0 ? at : {line: at.line - 1, column: draftLine(draft, at.line - 1).length};
	},
	right: (draft: Draft, at: Position): Position => {
		if (at.column < draftLine(draft, at.line).length) return {line: at.line, column: at.column + 1};
		return at.line === draft.length - 1 ? at : {line: at.line + 1, column: 0};
	},
	'word left': (draft: Draft, at: Position): Position => {
		let {line, column} = at;
		while (line > 0 && skipLeft(draftLine(draft, line), column) === 0) column = draftLine(draft, --line).length;
		return {line, column: wordStart(draftLine(draft, line), skipLeft(draftLine(draft, line), column))};
	},
	'word right': (draft: Draft, at: Position): Position => {
		let {line, column} = at;
		while (line < draft.length - 1 && skipRight(draftLine(draft, line), column) === draftLine(draft, line).length)
			[line, column] = [line + 1, 0];
		return {line, column: wordEnd(draftLine(draft, line), skipRight(draftLine(draft, line), column))};
	},
	'line start': (_draft: Draft, at: Position): Position => ({line: at.line, column: 0}),
	'line end': (draft: Draft, at: Position): Position => ({line: at.line, column: draftLine(draft, at.line).length}),
	start: (): Position => origin,
	end: (draft: Draft): Position => endOf(draft),
} as const;

function skipLeft(line: Line, column: number): number {
	let at = column;
	while (at > 0 && kindOf(line[at - 1]) === 'space') at--;
	return at;
}

function skipRight(line: Line, column: number): number {
	let at = column;
	while (at < line.length && kindOf(line[at]) === 'space') at++;
	return at;
}

/** Returns the column where the word before a column starts. A chip counts as a word. */
function wordStart(line: Line, column: number): number {
	const kind = kindAt(line, column - 1);
	let at = Math.max(0, column - 1);
	while (at > 0 && kindAt(line, at - 1) === kind && kindOf(line[at]) !== 'chip') at--;
	return at;
}

function wordEnd(line: Line, column: number): number {
	const kind = kindAt(line, column);
	let at = Math.min(line.length, column + 1);
	while (at < line.length && kindAt(line, at) === kind && kindOf(line[at - 1]) !== 'chip') at++;
	return at;
}

/** Returns the kind of an atom in its line. A vowel mark belongs to the script of the vowel before it (らーめん, ラーメン). */
function kindAt(line: Line, column: number): string {
	let at = column;
	while (at > 0 && at > column - maxLengthening && isLengthening(line[at])) at--;
	const kind = kindOf(line[at]);
	return at === column || isKana(kind) ? kind : kindOf(line[column]);
}

/**
Returns the kind of an atom. A word is a run of atoms of one kind. Chinese and Japanese have no spaces, so a word ends
where the script changes.
*/
function kindOf(atom: Atom | undefined): string {
	if (atom === undefined) return 'edge';
	const text = textOfAtom(atom);
	if (text === undefined) return 'chip';
	return kinds.find(([, pattern]) => pattern.test(text))?.[0] ?? 'mark';
}

function isLengthening(atom: Atom | undefined): boolean {
	return /^[ーｰ]/.test(textOfAtom(atom) ?? '');
}

function isKana(kind: string): boolean {
	return kind === 'hiragana' || kind === 'katakana';
}

const kinds: ReadonlyArray<readonly [string, RegExp]> = [
	['space', /^\s/],
	['word', /^[A-Za-z0-9_]/],
	['han', /^[\p{Script=Han}々〆〇]/u],
	['hiragana', /^\p{Script=Hiragana}/u],
	['katakana', /^[\p{Script=Katakana}ーｰ]/u],
	['hangul', /^\p{Script=Hangul}/u],
	['word', /^[\p{L}\p{N}\p{M}]/u],
	['emoji', /^[\p{Extended_Pictographic}\p{Regional_Indicator}]/u],
];

/** The search for the vowel goes back at most this number of atoms, which limits its time. */
const maxLengthening = 16;

/** Scripts without spaces, and scripts whose words may end in another script. */
const unspaced = new Set(['han', 'hiragana', 'katakana', 'hangul']);
