import {describe, expect, it} from 'vitest';
import type {ProviderData, Settings} from '../../../../src/worker/history/item.ts';
import type {AssistantPart, ModelMessage, ToolAnswer} from '../../../../src/worker/history/model.ts';
import {encodeResponses} from '../../../../src/worker/wires/encode/responses.ts';
import {piecesOf, type Origin} from '../../../../src/worker/wires/encode/sourced.ts';
import {toPrompt, wordIds} from '../../../../src/worker/wires/prompt.ts';
import {ask} from '../../../helpers/collect.ts';

const tool = {name: 'read', description: 'Reads.', parameters: {type: 'object', propertyNames: {type: 'string'}}};
const all: Settings = {
	rules: 2,
	reasoning: 'max',
	reasoningSummary: 'auto',
	temperature: 0.5,
	topP: 0.9,
	maxOutputTokens: 9000,
	cacheKey: 'k',
	stop: ['END'],
};

type Asked = {readonly model?: string; readonly settings?: Settings; readonly tools?: readonly (typeof tool)[]};

function encoded(messages: readonly ModelMessage[], asked: Asked = {}, mergeUser = false) {
	const {model = 'gpt-5.2', settings = {rules: 2}, tools = []} = asked;
	const media = new Map(
		messages.map(message => [message, message.role === 'user' ? sentMedia[message.text] : undefined] as const),
	);
	const sent = new Map(
		[...media].flatMap(([message, data]) => (data === undefined ? [] : [[message, data] as const])),
	);
	const dialect = {dataKey: 'openai', mergeUser, callIds: wordIds};
	const prompt = toPrompt(ask(messages, {settings}), dialect, undefined, sent);
	return encodeResponses(prompt, {model, settings, tools, note() {}}, 'openai');
}

const sentMedia: Readonly<Record<string, {readonly mime: string; readonly data: string}>> = {
	'[Image]': {mime: 'image/png', data: 'AAAA'},
	'[Document]': {mime: 'application/pdf', data: 'BBBB'},
};

function textOf(...asked: Parameters<typeof encoded>): string {
	return JSON.stringify(encoded(...asked).body);
}

/** The items that are sent for an answer with these parts. */
function answer(...parts: readonly AssistantPart[]): unknown {
	const {input} = JSON.parse(textOf([{role: 'assistant', parts}]));
	return input.slice(1);
}

const own = (data: Record<string, unknown>): {readonly provider: ProviderData} => ({provider: {openai: data}});
const thought = (text: string, data: Record<string, unknown>): AssistantPart => ({
	type: 'reasoning',
	text,
	...own(data),
});
const end = {type: 'text', text: 'End.'} as const;
const sentEnd = {role: 'assistant', content: 'End.'};

const call = {type: 'tool_call', callId: 'call_1', name: 'read', arguments: '{"path": "a"}'} as const;
const failure: ToolAnswer = {callId: 'call_1', name: 'read', content: 'No "a".', isError: true};
const parts = [
	thought('Hm.', {itemId: 'rs', reasoningEncryptedContent: 'SEALED'}),
	{type: 'text', text: 'Let me look.', ...own({itemId: 'm', phase: 'commentary'})},
	{...call, ...own({itemId: 'f', namespace: 'n'})},
] as const satisfies readonly AssistantPart[];
const user = {role: 'user', text: 'Look.'} as const;
const conversation: readonly ModelMessage[] = [user, {role: 'assistant', parts}, {role: 'tool', results: [failure]}];

describe('a body for the Responses API', () => {
	it('has its fields in this order', () => {
		expect(textOf(conversation, {settings: all, tools: [tool]})).toBe(
			'{"model":"gpt-5.2","input":[' +
				'{"role":"developer","content":"Be brief."},' +
				'{"role":"user","content":[{"type":"input_text","text":"Look."}]},' +
				'{"type":"reasoning","id":"rs","encrypted_content":"SEALED",' +
				'"summary":[{"type":"summary_text","text":"Hm."}]},' +
				'{"role":"assistant","content":"Let me look.","phase":"commentary"},' +
				'{"type":"function_call","call_id":"call_1","name":"read",' +
				'"arguments":"{\\"path\\":\\"a\\"}","namespace":"n"},' +
				'{"type":"function_call_output","call_id":"call_1","output":"{\\"error\\":\\"No \\\\\\"a\\\\\\".\\"}"}],' +
				'"max_output_tokens":9000,"store":false,"include":["reasoning.encrypted_content"],' +
				'"prompt_cache_key":"k","reasoning":{"effort":"xhigh","summary":"auto"},' +
				'"tools":[{"type":"function","name":"read","description":"Reads.",' +
				'"parameters":{"type":"object"},"strict":false}],' +
				'"stream":true}',
		);
		expect(encoded(conversation).path).toBe('/responses');
	});

	it('has a source for each value, and the form between them', () => {
		const {body} = encoded(conversation, {settings: all, tools: [tool]});
		const pieces = piecesOf(body);
		expect(pieces.map(({text}) => text).join('')).toBe(JSON.stringify(body));
		const setup = (key: string) => ({kind: 'setup', key});
		const part = (of: object, name: string, rule?: string) => ({kind: 'part', of, part: name, ...(rule && {rule})});
		const expected: ReadonlyArray<readonly [string, object]> = [
			['gpt-5.2', setup('model')],
			['Be brief.', setup('prompt')],
			['Look.', part(user, 'text')],
			['rs', part(parts[0], 'provider data')],
			['SEALED', part(parts[0], 'provider data')],
			['Hm.', part(parts[0], 'thoughts')],
			['Let me look.', part(parts[1], 'text')],
			['commentary', part(parts[1], 'provider data')],
			['call_1', part(parts[2], 'call id')],
			['read', part(parts[2], 'name')],
			['{\\"path\\":\\"a\\"}', part(parts[2], 'arguments', 'arguments_value')],
			['n', part(parts[2], 'provider data')],
			['call_1', part(failure, 'call id')],
			['{\\"error\\":\\"', {kind: 'rule', rule: 'error_object'}],
			['No \\\\\\"a\\\\\\".', part(failure, 'content', 'error_object')],
			['\\"}', {kind: 'rule', rule: 'error_object'}],
			['9000', setup('settings.maxOutputTokens')],
			['false', {kind: 'rule', rule: 'not_stored'}],
			['reasoning.encrypted_content', {kind: 'rule', rule: 'not_stored'}],
			['k', setup('settings.cacheKey')],
			['xhigh', setup('settings.reasoning')],
			['auto', setup('settings.reasoningSummary')],
			['read', setup('tools.read.name')],
			['Reads.', setup('tools.read.description')],
			['{"type":"object"}', setup('tools.read.parameters')],
			['false', {kind: 'rule', rule: 'tool_flags'}],
		];
		const sourced = pieces.flatMap(({text, origin}): ReadonlyArray<readonly [string, Origin]> =>
			origin === undefined ? [] : [[text, origin]],
		);
		expect(sourced).toEqual(expected);
	});

	it.each<readonly [string, Settings, object]>([
		['gpt-5.2', {}, {}],
		['gpt-5.2', {reasoning: 'low'}, {reasoning: {effort: 'low', summary: 'detailed'}}],
		['gpt-5.2', {reasoning: 'none', topP: 0.9}, {top_p: 0.9, reasoning: {effort: 'none'}}],
		['gpt-5', {reasoning: 'none', topP: 0.9}, {reasoning: {effort: 'minimal', summary: 'detailed'}}],
		['gpt-5', {reasoningSummary: 'concise', temperature: 1}, {reasoning: {summary: 'concise'}}],
	])('has the settings that a model that reasons accepts: %s with %j', (model, settings, fields) => {
		const {
			model: _,
			input,
			store,
			include,
			stream,
			...rest
		} = JSON.parse(textOf([user], {model, settings: {rules: 2, ...settings}}));
		expect(rest).toEqual(fields);
		expect([input[0].role, store, include, stream]).toEqual([
			'developer',
			false,
			['reasoning.encrypted_content'],
			true,
		]);
	});

	it('asks no other model for thoughts', () => {
		const {input, ...rest} = JSON.parse(textOf([user], {model: 'gpt-4.1', settings: all}));
		expect(input[0].role).toBe('system');
		expect(rest).toEqual({
			model: 'gpt-4.1',
			temperature: 0.5,
			top_p: 0.9,
			max_output_tokens: 9000,
			store: false,
			prompt_cache_key: 'k',
			stream: true,
		});
	});
});

describe('an answer in a body for the Responses API', () => {
	it('has the summaries of one item together, with the last encrypted content', () => {
		const first = thought('One.', {itemId: 'a', reasoningEncryptedContent: 'OLD'});
		const other = thought('Two.', {itemId: 'b', reasoningEncryptedContent: 'B'});
		const empty = thought('', {itemId: 'a'});
		const last = thought('Three.', {itemId: 'a', reasoningEncryptedContent: 'NEW'});
		const summary = (text: string) => ({type: 'summary_text', text});
		expect(answer(first, other, empty, last, end)).toEqual([
			{type: 'reasoning', id: 'a', encrypted_content: 'NEW', summary: [summary('One.'), summary('Three.')]},
			{type: 'reasoning', id: 'b', encrypted_content: 'B', summary: [summary('Two.')]},
			sentEnd,
		]);
	});

	it.each([
		[{reasoningEncryptedContent: 'E'}, [{type: 'reasoning', encrypted_content: 'E', summary: []}]],
		[{itemId: 'a', reasoningEncryptedContent: null}, []],
		[{itemId: 'a'}, []],
		[{}, []],
	])('has only thoughts that the server can read: %j', (data, items) => {
		expect(answer(thought('', data), end)).toEqual([...items, sentEnd]);
	});

	it.each([
		[{caller: {type: 'direct'}}, {caller: {type: 'direct'}}],
		[{caller: {type: 'program', callerId: 'p'}}, {caller: {type: 'program', caller_id: 'p'}}],
		[
			{async: true, namespace: 'n', itemId: 'f'},
			{async: true, namespace: 'n'},
		],
		[{caller: null, namespace: null}, {}],
	])('has what the server sent with a call: %j', (data, fields) => {
		const sent = {type: 'function_call', call_id: 'call_1', name: 'read', arguments: '{"path":"a"}'};
		expect(answer({...call, ...own(data)})).toEqual([{...sent, ...fields}]);
	});
});

describe('an image or a document in a body for the Responses API', () => {
	const messages: readonly ModelMessage[] = [
		{role: 'user', text: '[Image]'},
		{role: 'user', text: '[Document]'},
	];
	const image = {type: 'input_image', image_url: 'data:image/png;base64,AAAA'};
	const document = (filename: string) => ({
		type: 'input_file',
		filename,
		file_data: 'data:application/pdf;base64,BBBB',
	});
	const text = (words: string) => ({type: 'input_text', text: words});

	it('is named after its place in its message', () => {
		const contents = (mergeUser: boolean) => {
			const {input} = JSON.parse(textOf(messages, {}, mergeUser));
			return input.slice(1).map(({content}: {readonly content: unknown}) => content);
		};
		expect(contents(false)).toEqual([
			[text('[Image]'), image],
			[text('[Document]'), document('part-1.pdf')],
		]);
		expect(contents(true)).toEqual([[text('[Image]'), image, text('[Document]'), document('part-3.pdf')]]);
	});

	it('comes from its message', () => {
		const found = piecesOf(encoded(messages).body).find(piece => piece.text === image.image_url.split(',')[1]);
		expect(found?.origin).toEqual({kind: 'part', of: messages[0], part: 'bytes'});
	});
});
