import {describe, expect, it} from 'vitest';
import {createAnswerNotes} from '../../../../src/worker/wires/reading/answer-notes.ts';
import {createChatReader} from '../../../../src/worker/wires/reading/chat/chat-reader.ts';
import type {EventReader} from '../../../../src/worker/wires/reading/event-reader.ts';
import {createGeminiReader} from '../../../../src/worker/wires/reading/gemini/gemini-reader.ts';
import {joinTexts} from '../../../../src/worker/wires/reading/join-texts.ts';
import {createMessagesReader} from '../../../../src/worker/wires/reading/messages/messages-reader.ts';
import {createResponsesReader} from '../../../../src/worker/wires/reading/responses/responses-reader.ts';

/** Enough for work that grows with the square to take minutes. */
const many = 200_000;
const list = (make: (at: number) => unknown) => Array.from({length: many}, (_, at) => make(at));
const keys = Object.fromEntries(Array.from({length: 20_000}, (_, at) => [`k${at}`, 1]));

const readers = {
	chat: () => createChatReader(createAnswerNotes('x'), {thinkTags: true}),
	responses: () => createResponsesReader(createAnswerNotes('x'), {dataKey: 'openai', tools: []}),
	messages: () => createMessagesReader(createAnswerNotes('x')),
	gemini: () => createGeminiReader(createAnswerNotes('x'), ['google']),
} as const satisfies Record<string, () => EventReader>;

const delta = (fields: object) => ({choices: [{delta: fields}]});
const call = (at: number, id: string) => ({index: at, id, function: {name: 'a', arguments: '{}'}});
const candidate = (parts: unknown) => ({candidates: [{content: {parts}}]});

describe('an answer with very many parts', () => {
	it.each<readonly [string, keyof typeof readers, () => readonly unknown[]]>([
		['details', 'chat', () => [delta({reasoning_details: list(at => ({type: 't', index: at}))})]],
		['encrypted details', 'chat', () => list(() => delta({reasoning_details: [{type: 't', data: 'x'}]}))],
		['images', 'chat', () => [delta({images: list(at => ({type: 'i', at}))})]],
		['calls', 'chat', () => [delta({tool_calls: list(at => call(at, `c${at}`))})]],
		[
			'calls with ids made from others',
			'chat',
			() => [delta({tool_calls: list(at => call(at, at % 2 ? 'c' : `c_${at}`))})],
		],
		['calls without names', 'chat', () => [delta({tool_calls: list(at => ({index: at, id: `c${at}`}))})]],
		['texts and thoughts', 'chat', () => list(at => delta(at % 2 ? {content: 'a'} : {reasoning: 'b'}))],
		[
			'items that do not end',
			'responses',
			() => list(at => ({type: 'response.output_item.added', item: {type: 'z', id: `i${at}`}})),
		],
		['items', 'responses', () => [{type: 'response.completed', response: {output: list(at => ({type: 'z', at}))}}]],
		[
			'blocks that do not end',
			'messages',
			() => list(at => ({type: 'content_block_start', content_block: {type: 'z', at}})),
		],
		[
			'citations',
			'messages',
			() => [
				{
					type: 'content_block_start',
					index: 0,
					content_block: {type: 'text', citations: list(at => ({type: 'z', at}))},
				},
			],
		],
		['unread parts', 'gemini', () => [candidate(list(at => ({inlineData: {at}})))]],
		['calls', 'gemini', () => [candidate(list(() => ({functionCall: {name: 'a', args: {}}})))]],
	])('is refused: %s over %s', (_, wire, events) => {
		const reader = readers[wire]();
		const readAll = () => {
			for (const event of events()) reader.read(event);
			reader.end(true);
		};
		expect(readAll).toThrow('more than 10000 parts');
	});
});

describe('a part with very many pieces', () => {
	it('is read once when a block of details has many fields', () => {
		const reader = readers.chat();
		expect(reader.read(delta({reasoning_details: [keys, ...list(() => ({a: 1}))]}))).toEqual([]);
	});

	it('is read once when a call has many fields', () => {
		const extra = (fields: object) => ({index: 0, id: 'c', extra_content: fields});
		const calls = [{...extra(keys), function: {name: 'f', arguments: ''}}, ...list(() => extra({g: 1}))];
		expect(readers.chat().read(delta({tool_calls: calls}))).toHaveLength(1);
	});

	it('is passed on at once when one event has all pieces', () => {
		const texts = joinTexts(readers.chat().read(delta({content: list(() => ({text: 'a'}))})));
		expect(texts).toMatchObject([{type: 'delta', kind: 'text', text: 'a'.repeat(many)}]);
		const args = list(at => ({index: 0, ...(at === 0 && {id: 'c'}), function: {name: 'f', arguments: 'b'}}));
		expect(joinTexts(readers.chat().read(delta({tool_calls: args})))).toMatchObject([
			{type: 'call_start', id: 'c'},
			{type: 'delta', kind: 'tool_call', text: 'b'.repeat(many)},
		]);
		const thousands = readers.gemini().read(candidate(list(() => ({text: 'a'}))));
		expect(joinTexts(thousands)).toMatchObject([{type: 'delta', text: 'a'.repeat(many)}]);
	});

	it('is read once when only blanks came before the first character', () => {
		const reader = readers.chat();
		reader.read(delta({content: ' '.repeat(20_000_000)}));
		for (let at = 0; at < 5000; at++) reader.read(delta({content: ' '}));
		expect(JSON.stringify(reader.read(delta({content: 'a'}))).length).toBeGreaterThan(20_005_000);
	});
});
