import {describe, expect, it} from 'vitest';
import {answerFirst, initializeResponse} from '../../src/acp/initialize.ts';

const first = (params: unknown, more: object = {}) =>
	JSON.stringify({jsonrpc: '2.0', id: 0, method: 'initialize', params, ...more});

describe('the first line of an editor', () => {
	it('is answered at once if it is a plain initialize', () => {
		const answered = answerFirst(
			first({protocolVersion: 1, clientCapabilities: {fs: {readTextFile: true}}}),
			'1.2.3',
		);
		expect(JSON.parse(answered!)).toEqual({jsonrpc: '2.0', id: 0, result: initializeResponse('1.2.3', [])});
	});

	it.each([
		'not JSON',
		'[]',
		'null',
		first({}),
		first(undefined),
		first({protocolVersion: 'one'}),
		first({protocolVersion: 1, clientCapabilities: []}),
		first({protocolVersion: 1, clientCapabilities: {auth: {terminal: true}}}),
		first({protocolVersion: 1}, {id: null}),
		first({protocolVersion: 1}, {jsonrpc: '1.0'}),
		first({protocolVersion: 1}, {method: 'session/new'}),
	])('is left to the protocol if it is %s', line => {
		expect(answerFirst(line, '1.2.3')).toBeUndefined();
	});
});
