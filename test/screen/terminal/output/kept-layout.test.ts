import {Writable} from 'node:stream';
import fc from 'fast-check';
import * as ink from 'ink';
import * as react from 'react';
import {beforeAll, describe, expect, it} from 'vitest';
import {
	differenceOf,
	elementOf,
	rendered,
	texts,
	trees,
	wholeAroundCuts,
	type Tree,
} from '../../../helpers/ink-trees.ts';
import {loadPatchedInk, type InkAndReact, type PatchedInk} from '../../../helpers/patched-ink.ts';

const seed = Number(process.env['INKPOD_SEED'] ?? 20_261_129);
const runs = process.env['INKPOD_TEST'] === 'long' ? 2000 : 100;

const stock: InkAndReact = {ink, react};
let patched: PatchedInk;
/** The number of times that Yoga calculated a layout. */
let layouts = 0;

beforeAll(async () => {
	patched = await loadPatchedInk();
	const {Node} = patched.yoga;
	const create = Node.create.bind(Node);
	Node.create = () => {
		const node = create();
		const calculate = node.calculateLayout.bind(node);
		node.calculateLayout = (...args) => {
			layouts++;
			calculate(...args);
		};
		return node;
	};
});

describe('Ink with a kept layout', () => {
	it(`shows ${runs} trees whose texts and widths change as Ink alone does (INKPOD_SEED=${seed})`, async () => {
		await fc.assert(
			fc.asyncProperty(trees().map(wholeAroundCuts), fc.boolean(), steps(), async (tree, isColumn, all) => {
				const [app, other] = [openApp(patched, 60), openApp(stock, 60)];
				try {
					for (const step of all) {
						const shown = withTexts(isColumn ? asColumns(tree) : tree, step.texts);
						const frame = app.draw(shown, step.columns);
						expect(await differenceOf(frame, other.draw(shown, step.columns))).toBeUndefined();
					}
				} finally {
					app.close();
					other.close();
				}
			}),
			{numRuns: runs, seed},
		);
	});

	it.each([
		['in a column', {flexDirection: 'column'}, ['a', 'bb'], 0],
		['in a column of a column', {flexDirection: 'column', width: 9}, ['a', '日本語日本語'], 0],
		['in a row', {}, ['a', 'bb'], 1],
		['in a centred column', {flexDirection: 'column', alignItems: 'center'}, ['a', 'bb'], 1],
		['by two lines', {flexDirection: 'column'}, ['a', 'b\nb'], 1],
		['by nothing', {flexDirection: 'column'}, ['a', ''], 1],
		['by the same', {}, ['a', 'a'], 0],
	] as const)(
		'calculates a layout only if it may change: a line is replaced %s',
		(_where, props, [before, after], count) => {
			const tree = (text: string): Tree => ({
				type: 'box',
				props: {flexDirection: 'column'},
				children: [
					{type: 'box', props, children: [{type: 'text', props: {wrap: 'truncate'}, children: [text]}]},
				],
			});
			const app = openApp(patched, 20);
			app.draw(tree(before), 20);
			layouts = 0;
			expect(app.draw(tree(after), 20)).toBe(rendered(stock, tree(after), 20));
			expect(layouts).toBe(count);
			app.close();
		},
	);

	it('calculates a layout for a text that is cut from now on', () => {
		const tree = (wrap: string, text: string): Tree => ({
			type: 'box',
			props: {flexDirection: 'column', width: 10},
			children: [{type: 'text', props: {wrap}, children: [text]}],
		});
		const app = openApp(patched, 20);
		for (const [wrap, text] of [
			['wrap', 'one two three four'],
			['truncate', 'one two three five'],
			['wrap', 'one two three four'],
		] as const)
			expect(app.draw(tree(wrap, text), 20)).toBe(rendered(stock, tree(wrap, text), 20));
		app.close();
	});
});

/** Draws frames of one app, as the program does. */
function openApp(made: InkAndReact, columns: number) {
	let frame = '';
	const stdout = new Writable({
		write(chunk: Buffer, _encoding, done) {
			frame = chunk.toString();
			done();
		},
	});
	const terminal = Object.assign(stdout, {columns, rows: 100, isTTY: true}) as unknown as NodeJS.WriteStream;
	const options = {stdout: terminal, debug: true, patchConsole: false, exitOnCtrlC: false};
	const app = made.ink.render(made.react.createElement(made.react.Fragment), options);
	return {
		draw(tree: Tree, width: number) {
			if (terminal.columns !== width) {
				terminal.columns = width;
				terminal.emit('resize');
			}
			app.rerender(elementOf(made, tree) as react.JSX.Element);
			return frame;
		},
		close() {
			app.unmount();
		},
	};
}

type Step = {readonly texts: readonly string[]; readonly columns: number};

function steps(): fc.Arbitrary<readonly Step[]> {
	const line = fc.constantFrom(
		'a',
		'word',
		'日本語',
		'long-unbroken-text',
		'\x1b[31mred\x1b[39m',
		'\u200b',
		'',
		'\x1b[2J',
	);
	const text = fc.oneof({weight: 4, arbitrary: line}, {weight: 1, arbitrary: texts()});
	const width = fc.oneof(
		{weight: 3, arbitrary: fc.constant(30)},
		{weight: 1, arbitrary: fc.integer({min: 1, max: 60})},
	);
	const step = fc.record({texts: fc.array(text, {minLength: 1, maxLength: 5}), columns: width});
	return fc.array(step, {minLength: 2, maxLength: 5});
}

/** Returns a tree with other texts, in order, and from the beginning again if there are too few. */
function withTexts(tree: Tree, all: readonly string[]): Tree {
	let next = 0;
	const changed = (one: Tree): Tree => {
		if (one.type === 'transform') return {...one, child: changed(one.child)};
		if (one.type === 'box') return {...one, children: one.children.map(changed)};
		const children = one.children.map(child =>
			typeof child === 'string' ? (all[next++ % all.length] ?? '') : changed(child),
		);
		return {...one, children};
	};
	return changed(tree);
}

/** Returns a tree like those of inkpod: columns of texts that are cut to one line. */
function asColumns(tree: Tree): Tree {
	if (tree.type === 'transform') return {...tree, child: asColumns(tree.child)};
	if (tree.type === 'text') return {...tree, props: {...tree.props, wrap: 'truncate'}};
	const {alignItems: _, position: __, flexWrap: ___, ...props} = tree.props as Record<string, unknown>;
	return {...tree, props: {...props, flexDirection: 'column', flexShrink: 0}, children: tree.children.map(asColumns)};
}
