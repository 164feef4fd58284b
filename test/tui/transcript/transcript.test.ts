import {render} from 'ink';
import {createElement} from 'react';
import {describe, expect, it, onTestFinished} from 'vitest';
import {createStore} from 'zustand/vanilla';
import {draw} from '../../../src/tui/screen/draw.ts';
import {layoutOf, type Layout} from '../../../src/tui/layout.ts';
import {Screen} from '../../../src/tui/render.tsx';
import {createFrameStream} from '../../../src/tui/terminal/frame-stream.ts';
import {createTheme} from '../../../src/tui/text/theme.ts';
import {handMadeApp, handMadePod, idle, running} from '../../helpers/hand-made-app.ts';
import {createItems} from '../../helpers/items.ts';
import {countRendered} from '../../helpers/rendered-components.ts';

const size = {columns: 80, rows: 30};

describe('the transcript', () => {
	it('renders for a streamed token at most 5 components, Ink\'s own included', async () => {
		const screen = await shown();
		const {pod, make} = screen;
		pod.tell({type: 'status', status: running});
		const begin = make.assistant('');
		pod.tell({type: 'delta', id: begin.id, text: 'An answer', begin});
		await screen.update();
		pod.tell({type: 'delta', id: begin.id, text: ' goes'});
		expect(await screen.update()).toEqual({VisibleBlocks: 1, AssistantBlock: 1, BlockRows: 1, RowView: 1, Text: 1});
		pod.tell({type: 'delta', id: begin.id, text: ' on'});
		expect(total(await screen.update())).toBeLessThanOrEqual(5);
	});

	it('renders for a scrolled row at most the visible rows and 3 components', async () => {
		const screen = await shown();
		screen.press('up', {shift: true});
		await screen.update();
		screen.press('up', {shift: true});
		const rendered = await screen.update();
		expect(rendered['VisibleBlocks']).toBe(1);
		expect(total(rendered)).toBeLessThanOrEqual(layoutOf(screen.app.state).transcript.rows.length + 3);
	});

	it('renders nothing of itself for a key in the draft', async () => {
		const screen = await shown();
		screen.type('a');
		await screen.update();
		screen.type('b');
		expect(Object.keys(await screen.update())).not.toContain('VisibleBlocks');
	});
});

async function shown() {
	const counter = await countRendered();
	const make = createItems();
	const turns = Array.from({length: 20}, (_, turn) => [make.user(`question ${turn}`), make.assistant('Words. '.repeat(60)), make.request(), make.end()]);
	const pod = handMadePod(idle, turns.flat());
	const hand = await handMadeApp(pod);
	const store = createStore<Layout>(() => draw(hand.app, size));
	const stdout = createFrameStream({columns: () => size.columns, rows: () => size.rows, onFrame() {}});
	const onError = (error: Error) => { throw error; };
	const ink = render(createElement(Screen, {shown: store, theme: createTheme(1), onError}), {stdout, debug: true, interactive: true, patchConsole: false});
	onTestFinished(() => ink.unmount());
	const update = async () => {
		counter.take();
		store.setState(draw(hand.app, size), true);
		await new Promise(resolve => setImmediate(resolve));
		return counter.take();
	};
	return {...hand, pod, make, update};
}

function total(counts: Readonly<Record<string, number>>): number {
	return Object.values(counts).reduce((sum, count) => sum + count, 0);
}
