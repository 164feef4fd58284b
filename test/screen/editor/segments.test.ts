import {makePaste} from '../../../src/screen/editor/chip.ts';
import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import type {Segment} from '../../../src/pod/protocol.ts';
import {chipLabel} from '../../../src/screen/editor/chip.ts';
import {rangeAtEnd, rangeAtStart} from '../../../src/screen/editor/chip-range.ts';
import {compose, createComposer, submit} from '../../../src/screen/model/composer/composer-state.ts';
import {fromSegments, toSegments} from '../../../src/screen/editor/segments.ts';

const long = process.env['INKPOD_TEST'] === 'long';

const words = fc
	.array(
		fc.constantFrom(
			'a',
			' ',
			'\n',
			':',
			'1',
			'#L2',
			'@',
			'/',
			'日',
			'e\u0301',
			'\u0301',
			'👨‍👩‍👧',
			'\x1b',
			'"',
			'\\',
			'\r',
		),
		{minLength: 1, maxLength: 6},
	)
	.map(parts => parts.join(''));
const range = fc.option(fc.record({first: fc.integer({min: 1, max: 99})}), {nil: undefined});
const segmentArbitrary: fc.Arbitrary<Segment> = fc.oneof(
	words.map(text => ({type: 'text' as const, text})),
	fc
		.record({path: words, range})
		.map(({path, range}) => ({type: 'file_ref' as const, path, ...(range !== undefined && {range})})),
	fc
		.record({id: fc.constantFrom('1', '2', 'x\x1b'), content: words})
		.map(({id, content}) => makePaste(id, content.repeat(content === '' ? 0 : 1001))),
	fc
		.record({slug: fc.constantFrom('review', 'fix-it'), args: fc.option(words, {nil: undefined})})
		.map(({slug, args}) => ({type: 'workflow' as const, slug, ...(args !== undefined && {arguments: args})})),
);

/** The segments are as a composer makes them: no two texts in a row, and no range after a file chip. */
const segmentsArbitrary = fc
	.array(segmentArbitrary, {maxLength: 8})
	.map(segments =>
		segments.filter((segment, index) => {
			const last = segments[index - 1];
			return (
				segment.type !== 'text' ||
				(last?.type !== 'text' &&
					!(
						last?.type === 'file_ref' &&
						last.range === undefined &&
						rangeAtStart(segment.text) !== undefined
					))
			);
		}),
	)
	.filter(segments =>
		segments.every((segment, index) => segment.type !== 'text' || segments[index - 1]?.type !== 'text'),
	);

describe('segments', () => {
	it('of every kind become a message and the same segments again', () => {
		fc.assert(
			fc.property(segmentsArbitrary, segments => {
				expect(toSegments(fromSegments(segments))).toEqual(segments);
			}),
			{numRuns: long ? 20_000 : 500, seed: 31},
		);
	});

	it('become chips again when their message is refused, returned or recalled', () => {
		const segments: Segment[] = [
			{type: 'workflow', slug: 'review'},
			{type: 'text', text: ' now '},
			{type: 'file_ref', path: 'a b.md', range: {first: 3}},
			{type: 'paste', id: '1', chars: 3, lines: 2, content: 'a\nb'},
		];
		const draft = compose(createComposer(), {type: 'replace', segments});
		const refused = compose(submit(draft).state, {type: 'refused'});
		const returned = compose(createComposer(), {type: 'returned', segments});
		const recalled = compose(compose(createComposer(), {type: 'sent', segments}), {type: 'previous'});
		for (const state of [refused, returned, recalled]) expect(toSegments(state.editor.draft)).toEqual(segments);
	});
});

describe('chips', () => {
	it.each<[Exclude<Segment, {type: 'text'}>, string]>([
		[{type: 'file_ref', path: 'my notes/a.md', range: {first: 3, last: 9}}, '@"my notes/a.md":3-9'],
		[{type: 'workflow', slug: 'review'}, '/review'],
		[{type: 'workflow', slug: 'review', arguments: 'now\n\x1b[2J'}, '/review now␊␛[2J'],
		[{type: 'file_ref', path: 'a\x1b]0;x\x07\u202e.md'}, '@a␛]0;x␇⟨U+202E⟩.md'],
	])('are shown inert and on one row: %j', (chip, label) => {
		expect(chipLabel(chip)).toBe(label);
	});
});

it.each([
	['src/a.ts:10-20', ':10-20'],
	['src/a.ts:10-', ':10-'],
	['src/a.ts#L3', '#L3'],
	['src/a.ts:', ':'],
	['src/a.ts#L', '#L'],
	['src/a.ts', undefined],
	[':10', undefined],
	['src/a.ts:20-1', ':20-1'],
	['src/a.ts:0', undefined],
	['a:b', undefined],
])('the token %j ends in the range %j', (token, suffix) => {
	const found = rangeAtEnd(token);
	expect(found && token.slice(token.length - found.length)).toBe(suffix);
});
