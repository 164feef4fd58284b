import {describe, expect, it} from 'vitest';
import {type Segment} from '../../../src/pod/protocol.ts';
import {createEditor, edit} from '../../../src/screen/editor/editor.ts';
import {segment} from '../../../src/screen/editor/graphemes.ts';
import {layout} from '../../../src/screen/editor/layout.ts';
import {fromSegments, toSegments} from '../../../src/screen/editor/segments.ts';
import {spansText} from '../../../src/text/span.ts';
import {run, typed, show, press, left, erase} from './edited.ts';

describe('graphemes', () => {
	it('such as a family, typed code point by code point, are one step and one deletion', () => {
		const family = typed('a👨‍👩‍👧‍👦');
		expect(press(family, left)).toBe('a|👨‍👩‍👧‍👦');
		expect(press(family, erase)).toBe('a|');
	});

	it('such as flags, marks, Hangul and Thai are deleted whole', () => {
		expect(press(typed('🇩🇪🇫🇷'), erase)).toBe('🇩🇪|');
		expect(press(typed('xe\u0301'), erase)).toBe('x|');
		expect(press(typed('日本'), erase)).toBe('日|');
		expect(press(typed('각'.normalize('NFD')), erase)).toBe('|');
	});

	it('combine again when half a flag precedes flags, and the caret stays on a boundary', () => {
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

describe('words in the composer', () => {
	it.each([
		['one two.three', ['one two.|three', 'one two|.three', 'one |two.three', '|one two.three']],
		['foo  ', ['|foo  ']],
		[
			'日本語のテキストです',
			['日本語のテキスト|です', '日本語の|テキストです', '日本語|のテキストです', '|日本語のテキストです'],
		],
		['a\n  b', ['a\n  |b', '|a\n  b']],
		['größe ok', ['größe |ok', '|größe ok']],
	])('have caret stops at their starts towards the left in %j', (text, stops) => {
		let editor = typed(text);
		for (const stop of stops) {
			editor = edit(editor, {type: 'move', to: 'word left'});
			expect(show(editor)).toBe(stop);
		}
	});

	it('have caret stops at their ends towards the right', () => {
		const start = edit(typed('one two\n三つ'), {type: 'move', to: 'start'});
		const right = {type: 'move', to: 'word right'} as const;
		expect(press(start, right)).toBe('one| two\n三つ');
		expect(press(start, right, right)).toBe('one two|\n三つ');
		expect(press(start, right, right, right)).toBe('one two\n三|つ');
	});
});

describe('kill and yank', () => {
	it('join several kills in a row', () => {
		const editor = typed('one two three');
		const word = {type: 'kill', to: 'word left'} as const;
		expect(press(editor, word, word)).toBe('one |');
		expect(press(editor, word, word, {type: 'move', to: 'line start'}, {type: 'yank'})).toBe('two three|one ');
	});

	it('kill to the end of a line, and the newline when repeated', () => {
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

	it('cycle through earlier kills', () => {
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

	it('restore a killed chip as a whole', () => {
		const editor = run([{type: 'paste', text: 'a\nb'}, {type: 'kill', to: 'line start'}, {type: 'yank'}]);
		expect(toSegments(editor.draft)).toEqual([{type: 'paste', id: '1', chars: 3, lines: 2, content: 'a\nb'}]);
	});
});

describe('undo in the composer', () => {
	it('removes typed words one by one', () => {
		const editor = typed('one two  three');
		expect(press(editor, {type: 'undo'})).toBe('one two  |');
		expect(press(editor, {type: 'undo'}, {type: 'undo'})).toBe('one |');
		expect(press(editor, {type: 'undo'}, {type: 'undo'}, {type: 'redo'})).toBe('one two  |');
		expect(press(editor, {type: 'undo'}, {type: 'insert', text: 'x'}, {type: 'redo'})).toBe('one two  x|');
	});

	it('removes again what was redone', () => {
		const [undo, redo] = [{type: 'undo'}, {type: 'redo'}] as const;
		expect(press(typed('one two  three'), undo, undo, redo, redo, undo, undo)).toBe('one |');
	});

	it('restores repeated deletions in one step, and a cleared message', () => {
		const editor = typed('word');
		expect(press(editor, erase, erase, erase, {type: 'undo'})).toBe('word|');
		expect(press(editor, {type: 'clear'})).toBe('|');
		expect(press(editor, {type: 'clear'}, {type: 'undo'})).toBe('word|');
	});
});

describe('pastes', () => {
	it.each([
		['short and on one line', 'x'.repeat(200), 'text'],
		['with one line and its newline', 'cd src\n', 'text'],
		['of 200 emoji', '👍'.repeat(200), 'text'],
		['longer than 200 characters', 'x'.repeat(201), 'paste'],
		['with two lines', 'a\nb', 'paste'],
		['with bare returns, as terminals paste', 'a\rb', 'paste'],
	])('%s become %s', (_name, text, type) => {
		expect(toSegments(run([{type: 'paste', text}]).draft).map(segment => segment.type)).toEqual([type]);
	});

	it('keep their text with LF as newline, and get numbers', () => {
		const segments = toSegments(
			run([
				{type: 'paste', text: 'a\r\n\x1b[31mb\tc'},
				{type: 'insert', text: ' and '},
				{type: 'paste', text: 'x\ny'},
			]).draft,
		);
		expect(segments).toEqual([
			{type: 'paste', id: '1', chars: 10, lines: 2, content: 'a\n\x1b[31mb\tc'},
			{type: 'text', text: ' and '},
			{type: 'paste', id: '2', chars: 3, lines: 2, content: 'x\ny'},
		]);
	});

	it('are a single unit, drawn as a chip', () => {
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

	it.each<[string, Segment[]]>([
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
	])('of a file chip include the range in %j typed after it, if there is one', (text, expected) => {
		expect(
			toSegments(
				run([
					{type: 'chip', chip: file},
					{type: 'insert', text},
				]).draft,
			),
		).toEqual(expected);
	});

	it('return from a resolved message without their outcomes', () => {
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

	it('are empty for an empty message', () => {
		expect(toSegments(createEditor().draft)).toEqual([]);
	});
});
