import type {Finding} from './finding.ts';
import {isPlainValue, looksChosen, looksRandom} from './plain-values.ts';

/** A place of a secret that no name announces. Each group of `pattern` is a secret. */
export type Place = {
	readonly name: string;
	/** Every match contains one of these texts. So a quick search for them comes first. */
	readonly quick: readonly string[];
	readonly pattern: RegExp;
	/**
	Which values count as secrets. `random`: values that look random. `mixed`: values with letters and digits. `token`:
	all values except words. If it is absent, every value counts that is not clearly something else.
	*/
	readonly needs?: 'random' | 'mixed' | 'token' | undefined;
	/** Tells whether a value is not a secret, so that it stays in the text. */
	readonly isPlain?: (value: string) => boolean;
	/** A sticky pattern for the further parts of a value that is longer than `pattern` reads. */
	readonly rest?: RegExp;
	/** Returns other texts that reveal the secret. If it is absent, this is the password in an encoded pair. */
	readonly parts?: (value: string) => readonly string[];
};

export const passwordName = 'password or token';

/** The source of a regular expression for a quote, which may be escaped. */
export const quotes = String.raw`\\{0,8}["'\`]`;

/**
The source of a regular expression for a word of a command. It has one group for a quoted word and one for a bare word.
*/
export const word = `(?:${quotes}([^"'\\n\\\\]{1,400})|([^\\s"'\`\\\\|;&]{1,400}))`;

/** Creates a place. `source` is the source of its pattern. */
export function of(
	name: string,
	quick: readonly string[],
	source: string,
	{flags = 'g', ...rest}: {flags?: string} & Pick<Place, 'needs' | 'isPlain' | 'parts' | 'rest'> = {},
): Place {
	return {name, quick, pattern: new RegExp(source, `${flags}d`), ...rest};
}

/**
The source of a regular expression for the line number, maybe with a path, that a search or a listing writes before a
line.
*/
export const lineNumber = String.raw`(?:[^\s:]{1,300}[:-]\d{1,9}[:-](?:\d{1,9}:)?|[ \t]{0,12}\d{1,9}[ \t]?[:|→\t-])`;

/**
The source of a regular expression for what diffs, searches, listings and quotations write before a line: its number,
its path and number, the sign of a diff, and indentation. It is bounded, and may be empty.
*/
export const lineStart = String.raw`${lineNumber}?[ \t]?(?:[+\-<>|#*]|//){0,2}[ \t]{0,80}`;

/** Matches a sticky pattern at a position. */
export function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | undefined {
	pattern.lastIndex = at;
	return pattern.exec(text) ?? undefined;
}

/** Returns the position at which a match of a sticky pattern ends, or `undefined` if it does not match. */
export function endOf(pattern: RegExp, text: string, at: number): number | undefined {
	return matchAt(pattern, text, at) === undefined ? undefined : pattern.lastIndex;
}

/** Returns the secrets at these places of a text. */
export function findAt(wanted: readonly Place[], text: string): readonly Finding[] {
	const found: Finding[] = [];
	for (const place of wanted) {
		const {name, quick, pattern, parts = passwordIn} = place;
		if (!quick.some(part => text.includes(part))) continue;
		pattern.lastIndex = 0;
		for (let match = pattern.exec(text); match !== null; match = pattern.exec(text))
			for (const [start, to] of match.indices?.slice(1).filter(group => group !== undefined) ?? []) {
				const end = restEnd(place, text, to);
				const value = text.slice(start, end);
				pattern.lastIndex = Math.max(pattern.lastIndex, end);
				if (!stays(place, value)) found.push({name, start, end, value, also: parts(value)});
			}
	}
	return found;
}

/** Returns where a value ends. It is read in parts, because a pattern needs memory for each character. */
function restEnd({rest}: Place, text: string, to: number): number {
	let end = to;
	for (let next = rest && endOf(rest, text, end); next !== undefined; next = rest && endOf(rest, text, end))
		end = next;
	return end;
}

function stays({needs, isPlain}: Place, value: string): boolean {
	if (needs === 'random') return !looksRandom(value) || isPlain?.(value) === true;
	if (needs === 'mixed' && !looksChosen(value)) return true;
	if (needs === 'token') return isPlainValue(value, {name: 'TOKEN', kind: 'token', style: 'quoted', endsLine: true});
	return (isPlain ?? isPlainSecret)(value);
}

/** Returns the password in an encoded pair. */
function passwordIn(value: string): readonly string[] {
	const [, password] =
		/^[\w.@+-]{0,200}:([\x20-\x7e]{6,400})$/.exec(Buffer.from(value, 'base64').toString('latin1')) ?? [];
	return password === undefined ? [] : [password];
}

/** Tells whether a value at the place of a password is clearly something else. */
export function isPlainSecret(value: string): boolean {
	return isPlainValue(value, {name: 'PASSWORD', kind: 'password', style: 'quoted', endsLine: true});
}
