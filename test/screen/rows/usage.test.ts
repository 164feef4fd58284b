import {describe, expect, it} from 'vitest';
import type {Item, PriceList} from '../../../src/pod/protocol.ts';
import type {BlockOf, View} from '../../../src/transcript/block.ts';
import {usageRenderer} from '../../../src/screen/rows/usage.ts';
import {fold} from '../../../src/transcript/fold.ts';
import {emptyFold} from '../../../src/transcript/fold-state.ts';
import {createItems} from '../../helpers/items.ts';

const prices: PriceList = {'scripted/demo': [{input: 3, output: 15, cacheRead: 0.3}]};

/** Returns the texts of the feet of these items. */
function feet(items: readonly Item[], list: PriceList | undefined, view: View = 'normal'): string[] {
	const state = emptyFold(list);
	for (const item of items) fold(state, item);
	const blocks = state.blocks.filter((block): block is BlockOf<'usage'> => block.kind === 'usage');
	return blocks.map(block =>
		usageRenderer
			.head(block, {view} as never)
			.spans.map(({text}) => text)
			.join(''),
	);
}

describe('the footer of a turn', () => {
	it('shows time, tokens, cached share and cost, and in the detail view also the model', () => {
		const items = createItems();
		expect(feet([items.request(), items.end()], prices)).toEqual([
			'3.4 s · 12.4k in (75% cached) · 320 out · $0.02',
		]);
		expect(feet([items.request(), items.end()], prices, 'detail')[0]).toMatch(/^scripted\/demo · 3\.4 s · /);
	});

	it('shows the time of the whole turn, and that of the model where it is much shorter', () => {
		const items = createItems();
		const request = items.request();
		const end = {...items.end(), at: new Date(Date.parse(request.startedAt) + 60_000).toISOString()};
		expect(feet([request, end], undefined)).toEqual(['1 min 0 s (model 3.4 s) · 12.4k in (75% cached) · 320 out']);
	});

	it('shows the total cost of several requests, each of them in the detail view, and unknown costs', () => {
		const items = createItems();
		const aborted = {...items.request('aborted'), usage: {}};
		const history = [items.request('tool_calls'), items.request('tool_calls'), aborted, items.end('paused')];
		expect(feet(history, prices).at(-1)).toContain(' · ≥ $0.03 · ');
		expect(
			feet(history, prices, 'detail')
				.slice(0, 3)
				.map(text => /\$[\d.]+|cost unknown/.exec(text)?.[0]),
		).toEqual(['$0.02', '$0.02', 'cost unknown']);
	});

	it("shows that the model's prices are unknown, and shows no price for a free model", () => {
		const items = createItems();
		const history = [items.request(), items.end()];
		expect(feet(history, {})[0]).not.toContain('cost');
		expect(feet(history, {}, 'detail')[0]).toContain('cost unknown');
		expect(feet([{...items.request('error'), usage: {}}, ...history], {}, 'detail').at(-1)).toContain(
			'cost unknown',
		);
		expect(feet(history, {'scripted/demo': [{input: 0, output: 0}]})[0]).not.toMatch(/\$|cost/);
		expect(feet(history, undefined)[0]).not.toMatch(/\$|cost/);
	});
});
