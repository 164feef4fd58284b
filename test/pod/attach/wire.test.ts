import {describe, expect, expectTypeOf, test} from 'vitest';
import type {z} from 'zod';
import {
	parseClientMessage,
	parseServerMessage,
	type answerSchemas,
	type eventSchema,
	type receiptSchema,
	type snapshotSchema,
	type statusSchema,
} from '../../../src/pod/attach/wire.ts';
import type {
	ChangedFile,
	Completions,
	Event,
	Ledger,
	McpServerInfo,
	Preflight,
	Receipt,
	Status,
	WorkflowInfo,
} from '../../../src/pod/protocol.ts';

test('what crosses the socket, is what the protocol says, in both directions', () => {
	expectTypeOf<z.infer<typeof statusSchema>>().toExtend<Status>();
	expectTypeOf<Mutable<Status>>().toExtend<z.infer<typeof statusSchema>>();
	expectTypeOf<z.infer<typeof receiptSchema>>().toExtend<Receipt>();
	expectTypeOf<Receipt>().toExtend<z.infer<typeof receiptSchema>>();
	expectTypeOf<z.infer<typeof eventSchema>>().toExtend<Event>();
	expectTypeOf<Mutable<Exclude<Event, {type: 'snapshot'}>>>().toExtend<z.infer<typeof eventSchema>>();
	expectTypeOf<Mutable<Omit<Extract<Event, {type: 'snapshot'}>, 'items'>> & {count: number}>().toExtend<
		z.infer<typeof snapshotSchema>
	>();
	expectTypeOf<z.infer<(typeof answerSchemas)['complete']>>().toExtend<Completions>();
	expectTypeOf<Mutable<Completions>>().toExtend<z.infer<(typeof answerSchemas)['complete']>>();
	expectTypeOf<z.infer<(typeof answerSchemas)['preflight']>>().toExtend<Preflight>();
	expectTypeOf<z.infer<(typeof answerSchemas)['workflows']>>().toExtend<readonly WorkflowInfo[]>();
	expectTypeOf<Mutable<readonly WorkflowInfo[]>>().toExtend<z.infer<(typeof answerSchemas)['workflows']>>();
	expectTypeOf<z.infer<(typeof answerSchemas)['mcp']>>().toExtend<readonly McpServerInfo[]>();
	expectTypeOf<Mutable<readonly McpServerInfo[]>>().toExtend<z.infer<(typeof answerSchemas)['mcp']>>();
	expectTypeOf<z.infer<(typeof answerSchemas)['ledger']>>().toExtend<Ledger>();
	expectTypeOf<z.infer<(typeof answerSchemas)['files_since']>[number]>().toExtend<ChangedFile>();
	expectTypeOf<Mutable<ChangedFile>>().toExtend<z.infer<(typeof answerSchemas)['files_since']>[number]>();
	expectTypeOf<Mutable<Ledger>>().toExtend<z.infer<(typeof answerSchemas)['ledger']>>();
	expectTypeOf<Mutable<Preflight>>().toExtend<z.infer<(typeof answerSchemas)['preflight']>>();
});

type Mutable<Value> = Value extends object ? {-readonly [Key in keyof Value]: Mutable<Value[Key]>} : Value;

describe('a line', () => {
	test.each<[string, unknown]>([
		['a method, with its id', {id: 3, method: 'steer', segments: [{type: 'text', text: 'x'}]}],
		['a question', {id: 4, ask: 'complete', query: {kind: 'path', text: 'a', limit: 9}}],
		['its end', {cancel: 4}],
		['the first one', {attach: 1}],
	])('of a client: %s', (_name, line) => {
		expect(parseClientMessage(line)).toEqual(line);
	});

	test.each<[string, unknown]>([
		[
			'an item of keys that this version does not know',
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
		['no answer', {id: 1, problem: 'p'}],
		['the greeting', {inkpod: 1, session: 's', pwd: '/', pid: 7}],
		['the last one', {error: 'e'}],
	])('of a server: %s', (_name, line) => {
		expect(parseServerMessage(line)).toEqual(line);
	});

	test.each([
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
		{__proto__: {attach: 1}},
	])('%j is none', line => {
		expect([parseClientMessage(line), parseServerMessage(line)]).toEqual([undefined, undefined]);
	});
});
