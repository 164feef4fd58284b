import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import type {ModelMessage} from '../../../../src/worker/history/model.ts';
import {offlineModel} from '../../../../src/worker/wires/offline/offline-model.ts';
import {anyText} from '../../../helpers/any-text.ts';
import {ask, collect} from '../../../helpers/collect.ts';
import {cpuTime} from '../../../helpers/cpu-time.ts';
import {allTools, guide, reply, tools, user} from './guide.ts';

describe('the offline model', () => {
	it('returns the same events for the same request, whatever the order of its keys', async () => {
		const request = ask(user('find TODO'), {...tools(allTools), settings: {a: 1, b: 2}});
		const first = await collect(guide, request);
		expect(await collect(guide, request)).toEqual(first);
		expect((await collect(guide, {...request, settings: {b: 2, a: 1}})).hash).toBe(first.hash);
		expect((await collect(guide, {...request, settings: {a: 2, b: 2}})).hash).not.toBe(first.hash);
		expect(first.hash).toMatch(/^[\da-f]{64}$/);
		expect(first.usage).toEqual({});
	});
	it('does not split characters when it streams small pieces', async () => {
		const model = offlineModel({delayMs: 0, chunk: 3});
		const {events} = await collect(model, ask(user('search for 👍🏽日本語 in src')));
		const deltas = events.filter(event => event.type === 'delta');
		expect(deltas.length).toBeGreaterThan(5);
		for (const {text} of deltas) expect(text.isWellFormed() && Array.from(text).length <= 3).toBe(true);
	});
	it('ends at once when it is aborted during a pause', async () => {
		const abort = new AbortController();
		const events = [];
		for await (const event of offlineModel({delayMs: 60_000}).stream(ask(user('hello')), abort.signal)) {
			events.push(event);
			if (event.type === 'start') queueMicrotask(() => abort.abort());
		}
		expect(events.at(-1)).toMatchObject({type: 'error', error: {reason: 'aborted', retryable: false}});
	});
	it('sends no part when it is aborted before it begins', async () => {
		expect((await collect(guide, ask(user('hello')), AbortSignal.abort())).events).toMatchObject([
			{type: 'sending'},
			{type: 'error', error: {reason: 'aborted'}},
		]);
	});
	const seed = 20_260_102;
	it(`answers any messages (seed ${seed})`, async () => {
		const words = fc.oneof(
			anyText({maxLength: 80}),
			fc
				.array(
					fc.constantFrom(
						'find',
						'replace',
						'by',
						'in',
						'a.ts',
						'run',
						'and',
						'then',
						'read',
						'"',
						'`',
						'@x.ts',
						'/w',
						'\n',
						',',
						'[File: a.ts]\n',
						'[Workflow /w]\n',
						'[Dir: d]\n',
						'list',
						'files',
						'日本',
					),
					{maxLength: 30},
				)
				.map(parts => parts.join(' ')),
		);
		const message: fc.Arbitrary<ModelMessage> = fc.oneof(
			words.map(text => ({role: 'user', text}) as const),
			fc
				.tuple(fc.constantFrom(...allTools, 'other'), words, fc.boolean())
				.map(
					([name, content, isError]) =>
						({role: 'tool', results: [{callId: name, name, content, isError}]}) as const,
				),
			fc.tuple(fc.constantFrom(...allTools), words).map(
				([name, args]) =>
					({
						role: 'assistant',
						parts: [
							{type: 'text', text: args},
							{type: 'tool_call', callId: name, name, arguments: args},
						],
					}) as const,
			),
		);
		await fc.assert(
			fc.asyncProperty(fc.array(message, {maxLength: 8}), async messages => {
				const {stop, error, parts} = await collect(guide, ask(messages, tools(allTools)));
				expect(error?.cause).toBeUndefined();
				expect(stop).toBe(parts.some(({type}) => type === 'tool_call') ? 'tool_calls' : 'end');
				expect(parts.length).toBeGreaterThan(0);
			}),
			{seed, numRuns: process.env['INKPOD_TEST'] === 'long' ? 20_000 : 300},
		);
	});
	it('answers a megabyte of text quickly', async () => {
		const before = cpuTime();
		for (const text of [
			'replace by '.repeat(100_000),
			'in '.repeat(300_000),
			'"'.repeat(1_000_000),
			'find ,'.repeat(200_000),
			'['.repeat(500_000),
			`[File: ${'a:1-'.repeat(200_000)}`,
			`[File: a.ts]\n${'/*'.repeat(500_000)}`,
			`[File: a.c]\n${'a '.repeat(500_000)}(`,
			`[File: a.md]\n${`# ${' '.repeat(390)}x\n`.repeat(2000)}`,
		])
			await reply(user(text));
		expect(cpuTime() - before).toBeLessThan(8000);
	});
});
