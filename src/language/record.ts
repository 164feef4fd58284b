import {readCatalogue, type Catalogue} from './catalogue.ts';
import {language} from './choose.ts';
import {unfold} from './translate.ts';

/**
A tag for a text that a record stores or a model reads: it is English in every language, because a session may be read
in another language than the one in which it ran. `inLanguage` translates it where it is drawn. A value of it stays as
it is, unless it is `nested`.
*/
export function en(strings: TemplateStringsArray, ...values: readonly (string | number)[]): string {
	let text = '';
	for (const [index, part] of strings.entries()) {
		text += strings.raw[index]?.includes('\n') === true ? unfold(part) : part;
		text += values[index] ?? '';
	}
	return text;
}

/** Marks a value of a text under `en` that is such a text itself. Its place in the key is `{0*}`. */
export function nested(text: string): string {
	return text;
}

/** Returns `1 line` or `12 lines` as a text under `en`. Its keys are `{0} line` and `{0} lines`. */
export function enCount(count: number, noun: string, many = `${noun}s`): string {
	return `${count} ${count === 1 ? noun : many}`;
}

/**
Returns a text that was written under `en` in the user's language, or a text of several such sentences or lines. What
inkpod did not write stays as it is. This is only for drawing: no code learns from it what a text is.
*/
export function inLanguage(text: string): string {
	if (language === 'en' || text === '' || text.length > maxLength) return text;
	const known = cache.get(text);
	if (known !== undefined) return known;
	forms ??= formsOf(catalogue);
	const translation = translateWith(forms, text);
	if (cache.size >= maxCached) cache.clear();
	cache.set(text, translation);
	return translation;
}

type Form = {
	/** The literal parts of the English text. A value is between two of them. */
	readonly parts: readonly string[];
	readonly nestedValues: readonly boolean[];
	readonly translation: string;
	/** The number of letters in the parts. Few of them are in many texts. */
	readonly letters: number;
};

/**
Returns the forms of a catalogue in the order in which they are tried: those that begin with a value are last, because
they may begin anywhere. Those with more letters are first, and then those with nested texts.
*/
export function formsOf(catalogue: Catalogue): readonly Form[] {
	return Object.entries(catalogue)
		.map(([key, translation]) => formOf(key, translation))
		.toSorted((one, other) => rankOf(other) - rankOf(one));
}

export function translateWith(forms: readonly Form[], text: string): string {
	return whole(forms, text, maxDepth) ?? inPieces(forms, text);
}

/** Long texts are output, which inkpod did not write. */
const maxLength = 4000;
const maxCached = 1000;
const maxDepth = 5;
const maxPieces = 40;
const minLetters = 8;

const cache = new Map<string, string>();

function formOf(key: string, translation: string): Form {
	const parts = key.split(/\{\d\*?\}/);
	const nestedValues = [...key.matchAll(/\{\d(\*?)\}/g)].map(([, mark]) => mark === '*');
	return {parts, nestedValues, translation, letters: parts.join('').replaceAll(/[^a-z]/gi, '').length};
}

function whole(
	forms: readonly Form[],
	text: string,
	depth: number,
	isTried: (form: Form) => boolean = () => true,
): string | undefined {
	if (depth === 0) return undefined;
	for (const form of forms) {
		if (!isTried(form)) continue;
		const values = valuesIn(form.parts, text);
		const filled = values && fillForm(forms, form, values, depth);
		if (filled !== undefined) return filled;
	}
	return undefined;
}

function rankOf({parts, letters, nestedValues}: Form): number {
	return (parts[0] === '' ? 0 : 1e6) + 2 * letters + Number(nestedValues.includes(true));
}

/** Splits a text at the parts of a form, each at its first place. Takes linear time, because texts may be hostile. */
function valuesIn(parts: readonly string[], text: string): readonly string[] | undefined {
	const [first = '', ...rest] = parts;
	const last = rest.pop();
	if (last === undefined) return text === first ? [] : undefined;
	if (!text.startsWith(first) || !text.endsWith(last) || text.length < first.length + last.length) return undefined;
	const end = text.length - last.length;
	const values: string[] = [];
	let at = first.length;
	for (const part of rest) {
		const next = text.indexOf(part, at);
		if (next === -1 || next + part.length > end) return undefined;
		values.push(text.slice(at, next));
		at = next + part.length;
	}
	return [...values, text.slice(at, end)];
}

function fillForm(
	forms: readonly Form[],
	{nestedValues, translation, letters}: Form,
	values: readonly string[],
	depth: number,
): string | undefined {
	const filled = values.map((value, index) =>
		nestedValues[index] === true ? nestedValue(forms, value, depth - 1) : value,
	);
	if (values.length > 0 && letters < minLetters && !isClear(values, filled, nestedValues)) return undefined;
	return translation.replaceAll(/\{(\d)\*?\}/g, (place, index: string) => {
		const at = Number(index);
		return filled[at] ?? (values[at] === undefined ? place : inPieces(forms, values[at]));
	});
}

/** A form with few letters needs a text of inkpod among its values, or begins with a number. */
function isClear(
	values: readonly string[],
	filled: ReadonlyArray<string | undefined>,
	nestedValues: readonly boolean[],
): boolean {
	return nestedValues.includes(true)
		? filled.some((value, index) => nestedValues[index] === true && value !== undefined)
		: /^\d[\d., ]*$/.test(values[0] ?? '');
}

/** A sentence that became the end of another one lost its full stop. */
function nestedValue(forms: readonly Form[], value: string, depth: number): string | undefined {
	const sentence = /[.!?]$/.test(value) ? undefined : whole(forms, `${value}.`, depth, endsWithStop);
	return sentence?.replace(/[.。]$/, '') ?? whole(forms, value, depth);
}

function endsWithStop({parts, letters}: Form): boolean {
	return letters > 0 && parts.at(-1)?.endsWith('.') === true;
}

/** Translates the lines and the sentences that have a form. */
function inPieces(forms: readonly Form[], text: string): string {
	const pieces = text.split(/(\n|(?<=[.!?]) (?=\S))/, 2 * maxPieces + 1);
	if (pieces.length > 2 * maxPieces) return text;
	return pieces.map((piece, index) => (index % 2 === 1 ? piece : pieceWords(forms, piece))).join('');
}

/** A note may be in brackets. */
function pieceWords(forms: readonly Form[], piece: string): string {
	const translation = whole(forms, piece, maxDepth);
	if (translation !== undefined) return translation;
	const inner = piece.startsWith('[') && piece.endsWith(']') ? whole(forms, piece.slice(1, -1), maxDepth) : undefined;
	return inner === undefined ? piece : `[${inner}]`;
}

const catalogue = readCatalogue(language, '.record');
let forms: readonly Form[] | undefined;
