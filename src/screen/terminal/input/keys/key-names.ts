import {codes, DEL, keypad, letters, privateKeys, rxvtShifted, tildes} from './key-tables.ts';
import type {StringKind, Token, TokenOf} from '../token.ts';

/**
A key press. `name` is `enter`, `left`, `f5`, ... or the lower-case character that the key types (`space` for the space
bar). `text` is the text that the key types. It is absent for keys with Ctrl, Alt or Super.
*/
export type Key = {
	readonly name: string;
	readonly text?: string;
	readonly ctrl: boolean;
	readonly alt: boolean;
	readonly shift: boolean;
	readonly super: boolean;
};

/** A mouse report. Rows and columns are counted from 0. */
export type Mouse = {
	readonly kind: 'press' | 'release' | 'drag' | 'move' | 'wheel';
	readonly button: 'left' | 'middle' | 'right' | 'none' | 'up' | 'down' | 'wheel left' | 'wheel right';
	readonly x: number;
	readonly y: number;
	readonly ctrl: boolean;
	readonly alt: boolean;
	readonly shift: boolean;
};

/** The answer of a terminal to a query. `body` does not include the bytes that introduce and end the answer. */
export type Reply = {readonly kind: StringKind | 'csi'; readonly body: string};

export type Input =
	/** `repeat`: the terminal reports that the user holds the key down. */
	| {readonly type: 'key'; readonly key: Key; readonly repeat?: true}
	| {readonly type: 'mouse'; readonly mouse: Mouse}
	/** The previous Escape key was the beginning of the following sequence. */
	| {readonly type: 'late'}
	| {readonly type: 'focus'; readonly focused: boolean}
	| {readonly type: 'reply'; readonly reply: Reply}
	| {readonly type: 'paste'; readonly text: string; readonly cut: boolean};

/** Returns the inputs of a token, in order. Returns none for an unknown sequence. */
export function decode<Type extends Token['type']>(token: TokenOf<Type>): readonly Input[] {
	const type: Type = token.type;
	return decoders[type](token);
}

/** Returns a key with the given modifiers. */
export function makeKey(name: string, held: Partial<Omit<Key, 'name'>> = {}): Key {
	return {name, ctrl: false, alt: false, shift: false, super: false, ...held};
}

const decoders: {readonly [Type in Token['type']]: (token: TokenOf<Type>) => readonly Input[]} = {
	text: ({text, alt}) => Array.from(text, character => press(typed(character, {alt}))),
	control: ({code, alt}) => [press(controlKey(code, alt))],
	csi: decodeCsi,
	ss3: decodeSs3,
	paste: ({text, cut}) => [{type: 'paste', text, cut}],
	reply: ({kind, body}) => [{type: 'reply', reply: {kind, body}}],
	fragment: () => [],
	late: () => [{type: 'late'}],
};

type CsiToken = TokenOf<'csi'>;

const rxvtFinals: Readonly<Record<string, Partial<Key>>> = {
	'^': {ctrl: true},
	$: {shift: true},
	'@': {ctrl: true, shift: true},
};

function decodeCsi(token: CsiToken): readonly Input[] {
	const {body, final, alt} = token;
	if (body.startsWith('<')) return final === 'M' || final === 'm' ? decodeMouse(body.slice(1), final) : [];
	if (body === '' && (final === 'I' || final === 'O')) return [{type: 'focus', focused: final === 'I'}];
	if (body.startsWith('M')) return decodeOldMouse(body);
	if (body === '[') return linuxFunction(final, alt);
	if (/^[?>=]/.test(body) || 'cntxy'.includes(final) || isCursorReport(token))
		return [{type: 'reply', reply: {kind: 'csi', body: body + final}}];
	if (!/^[\d;:]*$/.test(body)) return [];
	const fields = body.split(';').map(field => field.split(':').map(part => (part === '' ? undefined : Number(part))));
	const held = heldBy(fields[1]?.[0], alt);
	const event = fields[1]?.[1];
	if (event === released) return [];
	const inputs = decodeKey(fields, held, token);
	return event === repeated ? inputs.map(input => (input.type === 'key' ? {...input, repeat: true} : input)) : inputs;
}

/** The event types of the kitty protocol. */
const [repeated, released] = [2, 3];

function decodeKey(fields: Fields, held: Partial<Key>, {body, final, alt}: CsiToken): readonly Input[] {
	if (final === 'u') return unicodeKey(fields, held);
	if (final === '~' && fields[0]?.[0] === 27 && fields.length === 3)
		return codeKey(fields[2]?.[0], heldBy(fields[1]?.[0], alt));
	if (final === '~') return namedKey(tildes[fields[0]?.[0] ?? 0], held);
	if (final === 'Z') return namedKey('tab', {...held, shift: true});
	if (final in rxvtFinals) return namedKey(tildes[fields[0]?.[0] ?? 0], {alt, ...rxvtFinals[final]});
	if (final in rxvtShifted && body === '') return namedKey(rxvtShifted[final], {alt, shift: true});
	return namedKey(letters[final], held);
}

function decodeSs3({body, final, alt}: Extract<Token, {type: 'ss3'}>): readonly Input[] {
	const held = heldBy(Number(body.split(';').at(-1)) || undefined, alt);
	if (final === 'M') return namedKey('enter', held);
	const sign = keypad[final];
	if (sign !== undefined) return [press(typed(sign, held))];
	if (final in rxvtShifted) return namedKey(rxvtShifted[final], {alt, ctrl: true});
	return namedKey(letters[final], held);
}

/**
Tells whether a sequence is a cursor report. A cursor report for row 1 looks like F3 with modifiers. Such a sequence
counts as the key, because inkpod never asks for the cursor's position.
*/
function isCursorReport({body, final}: CsiToken): boolean {
	return final === 'R' && /^\d+;\d+(?:;\d+)?$/.test(body) && !/^1;(?:[2-9]|1[0-6])$/.test(body);
}

function linuxFunction(final: string, alt: boolean): readonly Input[] {
	const index = 'ABCDE'.indexOf(final);
	return index === -1 ? [] : namedKey(`f${index + 1}`, {alt});
}

/**
Returns the modifiers in a modifier field. The field is the sum of the modifier bits plus 1. Caps Lock and Num Lock are
ignored.
*/
function heldBy(field: number | undefined, alt: boolean): Partial<Key> {
	const bits = (field ?? 1) - 1;
	return {
		shift: (bits & 1) !== 0,
		alt: alt || (bits & 2) !== 0 || (bits & 32) !== 0,
		ctrl: (bits & 4) !== 0,
		super: (bits & 8) !== 0,
	};
}

type Fields = ReadonlyArray<ReadonlyArray<number | undefined>>;

/**
Decodes the kitty protocol's `CSI code:shifted:base ; modifiers:event ; text u`. On a keyboard layout without Latin
letters, the base key determines the chord. For example, Ctrl+С on a Russian layout is Ctrl+C.
*/
function unicodeKey(fields: Fields, held: Partial<Key>): readonly Input[] {
	const [code, shifted, base] = fields[0] ?? [];
	const chorded = held.ctrl === true || held.alt === true || held.super === true;
	if (code === undefined) return [];
	if (chorded) return codeKey(code > DEL && base !== undefined ? base : code, held);
	const text = (fields[2] ?? []).filter(point => point !== undefined).filter(isTyped);
	if (text.length > 0) return [press({...typed(String.fromCodePoint(...text), held), name: nameOf(code)})];
	return codeKey(held.shift === true ? shiftedCode(code, shifted) : code, held);
}

function shiftedCode(code: number, shifted: number | undefined): number {
	if (shifted !== undefined) return shifted;
	return isTyped(code) ? (String.fromCodePoint(code).toUpperCase().codePointAt(0) ?? code) : code;
}

function codeKey(code: number | undefined, held: Partial<Key>): readonly Input[] {
	if (code === undefined) return [];
	const name = codes[code] ?? privateKeys[code];
	if (name !== undefined) return name.length === 1 ? [press(typed(name, held))] : namedKey(name, held);
	return isTyped(code) ? [press(typed(String.fromCodePoint(code), held))] : [];
}

/** Tells whether a code point can be text. Controls, surrogates and the kitty protocol's private key codes cannot. */
function isTyped(code: number): boolean {
	return (
		code >= 0x20 &&
		code <= 0x10_ff_ff &&
		!(code >= DEL && code < 0xa0) &&
		!(code >= 0xd800 && code < 0xe000) &&
		!(code >= 57344 && code <= 63743)
	);
}

function nameOf(code: number): string {
	return isTyped(code) ? typed(String.fromCodePoint(code), {}).name : 'unknown';
}

function typed(text: string, held: Partial<Key>): Key {
	const lower = text.toLowerCase();
	const shift = held.shift === true || lower !== text;
	const name = text === ' ' ? 'space' : lower;
	const chorded = held.ctrl === true || held.alt === true || held.super === true;
	return makeKey(name, {...held, shift, ...(chorded ? {} : {text})});
}

/** Returns the key of a C0 code. CR is Enter, because terminals send CR for Enter. LF is Ctrl+J. */
function controlKey(code: number, alt: boolean): Key {
	const name = code === 0x08 ? undefined : codes[code];
	if (name !== undefined) return makeKey(name, {alt});
	if (code === 0) return makeKey('space', {alt, ctrl: true});
	return makeKey(String.fromCharCode(code + (code <= 26 ? 0x60 : 0x40)), {alt, ctrl: true});
}

function namedKey(name: string | undefined, held: Partial<Key>): readonly Input[] {
	return name === undefined || name === '' ? [] : [press(makeKey(name, held))];
}

function press(key: Key): Input {
	return {type: 'key', key};
}

const buttons = ['left', 'middle', 'right', 'none'] as const;
const wheels = ['up', 'down', 'wheel left', 'wheel right'] as const;

/** Decodes an SGR mouse report: `CSI < bits ; column ; row M`, with `m` instead of `M` for a release. */
function decodeMouse(body: string, final: string): readonly Input[] {
	const [bits, column, row] = body.split(';').map(Number);
	if (bits === undefined || column === undefined || row === undefined || !Number.isInteger(bits + column + row))
		return [];
	return mouseAt(bits, column, row, final === 'm');
}

/** Decodes an old mouse report: `CSI M` and three bytes. For a release, such a report does not contain the button. */
function decodeOldMouse(body: string): readonly Input[] {
	const [bits, column, row] = [body.charCodeAt(1) - 32, body.charCodeAt(2) - 32, body.charCodeAt(3) - 32];
	return mouseAt(bits, column, row, (bits & 0b110_0011) === 3);
}

function mouseAt(bits: number, column: number, row: number, released: boolean): readonly Input[] {
	const place = {
		x: Math.max(0, column - 1),
		y: Math.max(0, row - 1),
		shift: (bits & 4) !== 0,
		alt: (bits & 8) !== 0,
		ctrl: (bits & 16) !== 0,
	};
	const low = bits & 3;
	const isWheel = (bits & 64) !== 0;
	const button = (isWheel ? wheels : buttons)[low];
	if (button === undefined || (isWheel ? released : bits >= 128)) return [];
	const moving = (bits & 32) !== 0;
	const kind = isWheel ? 'wheel' : moving ? (low === 3 ? 'move' : 'drag') : released ? 'release' : 'press';
	return [{type: 'mouse', mouse: {kind, button, ...place}}];
}
