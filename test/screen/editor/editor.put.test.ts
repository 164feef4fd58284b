import {textOfAtom} from '../../../src/screen/editor/graphemes.ts';
import {describe, expect, it} from 'vitest';
import {flatten, type Segment} from '../../../src/pod/protocol.ts';
import {createEditor, edit, type Editor} from '../../../src/screen/editor/editor.ts';
import type {EditAction} from '../../../src/screen/editor/undo.ts';
import {toSegments} from '../../../src/screen/editor/segments.ts';

const file: Segment = {type: 'file_ref', path: 'src/a.ts'};

function run(actions: readonly EditAction[], from: Editor = createEditor()): Editor {
	return actions.reduce(edit, from);
}

function typed(text: string, from?: Editor): Editor {
	return run(
		Array.from(text, character => ({type: 'insert', text: character})),
		from,
	);
}

const put = (from: number, to: number, space = true, segments: readonly Segment[] = [file]): EditAction => ({
	type: 'put',
	from,
	to,
	segments,
	space,
});

/** Returns the draft with chips in brackets and the caret as a bar. */
function show({draft, cursor}: Editor): string {
	return draft
		.map((line, index) => {
			const atoms = line.map(atom =>
				typeof atom === 'object' && atom.type !== 'pasted' ? `[${flatten([atom])}]` : textOfAtom(atom),
			);
			if (index === cursor.line) atoms.splice(cursor.column, 0, '|');
			return atoms.join('');
		})
		.join('\n');
}

describe('a picked entry', () => {
	it('replaces the token, adds a space, and is one step to undo', () => {
		const editor = edit(typed('see @sr'), put(4, 7));
		expect(show(editor)).toBe('see [@src/a.ts] |');
		expect(show(edit(editor, {type: 'undo'}))).toBe('see @sr|');
		expect(show(run([{type: 'undo'}, {type: 'redo'}], editor))).toBe('see [@src/a.ts] |');
	});

	it.each([
		['@a b', '[@src/a.ts] |b'],
		['@a)', '[@src/a.ts]|)'],
		['@aを', '[@src/a.ts] |を'],
		['@a\nb', '[@src/a.ts] |\nb'],
	])('respects the text after it in %j', (text, shown) => {
		const editor = run(
			[
				{type: 'move', to: 'start'},
				{type: 'move', to: 'right'},
				{type: 'move', to: 'right'},
			],
			typed(text),
		);
		expect(show(edit(editor, put(0, 2)))).toBe(shown);
	});

	it('leaves the caret after a piece of text', () => {
		expect(show(edit(typed('/he'), put(0, 3, false, [{type: 'text', text: '/help'}])))).toBe('/help|');
	});

	it('becomes a chip, a single unit for the caret and for deleting', () => {
		const editor = edit(typed('@a'), put(0, 2, false));
		expect(show(edit(editor, {type: 'move', to: 'left'}))).toBe('|[@src/a.ts]');
		expect(show(edit(editor, {type: 'erase', to: 'left'}))).toBe('|');
		expect(
			show(
				edit(edit(editor, put(1, 1, false, [{type: 'workflow', slug: 'review'}])), {type: 'move', to: 'left'}),
			),
		).toBe('[@src/a.ts]|[/review]');
	});
});

describe('a range typed after a picked file', () => {
	const picked = edit(typed('@a'), put(0, 2));

	it.each([
		[':10', '[@src/a.ts]:10|', [{...file, range: {first: 10, last: 10}}]],
		[
			':10-20 ',
			'[@src/a.ts:10-20] |',
			[
				{...file, range: {first: 10, last: 20}},
				{type: 'text', text: ' '},
			],
		],
		[
			'#L3-L4\nx',
			'[@src/a.ts:3-4]\nx|',
			[
				{...file, range: {first: 3, last: 4}},
				{type: 'text', text: '\nx'},
			],
		],
		[': what', '[@src/a.ts] : what|', [file, {type: 'text', text: ' : what'}]],
		['#12', '[@src/a.ts] #12|', [file, {type: 'text', text: ' #12'}]],
		['10', '[@src/a.ts] 10|', [file, {type: 'text', text: ' 10'}]],
	])('replaces the space and joins the chip: %j', (text, shown, segments) => {
		expect(show(typed(text, picked))).toBe(shown);
		expect(toSegments(typed(text, picked).draft)).toEqual(segments);
	});

	it('is removed by undo, which restores the space', () => {
		expect(show(edit(typed(':1', picked), {type: 'undo'}))).toBe('[@src/a.ts] |');
	});

	it('is recognised when it is pasted', () => {
		expect(show(edit(picked, {type: 'paste', text: ':3-9'}))).toBe('[@src/a.ts]:3-9|');
	});

	it('stays text after the caret was elsewhere', () => {
		const back = run(
			[
				{type: 'move', to: 'left'},
				{type: 'move', to: 'right'},
			],
			picked,
		);
		expect(show(typed(':1', back))).toBe('[@src/a.ts] :1|');
	});

	it('separates from the chip again on undo', () => {
		expect(show(edit(typed(':10 ', picked), {type: 'undo'}))).toBe('[@src/a.ts]:10|');
	});
});
