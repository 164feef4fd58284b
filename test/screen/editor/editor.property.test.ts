import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {createEditor, edit} from '../../../src/screen/editor/editor.ts';
import type {EditAction} from '../../../src/screen/editor/undo.ts';
import {segment, type Line} from '../../../src/screen/editor/graphemes.ts';
import {layout} from '../../../src/screen/editor/layout.ts';
import {fromSegments, toSegments} from '../../../src/screen/editor/segments.ts';
import {width} from '../../../src/text/width.ts';
import {spansText} from '../../../src/text/span.ts';
import {run} from './edited.ts';

const long = process.env['INKPOD_TEST'] === 'long';
const pieces = [
	'a',
	'B',
	' ',
	'\n',
	'-',
	'é',
	'e\u0301',
	'\u0301',
	'日',
	'あ',
	'ア',
	'한',
	'\u11ab',
	'👩',
	'\u200d',
	'👧',
	'🇩',
	'🇪',
	'👍🏽',
	'\t',
	'\x1b',
	'\u202e',
	'ส',
	'ำ',
	'\ud800',
	'👨‍👩‍👧‍👦',
	'क',
	'\u094d',
	'ع',
];
const motions = ['left', 'right', 'word left', 'word right', 'line start', 'line end', 'start', 'end'] as const;

const actionArbitrary: fc.Arbitrary<EditAction> = fc.oneof(
	{
		weight: 6,
		arbitrary: fc
			.array(fc.constantFrom(...pieces), {minLength: 1, maxLength: 4})
			.map(parts => ({type: 'insert' as const, text: parts.join('')})),
	},
	{
		weight: 2,
		arbitrary: fc
			.constantFrom('x', 'one line', 'two\nlines', 'a\r\nb\rc', 'y'.repeat(300), '')
			.map(text => ({type: 'paste' as const, text})),
	},
	{
		weight: 1,
		arbitrary: fc
			.constantFrom('src/a.ts', 'a b.md')
			.map(path => ({type: 'chip' as const, chip: {type: 'file_ref' as const, path}})),
	},
	{
		weight: 1,
		arbitrary: fc
			.constantFrom('review', 'fix-it')
			.map(slug => ({type: 'chip' as const, chip: {type: 'workflow' as const, slug}})),
	},
	{weight: 6, arbitrary: fc.constantFrom(...motions).map(to => ({type: 'move' as const, to}))},
	{weight: 3, arbitrary: fc.constantFrom('up', 'down').map(type => ({type: type as 'up'}))},
	{weight: 3, arbitrary: fc.constantFrom(...motions).map(to => ({type: 'erase' as const, to}))},
	{weight: 3, arbitrary: fc.constantFrom(...motions).map(to => ({type: 'kill' as const, to}))},
	{
		weight: 3,
		arbitrary: fc
			.constantFrom('yank', 'yank earlier', 'undo', 'redo', 'clear')
			.map(type => ({type: type as 'undo'})),
	},
	{weight: 1, arbitrary: fc.integer({min: 4, max: 60}).map(columns => ({type: 'resize' as const, columns}))},
);

/** Segments the text of a line again. */
function segmented(line: Line): Line {
	const atoms: Array<Line[number]> = [];
	let run = '';
	for (const atom of [...line, undefined]) {
		if (typeof atom === 'string') run += atom;
		else {
			atoms.push(...segment(run), ...(atom === undefined ? [] : [atom]));
			run = '';
		}
	}
	return atoms;
}

describe('any sequence of actions', () => {
	it('leaves the cursor between graphemes, and lines segmented as a whole', () => {
		fc.assert(
			fc.property(fc.array(actionArbitrary, {maxLength: 40}), actions => {
				let editor = createEditor(20);
				for (const action of actions) {
					editor = edit(editor, action);
					const line = editor.draft[editor.cursor.line]!;
					expect(editor.cursor.column).toBeLessThanOrEqual(line.length);
					for (const each of editor.draft) expect(each).toEqual(segmented(each));
				}
			}),
			{numRuns: long ? 20_000 : 400, seed: 11},
		);
	});

	it('can be undone to the empty message and redone to the last one', () => {
		fc.assert(
			fc.property(fc.array(actionArbitrary, {maxLength: 40}), actions => {
				const editor = run(
					actions.filter(({type}) => type !== 'undo' && type !== 'redo' && type !== 'yank earlier'),
				);
				const times = Array.from({length: editor.undo.past.length}, () => editor);
				const undone = run(
					times.map(() => ({type: 'undo'})),
					editor,
				);
				expect(undone.draft).toEqual([[]]);
				const redone = run(
					times.map(() => ({type: 'redo'})),
					undone,
				);
				expect(redone.draft).toEqual(editor.draft);
			}),
			{numRuns: long ? 20_000 : 300, seed: 12},
		);
	});

	it('produces segments that produce the same message again', () => {
		fc.assert(
			fc.property(fc.array(actionArbitrary, {maxLength: 40}), actions => {
				const {draft} = run(actions);
				const segments = toSegments(draft);
				expect(fromSegments(segments)).toEqual(draft);
				expect(toSegments(fromSegments(segments))).toEqual(segments);
				expect(
					segments.every((segment, index) => segment.type !== 'text' || segments[index + 1]?.type !== 'text'),
				).toBe(true);
			}),
			{numRuns: long ? 20_000 : 300, seed: 13},
		);
	});

	it('is drawn in rows that fit, with the caret inside and no control byte', () => {
		fc.assert(
			fc.property(
				fc.array(actionArbitrary, {maxLength: 30}),
				fc.integer({min: 16, max: 40}),
				fc.integer({min: 1, max: 6}),
				(actions, columns, maxRows) => {
					const {draft, cursor} = run([
						{type: 'resize', columns},
						...actions.filter(({type}) => type !== 'resize'),
					]);
					const {rows, caret} = layout(draft, cursor, columns, maxRows);
					expect(rows.length).toBeLessThanOrEqual(maxRows);
					expect(caret.y).toBeLessThan(rows.length);
					expect(caret.x).toBeLessThan(columns);
					for (const row of rows) {
						const bare = spansText(row);
						expect(bare).not.toMatch(/[\x00-\x1f\x7f-\x9f]/);
						expect(width(bare)).toBeLessThan(columns);
					}
				},
			),
			{numRuns: long ? 20_000 : 300, seed: 14},
		);
	});
});
