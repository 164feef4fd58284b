import {t, unfold} from './translate.ts';

/**
A tag for a text that a record stores or a model reads. The text is always English, because a user may open a session
with another language than before.
*/
export function en(strings: TemplateStringsArray, ...values: readonly (string | number)[]): string {
	let text = '';
	for (const [index, part] of strings.entries()) {
		text += strings.raw[index]?.includes('\n') === true ? unfold(part) : part;
		text += values[index] ?? '';
	}
	return text;
}

/**
The type of `t` and `en`. If a sentence is both shown and recorded, it is written once, in a function with the tag as
its parameter `t`.
*/
export type Tag = typeof en;

/** A text that is a function of its tag. */
export type Told = (t: Tag) => string;

/** Returns a text in two forms: for the user and for a record. */
export function told(text: Told): {readonly sentence: string; readonly recorded: string} {
	return {sentence: text(t), recorded: text(en)};
}

/** Returns `1 line` or `12 lines` as a text under `en`. */
export function enCount(count: number, noun: string, many = `${noun}s`): string {
	return `${count} ${count === 1 ? noun : many}`;
}
