import {fileURLToPath} from 'node:url';

const output = JSON.stringify(fileURLToPath(new URL('../src/tui/terminal/output/index.ts', import.meta.url)));

/**
Changes to libraries that pay at start-up. Each `find` must stand exactly once (or `times` times) in its file:
a library that has changed fails the build, so that a patch is never lost unseen.
*/
export const patches = [
	{
		// The wasm is a data: URL in the file, and fetch() of it loads undici: 40 ms and 14 MB for bytes that are here
		// already.
		name: 'yoga-layout: decode the wasm instead of fetching it',
		file: 'node_modules/yoga-layout/dist/binaries/yoga-wasm-base64-esm.js',
		changes: [
			{find: 'w||"function"!=typeof fetch?Promise.resolve()', replace: '!0?Promise.resolve()'},
			{
				find: 'var b=xa(a.slice(37)),c=new Uint8Array(b.length);for(a=0;a<b.length;++a)c[a]=b.charCodeAt(a);var d=c',
				replace: 'var d=Buffer.from(a.slice(37),"base64")',
			},
		],
	},
	{
		// Reading \p{RGI_Emoji} takes 18 ms as soon as the file is loaded. It is made when it is first needed, and what
		// cannot begin to be an emoji need not ask.
		name: 'string-width: ask for an RGI emoji only where one is possible',
		file: 'node_modules/string-width/index.js',
		changes: [
			{
				find: String.raw`const rgiEmojiRegex = /^\p{RGI_Emoji}$/v;`,
				replace: String.raw`const emojiPartRegex = /[\p{Extended_Pictographic}\p{Emoji_Presentation}\p{Regional_Indicator}\u20E3]/v;
let madeRegex;
const rgiEmojiRegex = {test: text => (madeRegex ??= new RegExp('^\\p{RGI_Emoji}$', 'v')).test(text)};`,
			},
			{
				find: 'if (rgiEmojiRegex.test(segment) ||',
				replace: 'if ((emojiPartRegex.test(segment) && rgiEmojiRegex.test(segment)) ||',
			},
		],
	},
	{
		// The first segmenter of a process takes 8 ms, and most of what is measured needs none.
		name: 'string-width: make a segmenter only for what may be more than one grapheme',
		file: 'node_modules/string-width/index.js',
		changes: [
			{
				find: 'const segmenter = new Intl.Segmenter();',
				replace: `let madeSegmenter;
const isOne = text => text.length === 1 || (text.length === 2 && text.codePointAt(0) > 0xffff);
// Letters, box drawings, arrows, kana and Han: none of them joins with its neighbour.
const separateRegex = /^[ -~\u00A1-\u00AC\u00AE-\u02FF\u2010-\u2027\u2030-\u205E\u2190-\u2BFF\u3001-\u3029\u3041-\u3096\u30A1-\u30FA\u4E00-\u9FFF]*$/;
function segmentsOf(text) {
	if (isOne(text)) return [{segment: text}];
	if (separateRegex.test(text)) return Array.from(text, segment => ({segment}));
	return (madeSegmenter ??= new Intl.Segmenter()).segment(text);
}`,
			},
			{find: 'of segmenter.segment(string)', replace: 'of segmentsOf(string)'},
		],
	},
	{
		// A DEV=true of the person's own project must not make Ink look for the React developer tools.
		name: 'ink: no developer tools',
		file: 'node_modules/ink/build/reconciler.js',
		changes: [{find: "process.env['DEV'] === 'true'", replace: 'false', times: 2}],
	},
	{
		// Most of what a frame costs: every visible text is tokenised anew each time.
		name: 'ink: keep rows between frames',
		file: 'node_modules/ink/build/renderer.js',
		changes: [
			{
				find: "import Output from './output.js';",
				replace: `import StockOutput from './output.js';\nimport {keepRows} from ${output};\nconst Output = keepRows(StockOutput);`,
			},
		],
	},
	{
		name: 'ink: keep the text of a node between frames',
		file: 'node_modules/ink/build/squash-text-nodes.js',
		changes: [
			{find: 'const squashTextNodes = (node) => {', replace: 'const squash = (node) => {'},
			{
				find: 'export default squashTextNodes;',
				replace: `import {keepTextOfNode} from ${output};\nconst squashTextNodes = keepTextOfNode(squash);\nexport default squashTextNodes;`,
			},
		],
	},
	{
		// measureText remembers what it measured.
		name: 'ink: measure a text once',
		file: 'node_modules/ink/build/render-node-to-output.js',
		changes: [
			{find: "import widestLine from 'widest-line';", replace: "import measureText from './measure-text.js';"},
			{find: 'widestLine(text)', replace: 'measureText(text).width'},
		],
	},
	{
		// The first segmenter of a process takes 8 ms. It is made when a text needs one.
		name: 'ink: make a segmenter only when it is needed',
		file: 'node_modules/ink/build/line-update.js',
		changes: [
			{
				find: "const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });",
				replace: `let madeSegmenter;
const segmenter = {segment: text => (madeSegmenter ??= new Intl.Segmenter(undefined, {granularity: 'grapheme'})).segment(text)};`,
			},
		],
	},
	{
		// The first segmenter of a process takes 8 ms. It is made when a text needs one.
		name: 'slice-ansi: make a segmenter only when it is needed',
		file: 'node_modules/slice-ansi/tokenize-ansi.js',
		changes: [
			{
				find: "const GRAPHEME_SEGMENTER = new Intl.Segmenter(undefined, {granularity: 'grapheme'});",
				replace: `let madeSegmenter;
const GRAPHEME_SEGMENTER = {segment: text => (madeSegmenter ??= new Intl.Segmenter(undefined, {granularity: 'grapheme'})).segment(text)};`,
			},
		],
	},
	{
		// The first segmenter of a process takes 8 ms. It is made when a text needs one.
		name: 'wrap-ansi: make a segmenter only when it is needed',
		file: 'node_modules/wrap-ansi/index.js',
		changes: [
			{
				find: 'const segmenter = new Intl.Segmenter();',
				replace: `let madeSegmenter;
const segmenter = {segment: text => (madeSegmenter ??= new Intl.Segmenter(undefined, {granularity: 'grapheme'})).segment(text)};`,
			},
		],
	},
	{
		// The first segmenter of a process takes 8 ms. It is made when a text needs one.
		name: 'ansi-tokenize: make a segmenter only when it is needed',
		file: 'node_modules/@alcalzone/ansi-tokenize/build/tokenize.js',
		changes: [
			{
				find: 'const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });',
				replace: `let madeSegmenter;
const segmenter = {segment: text => (madeSegmenter ??= new Intl.Segmenter(undefined, {granularity: 'grapheme'})).segment(text)};`,
			},
		],
	},
];

/** The code of a module with its patch applied. Throws when a `find` does not stand in it as often as it should. */
export function applyPatch(patch, code) {
	return patch.changes.reduce((text, {find, replace, times = 1}) => {
		const pieces = text.split(find);
		if (pieces.length !== times + 1)
			throw new Error(
				`patch "${patch.name}" no longer applies: ${JSON.stringify(find)} stands ${pieces.length - 1} times in ${patch.file}`,
			);
		return pieces.join(replace);
	}, code);
}

/** A rolldown plugin that applies all the patches, and fails the build when a patched file is no longer part of it. */
export function patchPlugin(all) {
	const applied = new Set();
	return {
		name: 'patches',
		transform(code, id) {
			const file = id.replaceAll('\\', '/');
			const own = all.filter(patch => file.endsWith(`/${patch.file}`));
			if (own.length === 0) return null;
			for (const patch of own) applied.add(patch);
			return {code: own.reduce((text, patch) => applyPatch(patch, text), code), map: null};
		},
		buildEnd(error) {
			if (error !== undefined && error !== null) return;
			const missed = all.filter(patch => !applied.has(patch));
			if (missed.length > 0)
				throw new Error(
					`patch "${missed[0].name}" has no file to apply to: ${missed[0].file} is not in the bundle`,
				);
		},
	};
}
