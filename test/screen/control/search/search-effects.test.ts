import {describe, expect, it} from 'vitest';
import type {Item} from '../../../../src/pod/protocol.ts';
import {draw} from '../../../../src/screen/mount/open-screen.ts';
import {pasteText} from '../../../../src/screen/control/keys/keys-in.ts';
import {plainText, textOf} from '../../../../src/screen/spans/row.ts';
import {showFound} from '../../../../src/screen/control/search/search-effects.ts';
import {toggleBlock} from '../../../../src/screen/control/scroll/transcript-mouse.ts';
import {fakeApp, fakePod, settled, until} from '../../../helpers/fake-app.ts';
import {createItems} from '../../../helpers/items.ts';
import {rowsAbove} from '../../../../src/screen/view/layout.ts';

const size = {columns: 80, rows: 24};
const make = createItems();
const items = [
	make.user('apple one'),
	make.assistant(`${'filler\n\n'.repeat(30)}apple two`),
	make.file('a.txt', `${'line\n'.repeat(10)}hidden pear`),
	make.user(`${'more\n\n'.repeat(30)}apple apple three`),
];

async function stage(history: readonly Item[] = items) {
	const made = await fakeApp(fakePod(undefined, history), {});
	const {app, press, type} = made;
	const frame = () => draw(app, size);
	const bar = () => rowsAbove(frame()).map(plainText).join('\n');
	const counted = async () => until(() => app.state.search.open?.counts?.isDone === true);
	frame();
	return {
		...made,
		frame,
		bar,
		counted,
		search: async (query: string) => {
			press('f3');
			type(query);
			await counted();
		},
		marked: () =>
			frame().transcript.rows.flatMap(({row, marks = []}) =>
				marks.map(({from, to, look}) => `${textOf(row).slice(from, to)} ${look}`),
			),
		shown: () => frame().transcript.rows.map(({row}) => textOf(row)),
	};
}

describe('a text that was found in the session', () => {
	it('is shown and marked in its item, and keys move to the other matches', async () => {
		const {app, counted, bar, marked, shown, type} = await stage();
		showFound(app, {text: 'apple', item: items[1]!.id});
		await counted();
		expect(bar()).toMatch(/Search: apple +2 of 4 · n next/);
		expect(shown()).toContain('apple two');
		expect(marked()).toContain('apple match.current');
		type('n');
		expect(bar()).toContain('3 of 4');
	});

	it('is shown in a block that hides it', async () => {
		const {app, counted, shown} = await stage();
		showFound(app, {text: 'hidden pear', item: items[2]!.id});
		await counted();
		expect(shown()).toContain('hidden pear');
	});

	it('shows its item if the item does not show the text, and then the nearest match', async () => {
		const other = make.user('of another kind');
		const {app, counted, bar, shown} = await stage([...items.slice(0, 2), other, ...items.slice(2)]);
		showFound(app, {text: 'apple', item: other.id});
		await counted();
		expect(bar()).toContain('2 of 4');
		expect(shown()).toContain('of another kind');
	});

	it('waits until the whole session is loaded', async () => {
		const {app, counted, bar} = await stage();
		const store = app.state.transcript.store!;
		app.dispatch({type: 'open transcript', transcript: store, isSessionTail: true});
		showFound(app, {text: 'apple', item: items[0]!.id});
		await settled();
		expect(app.state.search.open?.counts).toBeUndefined();
		app.dispatch({type: 'session loaded'});
		await counted();
		expect(bar()).toContain('1 of 4');
	});
});

describe('a search', () => {
	it('counts the matches and marks the visible ones, with the current one in its own style', async () => {
		const {search, bar, marked} = await stage();
		await search('apple');
		expect(bar()).toContain('Search: apple  3 of 4');
		expect(marked()).toEqual(['apple match.current', 'apple match']);
	});

	it('moves between the matches with n and N after Enter, around the ends', async () => {
		const {search, press, type, bar} = await stage();
		await search('apple');
		press('enter');
		const seen = ['n', 'n', 'n', 'N', 'N'].map(key => {
			type(key);
			return /(\d) of 4/.exec(bar())?.[1];
		});
		expect(seen).toEqual(['4', '1', '2', '1', '4']);
	});

	it('ends on Esc and leaves the view in place, and the next search offers its query', async () => {
		const {app, search, press, shown, marked, counted, bar} = await stage();
		await search('apple one');
		const before = shown();
		expect(before).toContain('apple one');
		press('escape');
		expect(shown().slice(0, before.length)).toEqual(before);
		expect([marked(), app.state.search]).toEqual([[], {open: undefined, last: 'apple one'}]);
		press('f3');
		press('f3');
		await counted();
		expect(bar()).toContain('Search: apple one  1 of 1');
	});

	it('ends when you type after Enter, and the text goes to the message', async () => {
		const {app, search, press, type, draft} = await stage();
		await search('apple');
		press('enter');
		type('x');
		expect([app.state.search.open, draft()]).toEqual([undefined, [{type: 'text', text: 'x'}]]);
	});

	it('returns to the initial view with each other query', async () => {
		const {app, search, type, counted, bar} = await stage();
		const before = app.state.transcript.scroll;
		await search('apple one');
		expect(app.state.transcript.scroll).not.toBe(before);
		type('zzz');
		await counted();
		expect(app.state.transcript.scroll).toBe(before);
		expect(bar()).toContain('no match');
	});

	it('expands a block that hides a match, and collapses it with another query', async () => {
		const {app, search, shown, press, type, counted} = await stage();
		const fileRows = () => app.state.transcript.store!.rows(2).map(textOf);
		expect(fileRows()).not.toContain('hidden pear');
		await search('hidden pear');
		expect(shown()).toContain('hidden pear');
		press('u', {ctrl: true});
		expect(fileRows()).not.toContain('hidden pear');
		type('apple two');
		await counted();
		expect(app.state.search.open?.opened).toBe(undefined);
	});

	it.each([
		['another letter', ''],
		['another match', 'n'],
	])('leaves a block closed that you collapsed yourself, after %s', async (_, key) => {
		const {app, search, press, type, counted} = await stage([...items, make.user('a pear')]);
		const isOpen = () => app.state.transcript.store!.rows(2).map(textOf).includes('hidden pear');
		await search(key === '' ? 'hidden pear' : 'pear');
		if (key !== '') press('enter');
		while (!isOpen()) press('n', {text: 'n'});
		toggleBlock(app, app.state.search.open!.opened!);
		expect(isOpen()).toBe(false);
		if (key === '') type('s');
		else press('n', {text: key});
		await counted();
		expect(isOpen()).toBe(false);
	});

	it('finds its current match again when rows are wrapped differently', async () => {
		const {app, search, marked} = await stage();
		await search('apple one');
		app.state.transcript.store!.setLayout({columns: 20});
		app.dispatch({type: 'transcript changed'});
		expect(marked()).toEqual(['apple one match.current']);
	});

	it('counts new matches while it is open', async () => {
		const {search, commit, bar, counted} = await stage();
		await search('apple');
		commit({type: 'message', role: 'user', text: 'an apple more'});
		await settled();
		await counted();
		expect(bar()).toContain('3 of 5');
	});

	it('takes a paste as one line of its query, or into the message after Enter', async () => {
		const {app, search, press, bar, counted, draft} = await stage();
		await search('app');
		pasteText(app, 'le\none', false);
		await counted();
		expect(bar()).toContain('Search: apple one  1 of 1');
		press('enter');
		pasteText(app, 'text', false);
		expect([app.state.search.open, draft()]).toEqual([undefined, [{type: 'text', text: 'text'}]]);
	});

	it('stops when you leave the screen', async () => {
		const {app, press, type, bar} = await stage();
		press('f3');
		type('apple');
		app.dispatch({type: 'leave screen'});
		await settled();
		expect([app.state.search, bar()]).toEqual([{open: undefined, last: 'apple'}, '']);
	});
});

describe('a search in calls', () => {
	const edit = [
		make.call('e', 'edit_file', {path: 'cart.ts', edits: [{old: 'old pear', new: 'new pear', all: true}]}),
		make.result('e', '1 edit', '--- cart.ts\n+++ cart.ts\n@@ -1,2 +1,2 @@ pear\n same\n-old pear\n+new pear\n'),
	];
	const output = Array.from({length: 20}, (_, line) => (line % 6 === 0 ? `pear ${line}` : `line ${line}`)).join('\n');
	const command = [make.call('c', 'bash', {command: 'npm test'}), make.result('c', 'exit code 0', output)];

	it('counts a changed file once, and does not open it for matches that its diff shows', async () => {
		const {app, search, press, bar, marked} = await stage([make.user('go'), ...edit]);
		const before = app.state.transcript.store!.rows(1);
		await search('pear');
		expect(bar()).toContain('1 of 2');
		press('down');
		expect(marked()).toEqual(['pear match', 'pear match.current']);
		expect(app.state.search.open?.opened).toBe(undefined);
		expect(app.state.transcript.store!.rows(1)).toBe(before);
	});

	it('opens a command only for a match in its hidden lines, and closes it after the last one', async () => {
		const {app, search, press, bar, marked, shown} = await stage([...command, make.user('pear')]);
		await search('pear');
		const seen = () => {
			const current = marked().filter(text => text.endsWith('current')).length;
			return [/\d of \d/.exec(bar())?.[0], app.state.search.open?.opened === undefined, current];
		};
		const walk = [seen()];
		for (let at = 0; at < 5; at++) {
			press('down');
			walk.push(seen());
		}
		expect(walk).toEqual([
			['4 of 5', true, 1],
			['5 of 5', true, 1],
			['1 of 5', false, 1],
			['2 of 5', false, 1],
			['3 of 5', false, 1],
			['4 of 5', false, 1],
		]);
		press('down');
		expect(seen()).toEqual(['5 of 5', true, 1]);
		press('up');
		expect([seen(), shown().filter(row => row.startsWith('pear'))]).toEqual([
			['4 of 5', true, 1],
			['pear 18', 'pear'],
		]);
	});

	it('keeps the mark on a match behind hidden lines when rows are wrapped differently', async () => {
		const {app, search, marked} = await stage(command);
		await search('pear');
		app.state.transcript.store!.setLayout({columns: 40});
		app.dispatch({type: 'transcript changed'});
		expect(marked()).toEqual(['pear match.current']);
	});

	it('finds arguments and headers in the detail view, and counts again when the view changes', async () => {
		const {app, search, press, bar, counted, marked} = await stage([...edit, ...command]);
		await search('pear');
		expect(bar()).toContain('of 6');
		press('down');
		press('down');
		press('down');
		expect(app.state.search.open?.opened).toBeDefined();
		press('o', {ctrl: true});
		await settled();
		await counted();
		expect(bar()).toContain('of 9');
		expect(app.state.search.open?.opened).toBe(undefined);
		expect(marked().filter(text => text.endsWith('current'))).toEqual(['pear match.current']);
		press('o', {ctrl: true});
		press('o', {ctrl: true});
		await settled();
		await counted();
		expect(bar()).toContain('of 6');
	});

	it('opens the call of a group that has the match, and closes it with the search', async () => {
		const read = (id: string, text: string) => [
			make.call(id, 'read_file', {path: `${id}.ts`}),
			make.result(id, '1 line', text),
		];
		const {app, search, press, shown} = await stage([
			make.user('go'),
			...read('a', 'an apple'),
			...read('b', 'a pear'),
		]);
		await search('pear');
		expect(shown().filter(row => row.includes('b.ts') || row.includes('pear'))).toEqual([
			'Read 2 files · a.ts, b.ts',
			'Read b.ts · 1 line',
			'a pear',
		]);
		press('escape');
		expect([app.state.search.open, shown().filter(row => row.includes('pear'))]).toEqual([undefined, []]);
	});
});
