import {describe, expect, it} from 'vitest';
import {createKeymap} from '../../../../src/screen/model/keys/keymap.ts';
import {draw} from '../../../../src/screen/mount/open-screen.ts';
import {pasteText, takeMouse} from '../../../../src/screen/control/keys/keys-in.ts';
import {plainText, textOf} from '../../../../src/screen/spans/row.ts';
import type {Key} from '../../../../src/screen/terminal/input/input.ts';
import {fakeApp, fakePod, idle, settled} from '../../../helpers/fake-app.ts';
import {createItems} from '../../../helpers/items.ts';
import type {TestOptions} from '../../../helpers/test-app.ts';

const size = {columns: 60, rows: 24};

async function stage(options: Partial<TestOptions> = {}, answer = (turn: number) => `answer to ${turn}`) {
	const make = createItems();
	const turnOf = (turn: number) => [make.user(`question ${turn}`), make.assistant(answer(turn)), make.end()];
	const items = Array.from({length: 40}, (_, turn) => turnOf(turn)).flat();
	const copied: string[] = [];
	const made = await fakeApp(fakePod(idle, items), {
		async copy(text) {
			copied.push(text);
			return {ok: true, by: 'program', program: 'test'};
		},
		...options,
	});
	const {app} = made;
	const frame = () => draw(app, size);
	frame();
	return {
		...made,
		copied,
		frame,
		/** Presses keys by name. A letter types itself. */
		keys: (...names: readonly string[]): void => {
			for (const name of names) {
				const parts = name.split('+');
				const last = parts.at(-1)!;
				const has = (modifier: string) => parts.slice(0, -1).includes(modifier);
				const modifiers: Partial<Key> = {shift: has('shift'), alt: has('alt'), ctrl: has('ctrl')};
				if (parts.length === 1 && last.length === 1) made.type(last);
				else if (last === 'space') made.press('space', {text: ' '});
				else made.press(last, modifiers);
				frame();
			}
		},
		marked: () =>
			frame().transcript.rows.flatMap(({row, marks}) =>
				(marks ?? []).map(({from, to}) => textOf(row).slice(from, to)),
			),
		/** Returns the text of the caret's row from the caret on. */
		atCaret: (): string => {
			const {cursor, transcript} = frame();
			return plainText(transcript.rows[cursor.y]!.row)
				.slice(cursor.x)
				.replace(/ *┃$/, '')
				.trimEnd();
		},
		hint: () => frame().above.hint.map(plainText).join('\n'),
		/** Returns the first visible row, by its block and its index in the block. */
		top: () => frame().transcript.rows[0]!.key,
	};
}

describe('the caret in the transcript', () => {
	it('begins at the last text, with a hint of its keys, and ends with Esc', async () => {
		const {app, keys, atCaret, hint, frame} = await stage();
		const before = frame().cursor;
		keys('alt+x');
		expect(atCaret()).toBe('answer to 39');
		expect(hint()).toBe('Select: Enter copy the line · Space start · Esc end');
		keys('escape');
		expect([hint(), app.state.transcript.scroll.follow, frame().cursor]).toEqual(['', true, before]);
	});

	it('is at its character on the screen when blank rows are above a short transcript', async () => {
		const make = createItems();
		const {press, app} = await fakeApp(
			fakePod(idle, [make.user('question'), make.assistant('answer'), make.end()]),
		);
		draw(app, size);
		press('x', {alt: true});
		const frame = draw(app, size);
		const row = frame.transcript.rows.findIndex(each => textOf(each.row) === 'answer');
		expect(frame.blankRows).toBeGreaterThan(8);
		expect(frame.cursor).toEqual({x: 2, y: frame.blankRows + row});
		press('right');
		press('up');
		press('up');
		const moved = draw(app, size);
		expect(moved.cursor).toEqual({x: 3, y: frame.blankRows + row - 2});
	});

	it('moves by characters, words, lines, rows and messages', async () => {
		const {keys, atCaret} = await stage();
		keys('alt+x');
		const after = (...names: readonly string[]) => {
			keys(...names);
			return atCaret();
		};
		expect(after('right', 'right')).toBe('swer to 39');
		expect(after('left')).toBe('nswer to 39');
		expect(after('alt+right')).toBe('r to 39');
		expect(after('ctrl+right')).toBe('o 39');
		expect(after('alt+left')).toBe('to 39');
		expect(after('end')).toBe('9');
		expect(after('home')).toBe('answer to 39');
		expect(after('left')).toBe('');
		expect(after('right')).toBe('answer to 39');
		expect(after('alt+left')).toBe('39');
		expect(after('home')).toBe('question 39');
		expect(after('alt+up')).toBe('question 38');
		expect(after('alt+down', 'alt+down')).toBe('d');
		expect(after('ctrl+home')).toBe('question 0');
		expect(after('left', 'up', 'pageup', 'alt+left')).toBe('');
		expect(after('ctrl+end')).toBe('d');
		expect(after('right', 'down', 'pagedown')).toBe('d');
		expect(after('g', 'w', 'b', 'j', 'k', 'l', 'h')).toBe('question 0');
	});

	it('keeps its column when it moves over shorter rows', async () => {
		const {keys, atCaret} = await stage();
		keys('alt+x', 'alt+right', 'alt+right', 'up');
		expect(atCaret()).toBe('');
		keys('down');
		expect(atCaret()).toBe('o 39');
	});

	it('scrolls by as few rows as possible, and keeps the view when text arrives', async () => {
		const {app, keys, top, frame, commit, atCaret} = await stage();
		keys('alt+x');
		const first = top();
		keys(...Array.from({length: frame().transcript.rows.length - 1}, () => 'up'));
		expect(top()).not.toBe(first);
		const before = [top(), atCaret()];
		commit({type: 'message', role: 'user', text: 'more'});
		expect([top(), atCaret()]).toEqual(before);
		expect(frame().pill).toEqual([]);
		keys('escape');
		expect([app.state.transcript.scroll.follow, frame().pill.length]).toEqual([false, 1]);
	});

	it('selects from Space or v, and copies with Enter or y', async () => {
		const {app, keys, marked, copied, hint} = await stage();
		keys('alt+x', 'space', 'alt+right', 'alt+right');
		expect(marked()).toEqual(['answer to']);
		expect(hint()).toBe('Select: Enter copy · Space drop the start · Esc end');
		keys('enter');
		await settled();
		expect([copied, hint(), marked(), app.state.transcript.scroll.follow]).toEqual([['answer to'], '', [], true]);
		keys('alt+x', 'v', 'alt+up', 'y');
		await settled();
		expect(copied.slice(1)).toEqual(['question 39\n\na']);
	});

	it('selects with Shift, and a motion without Shift drops that selection', async () => {
		const {keys, marked, copied} = await stage();
		keys('alt+x', 'shift+right', 'shift+right');
		expect(marked()).toEqual(['ans']);
		keys('right');
		expect(marked()).toEqual([]);
		keys('shift+end', 'shift+up');
		expect(marked().length).toBeGreaterThan(0);
		keys('home', 'ctrl+shift+right', 'enter');
		await settled();
		expect(copied).toHaveLength(1);
	});

	it('copies a whole wrapped line without a start', async () => {
		const line = 'some words '.repeat(12).trim();
		const {keys, copied} = await stage({}, () => line);
		keys('alt+x', 'enter');
		await settled();
		expect(copied).toEqual([line]);
	});

	it('moves over wide and combined characters as a whole', async () => {
		const {keys, atCaret, copied} = await stage({}, () => '漢字e\u0301👨‍👩‍👧x');
		keys('alt+x', 'right', 'space', 'right', 'right');
		expect(atCaret()).toContain('x');
		keys('y');
		await settled();
		expect(copied).toEqual(['字e\u0301👨‍👩‍👧']);
	});

	it('never edits the draft, and gives a paste back to it', async () => {
		const {app, keys, draft, hint} = await stage();
		keys('alt+x', 'q', 'z', 'backspace', 'delete', 'tab', 'ctrl+k');
		expect(draft()).toEqual([]);
		expect(hint()).not.toBe('');
		pasteText(app, 'pasted', false);
		expect([hint(), draft()]).toEqual(['', [{type: 'text', text: 'pasted'}]]);
	});

	it('stays in its block when rows are wrapped in another way, and drops the start', async () => {
		const {app, keys, atCaret, marked, commit} = await stage();
		keys('alt+x', 'alt+up', 'space', 'right');
		app.dispatch({type: 'resize', size: {columns: 40, rows: 20}});
		expect(marked()).toEqual([]);
		commit({type: 'message', role: 'user', text: 'more'});
		expect(atCaret()).toBe('uestion 39');
		keys('right');
		expect(atCaret()).toBe('estion 39');
	});

	it('ends when the mouse selects', async () => {
		const {app, keys, hint} = await stage({mouse: true});
		keys('alt+x');
		takeMouse(app, {kind: 'press', button: 'left', x: 4, y: 2, ctrl: false, alt: false, shift: false});
		expect([hint(), app.state.selection.drag === undefined]).toEqual(['', false]);
	});

	it('is not offered inline or for a screen reader, on a page, and without text', async () => {
		for (const options of [{inline: true}, {isSpoken: true}]) {
			const {keys, hint, told} = await stage(options);
			keys('alt+x');
			expect([hint(), told()]).toEqual([
				'',
				['Selecting with keys works only on the full screen. /copy copies an answer.'],
			]);
		}
		const {press, told, app} = await fakeApp();
		press('x', {alt: true});
		expect([told(), app.state.selection.caret]).toEqual([['There is nothing to select yet.'], undefined]);
	});

	it('begins with the chord of the settings', async () => {
		const {keys, hint} = await stage({keymap: createKeymap({'select text': ['alt+z']}).keymap});
		keys('alt+x');
		expect(hint()).toBe('');
		keys('alt+z');
		expect(hint()).toContain('Select:');
	});
});
