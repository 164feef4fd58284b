import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {createKeyMask} from '../../../src/worker/wires/key-mask.ts';
import type {ModelEvent} from '../../../src/worker/index.ts';

const key = 'sk-FAKE-0123456789abcdef';
const start = (type: 'text' | 'reasoning'): ModelEvent => ({type: 'start', key: 'p', part: {type}});
const grow = (text: string): ModelEvent => ({type: 'delta', key: 'p', text});
const end: ModelEvent = {type: 'end', key: 'p'};

function masked(events: readonly ModelEvent[], secrets: readonly string[] = [key]): ModelEvent[] {
	const mask = createKeyMask(secrets);
	return events.flatMap(event => mask(event));
}

function textOf(events: readonly ModelEvent[]): string {
	return events.map(event => (event.type === 'delta' ? event.text : '')).join('');
}

describe('the text of an answer', () => {
	it.each([key, 'sk-sk-FAKE-0123456789-sk-s', 'a'.repeat(16)])('does not contain %s, however it is split', secret => {
		const piece = fc.constantFrom(
			secret,
			secret.slice(0, 5),
			secret.slice(5),
			's',
			'sk-',
			'words ',
			'',
			'ssk-FAKE',
			'😀',
		);
		fc.assert(
			fc.property(fc.array(piece, {maxLength: 12}), fc.array(fc.nat(30), {maxLength: 12}), (pieces, cuts) => {
				const text = pieces.join('');
				const places = [
					0,
					...cuts.map(cut => Math.min(cut * 5, text.length)).toSorted((a, b) => a - b),
					text.length,
				];
				const deltas = places.slice(1).map((place, index) => grow(text.slice(places[index], place)));
				expect(textOf(masked([start('text'), ...deltas, end], [secret]))).toBe(
					text.replaceAll(secret, '[key]'),
				);
			}),
			{numRuns: 1000},
		);
	});

	it('is sent at once when its end cannot be the beginning of a key', () => {
		expect(masked([start('text'), grow('Hello')])).toEqual([start('text'), grow('Hello')]);
		expect(masked([start('text'), grow('Hello sk')])).toEqual([start('text'), grow('Hello ')]);
		expect(masked([start('text'), grow('Hello sk'), grow('ill')])).toEqual([
			start('text'),
			grow('Hello '),
			grow('skill'),
		]);
	});

	it('is sent before the end event when it was held back', () => {
		const error: ModelEvent = {type: 'error', error: {reason: 'cut', message: 'x', retryable: true}};
		expect(masked([start('text'), grow('as'), end])).toEqual([start('text'), grow('a'), grow('s'), end]);
		expect(masked([start('text'), grow('as'), error])).toEqual([start('text'), grow('a'), grow('s'), error]);
	});

	it('contains neither of two keys when one begins with the other', () => {
		const longer = `${key}-more`;
		expect(textOf(masked([start('text'), grow(longer), grow(` ${key}`), end], [key, longer]))).toBe('[key] [key]');
	});
});

describe('the rest of an answer', () => {
	it('contains no key in the id and name of a call or in the provider’s data', () => {
		const call: ModelEvent = {type: 'start', key: 'c', part: {type: 'tool_call', callId: `a${key}`, name: key}};
		const done: ModelEvent = {type: 'end', key: 'c', text: '{}', provider: {x: {id: key}}};
		expect(masked([call, done])).toEqual([
			{type: 'start', key: 'c', part: {type: 'tool_call', callId: 'a[key]', name: '[key]'}},
			{type: 'end', key: 'c', text: '{}'},
		]);
	});

	it('contains no signature when the thought was changed', () => {
		const signed: ModelEvent = {type: 'end', key: 'p', provider: {anthropic: {signature: 'abc'}}};
		expect(masked([start('reasoning'), grow(key), signed]).at(-1)).toEqual(end);
		expect(masked([start('reasoning'), grow('no'), signed]).at(-1)).toEqual(signed);
	});

	it('keeps a key in the arguments of a call, which may write your own file', () => {
		const text = JSON.stringify({path: '.env', content: key});
		const call: ModelEvent[] = [
			{type: 'start', key: 'c', part: {type: 'tool_call', callId: 'c', name: 'write_file'}},
			{type: 'delta', key: 'c', text},
			{type: 'end', key: 'c', text},
		];
		expect(masked(call)).toEqual(call);
	});

	it('keeps a key that is an ordinary word', () => {
		expect(masked([start('text'), grow('ollama is here'), end], ['ollama', ''])).toEqual([
			start('text'),
			grow('ollama is here'),
			end,
		]);
	});
});
