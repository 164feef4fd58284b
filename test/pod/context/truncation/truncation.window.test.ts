import {expect, it} from 'vitest';
import {createTruncationGuard} from '../../../../src/pod/context/truncation/truncation.ts';
import {estimateItem} from '../../../../src/pod/ground/counts/estimate.ts';
import type {History} from '../../../../src/worker/index.ts';
import {countedClock} from '../../../helpers/clock.ts';
import {createItems} from '../../../helpers/items.ts';

const setup = {...createItems().setup(), model: 'ollama/qwen3', settings: {}};
const history: History = {items: [setup], append: async () => {}, observe: () => () => {}};

it.each<[string, number, string]>([
	['fills the window exactly', 0, 'cancel'],
	['leaves one token of the window', 1, 'continue'],
])('a request whose prompt %s', async (_, left, type) => {
	const guard = createTruncationGuard({
		history,
		clock: countedClock(),
		facts: () => ({window: estimateItem(setup) + left}),
		size: () => 0,
		onAlert() {},
		onTruncated() {},
		learnWindow: async () => {},
	});
	expect(await guard.fits.preRequest()).toMatchObject({type});
});
