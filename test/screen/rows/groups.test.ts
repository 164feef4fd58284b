import {describe, expect, it} from 'vitest';
import type {Event, Item, Status} from '../../../src/pod/protocol.ts';
import {plainText} from '../../../src/screen/spans/row.ts';
import {createGroupStarts} from '../../../src/screen/rows/groups.ts';
import {createOpened, neighboursOf} from '../../../src/screen/rows/groups.ts';
import {createTranscriptStore} from '../../../src/screen/rows/store.ts';
import {createItems, type ItemMaker} from '../../helpers/items.ts';

const snapshot = (items: readonly Item[], kind: Status['kind'] = 'running'): Event => ({
	type: 'snapshot',
	session: {id: 's', model: 'm', scope: {pwd: '/', writable: true, readRoots: []}},
	items,
	tail: [],
	status: {kind, asks: [], queue: []},
});

function stage(items: readonly Item[], kind?: Status['kind'], isSpoken = false) {
	const store = createTranscriptStore({columns: 60, view: 'normal', isSpoken});
	store.dispatch(snapshot(items, kind));
	const rows = () =>
		Array.from({length: store.count()}, (_, index) => store.rows(index))
			.flat()
			.map(row => plainText(row).trimEnd());
	return {store, rows};
}

const read = (make: ItemMaker, id: string, path: string, isError = false) => [
	make.call(id, 'read_file', {path}),
	make.result(id, isError ? 'not found' : '2 lines', isError ? 'not found' : 'one\ntwo\n', isError),
];
const grep = (make: ItemMaker, id: string, pattern: string) => [
	make.call(id, 'grep', {pattern}),
	make.result(id, '1 match', `a.ts:1:${pattern}\n`),
];

describe('finished calls in a row that only read', () => {
	it('are one row, with what they read, until it is opened', () => {
		const make = createItems();
		const {store, rows} = stage([
			make.user('go'),
			...read(make, 'a', 'a.ts'),
			...read(make, 'b', 'b.ts'),
			...grep(make, 'c', 'TODO'),
			make.assistant('done'),
		]);
		expect(rows()).toEqual(['', '▌ go', '', '● Read 2 files, searched 1 pattern · a.ts, b.ts, TODO', '', '  done']);
		store.toggleGroup(store.block(1)!.id);
		expect(rows().slice(2, 8)).toEqual([
			'',
			'● Read 2 files, searched 1 pattern · a.ts, b.ts, TODO',
			'● Read a.ts · 2 lines',
			'● Read b.ts · 2 lines',
			'● Search TODO · 1 match',
			'',
		]);
		store.toggleGroup(store.block(1)!.id);
		expect(rows()).toHaveLength(6);
	});

	it('stay on their own while one runs, when one failed, and when text is between them', () => {
		const make = createItems();
		const items = [make.user('go'), ...read(make, 'a', 'a.ts'), make.call('b', 'read_file', {path: 'b.ts'})];
		expect(stage(items, 'running').rows().slice(3)).toEqual(['● Read a.ts · 2 lines', '◔ Read b.ts · running']);
		const failed = [make.user('go'), ...read(make, 'c', 'a.ts'), ...read(make, 'd', 'no.ts', true)];
		expect(
			stage([...failed, ...read(make, 'e', 'b.ts')])
				.rows()
				.slice(3),
		).toEqual(['● Read a.ts · 2 lines', '× Read no.ts · not found', '● Read b.ts · 2 lines']);
		const apart = [make.user('go'), ...read(make, 'f', 'a.ts'), make.assistant('and'), ...read(make, 'g', 'b.ts')];
		expect(
			stage(apart)
				.rows()
				.filter(row => row.startsWith('● Read')),
		).toEqual(['● Read a.ts · 2 lines', '● Read b.ts · 2 lines']);
	});

	it('take the thoughts and requests between them along, but not those around them', () => {
		const make = createItems();
		const {rows} = stage([
			make.user('go'),
			make.reasoning('first'),
			...read(make, 'a', 'a.ts'),
			make.request('tool_calls'),
			make.reasoning('second'),
			...read(make, 'b', 'b.ts'),
			make.reasoning('third'),
			make.assistant('done'),
		]);
		expect(rows().slice(2)).toEqual([
			'',
			'◌ thought for 1.2 s',
			'● Read 2 files · a.ts, b.ts',
			'◌ thought for 1.2 s',
			'',
			'  done',
		]);
	});

	it('are the same live, after each event, as restored from the same items', () => {
		const make = createItems();
		const items = [
			make.user('go'),
			...read(make, 'a', 'a.ts'),
			make.call('b', 'read_file', {path: 'b.ts'}),
			make.call('c', 'read_file', {path: 'c.ts'}),
			make.result('c', '2 lines', 'one\ntwo\n'),
			make.result('b', '2 lines', 'one\ntwo\n'),
			make.reasoning('hm'),
			...grep(make, 'd', 'x'),
			make.assistant('done'),
		];
		const live = stage([], 'running');
		for (const [index, item] of items.entries()) {
			live.store.dispatch({type: 'item', item});
			expect(live.rows()).toEqual(stage(items.slice(0, index + 1), 'running').rows());
		}
	});

	it('show a single opened call while the group is closed, as a search does', () => {
		const make = createItems();
		const {store, rows} = stage([make.user('go'), ...read(make, 'a', 'a.ts'), ...read(make, 'b', 'b.ts')]);
		store.toggle(store.block(2)!.id);
		expect(rows().slice(3)).toEqual([
			'● Read 2 files · a.ts, b.ts',
			'',
			'● Read b.ts · 2 lines',
			'  │ one',
			'  │ two',
		]);
		store.toggle(store.block(2)!.id);
		expect(rows().slice(3)).toEqual(['● Read 2 files · a.ts, b.ts']);
	});

	it.each(['the last one', 'the first one'])('cost the same each when there are thousands, from %s on', from => {
		const make = createItems();
		const {store} = stage(Array.from({length: 3000}, (_, at) => read(make, `c${at}`, `${at}.ts`)).flat());
		let asked = 0;
		const blocks = (index: number) => {
			asked++;
			return store.block(index);
		};
		const startOf = createGroupStarts(blocks, () => 1);
		const order = Array.from({length: 2999}, (_, at) => at + 1);
		for (const index of from === 'the last one' ? order.toReversed() : order)
			expect(neighboursOf(blocks, index, createOpened(), startOf).isFolded).toBe(true);
		expect(asked / 3000).toBeLessThan(20);
	});

	it('have rows of their own in the other views and for a screen reader', () => {
		const make = createItems();
		const items = [make.user('go'), ...read(make, 'a', 'a.ts'), ...read(make, 'b', 'b.ts')];
		expect(
			stage(items, 'running', true)
				.rows()
				.filter(row => row.startsWith('● ')),
		).toEqual(['● Read a.ts · 2 lines', '● Read b.ts · 2 lines']);
		const {store, rows} = stage(items);
		for (const [view, word] of [
			['detail', 'read_file'],
			['overview', 'Read'],
		] as const) {
			store.setLayout({view});
			expect(rows().filter(row => row.startsWith('● '))).toEqual([
				`● ${word} a.ts · 2 lines`,
				`● ${word} b.ts · 2 lines`,
			]);
		}
	});

	it('show hostile names inert and in one row', () => {
		const make = createItems();
		const {rows} = stage([
			make.user('go'),
			...read(make, 'a', '\u001b[2J\nx'),
			...read(make, 'b', `b${'.'.repeat(400)}`),
		]);
		expect(rows()[3]).toMatch(/^● Read 2 files · ␛\[2J␊x, b\.+…$/u);
		expect(rows()).toHaveLength(4);
	});
});

describe('what a session begins with', () => {
	it('is one row: the model, the tools and the instructions, until it is opened', () => {
		const make = createItems();
		const origin = {kind: 'instructions', path: 'AGENTS.md', truncated: false};
		const {store, rows} = stage([make.setup(), make.system('[AGENTS.md]\none\n', origin), make.user('go')]);
		expect(rows()).toEqual(['· scripted/demo · 1 tool · AGENTS.md', '', '▌ go']);
		store.toggleGroup(store.block(0)!.id);
		expect(rows().slice(1, 3)).toEqual([
			'· scripted/demo · 1 tool · system prompt 28 chars',
			'· Instructions AGENTS.md: 1 line',
		]);
	});

	it('is one row even if that is only a setup, live and restored, until it is opened', () => {
		const make = createItems();
		const [setup, user] = [make.setup(), make.user('go')];
		const {store, rows} = stage([setup, user]);
		expect(rows()).toEqual(['· scripted/demo · 1 tool', '', '▌ go']);
		const live = stage([]);
		for (const item of [setup, user]) live.store.dispatch({type: 'item', item});
		expect(live.rows()).toEqual(rows());
		store.toggleGroup(store.block(0)!.id);
		expect(rows().slice(0, 2)).toEqual([
			'· scripted/demo · 1 tool',
			'· scripted/demo · 1 tool · system prompt 28 chars',
		]);
	});

	it('does not include a setup later in the session', () => {
		const make = createItems();
		const {rows} = stage([make.user('go'), make.setup(), make.setup()]);
		expect(rows().filter(row => row.startsWith('· scripted/demo'))).toHaveLength(2);
	});
});

describe('tools with a single row', () => {
	it('have no blank rows between them, but around those with more rows', () => {
		const make = createItems();
		const bash = (id: string, output: string) => [
			make.call(id, 'bash', {command: id}),
			{
				...make.result(id, 'exit code 0', `${output}[exit code 0]`),
				details: {command: {exitCode: 0, bytes: output.length}},
			},
		];
		const {rows} = stage([
			make.user('go'),
			...bash('a', ''),
			...bash('b', ''),
			...bash('c', 'x\n'),
			...bash('d', ''),
		]);
		expect(rows().slice(2)).toEqual(['', '● Run a', '● Run b', '', '● Run c', '  │ x', '', '● Run d']);
	});
});
