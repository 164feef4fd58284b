/** A part of a line that is shown as a mark instead. */
export type UndrawnRun = {readonly from: number; readonly to: number; readonly characters: readonly string[]};

/** Whether a text contains a character that a model reads and a terminal does not draw, whatever surrounds it. */
export function isUndrawn(text: string): boolean {
	return nextCandidate(text, 0) < text.length && anyUndrawn.test(text);
}

/** Whether a code unit may be, or begin, an undrawn character: a quick answer without a table of Unicode. */
export function isCandidate(codeUnit: number): boolean {
	return candidates[codeUnit] === 1;
}

/**
The runs of undrawn characters of a well-formed line, in order, without those in legitimate use.

Legitimate is what changes how its neighbours are drawn or read, and no more than that takes: emoji sequences that Unicode recommends,
one selector after an emoji or an ideograph, one joiner between letters of scripts that join (three a word, but any number after a
virama), one direction mark where right-to-left text ends, one word break between letters of scripts without spaces, blank cells beside
Braille. A bit more could hide a text: each rule says what bounds it.
*/
export function* undrawnRuns(line: string): Generator<UndrawnRun, void, undefined> {
	const word = {end: 0, joiners: 0};
	for (let done = 0; ; ) {
		const at = nextCandidate(line, done);
		if (at === line.length) return;
		sequencesAndRuns.lastIndex = Math.max(done, at - longestBase);
		const match = sequencesAndRuns.exec(line);
		if (match === null) return;
		const {0: found, 1: braille, 2: emoji, index} = match;
		done = index + found.length;
		if (braille !== undefined) continue;
		if (emoji !== undefined) {
			if (!isEmoji(emoji)) yield* undrawnIn(emoji, index);
			continue;
		}
		const from = index + keptLength(line, index, found, word);
		if (from < done) yield {from, to: done, characters: Array.from(line.slice(from, done))};
	}
}

/** How a run is shown: one mark with count and kind, of one code point with its name; a text that was spelled in tags or selectors. */
export function markOf(characters: readonly string[]): string {
	const kinds = [...new Set(characters)];
	const names = kinds.slice(0, mostNamed).map(codeOf).join(', ');
	if (kinds.length === 1) return `⟨${names}${characters.length === 1 ? '' : ` ×${characters.length}`}⟩`;
	const alphabet = alphabets.find(({has}) => kinds.every(kind => has.test(kind)));
	if (alphabet === undefined) return `⟨${characters.length} invisible: ${names}${kinds.length > mostNamed ? ', …' : ''}⟩`;
	const spelled = alphabet.spell(characters);
	return `⟨${characters.length} ${alphabet.name}${spelled === '' ? '' : `: ${spelled}`}⟩`;
}

/** The marks as they are written. A text may contain the same by chance, or by intent. */
export const undrawnSigns = /⟨(?:U\+[\dA-F]{4,6}(?: ×\d+)?|×\d+|\d+ (?:tags|variation selectors|invisible)(?:: [^⟩]*)?)⟩/g;

/** Where a mark must be short. */
export function shortMarkOf(characters: readonly string[]): string {
	return characters.length === 1 ? markOf(characters) : `⟨×${characters.length}⟩`;
}

const candidates = new Uint8Array(0x1_0000);
for (const [first, last = first] of [
	[0xad], [0x34f], [0x61c], [0x115f, 0x1160], [0x17b4, 0x17b5], [0x180b, 0x180f], [0x200b, 0x200f], [0x2028, 0x202e], [0x2060, 0x206f],
	[0x2800], [0x3164], [0xfdd0, 0xfdef], [0xfe00, 0xfe0f], [0xfeff], [0xffa0], [0xfff0, 0xfffb], [0xfffe, 0xffff],
	// The lead surrogates of what lies above, and of the last two code points of each plane.
	[0xd80d], [0xd81b], [0xd82f], [0xd834], [0xdb40, 0xdb43], ...Array.from({length: 16}, (_, plane) => [0xd83f + plane * 0x40] as const),
] as const) candidates.fill(1, first, last + 1);

function nextCandidate(line: string, from: number): number {
	let at = from;
	while (at < line.length && candidates[line.charCodeAt(at)] === 0) at++;
	return at;
}

const mostNamed = 3;

function codeOf(character: string): string {
	return `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;
}

type Alphabet = {readonly name: string; readonly has: RegExp; spell(characters: readonly string[]): string};

/** What hidden text is written in. Only what is printable ASCII as a whole is spelled out. */
const alphabets: readonly Alphabet[] = [
	{name: 'tags', has: /[\u{e0000}-\u{e007f}]/u, spell: characters => printable(characters.map(tag => tag.codePointAt(0)! - 0xe0000).filter(code => code !== 0x01 && code !== 0x7f))},
	{name: 'variation selectors', has: /[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]/u, spell: characters => printable(characters.map(byteOf))},
];

function byteOf(selector: string): number {
	const code = selector.codePointAt(0)!;
	return code < 0xe0100 ? code - 0xfe00 : code - 0xe0100 + 16;
}

function printable(codes: readonly number[]): string {
	return codes.every(code => code >= 0x20 && code < 0x7f) ? String.fromCharCode(...codes.slice(0, mostSpelled)) + (codes.length > mostSpelled ? '…' : '') : '';
}

/** A call takes no more arguments than some ten thousand. */
const mostSpelled = 8192;

/** Format characters that are drawn: signs of numbers and verses. */
const drawn = String.raw`\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}`;
/** With what is blank without being a space: Braille, a musical and a Khitan filler. */
const undrawn = String.raw`[[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}\u2800\u{1d159}\u{16fe4}]--[${drawn}]]`;
const anyUndrawn = new RegExp(undrawn, 'v');

const pictograph = String.raw`\p{Extended_Pictographic}[\ufe0f\p{Emoji_Modifier}]?`;
const braille = String.raw`[\u2801-\u28ff]\u2800+|\u2800+(?=[\u2801-\u28ff])`;
const emoji = String.raw`${pictograph}(?:\u200d${pictograph}){1,9}|\u{1f3f4}[\u{e0020}-\u{e007e}]{1,8}\u{e007f}`;
const sequencesAndRuns = new RegExp(`(${braille})|(${emoji})|${undrawn}+`, 'gv');

/** Code units of what a sequence has before its first undrawn character: a pictograph and its skin. */
const longestBase = 4;

/** Only recommended sequences are drawn as one picture. Made when first needed: its class is long. */
let recommended: RegExp | undefined;

/** A sequence may lack the selectors that Unicode wants in it, or have some to spare. */
function isEmoji(sequence: string): boolean {
	const known = judged.get(sequence);
	if (known !== undefined) return known;
	recommended ??= new RegExp(String.raw`^\p{RGI_Emoji}$`, 'v');
	const is = recommended.test(sequence) || recommended.test(qualified(sequence));
	if (judged.size === mostJudged) judged.clear();
	judged.set(sequence, is);
	return is;
}

const judged = new Map<string, boolean>();
const mostJudged = 512;

function qualified(sequence: string): string {
	return sequence.replaceAll('\ufe0f', '').replaceAll(/(?!\p{Emoji_Presentation})\p{Extended_Pictographic}(?!\p{Emoji_Modifier})/gu, '$&\ufe0f');
}

function* undrawnIn(sequence: string, index: number): Generator<UndrawnRun, void, undefined> {
	for (const {0: found, index: at} of sequence.matchAll(/\u200d|[\u{e0000}-\u{e007f}]+/gu)) {
		yield {from: index + at, to: index + at + found.length, characters: Array.from(found)};
	}
}

/** The code units at a run's start that are in legitimate use: a selector, then a single character that has its place there. */
function keptLength(line: string, at: number, run: string, word: {end: number; joiners: number}): number {
	const selector = matchAt(selectors, line, at);
	const next = at + selector;
	if (run.length !== selector + 1) return selector;
	const isJoiner = line[next] === '\u200c' || line[next] === '\u200d';
	if (matchAt(isJoiner ? afterVirama : single, line, next) > 0) return selector + 1;
	if (!isJoiner || matchAt(joiner, line, next) === 0) return selector;
	const isSameWord = onlyLetters.test(line.slice(word.end, next));
	word.joiners = isSameWord ? word.joiners + 1 : 1;
	word.end = next + 1;
	return word.joiners > mostJoiners ? selector : selector + 1;
}

function matchAt(rule: RegExp, line: string, at: number): number {
	rule.lastIndex = at;
	return rule.exec(line)?.[0].length ?? 0;
}

const mostJoiners = 3;

function anyOf(...rules: readonly string[]): RegExp {
	return new RegExp(rules.join('|'), 'vy');
}

const mongolian = String.raw`\p{Script=Mongolian}`;
/** One after its base. Of ideographs the 32 that collections register, and not for two in a row: all 240 after each could spell any text. */
const selectors = anyOf(
	String.raw`(?<=[\p{Emoji}--[0-9#*\p{Regional_Indicator}\p{Emoji_Modifier}]])[\ufe0e\ufe0f]`,
	String.raw`(?<=[0-9#*])\ufe0f(?=\u20e3)`,
	String.raw`(?<=(?<![\u{e0100}-\u{e01ef}])\p{Unified_Ideograph})[\u{e0100}-\u{e011f}]`,
	String.raw`(?<=${mongolian})[\u180b-\u180d\u180f]`,
);

/** Hebrew, Arabic and the other scripts that run to the left, and what may be between such text and a mark: punctuation, digits, spaces. */
const leftward = String.raw`[\u0590-\u061b\u061d-\u08ff\ufb1d-\ufdcf\ufdf0-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]`;
const leftwardLetter = String.raw`[${leftward}&&\p{L}]`;
const neutral = String.raw`[[\p{P}\p{S}\p{N}\p{Zs}\p{M}]--${undrawn}]`;
/** Inside a word a direction mark changes nothing. */
const direction = String.raw`(?!(?<=${leftwardLetter}\p{M}{0,4}).${leftwardLetter})[\u200e\u200f\u061c]`;
const spaceless = String.raw`[\p{Script=Khmer}\p{Script=Thai}\p{Script=Lao}\p{Script=Myanmar}\p{Script=Tai_Le}\p{Script=New_Tai_Lue}\p{Script=Tai_Tham}\p{Script=Tai_Viet}]`;
const single = anyOf(
	String.raw`(?<=${leftward}${neutral}{0,8}(?:[\u200e\u200f\u061c]${neutral}{1,8})?)${direction}`,
	String.raw`${direction}(?=${neutral}{0,8}${leftward})`,
	String.raw`(?<=${spaceless}{2})\u200b(?=${spaceless})`,
	String.raw`(?<=${mongolian}[\u180b-\u180d\u180f]?)\u180e(?=${mongolian})`,
	String.raw`\u115f(?=[\u1161-\u11a7\ud7b0-\ud7c6])`,
	String.raw`(?<=[\u1100-\u115e\ua960-\ua97c])\u1160`,
);

const joining = String.raw`[[\p{L}\p{M}\p{N}]&&[${['Arabic', 'Syriac', 'Mandaic', 'Nko', 'Mongolian', 'Phags_Pa', 'Manichaean', 'Adlam', 'Hanifi_Rohingya', 'Sogdian', 'Devanagari', 'Bengali', 'Gurmukhi', 'Gujarati', 'Oriya', 'Tamil', 'Telugu', 'Kannada', 'Malayalam', 'Sinhala', 'Tibetan', 'Myanmar', 'Khmer', 'Balinese', 'Javanese', 'Sundanese', 'Meetei_Mayek', 'Brahmi', 'Kaithi', 'Chakma', 'Sharada', 'Khojki', 'Grantha', 'Newa', 'Tirhuta', 'Siddham', 'Modi', 'Takri'].map(script => String.raw`\p{Script=${script}}`).join('')}]]`;
const letter = String.raw`[[\p{L}\p{M}]--${undrawn}]`;
const marks = String.raw`[\p{M}--${undrawn}]{0,4}`;
/** A virama is drawn, so that each joiner after one costs a sign. */
const afterVirama = anyOf(String.raw`(?<=[\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d3b\u0d3c\u0d4d\u0dca\u0f84\u1039\u103a\u17d2\u1b44\u1baa\uabed\ua9c0\u{11046}\u{110b9}\u{11133}\u{111c0}\u{11235}\u{1134d}\u{11442}\u{114c2}\u{115bf}\u{1163f}\u{116b6}])[\u200c\u200d]`);
const joiner = anyOf(
	String.raw`(?<=${joining}${marks})[\u200c\u200d](?=${letter})`,
	String.raw`(?<=[[\p{L}\p{N}]--${undrawn}])\u200c(?=${joining})`,
	String.raw`(?<=[\p{Script=Arabic}&&\p{L}])\u200d`,
);
const onlyLetters = /^[\p{L}\p{M}\p{N}\u200c\u200d]*$/u;
