import {fileURLToPath} from 'node:url';

const output = JSON.stringify(fileURLToPath(new URL('../src/screen/terminal/output/index.ts', import.meta.url)));

/** Letters, punctuation, arrows, box drawings, kana and Han. None of them combines with its neighbour. */
const separate = [
	String.raw` -~\u00A1-\u00AC\u00AE-\u02FF`,
	String.raw`\u2010-\u2027\u2030-\u205E\u2190-\u2BFF`,
	String.raw`\u3001-\u3029\u3041-\u3096\u30A1-\u30FA\u4E00-\u9FFF`,
].join('');

/**
Patches for libraries. docs/start.md and docs/upstream.md give the reasons and figures. Each `find` must occur exactly
once (or `times` times) in its file. Otherwise the build fails, so that an update cannot silently remove a patch.
*/
export const patches = [
	{
		// The WebAssembly is a data: URL in the file. Its fetch() would load undici: 40 ms and 14 MB for bytes that are
		// already in memory. The patch compiles it at once, so that modules do not wait for it while they load.
		name: 'yoga-layout: decode and compile the wasm at once instead of fetching it',
		file: 'node_modules/yoga-layout/dist/binaries/yoga-wasm-base64-esm.js',
		changes: [
			{
				find: [
					'var b=xa(a.slice(37)),c=new Uint8Array(b.length);',
					'for(a=0;a<b.length;++a)c[a]=b.charCodeAt(a);var d=c',
				].join(''),
				replace: 'var d=Buffer.from(a.slice(37),"base64")',
			},
			{
				find: '(function(){return w||"function"!=typeof WebAssembly.instantiateStreaming',
				replace: [
					'a(new WebAssembly.Instance(new WebAssembly.Module(wa()),d));return{};',
					'(function(){return w||"function"!=typeof WebAssembly.instantiateStreaming',
				].join(''),
			},
			{find: 'return loadYoga.ready', replace: 'return loadYoga'},
		],
	},
	{
		name: 'yoga-layout: do not wait for the wasm',
		file: 'node_modules/yoga-layout/dist/src/index.js',
		changes: [{find: 'await loadYoga()', replace: 'loadYoga()'}],
	},
	{
		// Compiling \p{RGI_Emoji} takes 18 ms. The patch compiles it at the first use, and tests only a text that may
		// contain an emoji.
		name: 'string-width: ask for an RGI emoji only where one is possible',
		file: 'node_modules/string-width/index.js',
		changes: [
			{
				find: String.raw`const rgiEmojiRegex = /^\p{RGI_Emoji}$/v;`,
				replace: String.raw`const emojiPartRegex =
	/[\p{Extended_Pictographic}\p{Emoji_Presentation}\p{Regional_Indicator}\u20E3]/v;
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
		// Creating the first segmenter of a process takes 8 ms, and most texts do not need it.
		name: 'string-width: make a segmenter only for what may be more than one grapheme',
		file: 'node_modules/string-width/index.js',
		changes: [
			{
				find: 'const segmenter = new Intl.Segmenter();',
				replace: `let madeSegmenter;
const isOne = text => text.length === 1 || (text.length === 2 && text.codePointAt(0) > 0xffff);
const separateRegex = /^[${separate}]*$/;
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
		// DEV=true in a user's project must not make Ink look for the React developer tools.
		name: 'ink: no developer tools',
		file: 'node_modules/ink/build/reconciler.js',
		changes: [{find: "process.env['DEV'] === 'true'", replace: 'false', times: 2}],
	},
	{
		// Ink tokenises the visible texts again in each frame, which is most of the frame's cost.
		name: 'ink: keep rows between frames',
		file: 'node_modules/ink/build/renderer.js',
		changes: [
			{
				find: "import Output from './output.js';",
				replace: `import StockOutput from './output.js';
import {keepRows} from ${output};
const Output = keepRows(StockOutput);`,
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
				replace: `import {keepTextOfNode} from ${output};
const squashTextNodes = keepTextOfNode(squash);
export default squashTextNodes;`,
			},
		],
	},
	{
		// measureText caches its results.
		name: 'ink: measure a text once',
		file: 'node_modules/ink/build/render-node-to-output.js',
		changes: [
			{find: "import widestLine from 'widest-line';", replace: "import measureText from './measure-text.js';"},
			{find: 'widestLine(text)', replace: 'measureText(text).width'},
		],
	},
	{
		// Most changes replace one row with another row in the same place.
		name: 'ink: a line that replaces another one in a column needs no layout',
		file: 'node_modules/ink/build/dom.js',
		changes: [
			{
				find: "import squashTextNodes from './squash-text-nodes.js';",
				replace: `import squashTextNodes from './squash-text-nodes.js';
import {fillsColumn, isLine} from ${output};`,
			},
			{
				find: `    node.nodeValue = text;
    markNodeAsDirty(node);`,
				replace: `    const line = fillsColumn(node.parentNode) ? node.parentNode : undefined;
    const isLineBefore = line !== undefined && isLine(measureText(squashTextNodes(line)));
    node.nodeValue = text;
    if (isLineBefore && isLine(measureText(squashTextNodes(line)))) return;
    markNodeAsDirty(node);`,
			},
		],
	},
	{
		name: 'ink: no layout without a change',
		file: 'node_modules/ink/build/ink.js',
		changes: [
			{
				find: "import render from './renderer.js';",
				replace: `import render from './renderer.js';
import {countLayout} from ${output};`,
			},
			{
				find: `        yogaNode.setWidth(terminalWidth);
        yogaNode.calculateLayout(undefined, undefined, Yoga.DIRECTION_LTR);`,
				replace: `        if (this.layoutWidth === terminalWidth && !yogaNode.isDirty()) return;
        this.layoutWidth = terminalWidth;
        yogaNode.setWidth(terminalWidth);
        yogaNode.calculateLayout(undefined, undefined, Yoga.DIRECTION_LTR);
        countLayout();`,
			},
		],
	},
	{
		name: 'ink: count the layouts of a text, too',
		file: 'node_modules/ink/build/render-to-string.js',
		changes: [
			{
				find: "import renderer from './renderer.js';",
				replace: `import renderer from './renderer.js';
import {countLayout} from ${output};`,
			},
			{
				find: 'rootNode.yogaNode.calculateLayout(undefined, undefined, Yoga.DIRECTION_LTR);',
				replace:
					'rootNode.yogaNode.calculateLayout(undefined, undefined, Yoga.DIRECTION_LTR);\n        countLayout();',
			},
		],
	},
	{
		// Reading each of these facts calls WebAssembly.
		name: 'ink: keep the places of nodes until the next layout',
		file: 'node_modules/ink/build/render-node-to-output.js',
		changes: [
			{
				find: "import getMaxWidth from './get-max-width.js';",
				replace: `import getMaxWidth from './get-max-width.js';
import {keepPlaces} from ${output};
const placeOf = keepPlaces(({nodeName, yogaNode}) => ({
	isNone: yogaNode.getDisplay() === Yoga.DISPLAY_NONE,
	left: yogaNode.getComputedLeft(),
	top: yogaNode.getComputedTop(),
	maxWidth: nodeName === 'ink-text' ? getMaxWidth(yogaNode) : 0,
}));`,
			},
			{
				find: `    if (!yogaNode || yogaNode.getDisplay() === Yoga.DISPLAY_NONE) {
        return;
    }
    // Left`,
				replace: `    if (!yogaNode) return;
    const place = placeOf(node);
    if (place.isNone) return;
    // Left`,
			},
			{find: 'const x = offsetX + yogaNode.getComputedLeft();', replace: 'const x = offsetX + place.left;'},
			{find: 'const y = offsetY + yogaNode.getComputedTop();', replace: 'const y = offsetY + place.top;'},
			{find: 'const maxWidth = getMaxWidth(yogaNode);', replace: 'const maxWidth = place.maxWidth;'},
		],
	},
	{
		// Ink's inline mode hides the cursor with this package. At the end the package writes to stderr, even if stderr
		// is a file. inkpod itself shows the cursor again, on the terminal.
		name: 'restore-cursor: write nothing to stderr',
		file: 'node_modules/restore-cursor/index.js',
		changes: [{find: String.raw`process.stderr.write('\u001B[?25h');`, replace: ''}],
	},
	lazySegmenter({
		file: 'node_modules/ink/build/line-update.js',
		name: 'segmenter',
		options: "undefined, { granularity: 'grapheme' }",
	}),
	lazySegmenter({
		file: 'node_modules/slice-ansi/tokenize-ansi.js',
		name: 'GRAPHEME_SEGMENTER',
		options: "undefined, {granularity: 'grapheme'}",
	}),
	lazySegmenter({file: 'node_modules/wrap-ansi/index.js', name: 'segmenter', options: ''}),
	lazySegmenter({
		file: 'node_modules/@alcalzone/ansi-tokenize/build/tokenize.js',
		name: 'segmenter',
		options: 'undefined, { granularity: "grapheme" }',
	}),
];

/** Delays a module's segmenter until a text needs it, because the first segmenter of a process takes 8 ms. */
function lazySegmenter({file, name, options}) {
	const [, library] = /^node_modules\/((?:@[^/]+\/)?[^/]+)/u.exec(file);
	const made = `(madeSegmenter ??= new Intl.Segmenter(${options}))`;
	return {
		name: `${library}: make a segmenter only when it is needed`,
		file,
		changes: [
			{
				find: `const ${name} = new Intl.Segmenter(${options});`,
				replace: `let madeSegmenter;\nconst ${name} = {segment: text => ${made}.segment(text)};`,
			},
		],
	};
}

/** Applies a patch to a module's code. Throws if the number of occurrences of a `find` is wrong. */
export function applyPatch(patch, code) {
	return patch.changes.reduce((text, {find, replace, times = 1}) => {
		const parts = text.split(find);
		const found = parts.length - 1;
		if (found !== times) throw new Error(noLongerApplies(patch, find, found));
		return parts.join(replace);
	}, code);
}

function noLongerApplies({name, file}, find, found) {
	return `patch "${name}" no longer applies: ${JSON.stringify(find)} occurs ${found} times in ${file}`;
}

/** Returns a rolldown plugin that applies all patches. The build fails when a patched file is not in the bundle. */
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
