import {describe, expect, it} from 'vitest';
import {asWritten, flatten, quoted, rangeSuffix, type Segment} from '../../../src/pod/protocol.ts';

const file = (path: string, rest: object = {}): Segment => ({type: 'file_ref', path, ...rest});

describe('flattened text', () => {
	it.each<[string, Segment[], string]>([
		['nothing', [], ''],
		['text, verbatim', [{type: 'text', text: ' a\r\n@b \\@c '}], ' a\r\n@b \\@c '],
		[
			'contains a paste verbatim',
			[{type: 'paste', id: '1', chars: 9, lines: 2, content: '@a.md\r\n/x'}],
			'@a.md\r\n/x',
		],
		['contains a path', [file('src/a.ts')], '@src/a.ts'],
		['quotes a path with a space', [file('a b.md')], '@"a b.md"'],
		['contains a range', [file('a.ts', {range: {first: 10, last: 20}})], '@a.ts:10-20'],
		['contains a range of one line', [file('a.ts', {range: {first: 10, last: 10}})], '@a.ts:10'],
		['contains an open range after quotes', [file('a b.ts', {range: {first: 10}})], '@"a b.ts":10-'],
		['contains the path of an attached file', [file('a.ts', {outcome: {item: 'x'}})], '@a.ts'],
		[
			'contains the placeholder of a failed file',
			[file('a b.ts', {outcome: {failed: 'not_found'}})],
			'[unresolved file ref: a b.ts]',
		],
		[
			'contains the placeholder of a failed file with its range',
			[file('a.ts', {range: {first: 3}, outcome: {failed: 'bad_range'}})],
			'[unresolved file ref: a.ts:3-]',
		],
		['contains a workflow', [{type: 'workflow', slug: 'review'}], '/review'],
		[
			'contains a workflow with its arguments',
			[{type: 'workflow', slug: 'review', arguments: 'all of it'}],
			'/review all of it',
		],
		[
			'joins all segments without separators',
			[
				{type: 'text', text: 'see '},
				file('a.ts'),
				{type: 'text', text: ', '},
				file('b.ts', {outcome: {failed: 'io'}}),
			],
			'see @a.ts, [unresolved file ref: b.ts]',
		],
	])('is correct for %s', (_, segments, expected) => {
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

it('a title shows a file that could not be attached as it was written', () => {
	const outcome = {failed: 'not_found'} as const;
	const text = flatten([
		{type: 'text', text: 'explain '},
		{type: 'file_ref', path: 'no.ts', range: {first: 3, last: 5}, outcome},
		{type: 'text', text: ' please'},
	]);
	expect(asWritten(text)).toBe('explain @no.ts:3-5 please');
	expect(asWritten('nothing [unresolved here')).toBe('nothing [unresolved here');
});
