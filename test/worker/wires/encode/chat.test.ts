import {describe, expect, it} from 'vitest';
import type {Settings} from '../../../../src/worker/history/item.ts';
import type {AssistantPart, ModelMessage} from '../../../../src/worker/history/model.ts';
import {callIdRules, dialects, type DialectName} from '../../../../src/worker/wires/dialects.ts';
import {encodeChat} from '../../../../src/worker/wires/encode/chat.ts';
import {piecesOf, type Origin, type Tree} from '../../../../src/worker/wires/encode/sourced.ts';
import type {MediaByMessage} from '../../../../src/worker/wires/media-parts.ts';
import {toPrompt, type Dialect} from '../../../../src/worker/wires/prompt.ts';
import {ask} from '../../../helpers/collect.ts';

type Made = {
	readonly messages?: readonly ModelMessage[];
	readonly prompt?: string;
	readonly settings?: Settings;
	/** Absent: the rules of 0.1.0. */
	readonly dialect?: DialectName;
	readonly dataKey?: string;
	readonly media?: MediaByMessage;
	readonly hasTool?: boolean;
};

/** Returns the body of a request to a server whose data has the key `own`. */
function bodyOf({messages = [], prompt = '', settings = {}, dialect, dataKey = 'own', media, hasTool}: Made): Tree {
	const tools = hasTool === true ? [{name: 'read', description: 'Reads.', parameters: {type: 'object'}}] : [];
	const written = toPrompt(ask(messages, {prompt, tools}), dialectOf(dialect, dataKey), () => {}, media);
	return encodeChat(written, {model: 'm', settings, tools, dataKey}).body;
}

function dialectOf(name: DialectName | undefined, dataKey: string): Dialect {
	if (name === undefined) return {dataKey, mergeUser: false, joinsTexts: true};
	const chat = dialects[name];
	return {dataKey, mergeUser: chat.mergesUser, callIds: callIdRules[chat.callIds], chat};
}

/** Returns the pieces that have a source, each as its text and its source. */
function sourcesOf(body: Tree): ReadonlyArray<readonly [text: string, source: string]> {
	const pieces = piecesOf(body);
	expect(pieces.map(({text}) => text).join('')).toBe(JSON.stringify(body));
	return pieces.flatMap(({text, origin}) =>
		origin === undefined || origin.kind === 'form' ? [] : [[text, nameOf(origin)] as const],
	);
}

function nameOf(origin: Origin): string {
	if (origin.kind === 'form') return 'form';
	const rule = origin.rule === undefined ? '' : ` (${origin.rule})`;
	if (origin.kind === 'rule') return `rule${rule}`;
	return origin.kind === 'setup' ? `setup ${origin.key}${rule}` : `${origin.part} of ${nameOfPart(origin.of)}${rule}`;
}

function nameOfPart(of: object): string {
	return 'role' in of ? `a ${String(of.role)} message` : 'type' in of ? `a ${String(of.type)}` : 'a result';
}

const thought: AssistantPart = {type: 'reasoning', text: 'Hm.', provider: {own: {field: 'reasoning'}}};
const said: AssistantPart = {type: 'text', text: 'Yes.'};
const call: AssistantPart = {type: 'tool_call', callId: 'call1', name: 'read', arguments: '{"a":1}'};
const signed: AssistantPart = {...call, provider: {own: {thoughtSignature: 's'}}};
const results: ModelMessage = {
	role: 'tool',
	results: [
		{callId: 'call1', name: 'read', content: 'One.', isError: false},
		{callId: 'call2', name: 'read', content: '', isError: true},
	],
};
const user = (text: string): ModelMessage => ({role: 'user', text});
const answer = (...parts: readonly AssistantPart[]): ModelMessage => ({role: 'assistant', parts});
const after = (...parts: readonly AssistantPart[]): readonly ModelMessage[] => [user('Hi.'), answer(...parts)];

/** Returns the JSON of the answer in a body. */
function answerIn(made: Made): unknown {
	const {messages} = JSON.parse(JSON.stringify(bodyOf(made))) as {messages: ReadonlyArray<{role: string}>};
	return JSON.stringify(messages.find(({role}) => role === 'assistant'));
}

describe('the body of a request for chat completions', () => {
	it('has its fields in one order', () => {
		const settings = {
			mergeUser: true,
			stop: ['A', 'B'],
			topP: 0.5,
			temperature: 0,
			maxOutputTokens: 9,
			reasoning: 'none',
		};
		const messages = [...after(thought, said, call), results];
		expect(JSON.stringify(bodyOf({prompt: 'P', messages, settings, hasTool: true}))).toBe(
			'{"model":"m","max_tokens":9,"temperature":0,"top_p":0.5,"stop":["A","B"],"reasoning_effort":"none",' +
				'"messages":[{"role":"system","content":"P"},{"role":"user","content":"Hi."},' +
				'{"role":"assistant","content":"Yes.","reasoning_content":"Hm.","tool_calls":[{"id":"call1",' +
				'"type":"function","function":{"name":"read","arguments":"{\\"a\\":1}"}}]},' +
				'{"role":"tool","tool_call_id":"call1","content":"One."},' +
				'{"role":"tool","tool_call_id":"call2","content":"(no message)"}],' +
				'"tools":[{"type":"function","function":{"name":"read","description":"Reads.",' +
				'"parameters":{"type":"object"}}}],"stream":true,"stream_options":{"include_usage":true}}',
		);
	});

	it('has no fields for what is not set', () => {
		expect(JSON.stringify(bodyOf({messages: [user('Hi.')]}))).toBe(
			'{"model":"m","messages":[{"role":"user","content":"Hi."}],"stream":true,' +
				'"stream_options":{"include_usage":true}}',
		);
	});

	it('is sent to the endpoint of chat completions', () => {
		expect(encodeChat([], {model: 'm', settings: {}, tools: [], dataKey: 'own'})).toMatchObject({
			path: '/chat/completions',
		});
	});

	it.each<readonly [string, Made, string]>([
		[
			'thoughts before the calls under the rules of 0.1.0',
			{messages: after(thought, call)},
			'"content":null,"reasoning_content":"Hm.","tool_calls":[{"id":"call1","type":"function",' +
				'"function":{"name":"read","arguments":"{\\"a\\":1}"}}]',
		],
		[
			'thoughts after the calls in a dialect',
			{messages: after(thought, call), dialect: 'deepseek'},
			'"content":null,"tool_calls":[{"id":"call1","type":"function",' +
				'"function":{"name":"read","arguments":"{\\"a\\":1}"}}],"reasoning_content":"Hm."',
		],
		[
			'a placeholder for thoughts that the dialect requires',
			{messages: after(said), dialect: 'kimi'},
			'"content":"Yes.","reasoning_content":"."',
		],
		['no thoughts in another dialect', {messages: after(thought, said), dialect: 'safe'}, '"content":"Yes."'],
		['several texts as one', {messages: after(said, {...said, text: ' No.'})}, '"content":"Yes. No."'],
		[
			'a signature under the rules of 0.1.0',
			{messages: after(said, signed)},
			'"content":"Yes.","tool_calls":[{"id":"call1","type":"function",' +
				'"function":{"name":"read","arguments":"{\\"a\\":1}"},' +
				'"extra_content":{"google":{"thought_signature":"s"}}}]',
		],
		[
			'a signature of Google under the rules of 0.1.0',
			{messages: after({...call, provider: {google: {thoughtSignature: 'g'}}})},
			'"content":null,"tool_calls":[{"id":"call1","type":"function",' +
				'"function":{"name":"read","arguments":"{\\"a\\":1}"},' +
				'"extra_content":{"google":{"thought_signature":"g"}}}]',
		],
		[
			'a signature that was stored under the first part of a name with a dot',
			{messages: after({...call, provider: {my: {thoughtSignature: 'g'}}}), dataKey: 'my.server'},
			'"content":null,"tool_calls":[{"id":"call1","type":"function",' +
				'"function":{"name":"read","arguments":"{\\"a\\":1}"},' +
				'"extra_content":{"google":{"thought_signature":"g"}}}]',
		],
		[
			'no signature of another server',
			{messages: after({...call, provider: {other: {thoughtSignature: 'g'}}})},
			'"content":null,"tool_calls":[{"id":"call1","type":"function",' +
				'"function":{"name":"read","arguments":"{\\"a\\":1}"}}]',
		],
		[
			'what its own server sent beside a call',
			{messages: after({...call, provider: {own: {extra_content: {a: 1}}}}), dialect: 'safe'},
			'"content":null,"tool_calls":[{"id":"call1","type":"function",' +
				'"function":{"name":"read","arguments":"{\\"a\\":1}"},"extra_content":{"a":1}}]',
		],
	])('has in an answer %s', (_, made, fields) => {
		expect(answerIn(made)).toBe(`{"role":"assistant",${fields}}`);
	});

	it('has images as addresses, documents as files, and texts as parts beside them', () => {
		const [image, document] = [user('An image.'), user('A document.')];
		const media = new Map([
			[image, {mime: 'image/png', data: 'aWk='}],
			[document, {mime: 'application/pdf', data: 'cGRm'}],
		]);
		expect(JSON.stringify(bodyOf({messages: [image, document], media}))).toContain(
			'"messages":[{"role":"user","content":[{"type":"text","text":"An image."},' +
				'{"type":"image_url","image_url":{"url":"data:image/png;base64,aWk="}}]},' +
				'{"role":"user","content":[{"type":"text","text":"A document."},{"type":"file",' +
				'"file":{"filename":"document.pdf","file_data":"data:application/pdf;base64,cGRm"}}]}]',
		);
	});
});

describe('the sources in a body for chat completions', () => {
	it('are the setup, the items and the rules', () => {
		const settings = {maxOutputTokens: 9, temperature: 0, topP: 0.5, stop: ['A'], reasoning: 'low'};
		const messages = [...after(thought, said, signed), results];
		expect(sourcesOf(bodyOf({prompt: 'P', messages, settings, hasTool: true}))).toEqual([
			['m', 'setup model'],
			['9', 'setup settings.maxOutputTokens'],
			['0', 'setup settings.temperature'],
			['0.5', 'setup settings.topP'],
			['["A"]', 'setup settings.stop'],
			['low', 'setup settings.reasoning'],
			['P', 'setup prompt'],
			['Hi.', 'text of a user message'],
			['Yes.', 'text of a text'],
			['Hm.', 'thoughts of a reasoning'],
			['call1', 'call id of a tool_call'],
			['read', 'name of a tool_call'],
			['{\\"a\\":1}', 'arguments of a tool_call'],
			['{"google":{"thought_signature":"s"}}', 'provider data of a tool_call'],
			['call1', 'call id of a result'],
			['One.', 'content of a result'],
			['call2', 'call id of a result'],
			['(no message)', 'rule (no_message)'],
			['read', 'setup tools.read.name'],
			['Reads.', 'setup tools.read.description'],
			['{"type":"object"}', 'setup tools.read.parameters'],
			['{"include_usage":true}', 'rule (stream_options)'],
		]);
	});

	it('name the rule by which a value deviates from its item', () => {
		const odd: AssistantPart = {...call, callId: 'call:1', arguments: '{ "a": 1 }'};
		const image = user('An image.');
		const messages = [
			user('Hi \ud83d'),
			image,
			answer(said, odd),
			{...results, results: results.results.slice(0, 1)},
		];
		const media = new Map([[image, {mime: 'image/png', data: 'aWk='}]]);
		const made = {messages: [...messages, user('Next.')], media};
		const all = sourcesOf(bodyOf({...made, dialect: 'vllm'})).filter(([, source]) => !source.startsWith('setup'));
		expect(all).toEqual([
			['Hi \ufffd', 'text of a user message (well_formed)'],
			['\\n\\n', 'rule (merged_users)'],
			['An image.', 'text of a user message'],
			['aWk=', 'bytes of a user message'],
			['Yes.', 'text of a text'],
			[expect.stringMatching(/^call[0-9a-f]{28}$/), 'call id of a tool_call (call_id)'],
			['read', 'name of a tool_call'],
			['{\\"a\\":1}', 'arguments of a tool_call (arguments_value)'],
			['call1', 'call id of a result'],
			['One.', 'content of a result'],
			['[No answer was given here.]', 'rule (answer_line)'],
			['Next.', 'text of a user message'],
			['{"include_usage":true}', 'rule (stream_options)'],
		]);
	});

	it.each<readonly [DialectName, AssistantPart, string, string]>([
		['kimi', said, '.', 'rule (thought_filler)'],
		['qwen', thought, 'Hm.', 'thoughts of a reasoning'],
		[
			'openrouter',
			{...thought, provider: {own: {reasoning_details: [{type: 't'}]}}},
			'{"type":"t"}',
			'provider data of a reasoning',
		],
		[
			'gemini',
			call,
			'{"google":{"thought_signature":"skip_thought_signature_validator"}}',
			'rule (foreign_call_mark)',
		],
	])('are also in the fields of %s', (dialect, part, text, source) => {
		expect(sourcesOf(bodyOf({messages: after(part, said, call), dialect}))).toContainEqual([text, source]);
	});
});
