import {describe, expect, it} from 'vitest';
import {wordsOfBody} from '../../../../src/worker/wires/errors/server-words.ts';

describe('the message in an error body', () => {
	it.each([
		['OpenAI', {error: {message: 'No.', type: 't', code: 'c'}}, 'No.', ['c', 't']],
		[
			'Anthropic',
			{type: 'error', error: {type: 'overloaded_error', message: 'Busy.'}},
			'Busy.',
			['overloaded_error'],
		],
		[
			'Google',
			{error: {code: 429, message: 'Quota.', status: 'RESOURCE_EXHAUSTED', details: [{reason: 'R'}]}},
			'Quota.',
			['RESOURCE_EXHAUSTED', 'R'],
		],
		['Google in a list', [{error: {code: 400, message: 'In a list.'}}], 'In a list.', []],
		['Ollama', {error: 'model not loaded'}, 'model not loaded', []],
		['FastAPI', {detail: 'Not here.'}, 'Not here.', []],
		['FastAPI, invalid', {detail: [{loc: ['body', 'n'], msg: 'field required'}]}, 'field required', []],
		['vLLM', {object: 'error', message: 'Too much.', type: 'BadRequestError', code: 400}, 'Too much.', []],
		['a list of errors', {errors: [{message: 'First.'}, {message: 'Second.'}]}, 'First.', []],
		['AWS', {Message: 'Denied.'}, 'Denied.', []],
		['a gateway with JSON in its sentence', {error: {message: '{"error":{"message":"Inner."}}'}}, 'Inner.', []],
		[
			'OpenRouter',
			{
				error: {
					message: 'Provider returned error',
					code: 400,
					metadata: {raw: '{"error":{"message":"Tools are bad."}}', provider_name: 'Acme'},
				},
			},
			'Acme: Tools are bad.',
			[],
		],
		[
			'OpenRouter with raw text',
			{error: {message: 'Provider returned error', metadata: {raw: 'upstream is down'}}},
			'upstream is down',
			[],
		],
	])('is found in the format of %s', (_server, body, text, codes) => {
		expect(wordsOfBody(JSON.stringify(body))).toMatchObject({text, isWebPage: false});
		expect(wordsOfBody(JSON.stringify(body)).codes).toEqual(expect.arrayContaining(codes));
	});

	it('is the title when the body is a web page', () => {
		const page = '<!DOCTYPE html>\n<html><head><title>Sign in · Corp</title></head><body>…</body></html>';
		expect(wordsOfBody(page)).toEqual({text: 'Sign in · Corp', codes: [], isWebPage: true});
		expect(wordsOfBody('<html><body>x</body></html>')).toEqual({text: '', codes: [], isWebPage: true});
	});

	it('is the whole body when the body is plain text', () => {
		expect(wordsOfBody(' upstream connect error \n')).toMatchObject({text: 'upstream connect error'});
	});

	it('is found safely in JSON that is nested very deeply', () => {
		const deep = `${'{"error":'.repeat(5000)}"x"${'}'.repeat(5000)}`;
		expect(wordsOfBody(deep).text).toBe('');
	});
});
