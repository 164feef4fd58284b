import {describe, expect, it} from 'vitest';
import {requestSettings} from '../../../src/worker/index.ts';
import type {ModelMessage} from '../../../src/worker/history/model.ts';
import {dialectNames, type DialectName} from '../../../src/worker/wires/dialects.ts';
import {requestBody} from '../../../src/worker/wires/request-body.ts';
import {ask} from '../../helpers/collect.ts';
import {specAt} from './wire-model.ts';

/** The messages that a server of this dialect gets, without the system prompt. */
async function sent(dialect: DialectName, messages: readonly ModelMessage[]): Promise<readonly unknown[]> {
	const spec = specAt(dialect, {url: 'http://127.0.0.1:9'});
	const made = await requestBody(`${spec.provider}/m`, ask(messages, {settings: requestSettings(spec)}));
	if (!made.ok) throw new Error(made.sentence);
	return JSON.parse(made.body).messages.slice(1);
}

const dataKeys: Readonly<Record<string, string>> = {
	safe: 'compatible',
	strict: 'own-strict',
	gemini: 'own-gemini',
	'llama.cpp': 'llamacpp',
};
const keyOf = (dialect: DialectName) => dataKeys[dialect] ?? dialect;

/** An answer with everything that any server sends beside it. */
function answer(dataKey: string): ModelMessage {
	const details = [{type: 'reasoning.text', text: 'I think.', signature: 's'}];
	return {
		role: 'assistant',
		parts: [
			{type: 'reasoning', text: 'I think.', provider: {[dataKey]: {field: 'x', reasoning_details: details}}},
			{type: 'text', text: 'Hi.'},
			{
				type: 'tool_call',
				callId: 'abcdefgh1',
				name: 'read',
				arguments: '{}',
				provider: {[dataKey]: {extra_content: {google: {thought_signature: 'g'}}}},
			},
		],
	};
}

const results: ModelMessage = {
	role: 'tool',
	results: [{callId: 'abcdefgh1', name: 'read', content: 'a', isError: false}],
};
const hello: ModelMessage = {role: 'user', text: 'Hello.'};
const again: ModelMessage = {role: 'user', text: 'And now?'};

const bare = {id: 'abcdefgh1', type: 'function', function: {name: 'read', arguments: '{}'}};
const details = [{type: 'reasoning.text', text: 'I think.', signature: 's'}];

/** The fields of an own answer in its loop, of an own one before it, and of another server's. */
const fields: Readonly<Partial<Record<DialectName, readonly [object, object, object]>>> = {
	deepseek: [{reasoning_content: 'I think.'}, {reasoning_content: 'I think.'}, {reasoning_content: ''}],
	kimi: [{reasoning_content: 'I think.'}, {reasoning_content: 'I think.'}, {reasoning_content: '.'}],
	qwen: [{reasoning_content: 'I think.'}, {}, {}],
	openrouter: [{reasoning_details: details}, {reasoning_details: details}, {}],
};

describe('an answer that is sent back in a dialect', () => {
	it.each(dialectNames)('has only the fields that %s accepts', async dialect => {
		const [inLoop, before, foreign] = fields[dialect] ?? [{}, {}, {}];
		const signed = {...bare, extra_content: {google: {thought_signature: 'g'}}};
		const own = dialect === 'strict' ? bare : signed;
		const skipped = {...bare, extra_content: {google: {thought_signature: 'skip_thought_signature_validator'}}};
		const base = {role: 'assistant', content: 'Hi.'};
		const key = keyOf(dialect);
		expect((await sent(dialect, [hello, answer(key), results]))[1]).toEqual({
			...base,
			tool_calls: [own],
			...inLoop,
		});
		expect((await sent(dialect, [hello, answer(key), results, again]))[1]).toEqual({
			...base,
			tool_calls: [own],
			...before,
		});
		expect((await sent(dialect, [hello, answer('elsewhere'), results]))[1]).toEqual({
			...base,
			tool_calls: [dialect === 'gemini' ? skipped : bare],
			...foreign,
		});
	});

	it.each(dialectNames)('follows merged messages, and follows results where %s requires it', async dialect => {
		const messages = await sent(dialect, [hello, again, answer(keyOf(dialect)), results, hello]);
		const answersTools = ['strict', 'mistral', 'perplexity', 'ollama', 'lmstudio', 'llama.cpp', 'vllm'];
		expect(messages[0]).toEqual({role: 'user', content: 'Hello.\n\nAnd now?'});
		expect(messages.slice(3)).toEqual([
			...(answersTools.includes(dialect) ? [expect.objectContaining({role: 'assistant'})] : []),
			{role: 'user', content: 'Hello.'},
		]);
	});
});
