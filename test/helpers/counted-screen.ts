import {render} from 'ink';
import {createElement} from 'react';
import {onTestFinished} from 'vitest';
import {createStore} from 'zustand/vanilla';
import type {Layout} from '../../src/screen/view/layout.ts';
import {Screen} from '../../src/screen/mount/mount.tsx';
import {draw} from '../../src/screen/mount/open-screen.ts';
import {createFrameStream} from '../../src/screen/terminal/ink-stdout.ts';
import {createTheme} from '../../src/screen/spans/theme.ts';
import {fakeApp, fakePod, idle} from './fake-app.ts';
import {createItems} from './items.ts';
import {countRendered} from './rendered-components.ts';

const size = {columns: 80, rows: 30};

/**
Renders the whole screen of a session of 20 turns with Ink. `update` shows the next frame and returns the components
that it rendered.
*/
export async function countedScreen() {
	const counter = await countRendered();
	const make = createItems();
	const turn = (_: unknown, nth: number) => [
		make.user(`question ${nth}`),
		make.assistant('Words. '.repeat(60)),
		make.request(),
		make.end(),
	];
	const pod = fakePod(idle, Array.from({length: 20}, turn).flat());
	const hand = await fakeApp(pod);
	const store = createStore<Layout>(() => draw(hand.app, size));
	const stdout = createFrameStream({columns: () => size.columns, rows: () => size.rows, onFrame() {}});
	const onError = (error: Error) => {
		throw error;
	};
	const screen = createElement(Screen, {shown: store, theme: createTheme(1), onError});
	const ink = render(screen, {stdout, debug: true, interactive: true, patchConsole: false});
	onTestFinished(() => ink.unmount());
	const update = async () => {
		counter.take();
		store.setState(draw(hand.app, size), true);
		await new Promise(resolve => setImmediate(resolve));
		return counter.take();
	};
	return {...hand, pod, make, update};
}

export function total(counts: Readonly<Record<string, number>>): number {
	return Object.values(counts).reduce((sum, count) => sum + count, 0);
}
