import {describe, expect, it} from 'vitest';
import {dialectNames, type DialectName} from '../../../src/worker/wires/dialects.ts';
import {createLedger} from '../../helpers/wire-servers/index.ts';
import {chatSpeech} from '../../helpers/wire-servers/chat/speech.ts';

type Message = Readonly<Record<string, unknown>>;

const user = {role: 'user', content: 'Hello.'};
const said = (more: object = {}) => ({role: 'assistant', content: 'Hi.', ...more});
const called = (id: string, more: object = {}, ofCall: object = {}) => ({
	role: 'assistant',
	content: null,
	tool_calls: [{id, type: 'function', function: {name: 'read', arguments: '{}'}, ...ofCall}],
	...more,
});
const result = (id: string) => ({role: 'tool', tool_call_id: id, content: 'a'});
const thoughts = {reasoning_content: 'I think.'};

function refusal(dialect: DialectName, messages: readonly Message[]): string | undefined {
	const body = {stream: true, stream_options: {include_usage: true}, messages};
	return chatSpeech(dialect).refuse({body, headers: {}, url: ''}, createLedger(), {alternate: false});
}

/** What each of the strict servers refuses, so that the laws mean something. */
describe('a strict server', () => {
	it.each(dialectNames)('for %s accepts a plain conversation, and refuses unknown fields and pairs', dialect => {
		const own = {deepseek: thoughts, kimi: thoughts}[dialect as string] ?? {};
		const ofCall =
			dialect === 'gemini'
				? {extra_content: {google: {thought_signature: 'skip_thought_signature_validator'}}}
				: {};
		const plain = [user, called('abcdefgh1', own, ofCall), result('abcdefgh1')];
		expect(refusal(dialect, plain)).toBeUndefined();
		expect(refusal(dialect, [user, said({...own, annotations: []}), user])).toContain('annotations');
		expect(refusal(dialect, plain.slice(0, 2))).toContain('Last message must have role');
		expect(refusal(dialect, [user, result('abcdefgh1')])).toContain('has no call before it');
		expect(refusal(dialect, [user, said(own), {role: 'system', content: 'x'}, user])).toContain('System message');
	});

	const refused: ReadonlyArray<readonly [DialectName, string, readonly Message[]]> = [
		['groq', "property 'reasoning_content' is unsupported", [user, said(thoughts), user]],
		['cerebras', "property 'reasoning_content' is unsupported", [user, said(thoughts), user]],
		['mistral', 'Extra inputs are not permitted', [user, said(thoughts), user]],
		['xai', 'Extra inputs are not permitted', [user, called('c', {}, {extra_content: {}}), result('c')]],
		['deepseek', 'must be passed back to the API', [user, said(), user]],
		['deepseek', 'invalid type: sequence, expected a string', [{role: 'user', content: [{type: 'text'}]}]],
		['kimi', 'assistant tool call message at index 1', [user, called('c'), result('c')]],
		['kimi', 'at index 1', [user, called('c', {reasoning_content: ''}), result('c')]],
		['openrouter', 'cannot be modified', [user, said({reasoning_details: [{data: 'forged'}]}), user]],
		['mistral', 'Tool call id was call_1 but must be', [user, called('call_1'), result('call_1')]],
		['mistral', "Unexpected role 'user' after role 'tool'", [user, called('abcdefgh1'), result('abcdefgh1'), user]],
		['perplexity', 'should be alternating', [user, user]],
		['perplexity', 'should be alternating', [user, called('c'), result('c'), user]],
		['gemini', 'missing a thought_signature', [user, called('c'), result('c')]],
		['llama.cpp', 'roles must alternate', [user, user]],
		['vllm', 'roles must alternate', [user, called('c'), result('c'), user]],
		['safe', "Invalid 'tool_calls[0].id'", [user, called('call:1'), result('call:1')]],
		['safe', 'roles must alternate', [user, user]],
	];
	it.each(refused)('for %s answers "%s"', (dialect, words, messages) => {
		expect(refusal(dialect, messages)).toContain(words);
	});
});
