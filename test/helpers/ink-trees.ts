import fc from 'fast-check';
import type * as react from 'react';
import type {ReactNode} from 'react';
import stringWidth from 'string-width';
import type {InkAndReact} from './patched-ink.ts';
import {difference} from './same-screen.ts';
import {createScreen} from './screen.ts';

/** A tree as a value, so that each copy of React can create its own elements from it. */
export type Tree =
	| {readonly type: 'text'; readonly props: object; readonly children: ReadonlyArray<string | Tree>}
	| {readonly type: 'transform'; readonly mark: string; readonly child: Tree}
	| {readonly type: 'box'; readonly props: object; readonly children: readonly Tree[]};

/** Renders a tree once. */
export function rendered({ink, react}: InkAndReact, tree: Tree, columns: number): string {
	return ink.renderToString(elementOf({ink, react}, tree) as react.JSX.Element, {columns});
}

/** Compares two texts on a terminal that is large enough for both. One of them may set the same colour twice. */
export async function differenceOf(one: string, other: string): Promise<string | undefined> {
	if (one === other) return undefined;
	const texts = [one, other];
	const columns = Math.max(1, ...texts.flatMap(text => text.split('\n').map(line => stringWidth(line))));
	const rows = Math.max(...texts.map(text => text.split('\n').length));
	const screens = await Promise.all(
		texts.map(async text => {
			const screen = createScreen(columns, rows);
			await screen.write(`\x1b[?7l${text.replaceAll('\n', '\r\n')}\x1b[H`);
			return screen;
		}),
	);
	const found = difference(screens[0]!, screens[1]!);
	for (const screen of screens) screen.dispose();
	return found;
}

/** Creates the elements of a tree with one copy of React. */
export function elementOf(made: InkAndReact, tree: Tree, key = 0): ReactNode {
	const {ink, react} = made;
	if (tree.type === 'transform') {
		const transform = (line: string, index: number) => `${tree.mark}${line}${index % 2 === 0 ? tree.mark : ''}`;
		return react.createElement(ink.Transform, {key, transform}, elementOf(made, tree.child));
	}
	const children = tree.children.map((child, at) => (typeof child === 'string' ? child : elementOf(made, child, at)));
	return react.createElement(tree.type === 'text' ? ink.Text : ink.Box, {...tree.props, key}, ...children);
}

/**
Returns the tree with whole cells around each cut text. Yoga shrinks a box to a fraction of a cell. A cut text in it can
then give its neighbour a width of millions, which Ink paints (docs/upstream.md).
*/
export function wholeAroundCuts(tree: Tree): Tree {
	if (tree.type !== 'box') return tree;
	const children = tree.children.map(wholeAroundCuts);
	return {...tree, children, props: isCut(tree) ? {...tree.props, flexShrink: 0} : tree.props};
}

/** Checks for a text that is cut when there is no room. */
function isCut(tree: Tree): boolean {
	if (tree.type === 'box') return tree.children.some(isCut);
	if (tree.type === 'transform') return isCut(tree.child);
	return 'wrap' in tree.props && String(tree.props.wrap).startsWith('truncate');
}

export function trees(): fc.Arbitrary<Tree> {
	return fc.letrec<{text: Tree; box: Tree; transform: Tree; tree: Tree}>(tie => ({
		text: fc.record({
			type: fc.constant('text' as const),
			props: textProps(),
			children: fc.array(fc.oneof({weight: 4, arbitrary: texts()}, {weight: 1, arbitrary: tie('text')}), {
				maxLength: 3,
			}),
		}),
		transform: fc.record({
			type: fc.constant('transform' as const),
			mark: fc.constantFrom('>', '', '漢', '\x1b[7m+\x1b[27m'),
			child: tie('text'),
		}),
		box: fc.record({
			type: fc.constant('box' as const),
			props: boxProps(),
			children: fc.array(tie('tree'), {maxLength: 4}),
		}),
		tree: fc.oneof(
			{depthSize: 'small', withCrossShrink: true},
			{weight: 3, arbitrary: tie('text')},
			{weight: 1, arbitrary: tie('transform')},
			{weight: 3, arbitrary: tie('box')},
		),
	})).box;
}

export function texts(): fc.Arbitrary<string> {
	const pieces = fc.constantFrom(
		'a',
		'word ',
		'  ',
		'日本語',
		'👍🏽',
		'e\u0301',
		'\n',
		'long-unbroken-text',
		'\x1b[31mred\x1b[39m',
		'\x1b[1mopen',
		'\x1b]8;;https://a.b\x07link\x1b]8;;\x07',
		'\u200b',
		'\u00ad',
		'ﾊﾝ',
		'🇯🇵',
		'─│',
		'\x1b[44m  \x1b[49m',
	);
	return fc.array(pieces, {maxLength: 8}).map(parts => parts.join(''));
}

function textProps(): fc.Arbitrary<object> {
	return fc.record(
		{
			color: fc.constantFrom('red', '#12ab9f', 'cyan'),
			backgroundColor: fc.constantFrom('blue', 'ansi256(40)'),
			bold: fc.boolean(),
			dimColor: fc.boolean(),
			inverse: fc.boolean(),
			wrap: fc.constantFrom('wrap', 'hard', 'truncate', 'truncate-middle', 'truncate-start'),
		},
		{requiredKeys: []},
	);
}

function boxProps(): fc.Arbitrary<object> {
	const cells = (min: number, max: number) => fc.integer({min, max});
	return fc.record(
		{
			flexDirection: fc.constantFrom('row', 'column', 'row-reverse', 'column-reverse'),
			flexWrap: fc.constantFrom('nowrap', 'wrap'),
			width: cells(0, 40),
			height: cells(0, 8),
			padding: cells(0, 2),
			marginLeft: cells(-4, 3),
			marginTop: cells(-3, 2),
			gap: cells(0, 2),
			borderStyle: fc.constantFrom('single', 'round', 'double'),
			borderColor: fc.constantFrom('green', 'magenta'),
			backgroundColor: fc.constantFrom('yellow', 'ansi256(17)'),
			overflow: fc.constantFrom('hidden', 'visible'),
			overflowX: fc.constantFrom('hidden', 'visible'),
			overflowY: fc.constantFrom('hidden', 'visible'),
			contentOffsetY: cells(-2, 3),
			contentOffsetX: cells(-2, 3),
			position: fc.constantFrom('relative', 'absolute'),
			alignItems: fc.constantFrom('flex-start', 'center', 'flex-end'),
			justifyContent: fc.constantFrom('flex-start', 'space-between', 'flex-end'),
		},
		{requiredKeys: []},
	);
}
