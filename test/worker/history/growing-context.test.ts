import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {originRules} from '../../../src/pod/ground/history/reader.ts';
import {composeRequest} from '../../../src/worker/history/context.ts';
import {createGrowingContext} from '../../../src/worker/history/growing-context.ts';
import type {Item} from '../../../src/worker/index.ts';
import {anyHistory, drafts, randomHistory} from '../../helpers/random-history.ts';

const runs = process.env['INKPOD_TEST'] === 'long' ? 20_000 : 500;

/** Compares the growing context with `context` at these ends. */
function expectEqual(items: readonly Item[], ends: readonly number[]): void {
	const growing = createGrowingContext(items, originRules);
	for (const end of ends) {
		const [grown, whole] = [growing.at(end), composeRequest(items.slice(0, end), originRules)];
		expect(grown?.request).toEqual(whole.request);
		expect(grown?.rewrites(undefined)).toEqual(whole.rewrites(undefined));
	}
}

describe('a growing context', () => {
	it('equals the context at every end of any history', () => {
		fc.assert(
			fc.property(anyHistory, fc.integer({min: 1, max: 4}), (random, step) => {
				const items = randomHistory(random);
				expectEqual(
					items,
					items.flatMap((_item, index) => (index > 0 && index % step === 0 ? [index] : [])),
				);
			}),
			{numRuns: runs},
		);
	});

	it('equals the context when changes are rare and the ids of calls repeat', () => {
		const rare = fc.array(
			fc.record({
				kind: fc.oneof(
					{weight: 30, arbitrary: fc.nat(11)},
					{weight: 1, arbitrary: fc.integer({min: 12, max: 19})},
				),
				id: fc.constantFrom('1', '2', '3'),
				at: fc.nat(100),
				ids: fc.array(fc.nat(100), {minLength: 1, maxLength: 4}),
			}),
			{minLength: 30, maxLength: 60},
		);
		fc.assert(
			fc.property(rare, random => {
				const items = randomHistory(random);
				expectEqual(
					items,
					items.flatMap(({type}, index) => (type === 'request' ? [index] : [])),
				);
			}),
			{numRuns: runs / 5},
		);
	});

	it('has no request without a setup', () => {
		const {user} = drafts();
		expect(createGrowingContext([user('hello')], originRules).at(1)).toBeUndefined();
	});

	it('keeps the array of messages while earlier messages stay as they are', () => {
		const make = drafts();
		const items = [make.setup, ...['a', 'b', 'c'].flatMap(make.turn), make.rewind('1'), ...make.turn('d')];
		const growing = createGrowingContext(items, originRules);
		const [first, second] = [growing.at(5)?.request.messages, growing.at(9)?.request.messages];
		expect(second).toBe(first);
		expect(growing.at(items.length)?.request.messages).not.toBe(first);
	});
});
