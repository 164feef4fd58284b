/**
Some invisible characters are legitimate, because they change how their neighbours are drawn or read. A larger number of
them could hide a text, so each rule has a limit. Each rule reads only a single line.

- recommended emoji sequences
- one selector after an emoji or an ideograph
- one joiner between letters of joining scripts
- one direction mark at the end of right-to-left text
- one word break in scripts without spaces
- blank cells next to Braille
*/

/** The end of the last joiner, and the number of joiners in the current word. This number is limited. */
export type Word = {end: number; joiners: number};

/**
Returns the number of legitimate code units at the start of a run: a selector, and then a character that is legitimate
at its place.
*/
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

/** Tells whether a sequence is a single emoji that Unicode recommends. Some of its selectors may be missing. */
export function isEmoji(sequence: string): boolean {
	return recommended().test(sequence);
}

/** The format characters that terminals draw: signs for numbers and verses. */
const drawn = String.raw`\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}`;
/** The characters that are blank but not spaces: a Braille cell, a musical filler and a Khitan filler. */
const blank = String.raw`\u2800\u{1d159}\u{16fe4}`;

/** The character class of all invisible characters, as the source of a regular expression with the flag `v`. */
export const notDrawn = `[[${[
	String.raw`\p{Default_Ignorable_Code_Point}\p{Cf}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}`,
	blank,
].join('')}]--[${drawn}]]`;

/** The invisible characters that Unicode classifies as letters, marks or symbols. */
const hiddenSigns = `[${[
	String.raw`\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0f\uffa0\u{e0100}-\u{e01ef}`,
	blank,
].join('')}]`;

const pictograph = String.raw`\p{Extended_Pictographic}[\ufe0f\p{Emoji_Modifier}]?`;
const tagged = String.raw`\u{1f3f4}[\u{e0020}-\u{e007e}]{1,8}\u{e007f}`;

/** The pattern of text that may be one emoji of several code points. */
export const emojiSequence = String.raw`${pictograph}(?:\u200d${pictograph}){1,9}|${tagged}`;

/**
The structure of recommended sequences. Unicode's own property (`RGI_Emoji`) takes 60 ms to compile, which users would
notice. A test compares both.
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

/**
Returns the pattern of these rules. It is compiled on first use, because most text does not need it, and compiling its
classes takes milliseconds.
*/
function anyOf(...rules: readonly string[]): () => RegExp {
	return lazily(() => new RegExp(rules.join('|'), 'vy'));
}

function lazily(make: () => RegExp): () => RegExp {
	let made: RegExp | undefined;
	return () => (made ??= make());
}

const mongolian = String.raw`\p{Script=Mongolian}`;
/**
One selector may follow its base character. Only the 32 registered selectors may follow an ideograph, and only if no
such selector precedes the ideograph. With all 240 selectors, text could be hidden.
*/
const selectors = anyOf(
	String.raw`(?<=[\p{Emoji}--[0-9#*\p{Regional_Indicator}\p{Emoji_Modifier}]])[\ufe0e\ufe0f]`,
	String.raw`(?<=[0-9#*])\ufe0f(?=\u20e3)`,
	String.raw`(?<=(?<![\u{e0100}-\u{e01ef}])\p{Unified_Ideograph})[\u{e0100}-\u{e011f}]`,
	String.raw`(?<=${mongolian})[\u180b-\u180d\u180f]`,
);

/** Hebrew, Arabic and other right-to-left scripts. */
const leftward = `[${[
	String.raw`\u0590-\u061b\u061d-\u08ff\ufb1d-\ufdcf\ufdf0-\ufdff\ufe70-\ufefc`,
	String.raw`\u{10800}-\u{10fff}\u{1e800}-\u{1efff}`,
].join('')}]`;
const leftwardLetter = String.raw`[${leftward}&&\p{L}]`;
/**
A neutral character. At most eight of them, and one more direction mark, may be between right-to-left text and a
direction mark.
*/
const neutral = String.raw`(?!${hiddenSigns})[\p{P}\p{S}\p{N}\p{Zs}\p{M}]`;
/** A direction mark that is not inside a right-to-left word, where it would have no effect. */
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
/** The maximum number of joiners in a word without viramas. More joiners in a row could encode digits. */
const maxJoiners = 3;
const onlyLetters = /^[\p{L}\p{M}\p{N}\u200c\u200d]*$/u;

const virama = [
	String.raw`\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d3b\u0d3c\u0d4d\u0dca\u0f84\u1039\u103a\u17d2`,
	String.raw`\u1b44\u1baa\ua9c0\uabed\u{11046}\u{110b9}\u{11133}\u{111c0}\u{11235}\u{1134d}\u{11442}\u{114c2}`,
	String.raw`\u{115bf}\u{1163f}\u{116b6}`,
].join('');
/** Joiners after a virama need no limit, because a virama is visible. */
const afterVirama = anyOf(String.raw`(?<=[${virama}])[\u200c\u200d]`);

function scripts(...names: readonly string[]): string {
	return `[${names.map(name => String.raw`\p{Script=${name}}`).join('')}]`;
}
