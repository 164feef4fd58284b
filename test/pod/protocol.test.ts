import {describe, expect, it} from 'vitest';
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

describe('the text of a segment', () => {
	it.each<[string, Segment, string]>([
		['is the text itself', {type: 'text', text: 'a\n b'}, 'a\n b'],
		['is the content of a paste', {type: 'paste', id: '1', chars: 3, lines: 1, content: '@x '}, '@x '],
		[
			'is @path and the range of a file ref',
			{type: 'file_ref', path: 'a.md', range: {first: 3, last: 9}, outcome: {item: 'i'}},
			'@a.md:3-9',
		],
		['quotes a path with a space', {type: 'file_ref', path: 'my "b".md'}, '@"my \\"b\\".md"'],
		[
			'is the placeholder of a failed ref',
			{type: 'file_ref', path: 'a b.md', range: {first: 3}, outcome: {failed: 'not_found'}},
			'[unresolved file ref: a b.md:3-]',
		],
		[
			'is the slug and the arguments of a workflow',
			{type: 'workflow', slug: 'review', arguments: 'all of it'},
			'/review all of it',
		],
	])('%s', (_name, segment, text) => {
		expect(flatten([segment])).toBe(text);
	});
});

describe('the protocol', () => {
	it.each([
		[undefined, ''],
		[{first: 10}, ':10-'],
		[{first: 10, last: 10}, ':10'],
		[{first: 10, last: 20}, ':10-20'],
	])('writes the range %o as %s', (range, text) => {
		expect(rangeSuffix(range)).toBe(text);
	});

	it.each(['a.md', 'src/a-b_c.ts', '日本.md'])('writes the path %s without quotes', path => {
		expect(quoted(path)).toBe(path);
	});

	it('ignores an origin with an unknown kind or a wrong shape', () => {
		expect(narrowOrigin({kind: 'notice', about: 'x'})).toEqual({kind: 'notice', about: 'x'});
		expect([narrowOrigin(undefined), narrowOrigin({kind: 'hologram'}), narrowOrigin({kind: 'notice'})]).toEqual([
			undefined,
			undefined,
			undefined,
		]);
	});
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

	it('appends a delta to its item, and drops a delta without an item', () => {
		const tail: Item[] = [];
		growTail(tail, {id: 't', text: 'a', begin: text});
		growTail(tail, {id: 't', text: 'b'});
		growTail(tail, {id: 'other', text: 'x'});
		expect(tail).toEqual([{...text, text: 'ab'}]);
	});

	it('is settled by the item of the same id, by a request, and by the end of a run', () => {
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
