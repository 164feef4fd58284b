import {describe, expect, it} from 'vitest';
import type {FileState, Item} from '../../../../src/pod/protocol.ts';
import {draw} from '../../../../src/screen/mount/open-screen.ts';
import {chordOf, createKeymap, type ActionName} from '../../../../src/screen/model/keys/keymap.ts';
import {textOf} from '../../../../src/screen/spans/row.ts';
import {fakeApp, fakePod, type FakePod, idle, running, settled} from '../../../helpers/fake-app.ts';
import {createItems} from '../../../helpers/items.ts';

const keymap = {
	...createKeymap().keymap,
	action: (key: Parameters<typeof chordOf>[0]) =>
		chordOf(key) === 'alt+a' ? ('attach again' as ActionName) : createKeymap().keymap.action(key),
};

/** Returns an app on a disk whose file states the test sets. */
async function looking(items: readonly Item[], disk: Map<string, FileState['state']>, rows = 40) {
	const asked: Array<readonly string[]> = [];
	const pod: FakePod = {
		...fakePod(idle, items),
		async stale(ids) {
			asked.push(ids);
			return ids.map(id => ({id, state: disk.get(id) ?? 'same'}));
		},
	};
	const made = await fakeApp(pod, {keymap});
	const look = async () => {
		draw(made.app, {columns: 60, rows});
		await settled();
		return draw(made.app, {columns: 60, rows}).transcript.rows.map(({row}) => textOf(row));
	};
	return {...made, asked, look};
}

describe('the files on the screen', () => {
	it('are checked once, and changed ones get a badge', async () => {
		const make = createItems();
		const [one, two] = [make.file('a.ts', 'x\n'), make.file('b.ts', 'y\n')];
		const {look, asked} = await looking([one, two, make.assistant('ok')], new Map([[two.id, 'changed']]));
		expect(await look()).toContain('File b.ts · 1 line · 2 B · ▲ changed on disk');
		await look();
		expect(asked).toEqual([[one.id, two.id]]);
	});

	it('are checked when they become visible', async () => {
		const make = createItems();
		const files = Array.from({length: 12}, (_, index) => make.file(`${index}.ts`, 'x\n'));
		const {look, asked, press} = await looking(files, new Map(), 12);
		await look();
		expect(asked.flat()).not.toContain(files[0]!.id);
		press('home', {ctrl: true});
		await look();
		expect(asked.flat()).toContain(files[0]!.id);
	});

	it('are checked again when a run ends, and when you return to the terminal', async () => {
		const file = createItems().file('a.ts', 'x\n');
		const disk = new Map<string, FileState['state']>();
		const {look, asked, turn, app} = await looking([file], disk);
		await look();
		turn(running);
		await look();
		expect(asked).toHaveLength(1);
		disk.set(file.id, 'changed');
		turn(idle);
		expect(await look()).toContain('File a.ts · 1 line · 2 B · ▲ changed on disk');
		app.dispatch({type: 'focus', focused: false});
		await look();
		disk.set(file.id, 'same');
		app.dispatch({type: 'focus', focused: true});
		expect(await look()).toContain('File a.ts · 1 line · 2 B');
		expect(asked).toHaveLength(3);
	});

	it('are checked again when they become visible again, and when you start to write', async () => {
		const make = createItems();
		const files = Array.from({length: 12}, (_, index) => make.file(`${index}.ts`, 'x\n'));
		const {look, asked, press, type} = await looking(files, new Map(), 12);
		const last = files.at(-1)!.id;
		const times = () => asked.flat().filter(id => id === last).length;
		await look();
		press('home', {ctrl: true});
		await look();
		expect(times()).toBe(1);
		press('end', {ctrl: true});
		await look();
		expect(times()).toBe(2);
		type('w');
		await look();
		type('x');
		await look();
		expect(times()).toBe(3);
	});

	it('are attached again by the key when they have just changed', async () => {
		const file = createItems().file('a.ts', 'x\n');
		const disk = new Map<string, FileState['state']>();
		const {look, press, draft} = await looking([file], disk);
		await look();
		disk.set(file.id, 'changed');
		press('a', {alt: true});
		await settled();
		expect(draft()).toEqual([
			{type: 'file_ref', path: 'a.ts'},
			{type: 'text', text: ' '},
		]);
	});

	it('are attached again once each, with their ranges, when they have changed', async () => {
		const make = createItems();
		const [one, two, gone] = [
			make.file('a.ts', 'x', {range: {first: 2, last: 3}}),
			make.file('b.ts', 'y\n'),
			make.file('c.ts', 'z\n'),
		];
		const {look, press, draft, told, type} = await looking(
			[make.user('hi'), one, two, gone],
			new Map([
				[one.id, 'changed'],
				[two.id, 'changed'],
				[gone.id, 'gone'],
			]),
		);
		await look();
		type('see');
		press('a', {alt: true});
		await settled();
		press('a', {alt: true});
		await settled();
		expect(draft()).toEqual([
			{type: 'text', text: 'see '},
			{type: 'file_ref', path: 'b.ts'},
			{type: 'text', text: ' '},
			{type: 'file_ref', path: 'a.ts', range: {first: 2, last: 3}},
			{type: 'text', text: ' '},
		]);
		expect(told()).toEqual([]);
		press('a', {alt: true});
		await settled();
		expect(told()).toEqual(['All files that changed on disk are attached already.']);
	});

	it('are not attached when unchanged', async () => {
		const {look, press, told, draft} = await looking([createItems().file('a.ts', 'x\n')], new Map());
		await look();
		press('a', {alt: true});
		await settled();
		expect(told()).toEqual(['No file on the screen has changed on disk.']);
		expect(draft()).toEqual([]);
	});
});
