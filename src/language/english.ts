import {t, unfold} from './translate.ts';

/**
A tag for a text that a record stores or a model reads: it is English in every language, because a session may be read
in another language than the one in which it ran.
*/
export function en(strings: TemplateStringsArray, ...values: readonly (string | number)[]): string {
	let text = '';
	for (const [index, part] of strings.entries()) {
		text += strings.raw[index]?.includes('\n') === true ? unfold(part) : part;
		text += values[index] ?? '';
	}
	return text;
}

/** `t` or `en`. A sentence that is both shown and recorded takes it as its parameter `t`, and so is written once. */
export type Tag = typeof en;

/** A text that takes its tag. */
export type Told = (t: Tag) => string;

/** Returns a text for the user and for a record. */
export function told(text: Told): {readonly sentence: string; readonly recorded: string} {
	return {sentence: text(t), recorded: text(en)};
}

/** Returns `1 line` or `12 lines` as a text under `en`. */
export function enCount(count: number, noun: string, many = `${noun}s`): string {
	return `${count} ${count === 1 ? noun : many}`;
}
