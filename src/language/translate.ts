import {language, type Language} from './choose.ts';
import {readFileSync} from 'node:fs';

/**
A tag that translates a text: t`${count} files in ${folder}`. The English text, with `{0}` for the first value, is the
key in the catalogues. A line break in the source, with the indentation after it, becomes one space.
*/
export function t(strings: TemplateStringsArray, ...values: readonly Value[]): string {
	const {parts, key} = known.get(strings) ?? read(strings);
	if (key !== undefined && Object.hasOwn(catalogue, key)) return fill(translated(key), values);
	let text = parts[0] ?? '';
	for (const [index, value] of values.entries()) text += `${value}${parts[index + 1] ?? ''}`;
	return text;
}

/** Translates a text that the source does not write as t`…`. The text is its own key. */
export function translated(text: string): string {
	return Object.hasOwn(catalogue, text) ? (catalogue[text] ?? text) : text;
}

/** Returns `1 line` or `12 lines`. The key of the translation is `{0} line`. */
export function tCount(count: number, noun: string, many = `${noun}s`): string {
	const key = `{0} ${noun}`;
	return Object.hasOwn(catalogue, key) ? fill(translated(key), [count]) : `${count} ${count === 1 ? noun : many}`;
}

/** Adds the full stop of the language, unless the text ends with a punctuation mark. */
export function endSentence(text: string): string {
	return /[.!?…。！？]$/.test(text) ? text : `${text}${t`.`}`;
}

/** Returns the key of a text in the catalogues. `parts`: the parts of the template literal. */
function keyOf(parts: readonly string[]): string {
	return parts.map((part, index) => (index === 0 ? part : `{${index - 1}}${part}`)).join('');
}

/**
The values that template literals accept. As in template literals, an absent value becomes the word `undefined` or
`null`.
*/
type Value = string | number | null | undefined;

type Text = {readonly parts: readonly string[]; readonly key: string | undefined};

const known = new WeakMap<TemplateStringsArray, Text>();

function read(strings: TemplateStringsArray): Text {
	const parts = strings.map((part, index) => (strings.raw[index]?.includes('\n') === true ? unfold(part) : part));
	const text = {parts, key: language === 'en' ? undefined : keyOf(parts)};
	known.set(strings, text);
	return text;
}

/**
Replaces each line break of the source with a space. Intended line breaks are written as `\n`, so no tab follows them.
*/
export function unfold(part: string): string {
	return part.replaceAll(/\n\t+/g, ' ');
}

/**
A tag for a text that a record stores or a model reads. The text is always English, because a user may open the same
session with different languages.
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
The type of `t` and `en`. A sentence that is both shown and recorded is written only once, in a function with the tag as
its parameter `t`.
*/
export type Tag = typeof en;

/** A function that returns a text. Its tag decides whether the text is translated. */
export type Told = (t: Tag) => string;

/** Returns a text in two forms: for the user and for a record. */
export function told(text: Told): {readonly sentence: string; readonly recorded: string} {
	return {sentence: text(t), recorded: text(en)};
}

/** Returns `1 line` or `12 lines`, always in English. */
export function enCount(count: number, noun: string, many = `${noun}s`): string {
	return `${count} ${count === 1 ? noun : many}`;
}

function fill(text: string, values: readonly Value[]): string {
	return text.replaceAll(/\{(\d)\}/g, (place, index: string) => String(values[Number(index)] ?? place));
}

const catalogue = readCatalogue(language);

/** Maps an English text to its translation. `{0}` is the place of the first value. */
type Catalogue = Readonly<Record<string, string>>;

/**
Reads the translations for a language. Their files are in the folder of this module. The build copies them into the
folder of its chunks.
*/
function readCatalogue(language: Language): Catalogue {
	if (language === 'en') return {};
	const texts: Catalogue = JSON.parse(readFileSync(new URL(`./${language}.json`, import.meta.url), 'utf8'));
	return texts;
}
