import fc from 'fast-check';
import {expect, it} from 'vitest';
import {compose, createComposer, type ComposerAction} from '../../../../src/screen/model/composer/composer-state.ts';
import {
	chipsOf,
	isCommand,
	marksOf,
	mayStand,
	noMarks,
	pasteIdsOf,
} from '../../../../src/screen/model/preflight/marks.ts';

const actions = fc.oneof<Array<fc.Arbitrary<ComposerAction>>>(
	fc
		.constantFrom('@a.md ', 'word ', '\n', '＠日本', '/review', 'e\u0301', '\nmany\nlines @x\n', '😀')
		.map(text => ({type: 'insert', text}) as const),
	fc
		.constantFrom('left', 'right', 'word left', 'line start', 'start', 'end')
		.map(to => ({type: 'move', to}) as const),
	fc.constantFrom('left', 'word left', 'line end', 'start').map(to => ({type: 'kill', to}) as const),
	fc.constantFrom<ComposerAction>(
		{type: 'undo'},
		{type: 'redo'},
		{type: 'yank'},
		{type: 'clear'},
		{type: 'chip', chip: {type: 'file_ref', path: 'b c.md'}},
		{type: 'paste', text: '@in a\npaste\n'},
	),
);

it('the marks after each edit equal those of the whole message', () => {
	fc.assert(
		fc.property(fc.array(actions, {maxLength: 40}), steps => {
			let state = createComposer(20);
			let marks = noMarks;
			for (const step of steps) {
				state = compose(state, step);
				marks = marksOf(state.editor.draft, marks);
				expect(marks).toEqual(marksOf(state.editor.draft, noMarks));
			}
		}),
		{seed: 7, numRuns: process.env['INKPOD_TEST'] === 'long' ? 5000 : 200},
	);
});

it('a message of words has no marks, while a paste, a chip, an at sign or a slash is a mark', () => {
	const typed = (...steps: ComposerAction[]) =>
		marksOf(steps.reduce(compose, createComposer(40)).editor.draft, noMarks);
	expect(typed({type: 'insert', text: 'just words\nand 日本語'}).lines).toEqual([]);
	const pasted = typed({type: 'paste', text: 'a\nb'}, {type: 'paste', text: 'line\n'.repeat(40)});
	expect([...pasteIdsOf(pasted)]).toEqual(['1', '2']);
	expect(typed({type: 'insert', text: 'one\nsee @a\nthree'}).lines.map(({index}) => index)).toEqual([1]);
	expect(typed({type: 'insert', text: '＠a'}).lines).toHaveLength(1);
	expect(typed({type: 'insert', text: '/x'}).lines).toHaveLength(1);
	const marks = typed(
		{type: 'chip', chip: {type: 'file_ref', path: 'a b.md'}},
		{type: 'insert', text: ' and @"c d.md"'},
	);
	expect(chipsOf(marks)).toEqual([{type: 'file_ref', path: 'a b.md'}]);
	expect(['a b.md', 'c d.md', 'e.md'].map(path => mayStand({type: 'file_ref', path}, marks))).toEqual([
		true,
		true,
		false,
	]);
});

it.each([
	['/help', 'is'],
	['/copy 2', 'is'],
	['!ls @x', 'is'],
	['/review', 'is not'],
	['/helpful', 'is not'],
	['/help\nme', 'is not'],
	['say /help', 'is not'],
	['', 'is not'],
	[' /help', 'is not'],
])('%j %s a command for the screen', (text, is) => {
	expect(isCommand(compose(createComposer(40), {type: 'insert', text}).editor.draft)).toBe(is === 'is');
});

it('a key press in a message of 5,000 lines scans only the changed line', () => {
	let state = compose(createComposer(80), {
		type: 'insert',
		text: `${'a line of words that is as long as one is\n'.repeat(5000)}@a.md`,
	});
	let marks = marksOf(state.editor.draft, noMarks);
	for (let key = 0; key < 100; key++) {
		state = compose(state, {type: 'insert', text: 'x'});
		marks = marksOf(state.editor.draft, marks);
	}
	expect(marks.lines).toHaveLength(1);
});
