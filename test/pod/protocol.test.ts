import {describe, expect, test} from 'vitest';
import {
	flatten,
	growTail,
	narrowOrigin,
	quoted,
	rangeSuffix,
	settleTail,
	type Item,
	type Segment,
} from '../../src/pod/protocol.ts';

const at = '2026-01-01T00:00:00.000Z';

describe('what the model reads of a segment', () => {
	test.each<[string, Segment, string]>([
		['text, as it is', {type: 'text', text: 'a\n b'}, 'a\n b'],
		['a paste, its content', {type: 'paste', id: '1', chars: 3, lines: 1, content: '@x '}, '@x '],
		[
			'a file ref, @path with its range',
			{type: 'file_ref', path: 'a.md', range: {first: 3, last: 9}, outcome: {item: 'i'}},
			'@a.md:3-9',
		],
		['a path with a space, quoted', {type: 'file_ref', path: 'my "b".md'}, '@"my \\"b\\".md"'],
		[
			'a failed ref, the placeholder',
			{type: 'file_ref', path: 'a b.md', range: {first: 3}, outcome: {failed: 'not_found'}},
			'[unresolved file ref: a b.md:3-]',
		],
		[
			'a workflow, its slug and arguments',
			{type: 'workflow', slug: 'review', arguments: 'all of it'},
			'/review all of it',
		],
	])('%s', (_name, segment, text) => {
		expect(flatten([segment])).toBe(text);
	});
});

test.each([
	[undefined, ''],
	[{first: 10}, ':10-'],
	[{first: 10, last: 10}, ':10'],
	[{first: 10, last: 20}, ':10-20'],
])('the range %o, is written %s', (range, text) => {
	expect(rangeSuffix(range)).toBe(text);
});

test.each(['a.md', 'src/a-b_c.ts', '日本.md'])('the path %s, needs no quotes', path => {
	expect(quoted(path)).toBe(path);
});

test('an origin of an unknown kind, or of a wrong shape, is none', () => {
	expect(narrowOrigin({kind: 'notice', about: 'x'})).toEqual({kind: 'notice', about: 'x'});
	expect([narrowOrigin(undefined), narrowOrigin({kind: 'hologram'}), narrowOrigin({kind: 'notice'})]).toEqual([
		undefined,
		undefined,
		undefined,
	]);
});

describe('the tail', () => {
	const text: Item = {id: 't', at, type: 'message', role: 'assistant', text: ''};
	const result: Item = {
		id: 'r',
		at,
		type: 'tool_result',
		callId: 'c',
		summary: '',
		content: '',
		isError: false,
		ms: 0,
	};
	const request: Item = {
		id: 'q',
		at,
		type: 'request',
		model: 'm',
		usage: {},
		requestHash: '',
		startedAt: at,
		endedAt: at,
		stop: 'end',
	};

	test('of deltas, grows the item that began; a delta of nothing that began is dropped', () => {
		const tail: Item[] = [];
		growTail(tail, {id: 't', text: 'a', begin: text});
		growTail(tail, {id: 't', text: 'b'});
		growTail(tail, {id: 'other', text: 'x'});
		expect(tail).toEqual([{...text, text: 'ab'}]);
	});

	test('is settled by the item of the same id; a request drops the open answer, a run’s end everything', () => {
		const tail: Item[] = [text, result];
		settleTail(tail, {...text, text: 'ab'});
		expect(tail).toEqual([result]);
		tail.push(text);
		settleTail(tail, request);
		expect(tail).toEqual([result]);
		settleTail(tail, {id: 'e', at, type: 'run_end', outcome: 'paused'});
		expect(tail).toEqual([]);
	});
});
