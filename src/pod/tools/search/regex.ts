import {en} from '../../../language/index.ts';
import {messageOf} from '../../ground/values/is-record.ts';

/** The parts of a valid `new RegExp(source, flags)`, with the flag u. */
type CompiledPattern =
	| {readonly ok: true; readonly source: string; readonly flags: string}
	| {readonly ok: false; readonly message: string};

/**
Translates a pattern from ripgrep's syntax to JavaScript's. The result matches the same lines. Refuses a construct that
only one of the two syntaxes supports, so that no pattern silently changes its meaning.
*/
export function compilePattern(pattern: string): CompiledPattern {
	const leading = /^\(\?(?<flags>[a-z]+)\)/.exec(pattern);
	const flags = leading?.groups?.['flags'] ?? '';
	if (/[^imsu]/.test(flags)) return refused(pattern, en`the flags (?${flags}) are not supported here`);
	const body = leading === null ? pattern : pattern.slice(leading[0].length);
	const translated = translate(body);
	if (typeof translated !== 'string') return refused(pattern, translated.lacks);
	const found = `us${flags.includes('i') ? 'i' : ''}`;
	try {
		void new RegExp(translated, found);
		return {ok: true, source: translated, flags: found};
	} catch (error) {
		return refused(
			pattern,
			messageOf(error)
				.replace(/^Invalid regular expression: /, '')
				.replace(/^\/.*\/[a-z]*: /s, ''),
		);
	}
}

function refused(pattern: string, why: string): CompiledPattern {
	return {
		ok: false,
		message: `${en`The pattern cannot be searched for: ${why}. (ripgrep was not found; the built-in search supports
				fewer patterns.)`}\n${pattern}`,
	};
}

const word = String.raw`\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\p{Join_Control}`;

/** ripgrep's escapes cover all of Unicode, while those of JavaScript cover only ASCII. */
const outsideClass: Readonly<Record<string, string>> = {
	d: String.raw`\p{Nd}`,
	D: String.raw`\P{Nd}`,
	w: `[${word}]`,
	W: `[^${word}]`,
	b: `(?:(?<=[${word}])(?![${word}])|(?<![${word}])(?=[${word}]))`,
	B: `(?:(?<=[${word}])(?=[${word}])|(?<![${word}])(?![${word}]))`,
	'<': `(?<![${word}])(?=[${word}])`,
	'>': `(?<=[${word}])(?![${word}])`,
};
const insideClass: Readonly<Record<string, string>> = {d: String.raw`\p{Nd}`, D: String.raw`\P{Nd}`, w: word};

type Lacking = {readonly lacks: string};

function translate(pattern: string): string | Lacking {
	let out = '';
	for (let at = 0; at < pattern.length;) {
		const rest = pattern.slice(at);
		const piece = rest.startsWith('[') ? classPiece(rest) : plainPiece(rest);
		if ('lacks' in piece) return piece;
		out += piece.text;
		at += piece.length;
	}
	return out;
}

type Piece = {readonly text: string; readonly length: number};

function plainPiece(rest: string): Piece | Lacking {
	const escape = /^\\(?<letter>[^])/.exec(rest)?.groups?.['letter'];
	if (escape !== undefined) return escapePiece(rest, escape, outsideClass);
	if (/^\(\?<?[=!]/.test(rest)) return {lacks: en`look-around is not part of ripgrep's syntax`};
	if (rest.startsWith('(?P<')) return {text: '(?<', length: 4};
	const quantifier = /^\{\d+(?:,\d*)?\}/.exec(rest)?.[0];
	if (quantifier !== undefined) return {text: quantifier, length: quantifier.length};
	if (rest.startsWith('}') || rest.startsWith(']')) return {text: `\\${rest[0]}`, length: 1};
	return {text: rest.charAt(0), length: 1};
}

function classPiece(rest: string): Piece | Lacking {
	const [open = ''] = /^\[\^?\]?/.exec(rest) ?? [];
	let text = open.replace(']', String.raw`\]`);
	let at = open.length;
	while (at < rest.length && rest[at] !== ']') {
		const here = rest.slice(at);
		if (here.startsWith('[')) return {lacks: en`a class inside a class is not supported here`};
		if (/^(?:&&|--|~~)/.test(here)) return {lacks: en`set operations in a class are not supported here`};
		const escape = /^\\(?<letter>[^])/.exec(here)?.groups?.['letter'];
		if (escape === 'W' || escape === 'b' || escape === 'B')
			return {lacks: en`\\${escape} in a class is not supported here`};
		const piece = escape === undefined ? {text: here.charAt(0), length: 1} : escapePiece(here, escape, insideClass);
		if ('lacks' in piece) return piece;
		text += piece.text;
		at += piece.length;
	}
	return at < rest.length ? {text: `${text}]`, length: at + 1} : {lacks: en`a [ has no closing ]`};
}

function escapePiece(rest: string, letter: string, table: Readonly<Record<string, string>>): Piece | Lacking {
	if (/^[1-9k]$/.test(letter)) return {lacks: en`back-references are not part of ripgrep's syntax`};
	if (/^c$/.test(letter)) return {lacks: String.raw`\c is not part of ripgrep's syntax`};
	const translated = Object.hasOwn(table, letter) ? table[letter] : undefined;
	if (translated !== undefined) return {text: translated, length: 2};
	// JavaScript allows escapes only for syntax characters, while ripgrep allows them for all ASCII punctuation.
	if (/^[!-/:-@[-`{-~]$/.test(letter))
		return {
			text: /^[$()*+.?[\\\]^{|}/-]$/.test(letter)
				? letter === '-' && table === outsideClass
					? '-'
					: `\\${letter}`
				: letter,
			length: 2,
		};
	return {text: rest.slice(0, 2), length: 2};
}
