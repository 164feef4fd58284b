import {describe, expect, it} from 'vitest';
import {createAnswerNotes} from '../../../../src/worker/wires/reading/answer-notes.ts';
import {createChatReader} from '../../../../src/worker/wires/reading/chat/chat-reader.ts';
import {createGeminiReader} from '../../../../src/worker/wires/reading/gemini/gemini-reader.ts';
import {joinTexts, splitTexts} from '../../../../src/worker/wires/reading/join-texts.ts';
import {createMessagesReader} from '../../../../src/worker/wires/reading/messages/messages-reader.ts';
import {createResponsesReader} from '../../../../src/worker/wires/reading/responses/responses-reader.ts';

const notes = () => createAnswerNotes('test');
const chat = (delta: object) => ({choices: [{delta}]});
const call = (index: number, args: string) => chat({tool_calls: [{index, function: {arguments: args}}]});
const started = (index: number) =>
	chat({tool_calls: [{index, id: `c${index}`, function: {name: 'read', arguments: ''}}]});
const block = (index: number, delta: object) => ({type: 'content_block_delta', index, delta});
const item = (id: string, type: string) => ({type: 'response.output_item.added', item: {type, id, name: 'f'}});
const piece = (id: string, kind: string, delta: string, more: object = {}) => ({
	type: `response.${kind}.delta`,
	item_id: id,
	delta,
	...more,
});
const gemini = (part: object, more: object = {}) => ({candidates: [{content: {parts: [part]}}], ...more});

const geminiArgument = (jsonPath: string, stringValue: string) =>
	gemini({functionCall: {partialArgs: [{jsonPath, stringValue, willContinue: true}], willContinue: true}});

/** Returns what the reader passes on for these events when they arrive together. */
function joined(reader: ReturnType<typeof createChatReader>, events: readonly unknown[]): readonly unknown[] {
	return joinTexts(
		events.flatMap(event => reader.read(event)),
		reader.addedText,
	);
}

/** How many events each reader passes on, and all texts in them. */
const cases: ReadonlyArray<readonly [string, ReturnType<typeof createChatReader>, readonly unknown[], number, string]> =
	[
		['texts of chat', createChatReader(notes()), ['a', 'b', 'c'].map(content => chat({content})), 1, 'abc'],
		[
			'thoughts and texts of chat',
			createChatReader(notes()),
			[
				chat({reasoning: 'a'}),
				chat({reasoning: 'b'}),
				chat({content: 'c'}),
				chat({content: 'd'}),
				chat({refusal: 'e'}),
			],
			3,
			'abcde',
		],
		[
			'arguments of two calls of chat',
			createChatReader(notes()),
			[started(0), call(0, 'a'), call(0, 'b'), started(1), call(1, 'c'), call(1, 'd'), call(0, 'e')],
			5,
			'abcde',
		],
		[
			'texts and arguments of messages',
			createMessagesReader(notes()),
			[
				{type: 'content_block_start', index: 0, content_block: {type: 'text', text: ''}},
				block(0, {type: 'text_delta', text: 'a'}),
				block(0, {type: 'text_delta', text: 'b'}),
				{
					type: 'content_block_start',
					index: 1,
					content_block: {type: 'tool_use', id: 'c', name: 'n', input: {}},
				},
				block(1, {type: 'input_json_delta', partial_json: 'c'}),
				block(1, {type: 'input_json_delta', partial_json: 'd'}),
			],
			4,
			'abcd',
		],
		[
			'a thought of messages and its signatures',
			createMessagesReader(notes()),
			[
				{type: 'content_block_start', index: 0, content_block: {type: 'thinking', thinking: ''}},
				block(0, {type: 'thinking_delta', thinking: 'a'}),
				block(0, {type: 'thinking_delta', thinking: 'b'}),
				block(0, {type: 'signature_delta', signature: 's'}),
				block(0, {type: 'signature_delta', signature: 't'}),
			],
			4,
			'abst',
		],
		[
			'texts and arguments of responses',
			createResponsesReader(notes()),
			[
				item('m', 'message'),
				piece('m', 'output_text', 'a'),
				piece('m', 'output_text', 'b'),
				item('f', 'function_call'),
				piece('f', 'function_call_arguments', 'c'),
				piece('f', 'function_call_arguments', 'd'),
			],
			4,
			'abcd',
		],
		[
			'two summaries of responses',
			createResponsesReader(notes()),
			[
				item('r', 'reasoning'),
				...['a', 'b'].map(text => piece('r', 'reasoning_summary_text', text, {summary_index: 0})),
				...['c', 'd'].map(text => piece('r', 'reasoning_summary_text', text, {summary_index: 1})),
			],
			5,
			'abcd',
		],
		[
			'thoughts and texts of Gemini, but not with a signature or with usage',
			createGeminiReader(notes()),
			[
				...['a', 'b'].map(text => gemini({text, thought: true})),
				...['c', 'd'].map(text => gemini({text})),
				...['e', 'f'].map(text => gemini({text, thoughtSignature: 's'})),
				...['g', 'h'].map(text => gemini({text}, {usageMetadata: {promptTokenCount: 1}})),
			],
			6,
			'abcdefgh',
		],
		[
			'pieces of an argument of Gemini',
			createGeminiReader(notes()),
			[
				gemini({functionCall: {id: 'c', name: 'write', willContinue: true}}),
				...['a', 'b'].map(text => geminiArgument('$.x', text)),
				...['c', 'd'].map(text => geminiArgument('$.y', text)),
				gemini({functionCall: {}}),
			],
			4,
			'abcd',
		],
	];

describe('events that arrive together', () => {
	it.each(cases)('become one for each run of %s', (_, reader, events, count, text) => {
		const passed = joined(reader, events);
		expect(passed.length).toBe(count);
		const names = ['content', 'refusal', 'reasoning_content', 'arguments', 'text', 'thinking', 'partial_json'];
		const fields = [...names, 'signature', 'delta', 'stringValue'].join('|');
		const texts = JSON.stringify(passed).matchAll(new RegExp(`"(?:${fields})":"([a-z]+)"`, 'g'));
		expect([...texts].map(([, found]) => found).join('')).toBe(text);
	});

	it('stay as they are when a reader does not say what they add', () => {
		const events = [chat({content: 'a'}), chat({content: 'b'})];
		expect(joinTexts(events, undefined)).toBe(events);
	});
});

describe('an event with a long text', () => {
	it('becomes several events that have all of its text, and no half of a character', () => {
		const {addedText} = createChatReader(notes());
		const text = `a${'👍'.repeat(100_000)}`;
		const short = chat({content: 'b'});
		const events = splitTexts([chat({content: text}), short], addedText);
		const texts = events.map(event => addedText?.(event)?.text ?? '');
		expect(texts.join('')).toBe(`${text}b`);
		expect(Math.max(...texts.map(each => each.length))).toBeLessThanOrEqual(65_536);
		expect(texts.every(each => each.isWellFormed())).toBe(true);
		expect(events.at(-1)).toBe(short);
	});
});
