import fc from 'fast-check';
import * as ink from 'ink';
import * as react from 'react';
import {beforeAll, describe, expect, it} from 'vitest';
import {differenceOf, rendered, trees, wholeAroundCuts, type Tree} from '../../../helpers/ink-trees.ts';
import {loadPatchedInk, type InkAndReact} from '../../../helpers/patched-ink.ts';

const seed = Number(process.env['INKPOD_SEED'] ?? 20_261_122);
const runs = process.env['INKPOD_TEST'] === 'long' ? 2000 : 300;

const stock: InkAndReact = {ink, react};
let patched: InkAndReact;

beforeAll(async () => {
	patched = await loadPatchedInk();
});

describe('Ink with cached rows', () => {
	it(`shows ${runs} random trees as Ink alone does, cell by cell (INKPOD_SEED=${seed})`, async () => {
		await fc.assert(
			fc.asyncProperty(trees().map(wholeAroundCuts), fc.integer({min: 1, max: 60}), async (tree, columns) => {
				const shown = rendered(patched, tree, columns);
				expect(await differenceOf(shown, rendered(stock, tree, columns))).toBeUndefined();
				// The second time every row is cached.
				expect(rendered(patched, tree, columns)).toBe(shown);
			}),
			{numRuns: runs, seed},
		);
	});

	it('gives a transformer no character that Ink drops before', () => {
		for (const text of ['\u200b', 'a\u200b', '\u00ad', 'e\u0301', '\u0301', '👍\u200d🏽']) {
			const child: Tree = {type: 'text', props: {}, children: [text]};
			const tree: Tree = {type: 'box', props: {}, children: [{type: 'transform', mark: '>', child}]};
			expect(rendered(patched, tree, 9)).toBe(rendered(stock, tree, 9));
		}
	});

	it('renders a tree again when one of its texts changes', () => {
		const tree = (text: string): Tree => ({
			type: 'box',
			props: {flexDirection: 'column', borderStyle: 'round', width: 20},
			children: [
				{type: 'text', props: {color: 'red'}, children: [text]},
				{type: 'text', props: {}, children: ['same']},
			],
		});
		for (const text of ['one', 'two', '日本', 'one']) {
			expect(rendered(patched, tree(text), 30)).toBe(rendered(stock, tree(text), 30));
		}
	});
});
