import {describe, expect, it} from 'vitest';
import {addCost, costAt, costOf, noCost, type Prices} from '../../../src/pod/protocol/cost.ts';
import {createItems} from '../../helpers/items.ts';

const prices: Prices = [
	{
		input: 3,
		output: 15,
		cacheRead: 0.3,
		cacheWrite: 3.75,
		above: {tokens: 200_000, input: 6, output: 22.5, cacheRead: 0.6, cacheWrite: 7.5},
	},
	{input: 2, output: 10, from: '2026-03-13'},
];

describe('costOf', () => {
	it('counts cached tokens, which are part of the input, at their own price', () => {
		expect(
			costAt(
				{input: 100_000, cacheRead: 80_000, cacheWrite: 10_000, output: 1000},
				prices,
				'2026-01-01T00:00:00Z',
			),
		).toBeCloseTo(0.03 + 0.024 + 0.0375 + 0.015, 12);
	});

	it('counts what is written to the cache for an hour at twice the price of the input', () => {
		const usage = {input: 100_000, cacheRead: 80_000, cacheWrite: 20_000, output: 1000};
		const short = costAt(usage, prices, '2026-01-01')!;
		const long = costAt({...usage, cacheWriteHour: 10_000}, prices, '2026-01-01')!;
		expect(short).toBeCloseTo(0.024 + 0.075 + 0.015, 12);
		expect(long).toBeCloseTo(0.024 + 0.0375 + 0.06 + 0.015, 12);
	});

	it('applies the prices for long requests to the whole of a long request', () => {
		expect(costAt({input: 200_000, output: 0}, prices, '2026-01-01')).toBeCloseTo(0.6, 12);
		expect(costAt({input: 200_001, output: 0}, prices, '2026-01-01')).toBeCloseTo(1.200006, 12);
	});

	it('applies new prices from their date on, and the normal price to cached tokens without a price', () => {
		expect(costAt({input: 1_000_000, cacheRead: 500_000, output: 0}, prices, '2026-03-12T23:59:59Z')).toBeCloseTo(
			3.3,
			12,
		);
		expect(costAt({input: 1_000_000, cacheRead: 500_000, output: 0}, prices, '2026-03-13T00:00:00Z')).toBeCloseTo(
			2,
			12,
		);
	});

	it('is unknown without a token count', () => {
		expect(costAt({output: 5}, prices, '2026-01-01')).toBeUndefined();
		expect(costAt({input: 5}, prices, '2026-01-01')).toBeUndefined();
		expect(
			costAt({input: 5, output: 5}, [{input: 1, output: 1, from: '2027-01-01'}], '2026-01-01'),
		).toBeUndefined();
	});

	it('is zero for a free model, counted or not', () => {
		expect(costAt({}, [{input: 0, output: 0}], '2026-01-01')).toBe(0);
	});
});

it('the cost of a request is unknown for a model without prices, and zero if it failed at once', () => {
	const request = createItems().request();
	expect(costOf(request, {})).toBeUndefined();
	expect(costOf({...request, model: 'constructor'}, {})).toBeUndefined();
	expect(costOf(request, {'scripted/demo': prices})).toBeGreaterThan(0);
	expect(costOf({...request, usage: {}, stop: 'error'}, {})).toBe(0);
	expect(costOf({...request, usage: {}, stop: 'aborted'}, {'scripted/demo': prices})).toBeUndefined();
});

it('the cost of several requests is a sum, with the numbers of known and unknown costs', () => {
	expect([0.5, undefined, 0.25].reduce(addCost, noCost)).toEqual({usd: 0.75, known: 2, unknown: 1});
});
