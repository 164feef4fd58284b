/**
Estimates the tokens of a text. The result is shown with `≈`. Walks over the code units once, without allocations. Each
unit has a weight by its kind, and by whether it begins a run of that kind. A tokenizer first splits text between
letters, digits, marks and spaces. The tokenizer then merges pieces. The kinds correspond to the pattern of `o200k_base`
in openai/tiktoken (tiktoken_ext/openai_public.py). The weights are fitted to counts of `o200k_base`. For each script
the sample is the Universal Declaration of Human Rights (unicode.org/udhr). For ASCII the samples are TypeScript, JSON,
Markdown, CSV, logs and hex. For these samples the estimate is within 25 % of the count. For base64 the estimate is 30 %
too low. Tokenizers of other vendors count up to twice as much for scripts other than Latin. This figure comes from
Petrov et al., "Language Model Tokenizers Introduce Unfairness Between Languages", NeurIPS 2023.
*/
export function estimateTokens(text: string): number {
	let hundredths = 0;
	let before = kindOf.space;
	let codeBefore = -1;
	for (let at = 0; at < text.length; at++) {
		const code = text.charCodeAt(at);
		const kind = code < 0x80 ? ascii[code]! : pages[code >> 8]!;
		// A capital and the small letters after it count as one word.
		const continuesRun = kind === before || (kind === kindOf.lower && before === kindOf.upper);
		const isRepeated = code === codeBefore && (kind === kindOf.mark || kind === kindOf.symbol);
		hundredths += isRepeated ? repeatedWeight : continuesRun ? nextWeights[kind]! : firstWeights[kind]!;
		before = kind;
		codeBefore = code;
	}
	return Math.ceil(hundredths / 100);
}

/** The weight of a mark after the same mark. Tokenizers have tokens for runs such as rules and banners. */
const repeatedWeight = 10;

/** The weights in hundredths of a token: for the first unit of a run, and for each later unit of the run. */
const weights = {
	space: [8, 5],
	newline: [60, 20],
	lower: [90, 6],
	upper: [95, 34],
	digit: [90, 42],
	mark: [82, 45],
	/** Letters with accents usually occur singly among plain letters, where they split a word. */
	latin: [68, 40],
	cyrillic: [50, 20],
	/** Greek, Armenian, Hebrew and Arabic. */
	alphabet: [60, 30],
	/** Devanagari to Malayalam, and Georgian. */
	indic: [50, 32],
	/** Thai and Lao, which have no spaces between words. */
	thai: [50, 42],
	/** Ethiopic and other scripts that are rare in training data. */
	rare: [200, 190],
	han: [86, 84],
	kana: [78, 78],
	hangul: [75, 66],
	symbol: [70, 60],
	/** One half of an emoji or of a rare ideograph. */
	half: [84, 84],
} as const satisfies Readonly<Record<string, readonly [first: number, next: number]>>;

type Kind = keyof typeof weights;

const kinds = Object.keys(weights) as readonly Kind[];
const kindOf = Object.fromEntries(kinds.map((kind, index) => [kind, index])) as Readonly<Record<Kind, number>>;
const firstWeights = Uint8Array.from(kinds, kind => weights[kind][0]);
const nextWeights = Uint8Array.from(kinds, kind => weights[kind][1]);

const ascii = Uint8Array.from({length: 0x80}, (_, code) => {
	const character = String.fromCharCode(code);
	if (/[\r\n]/.test(character)) return kindOf.newline;
	if (/\s/.test(character)) return kindOf.space;
	if (/\d/.test(character)) return kindOf.digit;
	if (/[a-z]/.test(character)) return kindOf.lower;
	return /[A-Z]/.test(character) ? kindOf.upper : kindOf.mark;
});

/** Each entry has the last page (of 256 code units) of a kind. Pages between two entries belong to the later entry. */
const pageEnds: ReadonlyArray<readonly [last: number, kind: Kind]> = [
	[0x02, 'latin'],
	[0x03, 'alphabet'],
	[0x04, 'cyrillic'],
	[0x08, 'alphabet'],
	[0x0d, 'indic'],
	[0x0e, 'thai'],
	[0x0f, 'rare'],
	[0x10, 'indic'],
	[0x1d, 'rare'],
	[0x1e, 'latin'],
	[0x1f, 'alphabet'],
	[0x2d, 'symbol'],
	[0x2f, 'han'],
	[0x30, 'kana'],
	[0x9f, 'han'],
	[0xab, 'rare'],
	[0xd7, 'hangul'],
	[0xdf, 'half'],
	[0xef, 'symbol'],
	[0xfa, 'han'],
	[0xfd, 'alphabet'],
	[0xff, 'kana'],
];
const pages = Uint8Array.from(
	{length: 0x100},
	(_, page) => kindOf[pageEnds.find(([last]) => page <= last)?.[1] ?? 'kana'],
);
