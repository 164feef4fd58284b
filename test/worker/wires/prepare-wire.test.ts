import {describe, expect, it} from 'vitest';
import type {Model} from '../../../src/worker/history/model.ts';
import {loadModel} from '../../../src/worker/wires/load.ts';
import {ask, collect} from '../../helpers/collect.ts';

/** A model with these headers, whose server answers with this text. */
async function answering(text: string, headers: Record<string, string>): Promise<Model> {
	const event = {choices: [{delta: {content: text}, finish_reason: 'stop'}]};
	const fetch = async () =>
		new Response(`data: ${JSON.stringify(event)}\n\n`, {headers: {'content-type': 'text/event-stream'}});
	return loadModel({provider: 'openai-compatible', model: 'm', baseURL: 'http://h/v1', options: {headers, fetch}});
}

describe('the values of configured headers', () => {
	it.each([
		['X-Gateway-Token', 'gateway-token-0123456789'],
		['Authorization', 'Bearer sk-0123456789abcdef'],
	])('are hidden in an answer when %s contains one', async (name, value) => {
		const key = value.split(' ').at(-1)!;
		const {parts} = await collect(await answering(`It is ${key}.`, {[name]: value}), ask([]));
		expect(JSON.stringify(parts)).not.toContain(key);
	});

	it.each(['Accept', 'content-type', 'HTTP-Referer', 'Anthropic-Beta'])(
		'stay readable in an answer when %s contains one',
		async name => {
			const value = 'application/json-seq';
			const {parts} = await collect(await answering(`Send ${value}.`, {[name]: value}), ask([]));
			expect(JSON.stringify(parts)).toContain(value);
		},
	);
});
