import {describe, expect, it} from 'vitest';
import {errorIn} from '../../../../../src/worker/wires/reading/chat/chat-error.ts';

describe('an error inside an answer', () => {
	it.each<readonly [string, Record<string, unknown>, object]>([
		['an object', {error: {message: 'No.', code: 400}}, {message: 'No.', code: 400}],
		[
			'an object with what its provider said',
			{error: {message: 'No.', code: 502, metadata: {raw: '{"x":1}', provider_name: 'p'}}},
			{message: 'No.', code: 502, metadata: {raw: '{"x":1}', provider_name: 'p'}},
		],
		['a text', {error: 'No.'}, {message: 'No.'}],
		['a text with a status beside it', {error: 'No.', status: 429}, {message: 'No.', status: 429}],
		['an object of vLLM', {object: 'error', message: 'No.', type: 'x', code: 500}, {message: 'No.', code: 500}],
		['an object of Anthropic', {type: 'error', error: {type: 'o', message: 'No.'}}, {message: 'No.', type: 'o'}],
		['a message and a code', {message: 'No.', code: 'quota'}, {message: 'No.', code: 'quota'}],
		['a message alone', {message: 'No.'}, {message: 'No.'}],
		['msg and code', {code: 1302, msg: 'No.'}, {message: 'No.', code: 1302}],
		['a detail', {detail: 'No.'}, {message: 'No.'}],
		['a list of details', {detail: [{msg: 'No.', loc: ['body']}]}, {message: 'No.'}],
		['a list', {errors: [{message: 'No.', code: 3}]}, {message: 'No.', code: 3}],
		['nested', {error: {error: {message: 'No.', code: 'c'}}}, {message: 'No.', code: 'c'}],
		['without words', {error: {code: 'c'}}, {message: '{"code":"c"}', code: 'c'}],
		['of MiniMax', {base_resp: {status_code: 1008, status_msg: 'No.'}}, {message: 'No.', code: '1008'}],
		['true', {error: true, message: 'No.'}, {message: 'No.'}],
	])('is read as %s', (_, event, error) => {
		expect(errorIn(event, undefined)).toMatchObject(error);
	});

	it('is read both beside a choice and inside it', () => {
		expect(errorIn({error: {message: 'No.'}}, {delta: {}})).toMatchObject({message: 'No.'});
		expect(errorIn({}, {error: {message: 'No.', code: 429}})).toMatchObject({message: 'No.', code: 429});
	});

	it.each<readonly [Record<string, unknown>]>([
		[{}],
		[{error: null}],
		[{error: ''}],
		[{error: false}],
		[{error: {}}],
		[{error: {code: 0, message: ''}}],
		[{choices: [], usage: {}}],
		[{status: 'processing', message: 'Loading the model', progress: 1}],
		[{base_resp: {status_code: 0, status_msg: 'success'}}],
		[{object: 'chat.completion.chunk', message: 'x', id: 'y', code: 200}],
	])('is not found in %j', event => {
		expect(errorIn(event, undefined)).toBeUndefined();
	});

	it('loses names that change a prototype', () => {
		const event = JSON.parse('{"error":{"message":"No.","__proto__":{"a":1},"x":{"constructor":{"b":1},"y":1}}}');
		expect(JSON.stringify(errorIn(event, undefined))).toBe('{"message":"No.","x":{"y":1}}');
	});
});
