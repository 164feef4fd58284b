import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {stamp, type Draft, type Item, type ModelMessage} from '../../../src/worker/index.ts';
import {closingResults, context, unansweredCalls} from '../../../src/pod/ground/history/reader.ts';
import {countedClock} from '../../helpers/clock.ts';

const setup: Draft<'setup'> = {type: 'setup', model: 'm', prompt: 'p', tools: [], settings: {}};
const user = (text: string): Draft<'message'> => ({type: 'message', role: 'user', text});
const system = (text: string): Draft<'message'> => ({type: 'message', role: 'system', text, origin: {kind: 'file'}});
const says = (text: string): Draft<'message'> => ({type: 'message', role: 'assistant', text});
const thinks = (text: string, stop?: string): Draft<'reasoning'> => ({
	type: 'reasoning',
	text,
	ms: 1,
	provider: {p: {signature: 's'}},
	...(stop && {stop}),
});
const call = (callId: string): Draft<'tool_call'> => ({type: 'tool_call', callId, name: 't', arguments: '{}'});
const result = (callId: string, content = `of ${callId}`): Draft<'tool_result'> => ({
	type: 'tool_result',
	callId,
	summary: content,
	content,
	isError: false,
	ms: 1,
});
const request: Draft<'request'> = {
	type: 'request',
	model: 'm',
	usage: {},
	requestHash: '',
	startedAt: '',
	endedAt: '',
	stop: 'end',
};

function history(...drafts: Draft[]): Item[] {
	const clock = countedClock();
	return [setup, ...drafts].map(draft => stamp(clock, draft));
}

const messages = (...drafts: Draft[]) => context(history(...drafts)).messages;

describe('context', () => {
	it('sends each system item as a separate message with the role user, in its place', () => {
		expect(messages(user('a'), system('[File: x]\nb'), says('c'), request)).toEqual([
			{role: 'user', text: 'a'},
			{role: 'user', text: '[File: x]\nb'},
			{role: 'assistant', parts: [{type: 'text', text: 'c'}]},
		]);
	});

	it('puts results after their batch in the order of the calls, in whatever order they finished', () => {
		const out = messages(
			user('a'),
			thinks('t'),
			call('1'),
			call('2'),
			request,
			result('2'),
			system('notice'),
			result('1'),
			says('d'),
			request,
		);
		expect(out.map(message => message.role)).toEqual(['user', 'assistant', 'tool', 'user', 'assistant']);
		expect(out[2]).toMatchObject({
			results: [
				{callId: '1', content: 'of 1'},
				{callId: '2', content: 'of 2'},
			],
		});
	});

	it('leaves out calls without a result and results without a call', () => {
		expect(messages(user('a'), says('x'), call('1'), request, result('9'))).toEqual([
			{role: 'user', text: 'a'},
			{role: 'assistant', parts: [{type: 'text', text: 'x'}]},
		]);
	});

	it('pairs repeated call ids in order and makes the sent ids unique', () => {
		const out = messages(
			user('a'),
			call('1'),
			request,
			result('1', 'first'),
			call('1'),
			request,
			result('1', 'second'),
		);
		expect(out.filter(message => message.role === 'tool')).toEqual([
			{role: 'tool', results: [{callId: '1', name: 't', content: 'first', isError: false}]},
			{role: 'tool', results: [{callId: '1_2', name: 't', content: 'second', isError: false}]},
		]);
	});

	it('leaves out a call without a result when a later answer uses its id', () => {
		const lost = history(user('a'), call('1'), request, says('b'), call('1'), request, result('1', 'second'));
		expect(context(lost).messages.slice(-2)).toMatchObject([
			{parts: [{type: 'text'}, {type: 'tool_call', callId: '1'}]},
			{results: [{callId: '1', content: 'second'}]},
		]);
		expect(unansweredCalls(lost)).toEqual([]);
	});

	it('leaves out reasoning that was cut or is followed by nothing, and keeps the provider data of the rest', () => {
		expect(messages(user('a'), thinks('alone'), user('b'))).toEqual([
			{role: 'user', text: 'a'},
			{role: 'user', text: 'b'},
		]);
		expect(messages(user('a'), thinks('cut', 'aborted'), says('x'))[1]).toEqual({
			role: 'assistant',
			parts: [{type: 'text', text: 'x'}],
		});
		expect(messages(user('a'), thinks('why'), says('x'))[1]).toMatchObject({
			parts: [{type: 'reasoning', provider: {p: {signature: 's'}}}, {type: 'text'}],
		});
	});

	it('leaves out blank texts', () => {
		expect(messages(user('a'), says(' \n'), request, system(''))).toEqual([{role: 'user', text: 'a'}]);
	});

	it('throws when there is no setup', () => {
		expect(() => context([])).toThrow(/setup/);
	});
});

const anyItem = fc.oneof(
	fc.constantFrom<Draft>(user('u'), system('s'), says('a'), says(''), thinks('t'), thinks('t', 'cut'), request),
	fc.constantFrom('1', '2', '3').map(id => call(id)),
	fc.constantFrom('1', '2', '3').map(id => result(id)),
);
const runs = process.env['INKPOD_TEST'] === 'long' ? 5000 : 300;

describe('any history', () => {
	it('leads to a request in which results directly follow their calls, and no result lacks its call', () => {
		fc.assert(
			fc.property(fc.array(anyItem, {maxLength: 40}), drafts => {
				expectPaired(messages(...drafts));
			}),
			{numRuns: runs, seed: 20_260_101, verbose: 1},
		);
	});

	it('has no unanswered calls after they are closed, and closing them again does nothing', () => {
		fc.assert(
			fc.property(fc.array(anyItem, {maxLength: 40}), drafts => {
				const items = history(...drafts);
				const closed = [...items, ...closingResults(items, ' by user', countedClock('c'))];
				expect(unansweredCalls(closed)).toEqual([]);
				expect(closingResults(closed, ' by user', countedClock('d'))).toEqual([]);
			}),
			{numRuns: runs, seed: 20_260_102, verbose: 1},
		);
	});
});

function expectPaired(sent: readonly ModelMessage[]): void {
	const seen = new Set<string>();
	sent.forEach((message, index) => {
		if (message.role === 'assistant') {
			const ids = message.parts.filter(part => part.type === 'tool_call').map(part => part.callId);
			for (const id of ids) expect(seen.has(id)).toBe(false);
			for (const id of ids) seen.add(id);
			const next = sent[index + 1];
			expect(next?.role === 'tool' ? next.results.map(answer => answer.callId) : []).toEqual(ids);
			expect(message.parts.some(part => part.type !== 'reasoning')).toBe(true);
		}
		if (message.role === 'tool') expect(sent[index - 1]?.role).toBe('assistant');
	});
}
