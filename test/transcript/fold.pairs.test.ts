import fc from 'fast-check';
import {expect, it} from 'vitest';
import {pairResults, type Item} from '../../src/worker/index.ts';
import {fold} from '../../src/transcript/fold.ts';
import {emptyFold} from '../../src/transcript/fold-state.ts';
import {drafts} from '../helpers/random-history.ts';

const seed = 20_261_121;
const numRuns = process.env['INKPOD_TEST'] === 'long' ? 5000 : 500;

/** Calls of two ids and their results, in several answers. Some results are lost. */
const anyStep = fc.oneof(
	{
		weight: 3,
		arbitrary: fc.constantFrom('1', '2').map(
			id =>
				(make: Make): Item =>
					make.call(id),
		),
	},
	{
		weight: 3,
		arbitrary: fc.constantFrom('1', '2').map(
			id =>
				(make: Make): Item =>
					make.result(id),
		),
	},
	fc.constant((make: Make): Item => make.request()),
	fc.constant((make: Make): Item => make.end()),
);
type Make = ReturnType<typeof drafts>;

it(`a call has the same result on the screen as in the model’s context (seed ${seed})`, () => {
	let pairs = 0;
	fc.assert(
		fc.property(fc.array(anyStep, {minLength: 8, maxLength: 30}), steps => {
			const make = drafts();
			const items = steps.map(step => step(make));
			const state = emptyFold();
			for (const item of items) fold(state, item);
			const shown = state.blocks.flatMap(block =>
				block.kind === 'tool' && block.call && block.result ? [`${block.call.id} ${block.result.id}`] : [],
			);
			const sent = [...pairResults(items)].map(([call, result]) => `${call.id} ${result.id}`);
			pairs += sent.length;
			expect(new Set(shown)).toEqual(new Set(sent));
		}),
		{numRuns, seed},
	);
	expect(pairs).toBeGreaterThan(numRuns);
});
