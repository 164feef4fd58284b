import {describe, expect, it} from 'vitest';
import type {AssistantPart, ModelMessage, ModelRequest} from '../../../../src/worker/history/model.ts';
import {createRewriteNotes} from '../../../../src/worker/history/rewrites.ts';
import {encodeGemini, noteGeminiRules, type GeminiForm} from '../../../../src/worker/wires/encode/gemini.ts';
import {piecesOf} from '../../../../src/worker/wires/encode/sourced.ts';
import type {MediaByMessage} from '../../../../src/worker/wires/media-parts.ts';
import {toPrompt} from '../../../../src/worker/wires/prompt.ts';
import {ask} from '../../../helpers/collect.ts';

type Options = Partial<ModelRequest> & {
	readonly model?: string;
	readonly form?: GeminiForm;
	readonly media?: MediaByMessage;
};

const google: GeminiForm = {dataKeys: ['google', 'googleVertex', 'vertex'], hasCallIds: true};
const vertex: GeminiForm = {dataKeys: ['googleVertex', 'vertex', 'google'], hasCallIds: false};
const tools = [{name: 'read_file', description: 'Reads.', parameters: {type: 'object', properties: {}}}];
const words = (text: string): ModelMessage => ({role: 'user', text});
const said = (...parts: readonly AssistantPart[]): ModelMessage => ({role: 'assistant', parts});
const signed = (thoughtSignature: string, key = 'google') => ({provider: {[key]: {thoughtSignature}}});
const call = (callId: string, more: Pick<AssistantPart, 'provider'> = {}): AssistantPart => ({
	type: 'tool_call',
	callId,
	name: 'read_file',
	arguments: '{"path":"a.ts"}',
	...more,
});
const result = (callId: string, content: string, isError = false) => ({callId, name: 'read_file', content, isError});

function encode(messages: readonly ModelMessage[], options: Options = {}) {
	const {model = 'gemini-3-pro-preview', form = google, media, ...more} = options;
	const {note, notes} = createRewriteNotes();
	const request = ask(messages, more);
	noteGeminiRules(request, {note, model, form});
	const prompt = toPrompt(request, {dataKey: form.dataKeys[0] ?? '', mergeUser: true}, note, media);
	const encoded = encodeGemini(prompt, {model, settings: request.settings, tools: request.tools, note}, form);
	const body = JSON.stringify(encoded.body);
	return {...encoded, body, pieces: piecesOf(encoded.body), notes};
}

function contentsOf(messages: readonly ModelMessage[], options?: Options): unknown {
	return JSON.parse(encode(messages, options).body).contents;
}

describe('the body of a request to Gemini', () => {
	const image = words('[Image: a.png]');
	const messages = [
		words('Look.'),
		image,
		said(
			{type: 'reasoning', text: 'Hm.', ...signed('c2ln')},
			{type: 'text', text: 'I look.'},
			call('c1', signed('Yg==')),
			call('c2'),
		),
		{role: 'tool', results: [result('c1', 'const a = 1;'), result('c2', 'Not found.', true)]} as const,
		words('Go on.'),
	];
	const options: Options = {
		tools,
		settings: {maxOutputTokens: 1000, temperature: 0.5, topP: 0.9, stop: ['END'], reasoning: 'max'},
		media: new Map([[image, {mime: 'image/png', data: 'iVBOR'}]]),
	};

	it('is this one, byte for byte', () => {
		const {body, path} = encode(messages, options);
		expect(path).toBe('/models/gemini-3-pro-preview:streamGenerateContent?alt=sse');
		expect(body).toBe(
			[
				'{"generationConfig":{"maxOutputTokens":1000,"temperature":0.5,"topP":0.9,"stopSequences":["END"],',
				'"thinkingConfig":{"thinkingLevel":"high"}},"contents":[',
				'{"role":"user","parts":[{"text":"Look."},{"text":"[Image: a.png]"},',
				'{"inlineData":{"mimeType":"image/png","data":"iVBOR"}}]},',
				'{"role":"model","parts":[{"text":"Hm.","thought":true,"thoughtSignature":"c2ln"},{"text":"I look."},',
				'{"functionCall":{"id":"c1","name":"read_file","args":{"path":"a.ts"}},"thoughtSignature":"Yg=="},',
				'{"functionCall":{"id":"c2","name":"read_file","args":{"path":"a.ts"}}}]},',
				'{"role":"user","parts":[{"functionResponse":{"id":"c1","name":"read_file",',
				'"response":{"name":"read_file","content":"const a = 1;"}}},{"functionResponse":{"id":"c2",',
				'"name":"read_file","response":{"name":"read_file","error":"Not found."}}}]},',
				'{"role":"user","parts":[{"text":"Go on."}]}],',
				'"systemInstruction":{"parts":[{"text":"Be brief."}]},',
				'"tools":[{"functionDeclarations":[{"name":"read_file","description":"Reads.",',
				'"parametersJsonSchema":{"type":"object","properties":{}}}]}]}',
			].join(''),
		);
	});

	it('names the source of each value', () => {
		const sources = encode(messages, options).pieces.flatMap(({text, origin}) =>
			origin === undefined
				? []
				: [
						[
							text,
							origin.kind === 'part'
								? origin.part
								: origin.kind === 'setup'
									? origin.key
									: origin.kind === 'rule'
										? origin.rule
										: 'form',
						],
					],
		);
		expect(sources).toEqual([
			['1000', 'settings.maxOutputTokens'],
			['0.5', 'settings.temperature'],
			['0.9', 'settings.topP'],
			['["END"]', 'settings.stop'],
			['high', 'settings.reasoning'],
			['Look.', 'text'],
			['[Image: a.png]', 'text'],
			['image/png', 'bytes'],
			['iVBOR', 'bytes'],
			['Hm.', 'thoughts'],
			['c2ln', 'provider data'],
			['I look.', 'text'],
			['c1', 'call id'],
			['read_file', 'name'],
			['{"path":"a.ts"}', 'arguments'],
			['Yg==', 'provider data'],
			['c2', 'call id'],
			['read_file', 'name'],
			['{"path":"a.ts"}', 'arguments'],
			['c1', 'call id'],
			['read_file', 'name'],
			['read_file', 'name'],
			['const a = 1;', 'content'],
			['c2', 'call id'],
			['read_file', 'name'],
			['read_file', 'name'],
			['Not found.', 'content'],
			['Go on.', 'text'],
			['Be brief.', 'prompt'],
			['read_file', 'tools.read_file.name'],
			['Reads.', 'tools.read_file.description'],
			['{"type":"object","properties":{}}', 'tools.read_file.parameters'],
		]);
	});

	it('has an empty configuration, and no prompt and tools, where there are none', () => {
		expect(encode([words('Hi')], {prompt: ''}).body).toBe(
			'{"generationConfig":{},"contents":[{"role":"user","parts":[{"text":"Hi"}]}]}',
		);
	});

	it('goes to the path in the name of a model that has one', () => {
		expect(encode([words('Hi')], {model: 'tunedModels/mine'}).path).toBe(
			'/tunedModels/mine:streamGenerateContent?alt=sse',
		);
	});
});

describe('the signatures of an answer', () => {
	const mark = 'skip_thought_signature_validator';
	const answered = (...parts: readonly AssistantPart[]) => [words('Hi'), said(...parts)];
	const signaturesOf = (messages: readonly ModelMessage[], options?: Options) =>
		JSON.parse(encode(messages, options).body).contents[1].parts.map(
			(part: {readonly thoughtSignature?: string}) => part.thoughtSignature,
		);

	it('are replaced by a mark in the calls before the first signed one, since Gemini 3', () => {
		const messages = answered(call('a'), call('b', signed('Yg==')), call('c'));
		const {notes, pieces} = encode(messages);
		expect(signaturesOf(messages)).toEqual([mark, 'Yg==', undefined]);
		expect(pieces).toContainEqual({text: mark, origin: {kind: 'rule', rule: 'foreign_call_mark'}});
		const [, answer] = messages;
		expect(notes.get('foreign_call_mark')).toEqual(answer?.role === 'assistant' ? [answer.parts[0]] : []);
		expect(signaturesOf(messages, {model: 'gemini-2.5-pro'})).toEqual([undefined, 'Yg==', undefined]);
		expect(encode(messages, {model: 'gemini-2.5-pro'}).notes.has('foreign_call_mark')).toBe(false);
	});

	it('are replaced in all calls of another provider', () => {
		expect(signaturesOf(answered(call('a'), call('b')))).toEqual([mark, mark]);
	});

	it.each([
		[google, 'googleVertex'],
		[google, 'vertex'],
		[vertex, 'google'],
	])('of the other server of Google go back too, case %#', (form, key) => {
		const messages = answered({type: 'text', text: 'A', ...signed('YQ==', key)}, call('a', signed('Yg==', key)));
		expect(signaturesOf(messages, {form})).toEqual(['YQ==', 'Yg==']);
	});

	it('are sent without a text, and a part with neither is left out', () => {
		const unsigned = {provider: {google: {citations: []}}};
		const messages = answered(
			{type: 'text', text: '', ...unsigned},
			{type: 'reasoning', text: '', ...unsigned},
			{type: 'text', text: '', ...signed('YQ==')},
		);
		expect(contentsOf(messages)).toEqual([
			{role: 'user', parts: [{text: 'Hi'}]},
			{role: 'model', parts: [{text: '', thoughtSignature: 'YQ=='}]},
		]);
	});
});

describe('calls and results on Vertex AI', () => {
	it('have no ids', () => {
		const messages: ModelMessage[] = [
			words('Hi'),
			said(call('a', signed('Yg==', 'googleVertex'))),
			{role: 'tool', results: [result('a', '1')]},
		];
		expect(encode(messages, {form: vertex}).body).not.toContain('"id"');
		expect(encode(messages).body.match(/"id":"a"/g)).toHaveLength(2);
	});
});

describe('the system prompt for Gemma', () => {
	const model = 'gemma-3-27b-it';

	it('is in the first message, with its own source', () => {
		const {body, pieces, notes} = encode([words('Hi')], {model});
		expect(body).toBe(
			String.raw`{"generationConfig":{},"contents":[{"role":"user","parts":[{"text":"Be brief.\n\n"},{"text":"Hi"}]}]}`,
		);
		expect(pieces).toContainEqual({text: 'Be brief.', origin: {kind: 'setup', key: 'prompt'}});
		expect(pieces).toContainEqual({
			text: String.raw`\n\n`,
			origin: {kind: 'rule', rule: 'prompt_in_message'},
		});
		expect(notes.get('prompt_in_message')).toEqual(['setup']);
	});

	it('has no place before an answer', () => {
		expect(contentsOf([said({type: 'text', text: 'A'})], {model})).toEqual([{role: 'model', parts: [{text: 'A'}]}]);
	});
});
