import {describe, expect, it} from 'vitest';
import type {AssistantPart, ModelMessage, ModelRequest} from '../../../../src/worker/history/model.ts';
import {createRewriteNotes} from '../../../../src/worker/history/rewrites.ts';
import {encodeMessages} from '../../../../src/worker/wires/encode/messages.ts';
import {piecesOf} from '../../../../src/worker/wires/encode/sourced.ts';
import type {MediaByMessage} from '../../../../src/worker/wires/media-parts.ts';
import {toPrompt, wordIds} from '../../../../src/worker/wires/prompt.ts';
import {ask} from '../../../helpers/collect.ts';

type Options = Partial<ModelRequest> & {
	readonly model?: string;
	readonly media?: MediaByMessage;
	readonly ownBetas?: string;
};

const dialect = {dataKey: 'anthropic', mergeUser: true, cacheMarks: true, callIds: wordIds} as const;
const tools = [{name: 'read_file', description: 'Reads.', parameters: {type: 'object', properties: {}}}];
const words = (text: string): ModelMessage => ({role: 'user', text});
const said = (...parts: readonly AssistantPart[]): ModelMessage => ({role: 'assistant', parts});
const own = (data: Readonly<Record<string, unknown>>) => ({provider: {anthropic: data}});
const call = (callId: string, data?: Readonly<Record<string, unknown>>): AssistantPart => ({
	type: 'tool_call',
	callId,
	name: 'read_file',
	arguments: '{"path":"a.ts"}',
	...(data !== undefined && own(data)),
});
const results = (...callIds: readonly string[]): ModelMessage => ({
	role: 'tool',
	results: callIds.map(callId => ({callId, name: 'read_file', content: 'ok', isError: false})),
});

function encode(messages: readonly ModelMessage[], options: Options = {}) {
	const {model = 'claude-sonnet-4-6', media, ownBetas, ...more} = options;
	const {note, notes} = createRewriteNotes();
	const request = ask(messages, more);
	const {settings} = request;
	const encoded = encodeMessages(
		toPrompt(request, dialect, note, media),
		{model, settings, tools: request.tools, note},
		ownBetas,
	);
	const body = JSON.stringify(encoded.body);
	return {...encoded, body, pieces: piecesOf(encoded.body), notes};
}

/** The fields of a body. */
function fieldsOf(messages: readonly ModelMessage[], options?: Options) {
	const fields: Readonly<Record<string, unknown>> & {readonly messages: ReadonlyArray<{readonly content: unknown}>} =
		JSON.parse(encode(messages, options).body);
	return fields;
}

const mark = '"cache_control":{"type":"ephemeral"}';

describe('the body of a request to the Messages API', () => {
	it('is this one, byte for byte', () => {
		const image: ModelMessage = {role: 'user', text: '[Image: a.png]'};
		const document: ModelMessage = {role: 'user', text: '[Document: a.pdf]'};
		const {body, path, headers} = encode(
			[
				words('Look.'),
				image,
				document,
				said(
					{type: 'reasoning', text: 'Hm.', ...own({signature: 'c2ln'})},
					{type: 'reasoning', text: '', ...own({redactedData: 'c2VjcmV0'})},
					{type: 'text', text: 'Cited.', ...own({citations: [{type: 'char_location', cited_text: 'x'}]})},
					call('c1'),
					call('c:2'),
				),
				{
					role: 'tool',
					results: [
						{callId: 'c1', name: 'read_file', content: '1', isError: false},
						{callId: 'c:2', name: 'read_file', content: '', isError: true},
					],
				},
				words('Go on.'),
			],
			{
				model: 'claude-sonnet-4-6',
				settings: {reasoning: 'high', maxOutputTokens: 9000, stop: ['END']},
				tools,
				media: new Map([
					[image, {mime: 'image/png', data: 'aW1n'}],
					[document, {mime: 'application/pdf', data: 'cGRm'}],
				]),
			},
		);
		expect(body).toBe(
			[
				'{"model":"claude-sonnet-4-6","max_tokens":9000,"stop_sequences":["END"],',
				'"thinking":{"type":"adaptive","display":"summarized"},"output_config":{"effort":"high"},',
				`"system":[{"type":"text","text":"Be brief.",${mark}}],`,
				'"messages":[{"role":"user","content":[{"type":"text","text":"Look."},',
				'{"type":"text","text":"[Image: a.png]"},',
				'{"type":"image","source":{"type":"base64","media_type":"image/png","data":"aW1n"}},',
				'{"type":"text","text":"[Document: a.pdf]"},',
				`{"type":"document","source":{"type":"base64","media_type":"application/pdf","data":"cGRm"},${mark}}]},`,
				'{"role":"assistant","content":[{"type":"thinking","thinking":"Hm.","signature":"c2ln"},',
				'{"type":"redacted_thinking","data":"c2VjcmV0"},',
				'{"type":"text","text":"Cited.","citations":[{"type":"char_location","cited_text":"x"}]},',
				'{"type":"tool_use","id":"c1","name":"read_file","input":{"path":"a.ts"}},',
				'{"type":"tool_use","id":"call_5f5428bd37791546c5332f7f1db4aa78","name":"read_file",',
				'"input":{"path":"a.ts"}}]},',
				'{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":"1"},',
				'{"type":"tool_result","tool_use_id":"call_5f5428bd37791546c5332f7f1db4aa78",',
				'"content":"(no message)","is_error":true},',
				`{"type":"text","text":"Go on.",${mark}}]}],`,
				'"tools":[{"name":"read_file","description":"Reads.",',
				'"input_schema":{"type":"object","properties":{}},"eager_input_streaming":true}],"stream":true}',
			].join(''),
		);
		expect(path).toBe('/messages');
		expect(headers).toEqual({'anthropic-beta': 'pdfs-2024-09-25,structured-outputs-2025-11-13'});
	});

	it('names the source of each value that is not of the form', () => {
		const user = {role: 'user', text: 'Hi \ud83d'} as const;
		const thought: AssistantPart = {type: 'reasoning', text: 'Hm.', ...own({signature: 'c2ln'})};
		const asked = call('c:1');
		const answer = said(thought, asked);
		const settings = {maxOutputTokens: 900};
		const {pieces, body} = encode([user, answer], {settings, tools});
		expect(pieces.map(({text}) => text).join('')).toBe(body);
		const from = (of: object, part: string, rule?: string) => ({kind: 'part', of, part, ...(rule && {rule})});
		const marked = ['{"type":"ephemeral"}', {kind: 'rule', rule: 'cache_marks'}];
		expect(pieces.flatMap(({text, origin}) => (origin === undefined ? [] : [[text, origin]]))).toEqual([
			['claude-sonnet-4-6', {kind: 'setup', key: 'model'}],
			['900', {kind: 'setup', key: 'settings.maxOutputTokens'}],
			['Be brief.', {kind: 'setup', key: 'prompt'}],
			marked,
			['Hi \ufffd', from(user, 'text', 'well_formed')],
			marked,
			['Hm.', from(thought, 'thoughts')],
			['c2ln', from(thought, 'provider data')],
			[expect.stringMatching(/^call_/), from(asked, 'call id', 'call_id')],
			['read_file', from(asked, 'name')],
			['{"path":"a.ts"}', from(asked, 'arguments')],
			['read_file', {kind: 'setup', key: 'tools.read_file.name'}],
			['Reads.', {kind: 'setup', key: 'tools.read_file.description'}],
			['{"type":"object","properties":{}}', {kind: 'setup', key: 'tools.read_file.parameters'}],
			['true', {kind: 'rule', rule: 'tool_flags'}],
		]);
	});

	it('has no system prompt and no tools when there are none', () => {
		expect(Object.keys(fieldsOf([words('Hi')], {prompt: ''}))).toEqual([
			'model',
			'max_tokens',
			'messages',
			'stream',
		]);
	});
});

describe('an answer in a request to the Messages API', () => {
	const answerOf = (...parts: readonly AssistantPart[]) =>
		fieldsOf([words('A'), said(...parts), words('B')]).messages[1]?.content;

	it('is left out when nothing of it can be sent', () => {
		const unsigned: AssistantPart = {type: 'reasoning', text: 'Hm.'};
		const [first, ...rest] = fieldsOf([
			words('A'),
			said(unsigned, {type: 'text', text: '', ...own({})}),
			words('B'),
		]).messages;
		expect(first).toMatchObject({role: 'user'});
		expect(rest).toMatchObject([{role: 'user'}]);
	});

	it('has no thought without a signature or redacted data', () => {
		expect(
			answerOf(
				{type: 'reasoning', text: 'Unsigned.'},
				{type: 'reasoning', text: 'Odd.', ...own({signature: 1})},
				{type: 'text', text: 'Yes.'},
			),
		).toEqual([{type: 'text', text: 'Yes.'}]);
	});

	it('has its calls behind its texts, and its thoughts at their places', () => {
		expect(
			answerOf(
				call('c1'),
				{type: 'text', text: 'One.'},
				{type: 'reasoning', text: 'Hm.', ...own({signature: 's'})},
				call('c2'),
				{type: 'text', text: 'Two.'},
			),
		).toMatchObject([
			{type: 'text', text: 'One.'},
			{id: 'c1'},
			{type: 'thinking'},
			{type: 'text', text: 'Two.'},
			{id: 'c2'},
		]);
	});

	it('is sent without the spaces around its last text at the end of a request', () => {
		const parts: readonly AssistantPart[] = [
			{type: 'text', text: ' One. '},
			{type: 'text', text: ' Two. '},
		];
		const {pieces} = encode([words('A'), said(...parts)]);
		expect(pieces.flatMap(({text, origin}) => (text.includes('.') && origin ? [[text, origin]] : []))).toEqual([
			['Be brief.', {kind: 'setup', key: 'prompt'}],
			[' One. ', {kind: 'part', of: parts[0], part: 'text'}],
			['Two.', {kind: 'part', of: parts[1], part: 'text', rule: 'trimmed_text'}],
		]);
	});

	it('has the summaries that the server made of the conversation', () => {
		const parts: readonly AssistantPart[] = [
			{type: 'text', text: 'So far.', ...own({type: 'compaction'})},
			{type: 'text', text: 'Signed.', ...own({type: 'compaction', signature: 's'})},
		];
		const {headers} = encode([said(...parts), words('B')]);
		expect(answerOf(...parts)).toEqual([
			{type: 'compaction', content: 'So far.'},
			{type: 'compaction', content: 'Signed.', signature: 's'},
		]);
		expect(headers).toEqual({'anthropic-beta': 'compact-2026-09-04'});
	});

	it('names the code that called a tool only until the user speaks again', () => {
		const coded = call('c1', {caller: {type: 'code_execution_20250825', toolId: 't'}});
		const direct = call('c2', {caller: {type: 'direct'}});
		const odd = call('c3', {caller: {type: 'odd', toolId: 't'}});
		const turn = [words('A'), said(coded, direct, odd), results('c1', 'c2', 'c3')];
		expect(fieldsOf(turn).messages[1]?.content).toMatchObject([
			{caller: {type: 'code_execution_20250825', tool_id: 't'}},
			{caller: {type: 'direct'}},
			expect.not.objectContaining({caller: expect.anything()}),
		]);
		expect(fieldsOf([...turn, words('B')]).messages[1]?.content).toMatchObject([
			expect.not.objectContaining({caller: expect.anything()}),
			{caller: {type: 'direct'}},
			expect.not.objectContaining({caller: expect.anything()}),
		]);
	});
});

describe('the beta features of a request to the Messages API', () => {
	it('are noted, with those of the user at the end', () => {
		const options = {
			model: 'claude-haiku-4-5',
			tools,
			ownBetas: 'Context-1M-2025-08-07, , structured-outputs-2025-11-13',
		};
		const {headers, notes} = encode([words('Hi')], options);
		const names = ['structured-outputs-2025-11-13', 'context-1m-2025-08-07'];
		expect(headers).toEqual({'anthropic-beta': names.join(',')});
		expect(notes.get('beta_header')).toEqual(names);
		expect([...notes.keys()].at(-1)).toBe('beta_header');
	});

	it('are only those of the user, without flags of tools, for a server that refused one', () => {
		const options = {model: 'claude-haiku-4-5', tools, settings: {forms: ['no_betas']}, ownBetas: 'context-1m'};
		const {headers, notes, body} = encode([words('Hi')], options);
		expect(headers).toEqual({'anthropic-beta': 'context-1m'});
		expect(notes.get('beta_header')).toEqual(['context-1m']);
		expect(body).not.toContain('eager_input_streaming');
	});

	it('are none without a reason', () => {
		const {headers, notes} = encode([words('Hi')], {model: 'claude-haiku-4-5'});
		expect(headers).toBeUndefined();
		expect(notes.has('beta_header')).toBe(false);
	});
});
