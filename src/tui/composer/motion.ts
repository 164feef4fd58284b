import {endOf, origin} from './draft.ts';
import type {Draft, Position} from './draft.ts';
import type {Atom, Line} from './graphemes.ts';

/** Where the cursor can go, whatever the width of the screen. */
export type Motion = keyof typeof motions;

/** The position that a motion leads to; the same one when there is nothing beyond. */
export function move(draft: Draft, from: Position, motion: Motion): Position {
	return motions[motion](draft, from);
}

const motions = {
	left: (draft: Draft, at: Position): Position => {
		if (at.column > 0) return {line: at.line, column: at.column - 1};
		return at.line === 0 ? at : {line: at.line - 1, column: draft[at.line - 1]!.length};
	},
	right: (draft: Draft, at: Position): Position => {
		if (at.column < draft[at.line]!.length) return {line: at.line, column: at.column + 1};
		return at.line === draft.length - 1 ? at : {line: at.line + 1, column: 0};
	},
	'word left': (draft: Draft, at: Position): Position => {
		let {line, column} = at;
		while (line > 0 && skipLeft(draft[line]!, column) === 0) column = draft[--line]!.length;
		return {line, column: wordStart(draft[line]!, skipLeft(draft[line]!, column))};
	},
	'word right': (draft: Draft, at: Position): Position => {
		let {line, column} = at;
		while (line < draft.length - 1 && skipRight(draft[line]!, column) === draft[line]!.length) [line, column] = [line + 1, 0];
		return {line, column: wordEnd(draft[line]!, skipRight(draft[line]!, column))};
	},
	'line start': (_draft: Draft, at: Position): Position => ({line: at.line, column: 0}),
	'line end': (draft: Draft, at: Position): Position => ({line: at.line, column: draft[at.line]!.length}),
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

/** A chip is a word of its own. */
function wordStart(line: Line, column: number): number {
	const kind = kindOf(line[column - 1]);
	let at = Math.max(0, column - 1);
	while (at > 0 && kindOf(line[at - 1]) === kind && kindOf(line[at]) !== 'chip') at--;
	return at;
}

function wordEnd(line: Line, column: number): number {
	const kind = kindOf(line[column]);
	let at = Math.min(line.length, column + 1);
	while (at < line.length && kindOf(line[at]) === kind && kindOf(line[at - 1]) !== 'chip') at++;
	return at;
}

/** A word is a run of one kind. Japanese has no spaces: there a word ends where the script changes. */
function kindOf(atom: Atom | undefined): string {
	if (atom === undefined) return 'edge';
	if (typeof atom !== 'string') return 'chip';
	return kinds.find(([, pattern]) => pattern.test(atom))?.[0] ?? 'mark';
}

const kinds: ReadonlyArray<readonly [string, RegExp]> = [
	['space', /^\s/],
	['word', /^[A-Za-z0-9_]/],
	['han', /^[\p{Script=Han}々〆〇]/u],
	['hiragana', /^\p{Script=Hiragana}/u],
	['katakana', /^[\p{Script=Katakana}ー]/u],
	['hangul', /^\p{Script=Hangul}/u],
	['word', /^[\p{L}\p{N}\p{M}]/u],
	['emoji', /^[\p{Extended_Pictographic}\p{Regional_Indicator}]/u],
];
