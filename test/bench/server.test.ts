import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {startModel} from '../../bench/model.mjs';

describe('the fake server of the benchmark', () => {
	let model: Awaited<ReturnType<typeof startModel>>;
	beforeAll(async () => (model = await startModel()));
	afterAll(() => model.stop());

	const post = async (name: string, body: object) =>
		(await fetch(`${model.url}/${name}`, {method: 'POST', body: JSON.stringify(body)})).text();
	const request = {stream: true, tools: [{name: 'none'}], messages: [{role: 'user', content: 'question one'}]};

	it.each(['chat/completions', 'responses', 'messages?beta=true'])('answers on %s', async name => {
		const times = model.answer({tokens: 50, rate: 0, sentinel: `end of ${name}`, question: 'question one'});
		expect(await post(name, request)).toContain(`end of ${name}`);
		const {askedAt, firstAt, lastAt} = await times;
		expect(firstAt).toBeGreaterThanOrEqual(askedAt);
		expect(lastAt).toBeGreaterThanOrEqual(firstAt);
	});

	it('keeps the answer when a request for a title contains the question, too', async () => {
		const times = model.answer({tokens: 50, rate: 0, sentinel: 'the answer', question: 'question one'});
		expect(await post('messages', {...request, tools: []})).not.toContain('the answer');
		expect(await post('messages', {...request, messages: ['another question']})).not.toContain('the answer');
		expect(await post('messages', request)).toContain('the answer');
		await times;
	});
});
