import {describe, expect, it} from 'vitest';
import type {Usage} from '../../../src/worker/history/item.ts';
import {ask, collect} from '../../helpers/collect.ts';
import {startServer, wires, type WireName} from '../../helpers/wire-servers/index.ts';
import {modelAt} from './wire-model.ts';

const sent = {input: 1000, output: 200, cacheRead: 600, cacheWrite: 150, reasoning: 80};

/** If a provider does not send a count, the count is absent. */
const expected: Readonly<Record<WireName, Usage>> = {
	anthropic: {input: 1000, output: 200, cacheRead: 600, cacheWrite: 150},
	openai: {input: 1000, output: 200, cacheRead: 600, reasoning: 80},
	google: {input: 1000, output: 200, cacheRead: 600, reasoning: 80},
	'openai-compatible': {input: 1000, output: 200, cacheRead: 600, reasoning: 80},
};

describe('the usage of an answer', () => {
	it.each(wires)('counts cached tokens as input and reasoning as output over the %s wire', async wire => {
		await using server = await startServer(wire, [
			[
				{type: 'text', text: 'Yes.'},
				{type: 'usage', ...sent},
			],
		]);
		const {usage} = await collect(await modelAt(wire, server), ask([{role: 'user', text: 'Well?'}]));
		expect(usage).toEqual(expected[wire]);
	});

	it('counts what Anthropic caches for an hour', async () => {
		const usage = {...sent, cacheWriteHour: 100};
		await using server = await startServer('anthropic', [
			[
				{type: 'text', text: 'Yes.'},
				{type: 'usage', ...usage},
			],
		]);
		const answer = await collect(await modelAt('anthropic', server), ask([{role: 'user', text: 'Well?'}]));
		expect(answer.usage).toEqual({...expected.anthropic, cacheWriteHour: 100});
	});
});
