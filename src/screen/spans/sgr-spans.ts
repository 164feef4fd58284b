import type {Span, Style} from '../../text/span.ts';

/**
Splits a line of a command's output into spans with the command's own colours. SGR sequences (`ESC [ … m`) set the
colours and are removed from the text. All other sequences stay in the text, and the sanitizer makes them visible. The
result never hides text. Black and white become plain text, a background colour becomes inverse text in this colour, and
concealed text is shown. Each line begins without colours.
*/
export function sgrSpans(line: string): readonly Span[] {
	if (!line.includes('\u001b[')) return line === '' ? [] : [{text: line}];
	const spans: Span[] = [];
	let look = noLook;
	let from = 0;
	let text = '';
	for (const {0: found, 1: parameters = '', index} of line.matchAll(sequence)) {
		text += line.slice(from, index);
		from = index + found.length;
		// After `maxSpans` changes, all remaining text of the line has the last colour.
		if (spans.length >= maxSpans) continue;
		const next = changed(look, parameters);
		if (isSameLook(next, look)) continue;
		if (text !== '') spans.push(spanOf(text, look));
		text = '';
		look = next;
	}
	text += line.slice(from);
	if (text !== '') spans.push(spanOf(text, look));
	return spans;
}

/** Removes the SGR sequences from a text. */
export function withoutSgr(text: string): string {
	return text.includes('\u001b[') ? text.replaceAll(sequence, '') : text;
}

const sequence = /\u001b\[([\d;:]{0,64})m/g;
const maxSpans = 200;

type Colour = 'red' | 'green' | 'yellow' | 'blue' | 'magenta' | 'cyan';
type Look = {
	readonly colour: Colour | undefined;
	/** The colour of the background. `true` means a background in a colour that is not one of the named colours. */
	readonly ground: Colour | true | undefined;
	readonly attributes: ReadonlySet<Attribute>;
};
type Attribute = Extract<Style, 'bold' | 'dim' | 'italic' | 'underline' | 'inverse' | 'strike'>;

const noLook: Look = {colour: undefined, ground: undefined, attributes: new Set()};

const colours: ReadonlyArray<Colour | undefined> = [
	undefined,
	'red',
	'green',
	'yellow',
	'blue',
	'magenta',
	'cyan',
	undefined,
];

const begins: ReadonlyMap<number, Attribute> = new Map([
	[1, 'bold'],
	[2, 'dim'],
	[3, 'italic'],
	[4, 'underline'],
	[7, 'inverse'],
	[9, 'strike'],
]);
const ends: ReadonlyMap<number, readonly Attribute[]> = new Map([
	[22, ['bold', 'dim']],
	[23, ['italic']],
	[24, ['underline']],
	[27, ['inverse']],
	[29, ['strike']],
]);

function changed(look: Look, parameters: string): Look {
	const codes = parameters.split(/[;:]/u).map(Number);
	let next = look;
	for (let at = 0; at < codes.length; at++) {
		const code = codes[at] ?? 0;
		if (code === 38 || code === 48) {
			const {colour, length} = extended(codes.slice(at + 1));
			next = code === 38 ? {...next, colour} : {...next, ground: colour ?? true};
			at += length;
		} else next = applied(next, code);
	}
	return next;
}

function applied(look: Look, code: number): Look {
	if (code === 0) return noLook;
	const {attributes} = look;
	const begun = begins.get(code);
	if (begun !== undefined) return {...look, attributes: new Set([...attributes, begun])};
	const ended = ends.get(code);
	if (ended !== undefined) return {...look, attributes: new Set([...attributes].filter(one => !ended.includes(one)))};
	if (code === 39) return {...look, colour: undefined};
	if (code === 49 || code === 40) return {...look, ground: undefined};
	if (isIn(code, 30) || isIn(code, 90)) return {...look, colour: colours[code % 10]};
	if (isIn(code, 40) || isIn(code, 100)) return {...look, ground: colours[code % 10] ?? true};
	return look;
}

function isIn(code: number, from: number): boolean {
	return code >= from && code < from + 8;
}

/** Returns the nearest named colour for the parameters `5;n` or `2;r;g;b`, and the number of these parameters. */
function extended([kind, ...rest]: readonly number[]): {readonly colour: Colour | undefined; readonly length: number} {
	if (kind === 5) return {colour: indexed(rest[0] ?? 0), length: 2};
	if (kind === 2) return {colour: nearest(rest[0] ?? 0, rest[1] ?? 0, rest[2] ?? 0), length: 4};
	return {colour: undefined, length: 1};
}

function indexed(index: number): Colour | undefined {
	if (index < 16) return colours[index % 8];
	if (index > 231) return undefined;
	const [red, green, blue] = [36, 6, 1].map(step => Math.floor((index - 16) / step) % 6);
	return nearest((red ?? 0) * 51, (green ?? 0) * 51, (blue ?? 0) * 51);
}

/**
Returns the named colour with the same bright parts (red, green, blue) as the given colour. Returns `undefined` for
greys.
*/
function nearest(red: number, green: number, blue: number): Colour | undefined {
	const most = Math.max(red, green, blue);
	const least = Math.min(red, green, blue);
	if (most - least < 40) return undefined;
	const middle = (most + least) / 2;
	return colours[(red > middle ? 1 : 0) + (green > middle ? 2 : 0) + (blue > middle ? 4 : 0)];
}

function spanOf(text: string, {colour, ground, attributes}: Look): Span {
	const isInverse = attributes.has('inverse') || ground !== undefined;
	const shown = typeof ground === 'string' ? ground : colour;
	const style: Style[] = [...attributes].filter(one => one !== 'inverse');
	if (shown !== undefined) style.push(`output.${shown}`);
	if (isInverse) style.push('inverse');
	return style.length === 0 ? {text} : {text, style};
}

function isSameLook(one: Look, other: Look): boolean {
	return (
		one.colour === other.colour &&
		one.ground === other.ground &&
		one.attributes.size === other.attributes.size &&
		[...one.attributes].every(attribute => other.attributes.has(attribute))
	);
}
