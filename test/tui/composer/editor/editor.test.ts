import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {flatten, type Segment} from '../../../../src/pod/protocol.ts';
import {createEditor, edit, type EditAction, type Editor} from '../../../../src/tui/composer/editor/editor.ts';
import {segment, type Line} from '../../../../src/tui/composer/editor/graphemes.ts';
import {layout} from '../../../../src/tui/composer/editor/layout.ts';
import {fromSegments, toSegments} from '../../../../src/tui/composer/editor/segments.ts';
import {width} from '../../../../src/tui/text/width.ts';
import {spansText} from '../../../../src/tui/text/span.ts';

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

/** What a fresh segmentation of the line's text gives. */
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

function run(actions: readonly EditAction[], from = createEditor(20)): Editor {
	return actions.reduce(edit, from);
}

function typed(text: string, columns = 80): Editor {
	return run(
		Array.from(text, character => ({type: 'insert', text: character})),
		createEditor(columns),
	);
}

/** The draft as text, the caret as a bar. */
function show({draft, cursor}: Editor): string {
	return draft
		.map((line, index) => {
			const atoms = line.map(atom => (typeof atom === 'string' ? atom : `[${flatten([atom])}]`));
			if (index === cursor.line) atoms.splice(cursor.column, 0, '|');
			return atoms.join('');
		})
		.join('\n');
}

function press(editor: Editor, ...actions: readonly EditAction[]): string {
	return show(run(actions, editor));
}

const left = {type: 'move', to: 'left'} as const;
const erase = {type: 'erase', to: 'left'} as const;

describe('any actions', () => {
	test('leave the cursor between graphemes, and lines segmented as a whole', () => {
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

	test('are undone to the empty draft and redone to the last', () => {
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

	test('make segments that make the same draft again', () => {
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

	test('are drawn in rows that fit, with the caret inside and no control byte', () => {
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

describe('graphemes', () => {
	test('a family typed code point by code point, is one step and one erase', () => {
		const family = typed('a👨‍👩‍👧‍👦');
		expect(press(family, left)).toBe('a|👨‍👩‍👧‍👦');
		expect(press(family, erase)).toBe('a|');
	});

	test('flags, marks, Hangul and Thai, are erased whole', () => {
		expect(press(typed('🇩🇪🇫🇷'), erase)).toBe('🇩🇪|');
		expect(press(typed('xe\u0301'), erase)).toBe('x|');
		expect(press(typed('日本'), erase)).toBe('日|');
		expect(press(typed('각'.normalize('NFD')), erase)).toBe('|');
	});

	test('half a flag put before flags, pairs them anew and keeps the caret on a boundary', () => {
		const editor = run(
			[
				{type: 'move', to: 'line start'},
				{type: 'insert', text: '🇫'},
			],
			typed('🇩🇪🇫🇷'),
		);
		expect(editor.draft[0]).toEqual(segment('🇫🇩🇪🇫🇷'));
	});
});

describe('words', () => {
	test.each([
		['one two.three', ['one two.|three', 'one two|.three', 'one |two.three', '|one two.three']],
		['foo  ', ['|foo  ']],
		[
			'日本語のテキストです',
			['日本語のテキスト|です', '日本語の|テキストです', '日本語|のテキストです', '|日本語のテキストです'],
		],
		['a\n  b', ['a\n  |b', '|a\n  b']],
		['größe ok', ['größe |ok', '|größe ok']],
	])('%j walked to the left', (text, stops) => {
		let editor = typed(text);
		for (const stop of stops) {
			editor = edit(editor, {type: 'move', to: 'word left'});
			expect(show(editor)).toBe(stop);
		}
	});

	test('walked to the right, stops at the ends of words', () => {
		const start = edit(typed('one two\n三つ'), {type: 'move', to: 'start'});
		const right = {type: 'move', to: 'word right'} as const;
		expect(press(start, right)).toBe('one| two\n三つ');
		expect(press(start, right, right)).toBe('one two|\n三つ');
		expect(press(start, right, right, right)).toBe('one two\n三|つ');
	});
});

describe('kill and yank', () => {
	test('kills in a row, are yanked as one', () => {
		const editor = typed('one two three');
		const word = {type: 'kill', to: 'word left'} as const;
		expect(press(editor, word, word)).toBe('one |');
		expect(press(editor, word, word, {type: 'move', to: 'line start'}, {type: 'yank'})).toBe('two three|one ');
	});

	test('kill to the end of a line, then again, takes the newline', () => {
		const editor = run(
			[
				{type: 'move', to: 'start'},
				{type: 'kill', to: 'line end'},
			],
			typed('one\ntwo'),
		);
		expect(show(editor)).toBe('|\ntwo');
		expect(press(editor, {type: 'kill', to: 'line end'})).toBe('|two');
		expect(press(editor, {type: 'kill', to: 'line end'}, {type: 'yank'})).toBe('one\n|two');
	});

	test('yank earlier, goes round what was killed', () => {
		const editor = run(
			[
				{type: 'kill', to: 'line start'},
				{type: 'insert', text: 'two'},
				{type: 'kill', to: 'line start'},
				{type: 'yank'},
			],
			typed('one'),
		);
		expect(show(editor)).toBe('two|');
		expect(press(editor, {type: 'yank earlier'})).toBe('one|');
		expect(press(editor, {type: 'yank earlier'}, {type: 'yank earlier'})).toBe('two|');
		expect(press(editor, left, {type: 'yank earlier'})).toBe('tw|o');
	});

	test('a chip that was killed, comes back whole', () => {
		const editor = run([{type: 'paste', text: 'a\nb'}, {type: 'kill', to: 'line start'}, {type: 'yank'}]);
		expect(toSegments(editor.draft)).toEqual([{type: 'paste', id: '1', chars: 3, lines: 2, content: 'a\nb'}]);
	});
});

describe('undo', () => {
	test('typed words, go one by one', () => {
		const editor = typed('one two  three');
		expect(press(editor, {type: 'undo'})).toBe('one two  |');
		expect(press(editor, {type: 'undo'}, {type: 'undo'})).toBe('one |');
		expect(press(editor, {type: 'undo'}, {type: 'undo'}, {type: 'redo'})).toBe('one two  |');
		expect(press(editor, {type: 'undo'}, {type: 'insert', text: 'x'}, {type: 'redo'})).toBe('one two  x|');
	});

	test('erasing in a row, is one step; a cleared draft comes back', () => {
		const editor = typed('word');
		expect(press(editor, erase, erase, erase, {type: 'undo'})).toBe('word|');
		expect(press(editor, {type: 'clear'})).toBe('|');
		expect(press(editor, {type: 'clear'}, {type: 'undo'})).toBe('word|');
	});
});

describe('pastes', () => {
	test.each([
		['short and on one line', 'x'.repeat(200), 'text'],
		['of one line and its newline', 'cd src\n', 'text'],
		['of 200 emoji', '👍'.repeat(200), 'text'],
		['longer than 200 characters', 'x'.repeat(201), 'paste'],
		['of two lines', 'a\nb', 'paste'],
		['of bare returns, as terminals paste', 'a\rb', 'paste'],
	])('%s, becomes %s', (_name, text, type) => {
		expect(toSegments(run([{type: 'paste', text}]).draft).map(segment => segment.type)).toEqual([type]);
	});

	test('are stored as they came, with LF as newline, and numbered', () => {
		const segments = toSegments(
			run([
				{type: 'paste', text: 'a\r\n\x1b[31mb\tc\r'},
				{type: 'insert', text: ' and '},
				{type: 'paste', text: 'x\ny'},
			]).draft,
		);
		expect(segments).toEqual([
			{type: 'paste', id: '1', chars: 11, lines: 2, content: 'a\n\x1b[31mb\tc\n'},
			{type: 'text', text: ' and '},
			{type: 'paste', id: '2', chars: 3, lines: 2, content: 'x\ny'},
		]);
	});

	test('are one atom, drawn as a chip', () => {
		const editor = run(
			[
				{type: 'insert', text: 'see '},
				{type: 'paste', text: 'a\n'.repeat(1200)},
			],
			createEditor(60),
		);
		expect(layout(editor.draft, editor.cursor, 60, 3).rows.map(row => spansText(row))).toEqual([
			'see [paste #1: 1,200 lines]',
		]);
		expect(press(editor, erase)).toBe('see |');
	});
});

describe('segments', () => {
	const file = {type: 'file_ref', path: 'src/a.ts'} as const;

	test.each<[string, Segment[]]>([
		[
			':10-20 please',
			[
				{...file, range: {first: 10, last: 20}},
				{type: 'text', text: ' please'},
			],
		],
		[':10', [{...file, range: {first: 10, last: 10}}]],
		[':10-', [{...file, range: {first: 10}}]],
		[
			'#L10-L20.',
			[
				{...file, range: {first: 10, last: 20}},
				{type: 'text', text: '.'},
			],
		],
		[':0', [file, {type: 'text', text: ':0'}]],
		[':20-10', [file, {type: 'text', text: ':20-10'}]],
		[': 10', [file, {type: 'text', text: ': 10'}]],
		[':10x', [file, {type: 'text', text: ':10x'}]],
	])('a file chip with %j typed behind it', (text, expected) => {
		expect(
			toSegments(
				run([
					{type: 'chip', chip: file},
					{type: 'insert', text},
				]).draft,
			),
		).toEqual(expected);
	});

	test('a submission that was resolved, comes back without its outcomes', () => {
		const segments: Segment[] = [
			{type: 'text', text: 'a\n'},
			{
				type: 'file_ref',
				path: 'b c.md',
				range: {first: 3, last: 4},
				confirmed: true,
				outcome: {failed: 'denied'},
			},
			{type: 'workflow', slug: 'review', arguments: 'now'},
		];
		expect(toSegments(fromSegments(segments))).toEqual([
			{type: 'text', text: 'a\n'},
			{type: 'file_ref', path: 'b c.md', range: {first: 3, last: 4}},
			{type: 'workflow', slug: 'review', arguments: 'now'},
		]);
	});

	test('an empty draft, has none', () => {
		expect(toSegments(createEditor().draft)).toEqual([]);
	});
});
