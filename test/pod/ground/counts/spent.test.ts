import {describe, expect, it} from 'vitest';
import {createSpent, sumSpending, totalCost} from '../../../../src/pod/ground/counts/spent.ts';
import type {Item, PriceList} from '../../../../src/pod/protocol.ts';
import {createItems} from '../../../helpers/items.ts';

const prices: PriceList = {'scripted/demo': [{input: 0, output: 1_000_000}]};
const usage = {input: 1, output: 1};
const costAfter = (spent: ReturnType<typeof createSpent>, items: readonly Item[], list = prices) =>
	totalCost(spent(items, list));

describe('the cost of a session', () => {
	it('counts old requests, pairs and compactions once', () => {
		const make = createItems();
		const sent = make.sent();
		const items: Item[] = [{...make.request(), usage}, sent, make.answered(sent, 'end', usage)];
		const spent = createSpent(0);
		expect(costAfter(spent, items)).toEqual({usd: 2, known: 2, unknown: 0});
		items.push({...make.compaction('All.'), usage});
		expect(costAfter(spent, items)).toEqual({usd: 3, known: 3, unknown: 0});
		expect(costAfter(spent, items, {})).toEqual({usd: 0, known: 0, unknown: 3});
	});

	it('does not count a request whose answer may still come', () => {
		const make = createItems();
		const items: Item[] = [make.sent()];
		const spent = createSpent(0);
		expect(costAfter(spent, items)).toEqual({usd: 0, known: 0, unknown: 0});
		items.push(make.answered(items[0] as ReturnType<typeof make.sent>, 'end', usage));
		expect(costAfter(spent, items)).toEqual({usd: 1, known: 1, unknown: 0});
	});

	it.each([
		['the session was restored', 1, []],
		['its run ended', 0, [createItems('x').end('error')]],
		['another request followed', 0, [createItems('x').request()]],
		['it was rewound', 0, [createItems('x').item('rewind', {to: 'i1'})]],
	] as const)('is unknown for a request whose answer is lost because %s', (_why, restored, after) => {
		expect(costAfter(createSpent(restored), [createItems().sent(), ...after]).unknown).toBe(1);
	});

	it('is unknown for an answer whose request is not in the history', () => {
		const make = createItems();
		expect(costAfter(createSpent(0), [make.answered(make.sent(), 'end', usage)])).toMatchObject({unknown: 1});
	});
});

describe('the cost of a session by model', () => {
	it('has the tokens that were reported, and counts the answers without tokens', () => {
		const make = createItems();
		const [sent, failed, stopped] = [make.sent(), make.sent(), make.sent()];
		const items: Item[] = [
			sent,
			make.answered(sent, 'end', {input: 10, output: 2, cacheRead: 4}),
			failed,
			make.answered(failed, 'error', {}),
			stopped,
			make.answered(stopped, 'aborted', {input: 5}),
		];
		expect(createSpent(0)(items, prices)).toEqual([
			{
				model: 'scripted/demo',
				requests: 3,
				uncounted: 1,
				input: 15,
				output: 2,
				cacheRead: 4,
				cost: {usd: 2, known: 2, unknown: 1},
			},
		]);
	});

	it('is added up over several lists', () => {
		const make = createItems();
		const one = createSpent(0)([{...make.request(), usage}], prices);
		const other = createSpent(0)([{...make.request(), model: 'other/model', usage}], prices);
		expect(sumSpending([one, other, one])).toEqual([
			{...one[0], requests: 2, input: 2, output: 2, cost: {usd: 2, known: 2, unknown: 0}},
			other[0],
		]);
	});
});
