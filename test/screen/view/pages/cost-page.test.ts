import {describe, expect, it} from 'vitest';
import type {Spending} from '../../../../src/pod/protocol.ts';
import {costPage} from '../../../../src/screen/view/pages/cost-page.ts';
import {fakeApp} from '../../../helpers/fake-app.ts';

async function shown(spending: Spending, columns = 80): Promise<readonly string[]> {
	const {app, rows} = await fakeApp();
	app.dispatch({type: 'open page', page: costPage(spending)});
	return rows(columns, 30)
		.map(row => row.trimEnd())
		.filter(row => row !== '');
}

describe('the cost page', () => {
	it('shows tokens and cost of each model, and marks what is only a part', async () => {
		const page = await shown({
			models: [
				{
					model: 'anthropic/claude-x',
					requests: 3,
					uncounted: 1,
					input: 12_300,
					output: 450,
					cacheRead: 9000,
					cacheWrite: 800,
					cost: {usd: 0.42, known: 2, unknown: 1},
				},
				{model: 'x/\u001B[31mlocal', requests: 1, uncounted: 1, cost: {usd: 0, known: 0, unknown: 1}},
			],
			unfinished: {compactions: 1, requests: 1},
		});
		expect(page).toEqual([
			'Cost of this session · Esc close',
			'  anthropic/claude-x    ≥ $0.42 · 3 requests',
			'                        ≥ 12.3k input (≥ 9k cached, ≥ 800 written to the cache)',
			'                        · ≥ 450 output',
			'  x/␛[31mlocal          cost unknown · 1 request',
			'                        tokens not reported',
			'  Total                 ≥ $0.42',
			'Includes 1 compaction that did not finish.',
			'≥ means that a part of the cost is unknown: a price, or the tokens of a stopped',
			'or lost answer.',
		]);
	});

	it('shows whole amounts without a mark, and no total of one model', async () => {
		const cost = {usd: 0, known: 1, unknown: 0};
		const page = await shown({models: [{model: 'ollama/q', requests: 1, uncounted: 0, input: 5, output: 2, cost}]});
		expect(page.slice(1, 3)).toEqual(['  ollama/q    $0.00 · 1 request', '              5 input · 2 output']);
		expect(page.join('\n')).not.toMatch(/≥|Total/);
	});

	it('says that there are no requests yet', async () => {
		expect((await shown({models: []}))[1]).toBe('No requests yet.');
	});
});
