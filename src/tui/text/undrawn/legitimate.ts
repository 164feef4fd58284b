/**
What of the characters that are not drawn is in legitimate use.

Legitimate is what changes how its neighbours are drawn or read, and no more than that takes: emoji sequences that
Unicode recommends, one selector after an emoji or an ideograph, one joiner between letters of scripts that join, one
direction mark where right-to-left text ends, one word break between letters of scripts without spaces, blank cells
beside Braille. More of it could hide a text: each rule has a bound. All rules look at one line.
*/

/** The joiners of the word that a line is at, so that no word has many. */
export type Word = {end: number; joiners: number};

/** How many code units at the start of a run are legitimate: a selector, then a single character in its place. */
export function keptLength(line: string, at: number, run: string, word: Word): number {
	const selector = matchAt(selectors, line, at);
	const next = at + selector;
	if (run.length !== selector + 1) return selector;
	const isJoiner = line[next] === '\u200c' || line[next] === '\u200d';
	if (matchAt(isJoiner ? afterVirama : single, line, next) > 0) return selector + 1;
	if (!isJoiner || matchAt(joiner, line, next) === 0) return selector;
	word.joiners = onlyLetters.test(line.slice(word.end, next)) ? word.joiners + 1 : 1;
	word.end = next + 1;
	return word.joiners > maxJoiners ? selector : selector + 1;
}

/** Whether a sequence is drawn as one picture: Unicode recommends it. Its selectors need not be complete. */
export function isEmoji(sequence: string): boolean {
	return recommended().test(sequence);
}

/** Format characters that are drawn: signs of numbers and verses. */
const drawn = String.raw`\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}`;
/** Blank without being a space: a Braille cell, a musical and a Khitan filler. */
const blank = String.raw`\u2800\u{1d159}\u{16fe4}`;

/** The class of all that is not drawn, as the source of a regular expression with the flag `v`. */
export const notDrawn = `[[${[
	String.raw`\p{Default_Ignorable_Code_Point}\p{Cf}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}`,
	blank,
].join('')}]--[${drawn}]]`;

/** The letters, marks and signs among them. */
const hiddenSigns = `[${[
	String.raw`\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0f\uffa0\u{e0100}-\u{e01ef}`,
	blank,
].join('')}]`;

const pictograph = String.raw`\p{Extended_Pictographic}[\ufe0f\p{Emoji_Modifier}]?`;
const tagged = String.raw`\u{1f3f4}[\u{e0020}-\u{e007e}]{1,8}\u{e007f}`;

/** What may be one emoji of several code points. */
export const emojiSequence = String.raw`${pictograph}(?:\u200d${pictograph}){1,9}|${tagged}`;

/**
The recommended sequences by their structure. The class of Unicode itself (`RGI_Emoji`) takes 60 ms to compile, which
is felt; a test compares the two.
*/
const recommended = lazily(() => {
	const then = String.raw`\u200d`;
	const skin = '[🏻-🏿]?';
	const adult = `[👨👩🧑]${skin}`;
	const toTheRight = String.raw`(?:${then}➡\ufe0f?)?`;
	const acting = '⛹🏄🏊🏋🏌👮👯👰👱👳👷💁💂💆💇🕵🙅🙆🙇🙋🙍🙎🚣🚴🚵🤦🤵🤷🤸🤹🤼🤽🤾🦸🦹🧍🧏🧔🧖🧗🧘🧙🧚🧛🧜🧝🧞🧟';
	const pairs = '🏳🌈 🏳⚧ 🏴☠ 🐕🦺 🐈⬛ 🐦⬛ 🐦🔥 🐻❄ 👁🗨 ❤🔥 ❤🩹 😮💨 😵💫 😶🌫 🍋🟩 🍄🟫 ⛓💥 🙂↔ 🙂↕';
	const rules = [
		String.raw`${adult}${then}(?:[⚕⚖✈]\ufe0f?|[🌾🍳🍼🎓🎤🎨🏫🏭💻💼🔧🔬🚀🚒🦰🦱🦲🦳]|[🦯🦼🦽]${toTheRight})`,
		String.raw`🧑${skin}${then}[🎄🩰]`,
		String.raw`[${acting}](?:\ufe0f|${skin})${then}[♀♂]\ufe0f?`,
		String.raw`[🏃🚶🧎]${skin}(?:${then}[♀♂]\ufe0f?)?${toTheRight}`,
		String.raw`${adult}${then}❤\ufe0f?(?:${then}💋)?${then}${adult}`,
		String.raw`${adult}${then}[🤝🐰🫯]${then}${adult}`,
		String.raw`[👨👩](?:${then}[👨👩])?(?:${then}[👦👧]){1,2}`,
		String.raw`🧑(?:${then}🧑)?(?:${then}🧒){1,2}`,
		`🫱[🏻-🏿]${then}🫲[🏻-🏿]`,
		...pairs.split(' ').map(pair => Array.from(pair, emoji => String.raw`${emoji}\ufe0f?`).join(then)),
		`🏴(?:${['gbeng', 'gbsct', 'gbwls'].map(tagsOf).join('|')})${String.raw`\u{e007f}`}`,
	];
	return new RegExp(`^(?:${rules.join('|')})$`, 'u');
});

function tagsOf(code: string): string {
	return Array.from(code, letter => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join('');
}

function matchAt(rule: () => RegExp, line: string, at: number): number {
	const pattern = rule();
	pattern.lastIndex = at;
	return pattern.exec(line)?.[0].length ?? 0;
}

/** Most text needs none of the rules, and their classes take milliseconds to make. */
function anyOf(...rules: readonly string[]): () => RegExp {
	return lazily(() => new RegExp(rules.join('|'), 'vy'));
}

function lazily(make: () => RegExp): () => RegExp {
	let made: RegExp | undefined;
	return () => (made ??= make());
}

const mongolian = String.raw`\p{Script=Mongolian}`;
/**
One after its base. Of ideographs the 32 that collections register, and not after two ideographs in a row: all 240 after
each could spell any text.
*/
const selectors = anyOf(
	String.raw`(?<=[\p{Emoji}--[0-9#*\p{Regional_Indicator}\p{Emoji_Modifier}]])[\ufe0e\ufe0f]`,
	String.raw`(?<=[0-9#*])\ufe0f(?=\u20e3)`,
	String.raw`(?<=(?<![\u{e0100}-\u{e01ef}])\p{Unified_Ideograph})[\u{e0100}-\u{e011f}]`,
	String.raw`(?<=${mongolian})[\u180b-\u180d\u180f]`,
);

/** Hebrew, Arabic and the other scripts that run to the left. */
const leftward = `[${[
	String.raw`\u0590-\u061b\u061d-\u08ff\ufb1d-\ufdcf\ufdf0-\ufdff\ufe70-\ufefc`,
	String.raw`\u{10800}-\u{10fff}\u{1e800}-\u{1efff}`,
].join('')}]`;
const leftwardLetter = String.raw`[${leftward}&&\p{L}]`;
/** What may be between such text and a direction mark, at most eight of it, and one other mark. */
const neutral = String.raw`(?!${hiddenSigns})[\p{P}\p{S}\p{N}\p{Zs}\p{M}]`;
/** Inside a word a direction mark changes nothing. */
const direction = String.raw`(?!(?<=${leftwardLetter}\p{M}{0,4}).${leftwardLetter})[\u200e\u200f\u061c]`;
const spaceless = scripts('Khmer', 'Thai', 'Lao', 'Myanmar', 'Tai_Le', 'New_Tai_Lue', 'Tai_Tham', 'Tai_Viet');

const single = anyOf(
	String.raw`(?<=${leftward}(?:${neutral}){0,8}(?:[\u200e\u200f\u061c](?:${neutral}){1,8})?)${direction}`,
	String.raw`${direction}(?=(?:${neutral}){0,8}${leftward})`,
	String.raw`(?<=${spaceless}{2})\u200b(?=${spaceless})`,
	String.raw`(?<=${mongolian}[\u180b-\u180d\u180f]?)\u180e(?=${mongolian})`,
	String.raw`\u115f(?=[\u1161-\u11a7\ud7b0-\ud7c6])`,
	String.raw`(?<=[\u1100-\u115e\ua960-\ua97c])\u1160`,
);

const cursive = scripts(
	'Arabic',
	'Syriac',
	'Mandaic',
	'Nko',
	'Mongolian',
	'Phags_Pa',
	'Manichaean',
	'Adlam',
	'Hanifi_Rohingya',
	'Sogdian',
);
const indic = scripts(
	'Devanagari',
	'Bengali',
	'Gurmukhi',
	'Gujarati',
	'Oriya',
	'Tamil',
	'Telugu',
	'Kannada',
	'Malayalam',
	'Sinhala',
	'Tibetan',
	'Myanmar',
	'Khmer',
	'Balinese',
	'Javanese',
	'Sundanese',
	'Meetei_Mayek',
	'Brahmi',
	'Kaithi',
	'Chakma',
	'Sharada',
	'Khojki',
	'Grantha',
	'Newa',
	'Tirhuta',
	'Siddham',
	'Modi',
	'Takri',
);
const joining = String.raw`[[\p{L}\p{M}\p{N}]&&[${cursive}${indic}]]`;
const marks = String.raw`(?:(?!${hiddenSigns})\p{M}){0,4}`;
const joiner = anyOf(
	String.raw`(?<=${joining}${marks})[\u200c\u200d](?!${hiddenSigns})(?=[\p{L}\p{M}])`,
	String.raw`(?<=(?!${hiddenSigns})[\p{L}\p{N}])\u200c(?=${joining})`,
	String.raw`(?<=[\p{Script=Arabic}&&\p{L}])\u200d`,
);
/** Joiners of a word that has no virama before them. A longer row of them could be read as digits. */
const maxJoiners = 3;
const onlyLetters = /^[\p{L}\p{M}\p{N}\u200c\u200d]*$/u;

const virama = [
	String.raw`\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d3b\u0d3c\u0d4d\u0dca\u0f84\u1039\u103a\u17d2`,
	String.raw`\u1b44\u1baa\ua9c0\uabed\u{11046}\u{110b9}\u{11133}\u{111c0}\u{11235}\u{1134d}\u{11442}\u{114c2}`,
	String.raw`\u{115bf}\u{1163f}\u{116b6}`,
].join('');
/** A virama is drawn, so that each joiner after one costs a sign. */
const afterVirama = anyOf(String.raw`(?<=[${virama}])[\u200c\u200d]`);

function scripts(...names: readonly string[]): string {
	return `[${names.map(name => String.raw`\p{Script=${name}}`).join('')}]`;
}
