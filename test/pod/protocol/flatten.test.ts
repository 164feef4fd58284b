import {describe, expect, it} from 'vitest';
import {flatten, quoted, rangeSuffix, type Segment} from '../../../src/pod/protocol.ts';

const file = (path: string, rest: object = {}): Segment => ({type: 'file_ref', path, ...rest});

describe('flattened text', () => {
	it.each<[string, Segment[], string]>([
		['nothing', [], ''],
		['text, verbatim', [{type: 'text', text: ' a\r\n@b \\@c '}], ' a\r\n@b \\@c '],
		[
			'a paste, its content verbatim',
			[{type: 'paste', id: '1', chars: 9, lines: 2, content: '@a.md\r\n/x'}],
			'@a.md\r\n/x',
		],
		['a path', [file('src/a.ts')], '@src/a.ts'],
		['a path with a space', [file('a b.md')], '@"a b.md"'],
		['a range', [file('a.ts', {range: {first: 10, last: 20}})], '@a.ts:10-20'],
		['one line', [file('a.ts', {range: {first: 10, last: 10}})], '@a.ts:10'],
		['an open range behind quotes', [file('a b.ts', {range: {first: 10}})], '@"a b.ts":10-'],
		['an attached file', [file('a.ts', {outcome: {item: 'x'}})], '@a.ts'],
		['a failed one', [file('a b.ts', {outcome: {failed: 'not_found'}})], '[unresolved file ref: a b.ts]'],
		[
			'a failed one with its range',
			[file('a.ts', {range: {first: 3}, outcome: {failed: 'bad_range'}})],
			'[unresolved file ref: a.ts:3-]',
		],
		['a workflow', [{type: 'workflow', slug: 'review'}], '/review'],
		[
			'a workflow with arguments',
			[{type: 'workflow', slug: 'review', arguments: 'all of it'}],
			'/review all of it',
		],
		[
			'all together, with nothing in between',
			[
				{type: 'text', text: 'see '},
				file('a.ts'),
				{type: 'text', text: ', '},
				file('b.ts', {outcome: {failed: 'io'}}),
			],
			'see @a.ts, [unresolved file ref: b.ts]',
		],
	])('%s', (_, segments, expected) => {
		expect(flatten(segments)).toBe(expected);
	});

	it.each([
		['a.ts', 'a.ts'],
		['a"b', '"a\\"b"'],
		['a\\b', '"a\\\\b"'],
		["it's", `"it's"`],
		['a`b', '"a`b"'],
		['a\u3000b', '"a\u3000b"'],
		['a。b', '"a。b"'],
		['end.', '"end."'],
		['(x)', '"(x)"'],
		['x:10', 'x:10'],
		['日本.md', '日本.md'],
	])('quotes %j as %j', (path, expected) => {
		expect(quoted(path)).toBe(expected);
	});

	it('has no suffix without a range', () => {
		expect(rangeSuffix(undefined)).toBe('');
	});
});
