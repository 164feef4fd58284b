import {describe, expect, it} from 'vitest';
import type {ModelEvent} from '../../../src/worker/history/model.ts';
import {createAnswerLimit} from '../../../src/worker/wires/answer-limit.ts';

const delta = (text: string, key = 'a'): ModelEvent => ({type: 'delta', key, text});
const over: ModelEvent = {type: 'error', error: {reason: 'too_large', message: 'Too large.', retryable: false}};
const end: ModelEvent = {type: 'end', key: 'a'};

/** Returns the events that the limit lets through, in order. */
function passed(maxBytes: number, ...events: readonly ModelEvent[]): readonly ModelEvent[] {
	const limit = createAnswerLimit(maxBytes, () => over);
	return events.flatMap(event => limit([event]));
}

describe('the size limit of an answer', () => {
	it('lets an answer pass that just fits', () => {
		expect(passed(10, delta('12345'), delta('67890'), end)).toEqual([delta('12345'), delta('67890'), end]);
	});

	it('passes a text up to the limit, then only the error', () => {
		expect(passed(10, delta('12345678'), delta('9012'), delta('x'), end)).toEqual([
			delta('12345678'),
			delta('90'),
			over,
		]);
	});

	it('counts bytes, and cuts between characters', () => {
		expect(passed(10, delta('ääää'), delta('😀'))).toEqual([delta('ääää'), over]);
		expect(passed(12, delta('ääää'), delta('😀'))).toEqual([delta('ääää'), delta('😀')]);
	});

	it.each<readonly [string, readonly ModelEvent[]]>([
		['texts of several parts', [delta('123456', 'a'), delta('123456', 'b')]],
		['a signature', [{type: 'end', key: 'a', provider: {x: {signature: '1234567890'}}}]],
		['a name of a call', [{type: 'start', key: 'a', part: {type: 'tool_call', callId: '1', name: '1234567890'}}]],
		['an id of a call', [{type: 'start', key: 'a', part: {type: 'tool_call', callId: '1234567890', name: 'x'}}]],
		['arguments that come at the end', [{type: 'end', key: 'a', text: '12345678901'}]],
	])('applies to %s', (_, events) => {
		expect(passed(10, ...events).at(-1)).toBe(over);
	});

	it('counts arguments only once when the end repeats them', () => {
		expect(passed(10, delta('12345678'), {...end, text: '12345678'}, delta('90', 'b'))).not.toContain(over);
	});

	it('passes nothing after the error', () => {
		const limit = createAnswerLimit(3, () => over);
		expect(limit([delta('1234'), delta('5'), end])).toEqual([delta('123'), over]);
		expect(limit([end])).toEqual([]);
	});
});
