import {describe, expect, it} from 'vitest';
import type {Ask, Event, Item, Status} from '../../../src/pod/protocol.ts';
import {textOf} from '../../../src/screen/spans/row.ts';
import {blocksOf, createTranscript, reduce} from '../../../src/transcript/state.ts';
import {createTranscriptStore} from '../../../src/screen/rows/store.ts';
import {createItems} from '../../helpers/items.ts';

const status = (kind: Status['kind'], asks: readonly Ask[] = []): Status => ({kind, asks, queue: []});
const snapshot = (items: readonly Item[], kind: Status['kind'] = 'running'): Event => ({
	type: 'snapshot',
	session: {id: 's', model: 'm', scope: {pwd: '/', writable: true, readRoots: []}},
	items,
	tail: [],
	status: status(kind),
});
const storeOf = (items: readonly Item[], kind?: Status['kind']) => {
	const store = createTranscriptStore({columns: 80, view: 'normal'});
	store.dispatch(snapshot(items, kind));
	return store;
};

describe('a call without a result', () => {
	it('shows in its head whether it streams, needs approval, runs or was abandoned', () => {
		const make = createItems();
		const call = make.call('c', 'bash', {command: 'ls -la'});
		const store = storeOf([make.user('go')]);
		const head = () => textOf(store.rows(1)[1]!);
		store.dispatch({type: 'delta', id: call.id, text: '{"command":"ls', begin: {...call, arguments: ''}});
		expect(head()).toBe('Run ls · receiving arguments');
		store.dispatch({type: 'item', item: call});
		expect(head()).toBe('Run ls -la · running');
		store.dispatch({
			type: 'status',
			status: status('running', [{id: 'a', callId: 'c', title: '', detail: '', choices: []}]),
		});
		expect(head()).toBe('Run ls -la · needs approval');
		store.dispatch({type: 'status', status: status('paused')});
		expect(head()).toBe('Run ls -la · interrupted');
	});

	it('waits while another call of its batch needs approval, because none starts before all are answered', () => {
		const make = createItems();
		const store = storeOf([
			make.user('go'),
			make.call('c', 'bash', {command: 'ls'}),
			make.call('d', 'bash', {command: 'pwd'}),
		]);
		const heads = () => [1, 2].map(index => textOf(store.rows(index).at(-1)!));
		store.dispatch({
			type: 'status',
			status: status('running', [{id: 'a', callId: 'd', title: '', detail: '', choices: []}]),
		});
		expect(heads()).toEqual(['Run ls · queued', 'Run pwd · needs approval']);
		store.dispatch({
			type: 'status',
			status: status('running', [{id: 'a', title: 'Trust?', detail: '', choices: []}]),
		});
		expect(heads()).toEqual(['Run ls · running', 'Run pwd · running']);
	});

	it('shows the last lines of its output while it runs, and when it is done', () => {
		const make = createItems();
		const call = make.call('c', 'bash', {command: 'seq 9'});
		const result = make.result('c', 'exit 0', '1\n2\n3\n4\n5\n6\n7\n');
		const store = storeOf([make.user('go'), call]);
		store.dispatch({type: 'delta', id: result.id, text: '1\n2\n3\n4\n5\n6\n', begin: {...result, content: ''}});
		expect(store.rows(1).map(textOf)).toEqual(['', 'Run seq 9 · running', '… 2 earlier lines', '3', '4', '5', '6']);
		store.dispatch({type: 'item', item: result});
		expect(store.rows(1).map(textOf).slice(1)).toEqual(['Run seq 9', '… 3 earlier lines', '4', '5', '6', '7']);
	});

	it('shows what failed when the command has failed, live and restored', () => {
		const make = createItems();
		const call = make.call('c', 'bash', {command: 'npm test'});
		const dots = '.\n'.repeat(20);
		const content = `${dots} FAIL  a.test.ts\nError: it broke\n⎯⎯⎯\n${dots}`;
		const result = (facts: object, command: object | undefined = {bytes: 1, exitCode: 1}) =>
			make.item('tool_result', {
				callId: 'c',
				summary: 'exit 1',
				content,
				isError: true,
				ms: 1,
				details: {...facts, command},
			});
		const ended = result({});
		const live = storeOf([make.user('go'), call]);
		live.dispatch({type: 'delta', id: ended.id, text: content, begin: {...ended, content: ''}});
		live.dispatch({type: 'item', item: ended});
		const rows = ['… 20 earlier lines', ' FAIL  a.test.ts', 'Error: it broke', '… 21 more lines'];
		expect(live.rows(1).map(textOf).slice(2)).toEqual(rows);
		expect(
			storeOf([make.user('go'), call, ended])
				.rows(1)
				.map(textOf)
				.slice(2),
		).toEqual(rows);
		const end = ['… 33 earlier lines', ...Array<string>(10).fill('.')];
		const stopped = storeOf([make.user('go'), call, result({interrupted: 'aborted'})]);
		expect(stopped.rows(1).map(textOf).slice(2)).toEqual(end);
		const notRun = storeOf([make.user('go'), call, {...ended, details: {}}]);
		expect(notRun.rows(1).map(textOf).slice(2)).toEqual(end);
	});
});

describe('a delta of a stream', () => {
	/** Counts the reads of streaming items when another item begins and grows. */
	function looks(count: number): number {
		const make = createItems();
		const store = storeOf([make.user('go')]);
		let looked = 0;
		const begin = (id: string) => {
			const call = make.call(id, 'bash', {});
			const seen = new Proxy(
				{...call, arguments: ''},
				{get: (item, key) => (looked++, Reflect.get(item, key) as unknown)},
			);
			store.dispatch({type: 'delta', id: call.id, text: '', begin: seen});
			return call.id;
		};
		for (let index = 0; index < count; index++) begin(`c${index}`);
		looked = 0;
		const last = begin('last');
		store.dispatch({type: 'delta', id: last, text: '{'});
		expect(store.count()).toBe(count + 2);
		return looked;
	}

	it('costs the same for one call, however many calls stream', () => {
		expect(looks(1000)).toBe(looks(2));
	});

	it('replaces the notice that the run was interrupted', () => {
		const make = createItems();
		const store = storeOf([make.user('go')], 'paused');
		expect(store.block(1)?.id).toBe('cut');
		const call = make.call('c', 'bash', {});
		store.dispatch({type: 'delta', id: call.id, text: '', begin: call});
		expect([store.count(), store.block(1)?.kind]).toEqual([2, 'tool']);
	});
});

describe('a run without an end', () => {
	it('is no longer shown as interrupted after a rewind removed it', () => {
		const make = createItems();
		const user = make.user('hello');
		const state = createTranscript();
		reduce(state, snapshot([make.setup(), user, make.assistant('I wa')], 'paused'));
		expect(blocksOf(state).at(-1)?.id).toBe('cut');
		reduce(state, {type: 'item', item: make.item('rewind', {to: user.id})});
		expect(blocksOf(state).map(({kind}) => kind)).toEqual(['notice', 'user', 'assistant', 'notice']);
		expect(blocksOf(state).at(-1)?.id).not.toBe('cut');
	});

	it('is shown as interrupted when nothing runs or streams, until a run continues it', () => {
		const make = createItems();
		const state = createTranscript();
		reduce(state, snapshot([make.user('go'), make.assistant('half')], 'paused'));
		expect(blocksOf(state).at(-1)).toMatchObject({id: 'cut', derived: 'cut'});
		reduce(state, {type: 'status', status: status('running')});
		expect(blocksOf(state).map(block => block.kind)).toEqual(['user', 'assistant']);
	});

	it('is not shown as interrupted once it has ended', () => {
		const make = createItems();
		const state = createTranscript();
		reduce(state, snapshot([make.user('go'), make.end('cancelled')]));
		expect(blocksOf(state).some(block => block.id === 'cut')).toBe(false);
	});
});

describe('an interrupted run', () => {
	it('ends with one row that names the keys, until something else runs', () => {
		const make = createItems();
		const items = [make.user('go'), make.assistant('half', 'aborted'), make.request('aborted'), make.end('paused')];
		const store = storeOf(items, 'paused');
		const rows = () =>
			Array.from({length: store.count()}, (_, index) => store.rows(index))
				.flat()
				.map(textOf);
		expect(rows().filter(row => /interrupted/iu.test(row))).toEqual([
			'Interrupted · Enter to continue · Ctrl+C to discard',
		]);
		store.dispatch({type: 'status', status: status('running')});
		store.dispatch({type: 'item', item: make.user('something else')});
		expect(rows().filter(row => /interrupted/iu.test(row))).toHaveLength(1);
		expect(rows().find(row => /interrupted/iu.test(row))).toMatch(/^4\.0 s · .* · interrupted$/u);
	});
});

describe('createTranscriptStore', () => {
	it('creates the rows of several large blocks only once', () => {
		const make = createItems();
		const many = 'a\n\n'.repeat(9000);
		const store = storeOf([make.user('go'), ...Array.from({length: 3}, () => make.assistant(many))]);
		const rows = [1, 2, 3].map(index => store.rows(index));
		expect(rows[0]!.length).toBeGreaterThan(17_000);
		expect([1, 2, 3].map((index, at) => store.rows(index) === rows[at])).toEqual([true, true, true]);
	});

	it('expands a block and collapses it again', () => {
		const make = createItems();
		const file = make.file('a.txt', 'x\n'.repeat(30));
		const store = storeOf([file]);
		const before = store.rows(0).length;
		store.toggle(file.id);
		expect(store.rows(0)).toHaveLength(32);
		store.toggle(file.id);
		expect(store.rows(0)).toHaveLength(before);
	});

	it('returns the same rows when a block is asked for twice', () => {
		const make = createItems();
		const store = storeOf([make.user('a')]);
		expect(store.rows(0)).toBe(store.rows(0));
	});

	it.each([
		['0 lines', '', 0, '(empty)'],
		['1 line, an empty one', '\n', 1, undefined],
		['4 lines', 'a\nb\nc\nd\n', 4, undefined],
		['5 lines', 'a\nb\nc\nd\ne', 4, '… 1 more line'],
		['7 lines and a final newline', 'a\nb\nc\nd\ne\nf\ng\n', 4, '… 3 more lines'],
	])('shows a preview of a file of %s', (_, body, shown, note) => {
		const make = createItems();
		const rows = storeOf([make.file('a', body)])
			.rows(0)
			.slice(2)
			.map(textOf);
		expect(rows).toHaveLength(shown + (note === undefined ? 0 : 1));
		expect(rows[shown]).toBe(note);
	});

	it('draws only the badge of a file that changed on disk, and removes it when the file is unchanged again', () => {
		const make = createItems();
		const [file, other] = [make.file('a.txt', 'x\n'), make.file('b.txt', 'y\n')];
		const store = storeOf([file, other]);
		const kept = store.rows(1);
		store.setStale(new Map([[file.id, 'changed']]));
		expect(textOf(store.rows(0)[1]!)).toBe('File a.txt · 1 line · 2 B · ▲ changed on disk');
		expect(store.rows(1)).toBe(kept);
		const version = store.version();
		store.setStale(
			new Map([
				[file.id, 'changed'],
				[other.id, undefined],
			]),
		);
		expect(store.version()).toBe(version);
		store.setStale(new Map([[file.id, undefined]]));
		expect(textOf(store.rows(0)[1]!)).toBe('File a.txt · 1 line · 2 B');
	});

	it('keeps alerts separate and bounded', () => {
		const store = storeOf([]);
		for (let count = 0; count < 60; count++)
			store.dispatch({type: 'alert', alert: {level: 'info', text: String(count)}});
		expect(store.count()).toBe(0);
		expect(store.transcript.alerts).toHaveLength(50);
		expect(store.transcript.alertCount).toBe(60);
	});
});
