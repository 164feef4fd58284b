import {describe, expect, it} from 'vitest';
import {cpuTime} from '../../../helpers/cpu-time.ts';
import {says} from '../../../helpers/wire-servers/hostile.ts';
import {answered} from '../hostile-answer.ts';

const whole = JSON.stringify({choices: [{message: {content: 'Hello'}, finish_reason: 'stop'}]});
const stream = 'data: {"choices":[{"delta":{"content":"Hello"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n';

describe('the body of an answer', () => {
	it.each<readonly [string, string, string]>([
		['JSON', whole, 'application/json'],
		['JSON that is labelled as a stream', whole, 'text/event-stream'],
		['JSON after a byte order mark and space', `\uFEFF\n ${whole}`, 'application/json'],
		['a list of chunks', `[${whole}]`, 'application/json'],
		[
			'JSON lines',
			`{"message":{"content":"Hel"}}\n{"message":{"content":"lo"},"done":true,"done_reason":"stop"}\n`,
			'application/x-ndjson',
		],
		['a stream that is labelled as JSON', stream, 'application/json'],
		['a stream that is labelled as text', stream, 'text/plain'],
		['a stream that is labelled as a page', `: hi\n\n${stream}`, 'text/html'],
	])('is read by its content: %s', async (_, body, type) => {
		const {parts, stop} = await answered('openai-compatible', says(body, {'content-type': type}));
		expect({parts, stop}).toEqual({parts: [{type: 'text', text: 'Hello'}], stop: 'end'});
	});

	it.each<readonly [string, string, string, string]>([
		[
			'a page',
			'<!doctype html><head><title>\nSign in\n</title>',
			'text/html',
			'sent a web page instead of an answer (“Sign in”)',
		],
		['a page without a title', '<html></html>', 'text/html', 'sent a web page instead of an answer.'],
		['a page that is labelled as a stream', '<html></html>', 'text/event-stream', 'sent a web page instead'],
		[
			'text',
			'upstream connect error\nmore',
			'text/plain',
			'sent text instead of an answer (“upstream connect error”)',
		],
		['broken JSON', '{"choices":[', 'application/json', 'sent an answer of broken JSON'],
		['other JSON', '{"hello":"world"}', 'application/json', 'sent JSON that is not an answer'],
		['a JSON error', '{"error":{"message":"No credit.","code":402}}', 'application/json', 'says: No credit.'],
	])('is an error in plain words: %s', async (_, body, type, words) => {
		const {error} = await answered('openai-compatible', says(body, {'content-type': type}));
		expect(error?.message).toContain(words);
		expect(error?.retryable).toBe(false);
	});

	it.each(['data\n\n', 'data: \n\n', 'data: x\n\n'])('skips a million events in linear time: %j', async event => {
		const timeOf = async (events: number) => {
			const before = cpuTime();
			const {parts} = await answered('openai-compatible', says(event.repeat(events) + stream));
			expect(parts).toEqual([{type: 'text', text: 'Hello'}]);
			return cpuTime() - before;
		};
		await timeOf(20_000);
		const small = Math.max(30, await timeOf(125_000));
		expect((await timeOf(1_000_000)) / small).toBeLessThan(24);
	});

	it('is an error when very many events are broken JSON', async () => {
		const {error} = await answered('openai-compatible', says('data: [\n\n'.repeat(110_000) + stream));
		expect(error?.message).toContain('sent more than 100000 events of broken JSON');
		expect(error?.retryable).toBe(false);
	});

	it('hides a key in the title of a page', async () => {
		const body = '<title>sk-test-0123456789abcdef</title>';
		const {error} = await answered('openai-compatible', says(body, {'content-type': 'text/html'}));
		expect(error?.message).toContain('[key]');
	});

	it('is an empty answer when it is whole but has neither content nor a finish', async () => {
		const {parts, stop} = await answered(
			'openai-compatible',
			says('{"choices":[]}', {'content-type': 'application/json'}),
		);
		expect({parts, stop}).toEqual({parts: [], stop: 'end'});
	});
});
