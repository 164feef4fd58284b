import {afterEach, beforeEach, describe, expect, it, vi} from 'vitest';
import type {Item, Status} from '../../../../src/pod/protocol.ts';
import {draw} from '../../../../src/screen/mount/open-screen.ts';
import type {Mouse} from '../../../../src/screen/terminal/input/input.ts';
import {takeMouse} from '../../../../src/screen/control/keys/keys-in.ts';
import {textOf} from '../../../../src/screen/spans/row.ts';
import {fakeApp, fakePod, running, settled} from '../../../helpers/fake-app.ts';
import {createItems} from '../../../helpers/items.ts';

const size = {columns: 60, rows: 25};

function turns(count: number): readonly Item[] {
	const make = createItems();
	const turnOf = (turn: number) => [make.user(`question ${turn}`), make.assistant(`answer ${turn}`)];
	return Array.from({length: count}, (_, turn) => turnOf(turn)).flat();
}

async function stage(status?: Status, items: readonly Item[] = turns(40)) {
	const copied: string[] = [];
	let now = 0;
	const made = await fakeApp(fakePod(status, items), {
		mouse: true,
		now: () => now,
		async copy(text) {
			copied.push(text);
			return {ok: true, by: 'program', program: 'test'};
		},
	});
	const {app} = made;
	const frame = () => draw(app, size);
	const mouse = (kind: Mouse['kind'], x: number, y: number) => {
		takeMouse(app, {kind, button: 'left', x, y, ctrl: false, alt: false, shift: false});
		return frame().transcript;
	};
	const rowOf = (text: string) => frame().transcript.rows.findIndex(({row}) => textOf(row).startsWith(text));
	const marked = () =>
		frame()
			.transcript.rows.filter(({marks}) => marks !== undefined)
			.map(({row}) => textOf(row));
	frame();
	const top = () => frame().transcript.rows[0]!.key;
	return {
		...made,
		mouse,
		rowOf,
		marked,
		copied,
		top,
		frame,
		later: (ms: number) => {
			now += ms;
		},
	};
}

describe('a drag on the transcript', () => {
	it('marks the selected rows and copies them when the button is released', async () => {
		const {mouse, rowOf, marked, copied} = await stage();
		mouse('press', 0, rowOf('question 39'));
		mouse('drag', 59, rowOf('answer 39'));
		expect(marked()).toEqual(['question 39', '', 'answer 39']);
		mouse('release', 59, rowOf('answer 39'));
		await settled();
		expect(copied).toEqual(['question 39\n\nanswer 39']);
	});

	it('keeps the view in place until the button is released', async () => {
		const {app, mouse, rowOf, commit, top} = await stage();
		const before = top();
		mouse('press', 2, rowOf('answer 39'));
		mouse('drag', 5, rowOf('answer 39'));
		commit({type: 'message', role: 'user', text: 'more'});
		expect([app.state.transcript.scroll.follow, top()]).toEqual([false, before]);
		mouse('release', 5, rowOf('answer 39'));
		expect(app.state.transcript.scroll.follow).toBe(true);
	});

	it('clears the selection when rows are wrapped differently', async () => {
		const {app, mouse, rowOf, marked} = await stage();
		mouse('press', 2, rowOf('answer 39'));
		mouse('drag', 5, rowOf('answer 39'));
		app.state.transcript.store!.toggle('x');
		expect(marked()).toEqual([]);
	});
});

describe('a transcript with blank rows above it', () => {
	async function short() {
		const make = createItems();
		const items = [make.user('question'), make.file('a.txt', '1\n2\n3\n4\n5\n6\n'), make.assistant('answer')];
		const made = await stage(running, items);
		/** Returns the row of the screen that shows a text. */
		const yOf = (text: string) => made.frame().blankRows + made.rowOf(text);
		const drag = async (from: readonly [x: number, y: number], to: readonly [x: number, y: number]) => {
			made.mouse('press', ...from);
			made.mouse('drag', ...to);
			const marked = made.marked();
			made.mouse('release', ...to);
			await settled();
			return marked;
		};
		const click = (x: number, y: number) => {
			made.mouse('press', x, y);
			return made.mouse('release', x, y).rows.length;
		};
		expect(made.frame().blankRows).toBeGreaterThan(8);
		return {...made, yOf, drag, click};
	}

	it('selects the text under the pointer', async () => {
		const {yOf, drag, copied} = await short();
		expect(await drag([2, yOf('question')], [9, yOf('question')])).toEqual(['question']);
		expect(copied).toEqual(['question']);
	});

	it('selects from the first character if the drag begins on a blank row, or up to it if it ends there', async () => {
		const {yOf, drag, copied, marked, frame} = await short();
		await drag([30, frame().blankRows - 2], [5, yOf('question')]);
		expect(marked()).toEqual(['', 'question']);
		await drag([5, yOf('question')], [30, 0]);
		expect(copied).toEqual(['\nques', '\nques']);
	});

	it('is selected to its last character when the drag ends below it', async () => {
		const {yOf, drag, copied, frame} = await short();
		const {transcriptHeight} = frame();
		expect(yOf('answer')).toBe(transcriptHeight - 1);
		await drag([4, yOf('answer')], [2, transcriptHeight + 1]);
		expect(copied).toEqual(['swer']);
	});

	it('expands the block whose row is clicked, and none by a click on a blank row', async () => {
		const {frame, rowOf, yOf, click, copied, marked} = await short();
		const before = frame().transcript.rows.length;
		const more = rowOf('… 2 more lines');
		for (const y of [0, more, frame().blankRows - 1]) expect(click(4, y)).toBe(before);
		expect([await settled(), copied, marked()]).toEqual([undefined, [], []]);
		expect(click(4, yOf('… 2 more lines'))).toBeGreaterThan(before);
		expect(rowOf('6')).toBeGreaterThan(0);
	});
});

describe('clicks at one place', () => {
	it('select a word with the second click and a line with the third', async () => {
		const {mouse, rowOf, copied, later} = await stage();
		const y = rowOf('answer 39');
		for (let click = 0; click < 3; click++) {
			mouse('press', 3, y);
			mouse('release', 3, y);
			later(100);
		}
		await settled();
		expect(copied).toEqual(['answer', 'answer 39']);
	});

	it('select nothing when they are slow', async () => {
		const {mouse, rowOf, copied, later} = await stage();
		for (let click = 0; click < 3; click++) {
			mouse('press', 3, rowOf('answer 39'));
			mouse('release', 3, rowOf('answer 39'));
			later(500);
		}
		await settled();
		expect(copied).toEqual([]);
	});
});

describe('a selection', () => {
	it.each([
		['is cleared by Esc, which does nothing else', undefined, []],
		['is cleared by Esc, which also stops a run', running, ['pause']],
	])('%s', async (_, status, said) => {
		const {pod, mouse, rowOf, marked, press} = await stage(status);
		mouse('press', 2, rowOf('answer 39'));
		mouse('drag', 5, rowOf('answer 39'));
		mouse('release', 5, rowOf('answer 39'));
		press('escape');
		expect(marked()).toEqual([]);
		await settled();
		expect(pod.said.map(({method}) => method)).toEqual(said);
	});

	it('is cleared by a press outside of the transcript', async () => {
		const {mouse, rowOf, marked} = await stage();
		mouse('press', 2, rowOf('answer 39'));
		mouse('drag', 5, rowOf('answer 39'));
		mouse('press', 2, size.rows - 1);
		expect(marked()).toEqual([]);
	});
});

describe('a drag that stays at the first row', () => {
	beforeEach(() => void vi.useFakeTimers({toFake: ['setInterval', 'clearInterval']}));
	afterEach(() => void vi.useRealTimers());

	it('scrolls step by step until a key, a release or the end of the screen stops it', async () => {
		const stops = [
			({press}: Awaited<ReturnType<typeof stage>>) => press('x', {text: 'x'}),
			({mouse}: Awaited<ReturnType<typeof stage>>) => mouse('release', 3, 0),
			({mouse}: Awaited<ReturnType<typeof stage>>) => mouse('drag', 3, 5),
			({app}: Awaited<ReturnType<typeof stage>>) => app.dispatch({type: 'leave screen'}),
		];
		for (const stop of stops) {
			const made = await stage();
			const before = made.top();
			made.mouse('press', 3, 4);
			made.mouse('drag', 3, 0);
			vi.advanceTimersByTime(500);
			const scrolled = made.top();
			expect(scrolled).not.toBe(before);
			stop(made);
			const stopped = made.top();
			vi.advanceTimersByTime(500);
			expect([made.top(), vi.getTimerCount()]).toEqual([stopped, 0]);
		}
	});

	it('keeps the place to which it scrolled when the button is released', async () => {
		const {app, mouse, top} = await stage();
		mouse('press', 3, 4);
		mouse('drag', 3, 0);
		vi.advanceTimersByTime(500);
		const scrolled = top();
		mouse('release', 3, 0);
		expect([app.state.transcript.scroll.follow, top()]).toEqual([false, scrolled]);
	});

	it('stops at the first row of the session', async () => {
		const {app, mouse, rowOf} = await stage();
		mouse('press', 3, 4);
		mouse('drag', 3, 0);
		vi.advanceTimersByTime(60_000);
		expect(rowOf('question 0')).toBe(1);
		expect([app.state.selection.edge, vi.getTimerCount()]).toEqual([undefined, 0]);
	});
});
