import {describe, expect, it} from 'vitest';
import {parseClientMessage, parseServerMessage} from '../../../../src/pod/remote/attach/wire.ts';
import {emptyAnswers} from '../../../helpers/empty-answers.ts';

describe('a line of a client', () => {
	it.each<[string, unknown]>([
		['the greeting', {attach: 2}],
		['a cancelled query', {cancel: 4}],
	])('is read unchanged: %s', (_name, line) => {
		expect(parseClientMessage(line)).toEqual(line);
	});

	it('is read as a method with its id', () => {
		const method = {method: 'steer', segments: [{type: 'text', text: 'x'}]};
		expect(parseClientMessage({id: 3, ...method})).toEqual({id: 3, method});
	});

	it('is read as a query to the pod with its argument', async () => {
		const query = {kind: 'path', text: 'a', limit: 9};
		const message = parseClientMessage({id: 4, ask: 'complete', query});
		if (message === undefined || !('ask' in message)) throw new Error('not a query');
		expect(message.id).toBe(4);
		expect(await message.ask(emptyAnswers, new AbortController().signal)).toMatchObject({query});
	});

	it.each<[string, unknown]>([
		['an unknown query', {id: 4, ask: 'rm'}],
		['a query without its argument', {id: 4, ask: 'complete'}],
		['a query with an argument of another type', {id: 4, ask: 'stale', ids: 'x'}],
		['a query without an id', {ask: 'ledger'}],
	])('is refused as unknown: %s', (_name, line) => {
		expect(parseClientMessage(line)).toBeUndefined();
	});
});

describe('a line of a server', () => {
	it.each<[string, unknown]>([
		[
			'an item with keys that this version does not know',
			{
				type: 'item',
				item: {
					id: 'i',
					at: 't',
					type: 'message',
					role: 'system',
					text: '',
					origin: {kind: 'hologram', depth: 3},
					extra: 1,
				},
			},
		],
		[
			'a snapshot',
			{
				type: 'snapshot',
				session: {id: 's', model: 'm', scope: {pwd: '/', writable: false, readRoots: []}},
				tail: [],
				status: {kind: 'idle', asks: [], queue: []},
				count: 2,
			},
		],
		['items', {type: 'items', items: []}],
		['a receipt', {id: 1, receipt: {accepted: false, code: 'busy', sentence: 's'}}],
		['an answer', {id: 1, answer: {any: 'thing'}}],
		['a problem', {id: 1, problem: 'p'}],
		['the greeting', {inkpod: 2, session: 's', pwd: '/', pid: 7}],
		['an error', {error: 'e'}],
	])('is read unchanged: %s', (_name, line) => {
		expect(parseServerMessage(line)).toEqual(line);
	});
});

describe('a line of either side', () => {
	it.each([
		null,
		1,
		'x',
		[],
		{},
		{id: -1, method: 'pause'},
		{id: 1, method: 'answer'},
		{cancel: 'x'},
		{type: 'item', item: {id: 'i', at: 't', type: 'hologram'}},
		{type: 'status', status: {}},
		{__proto__: {attach: 2}},
	])('is unknown: %j', line => {
		expect([parseClientMessage(line), parseServerMessage(line)]).toEqual([undefined, undefined]);
	});
});
