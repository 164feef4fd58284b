import {addsInput} from './command-runners.ts';
import {unknown, type TextSymbol} from './text-glob.ts';

export type Word = readonly TextSymbol[];

/**
Returns the words of a command that xargs, parallel or find runs, with unknown input words in all possible places.
*/
export function withInput(words: readonly Word[]): ReadonlyArray<readonly Word[]> {
	const from = words.findIndex(word => addsInput(textOf(word)));
	if (from < 0) return withMark(words, placeholder, -1);
	const list = words.findIndex((word, index) => index > from && textOf(word).startsWith(':::'));
	const own = list < 0 ? words : words.slice(0, list);
	const named = markOf(own.slice(from).map(textOf));
	const options = from + (named?.at ?? 0);
	return [
		[...own, appended],
		...withMark(own, placeholder, named?.text === placeholder ? options : from),
		...(named === undefined ? [] : withMark(own, named.text, options)),
	];
}

/** This symbol represents the words from the input. */
export const appended: Word = [unknown];

const placeholder = '{}';

function withMark(words: readonly Word[], mark: string, after: number): ReadonlyArray<readonly Word[]> {
	const isMarked = words.map((word, index) => index > after && textOf(word).includes(mark));
	return isMarked.includes(true)
		? [words.map((word, index) => (isMarked[index] === true ? replaced(word, mark) : word))]
		: [];
}

/** Returns a word with a zero character in place of unknown text. */
export function textOf(word: Word): string {
	return word.map(symbol => (symbol === unknown ? '\0' : symbol)).join('');
}

/** Returns the text that xargs replaces, after `-I`, `-J` or `--replace`, and the word that names it. */
function markOf(words: readonly string[]): {readonly text: string; readonly at: number} | undefined {
	for (const [at, word] of words.entries()) {
		const text = /^(?:-[a-z0-9]*[IiJ]|--replace(?:=|$))(?<text>.*)$/.exec(word)?.groups?.['text'];
		if (text === undefined) continue;
		if (text !== '') return {text, at};
		const next = words[at + 1];
		if (/(?:i|--replace=?)$/.test(word)) return {text: placeholder, at};
		if (/[IJ]$/.test(word) && next !== undefined && next !== '') return {text: next, at: at + 1};
	}
	return undefined;
}

/** The text between the first and the last mark of a word becomes unknown. */
function replaced(word: Word, mark: string): Word {
	const text = textOf(word);
	const end = text.lastIndexOf(mark) + mark.length;
	return [...symbolsOf(text.slice(0, text.indexOf(mark))), unknown, ...symbolsOf(text.slice(end))];
}

function symbolsOf(text: string): Word {
	return Array.from(text, character => (character === '\0' ? unknown : character));
}
