import fc from 'fast-check';
import * as ink from 'ink';
import * as react from 'react';
import {writeFileSync} from 'node:fs';
type InkAndReact = any; type ReactNode = any; type Tree = any;
function rendered({ink, react}: InkAndReact, tree: Tree, columns: number): string {
	return ink.renderToString(elementOf({ink, react}, tree) as any, {columns});
}

function elementOf(made: InkAndReact, tree: Tree, key = 0): ReactNode {
	const {ink, react} = made;
	if (tree.type === 'transform') {
		const transform = (line: string, index: number) => `${tree.mark}${line}${index % 2 === 0 ? tree.mark : ''}`;
		return react.createElement(ink.Transform, {key, transform}, elementOf(made, tree.child));
	}
	const children = tree.children.map((child, at) => (typeof child === 'string' ? child : elementOf(made, child, at)));
	return react.createElement(tree.type === 'text' ? ink.Text : ink.Box, {...tree.props, key}, ...children);
}

function trees(): fc.Arbitrary<any> {
	return fc.letrec<any>(tie => ({
		text: fc.record({
			type: fc.constant('text' as const),
			props: textProps(),
			children: fc.array(fc.oneof({weight: 4, arbitrary: texts()}, {weight: 1, arbitrary: tie('text')}), {maxLength: 3}),
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

function texts(): fc.Arbitrary<string> {
	const pieces = fc.constantFrom(
		'a', 'word ', '  ', '日本語', '👍🏽', 'e\u0301', '\n', 'long-unbroken-text', '\x1b[31mred\x1b[39m', '\x1b[1mopen',
		'\x1b]8;;https://a.b\x07link\x1b]8;;\x07', '\u200b', '\u00ad', 'ﾊﾝ', '🇯🇵', '─│', '\x1b[44m  \x1b[49m',
	);
	return fc.array(pieces, {maxLength: 8}).map(parts => parts.join(''));
}

function textProps(): fc.Arbitrary<object> {
	return fc.record({
		color: fc.constantFrom('red', '#12ab9f', 'cyan'),
		backgroundColor: fc.constantFrom('blue', 'ansi256(40)'),
		bold: fc.boolean(),
		dimColor: fc.boolean(),
		inverse: fc.boolean(),
		wrap: fc.constantFrom('wrap', 'hard', 'truncate', 'truncate-middle', 'truncate-start'),
	}, {requiredKeys: []});
}

function boxProps(): fc.Arbitrary<object> {
	const cells = (min: number, max: number) => fc.integer({min, max});
	return fc.record({
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
	}, {requiredKeys: []});
}


import {readFileSync} from 'node:fs';
const {tree, columns} = JSON.parse(readFileSync(process.argv[2],'utf8'));
const t0 = performance.now();
rendered({ink, react}, tree, columns);
console.log('ok', performance.now() - t0);
