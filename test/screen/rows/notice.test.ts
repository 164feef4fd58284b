import {expect, it} from 'vitest';
import type {Event, Item} from '../../../src/pod/protocol.ts';
import {plainText} from '../../../src/screen/spans/row.ts';
import {formNames} from '../../../src/worker/index.ts';
import type {View} from '../../../src/transcript/block.ts';
import {createTranscriptStore} from '../../../src/screen/rows/store.ts';
import {createItems} from '../../helpers/items.ts';

/** Returns the rows of one system item. */
function rowsOf(
	view: View,
	text: string,
	origin: Readonly<Record<string, unknown>> & {readonly kind: string},
): string[] {
	return allRows(view, [createItems().system(text, origin)]);
}

function allRows(view: View, items: readonly Item[]): string[] {
	const snapshot: Event = {
		type: 'snapshot',
		session: {id: 's', model: 'm', scope: {pwd: '/', writable: true, readRoots: []}},
		items,
		tail: [],
		status: {kind: 'idle', asks: [], queue: []},
	};
	const store = createTranscriptStore({columns: 60, view});
	store.dispatch(snapshot);
	return Array.from({length: store.count()}, (_, index) => store.rows(index))
		.flat()
		.map(row => plainText(row).trimEnd());
}

const origin = {
	kind: 'instructions',
	path: 'src/AGENTS.md',
	file: '/p/src/AGENTS.md',
	truncated: false,
	bytes: 2048,
	totalBytes: 2048,
	sha256: '',
};

it('instructions have one row with path, lines and size, and their text in the detail view', () => {
	const text = '[Instructions: src/AGENTS.md]\nUse tabs.\nTest.\n';
	expect(rowsOf('normal', text, origin)).toEqual(['· Instructions src/AGENTS.md: 2 lines, 2 KB']);
	expect(rowsOf('detail', text, origin)).toEqual([
		'· Instructions src/AGENTS.md: 2 lines, 2 KB',
		'  │ Use tabs.',
		'  │ Test.',
	]);
});

it('truncated or removed instructions have a note in their row', () => {
	expect(
		rowsOf('normal', '[Instructions: src/AGENTS.md]\nUse\n[...truncated, 4096 bytes total]', {
			...origin,
			truncated: true,
			totalBytes: 4096,
		}),
	).toEqual(['· Instructions src/AGENTS.md: 1 line, truncated 2 KB of 4 KB']);
	expect(rowsOf('normal', '[Instructions: src/AGENTS.md, which was removed]', {...origin, gone: true})).toEqual([
		'· Instructions src/AGENTS.md: removed',
	]);
});

it('a change of the context names its items in its row, and all of them with ids in the detail view', () => {
	const make = createItems();
	const items: Item[] = [
		make.file('src/a.ts', 'x\n', {range: {first: 1, last: 3}}),
		make.call('c', 'read_file', {path: 'b.ts'}),
		make.result('c', '', ''),
		make.user('Say\u001b[2J it'),
		make.compaction('So far.'),
		make.end(),
	];
	const ids = items.slice(0, -1).map(({id}) => id);
	const last = (view: View, item: Item) => allRows(view, [...items, item]).slice(view === 'detail' ? -6 : -1);
	expect(last('normal', make.item('context', {op: 'drop', ids: ids.slice(0, 2)}))).toEqual([
		'· Dropped from context: File src/a.ts:1-3, read_file b.ts',
	]);
	const rules = make.system('[Instructions: src/AGENTS.md]\nUse tabs.\n', origin);
	expect(allRows('normal', [rules, make.item('context', {op: 'pin', ids: [rules.id]})]).at(-1)).toBe(
		'· Pinned in context: Instructions src/AGENTS.md',
	);
	expect(last('normal', make.item('context', {op: 'pin', ids: ids.slice(3)}))).toEqual([
		'· Pinned in context: “Say␛[2J it”, the compaction',
	]);
	expect(last('normal', make.item('context', {op: 'restore', ids: ids.slice(4)}))).toEqual([
		'· Restored to context: the summarised items',
	]);
	expect(last('detail', make.item('context', {op: 'restore', ids: [...ids, 'nowhere']}))).toEqual([
		'  │ File src/a.ts:1-3 (i1)',
		'  │ read_file b.ts (i2)',
		'  │ read_file b.ts (i3)',
		'  │ “Say␛[2J it” (i4)',
		'  │ the summarised items (i5)',
		'  │ nowhere',
	]);
	expect(last('normal', make.item('context', {op: 'drop', ids}))[0]).toBe(
		'· Dropped from context: File src/a.ts:1-3, read_file b.ts, …',
	);
});

it('a rewind names in its row the first message that it removed', () => {
	const make = createItems();
	const items: Item[] = [
		make.setup(),
		make.user('one'),
		make.assistant('Yes.'),
		make.end(),
		make.user('two'),
		make.assistant('Yes.'),
		make.end(),
	];
	const last = (to: string) => allRows('normal', [...items, make.item('rewind', {to})]).at(-1);
	expect(last(items[3]!.id)).toBe('· Rewound to before “two”; later messages are no longer in …');
	expect(last(items[5]!.id)).toBe('· Rewound to i6; later messages are no longer in context');
	expect(last('nowhere')).toBe('· Rewound to nowhere; later messages are no longer in conte…');
});

it('a truncated request has one row, and what to do in the detail view', () => {
	const text = 'The server read about 9 of 99 tokens.\nGive it a larger window.';
	const about = {kind: 'notice', about: 'truncated', request: 'r', read: 9, of: 99};
	expect(rowsOf('normal', text, about)).toEqual(['· The server read about 9 of 99 tokens.']);
	expect(rowsOf('detail', text, about)).toEqual([
		'· The server read about 9 of 99 tokens.',
		'  │ Give it a larger window.',
	]);
});

it('a setup names the changes that the server asked for, each in its own words', () => {
	const textFor = (forms: unknown) =>
		allRows('detail', [{...createItems().setup(), settings: {forms}}])
			.join(' ')
			.replaceAll(/ +/g, ' ');
	expect(textFor(['short_ids', 'separate_roles'])).toContain(
		'changed for this server: alternating roles, short ids of tool calls · 1 tool',
	);
	const texts = formNames.map(name => textFor([name]).split('changed for this server: ')[1]);
	expect(new Set(texts)).toHaveLength(formNames.length);
	expect(texts).not.toContain(undefined);
	for (const others of [undefined, [], ['strange'], 'short_ids']) expect(textFor(others)).not.toContain('changed');
});

it('a setup shows the latest change for a server before what did not change', () => {
	const settings = {forms: ['empty_content', 'reasoning_content', 'no_stream_options']};
	const make = createItems();
	const rows = allRows('normal', [make.setup(), make.user('Hi'), {...make.setup(), settings}]);
	expect(rows).toContain('· scripted/demo · changed for this server: no stream_option…');
});

it('a setup names the options of the model', () => {
	const settings = {rules: 2, reasoning: 'low', temperature: 0.2, stop: ['a', 'b']};
	const [row] = allRows('detail', [{...createItems().setup(), settings}]);
	expect(row).toMatch(/^· scripted\/demo · effort low · temperature 0\.2/);
});
