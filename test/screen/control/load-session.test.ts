import {setImmediate as turn} from 'node:timers/promises';
import {describe, expect, it} from 'vitest';
import type {Event, Item} from '../../../src/pod/protocol.ts';
import {draw} from '../../../src/screen/mount/open-screen.ts';
import {pressKey} from '../../../src/screen/control/keys/keys-in.ts';
import {connect} from '../../../src/screen/control/pod-events.ts';
import {type App} from '../../../src/screen/control/app.ts';
import {textOf} from '../../../src/screen/spans/row.ts';
import {createEventQueue, showSessionTail} from '../../../src/screen/control/load-session.ts';
import {fakePod, idle, session} from '../../helpers/fake-app.ts';
import {drafts} from '../../helpers/random-history.ts';
import {testApp} from '../../helpers/test-app.ts';

const size = {columns: 60, rows: 20};

function longSession(turns: number): readonly Item[] {
	const make = drafts();
	return [make.setup, ...Array.from({length: turns}, (_, n) => make.turn(`turn ${n}`)).flat()];
}

function newApp(): App {
	const nothing = () => {};
	return testApp({session, now: () => 0}, size, nothing);
}

const shown = (app: App) => draw(app, size).transcript.rows.map(({row}) => textOf(row));

function press(app: App, name: string): void {
	pressKey(app, {name, ctrl: false, alt: false, shift: false, super: false});
}

async function whole(app: App): Promise<void> {
	while (app.state.transcript.tail !== undefined) await turn();
}

describe('a session that first shows its end', () => {
	const items = longSession(600);

	it('becomes the whole session with the same rows, and you can recall each message once', async () => {
		const app = newApp();
		draw(app, size);
		expect(showSessionTail(app, {session, items: items.slice(-200)})).toBe(true);
		const before = shown(app);
		expect(before.join('\n')).toContain('turn 599.');
		await connect(app, fakePod(idle, items));
		expect(shown(app)).toEqual(before);
		await whole(app);
		expect(shown(app)).toEqual(before);
		expect(app.state.transcript.store!.transcript.committed).toBe(items.length);
		expect(app.state.composer.history.entries).toHaveLength(500);
	});

	it('waits for the whole session before it scrolls further up, and keeps the view', async () => {
		const app = newApp();
		draw(app, size);
		showSessionTail(app, {session, items: items.slice(-60)});
		press(app, 'pageup');
		const page = shown(app);
		press(app, 'home');
		expect(shown(app)).toEqual(page);
		await connect(app, fakePod(idle, items));
		await whole(app);
		expect(shown(app).join('\n')).toContain('turn 0?');
	});

	it('reports no new rows below after a page up when the whole session arrives', async () => {
		const app = newApp();
		draw(app, size);
		showSessionTail(app, {session, items: items.slice(-200)});
		press(app, 'pageup');
		const page = shown(app);
		await connect(app, fakePod(idle, items));
		await whole(app);
		expect(shown(app)).toEqual(page);
		expect(draw(app, size).transcript.below).toBe(0);
	});

	it('is not shown by its end alone when that has too few items for the screen', () => {
		const app = newApp();
		draw(app, size);
		expect(showSessionTail(app, {session, items: items.slice(-6)})).toBe(false);
		expect(app.state.transcript.store).toBeUndefined();
	});
});

describe('a long snapshot', () => {
	const snapshot: Event = {type: 'snapshot', session, items: longSession(600), tail: [], status: idle};
	const item: Event = {type: 'item', item: drafts().user('later')};

	it('is followed by later events in their order', async () => {
		const heard: string[] = [];
		const queue = createEventQueue({
			take: (event, folded) => heard.push(`${event.type}${folded === undefined ? '' : ' folded'}`),
			begin: () => heard.push('begin'),
		});
		for (const event of [item, snapshot, item, {type: 'status', status: idle} as const]) queue.add(event);
		expect(heard).toEqual(['item', 'begin']);
		while (heard.length < 5) await turn();
		queue.add(item);
		expect(heard).toEqual(['item', 'begin', 'snapshot folded', 'item', 'status', 'item']);
	});

	it('is followed by nothing after the subscription closes', async () => {
		const heard: string[] = [];
		const queue = createEventQueue({take: ({type}) => heard.push(type), begin() {}});
		queue.add({...snapshot, items: longSession(4000)});
		queue.close();
		for (let turns = 0; turns < 50; turns++) await turn();
		expect(heard).toEqual([]);
	});
});
