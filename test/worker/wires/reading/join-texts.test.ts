import {describe, expect, it} from 'vitest';
import type {AnswerEvent} from '../../../../src/worker/wires/reading/answer-event.ts';
import {joinTexts} from '../../../../src/worker/wires/reading/join-texts.ts';

const delta = (kind: 'text' | 'reasoning' | 'tool_call', id: string, text: string): AnswerEvent => ({
	type: 'delta',
	kind,
	id,
	text,
});

describe('events that arrive together', () => {
	it('become one for each run of the same part', () => {
		const end = {type: 'end', kind: 'text', id: '0'} as const;
		expect(
			joinTexts([
				delta('text', '0', 'a'),
				delta('text', '0', 'b'),
				delta('reasoning', '0', 'c'),
				delta('reasoning', '0', 'd'),
				end,
				delta('tool_call', '1', 'e'),
				delta('tool_call', '1', 'f'),
				delta('tool_call', '2', 'g'),
				delta('text', '0', 'h'),
			]),
		).toEqual([
			delta('text', '0', 'ab'),
			delta('reasoning', '0', 'cd'),
			end,
			delta('tool_call', '1', 'ef'),
			delta('tool_call', '2', 'g'),
			delta('text', '0', 'h'),
		]);
	});

	it('stay separate when one has data', () => {
		const signed = {...delta('reasoning', '0', ''), data: {test: {signature: 's'}}} as AnswerEvent;
		const events = [delta('reasoning', '0', 'a'), signed, delta('reasoning', '0', 'b')];
		expect(joinTexts(events)).toEqual(events);
	});

	it('are joined in linear time', () => {
		const events = Array.from({length: 300_000}, () => delta('text', '0', 'ab'));
		expect(joinTexts(events)).toEqual([delta('text', '0', 'ab'.repeat(300_000))]);
	});
});
