import {describe, expect, it} from 'vitest';
import type {Item, Ledger, LedgerRow, Method} from '../../../../src/pod/protocol.ts';
import {contextPage} from '../../../../src/screen/model/pages/context-state.ts';
import {pageRows} from '../../../../src/screen/view/pages/page-rows.ts';
import {textOf} from '../../../../src/screen/spans/row.ts';
import {width} from '../../../../src/text/width.ts';
import {fakeApp, fakePod, idle, settled} from '../../../helpers/fake-app.ts';
import {createItems} from '../../../helpers/items.ts';
import type {TestOptions} from '../../../helpers/test-app.ts';
import {cpuTime} from '../../../helpers/cpu-time.ts';
import {layoutOf} from '../../../../src/screen/view/layout.ts';

const row = (kind: LedgerRow['kind'], label: string, tokens: number, rest: Partial<LedgerRow> = {}): LedgerRow => ({
	kind,
	label,
	tokens,
	bytes: tokens * 4,
	...rest,
});

function ledgerOf(rows: readonly LedgerRow[], rest: Partial<Ledger> = {}): Ledger {
	const sum = (of: readonly LedgerRow[]) => ({
		bytes: of.reduce((all, one) => all + one.bytes, 0),
		tokens: of.reduce((all, one) => all + one.tokens, 0),
	});
	const totals = [...Map.groupBy(rows, ({kind}) => kind)].map(([kind, of]) => ({kind, rows: of.length, ...sum(of)}));
	return {model: 'm', rows, totals, ...sum(rows), ...rest};
}

const some = [
	row('prompt', 'System prompt', 300, {id: 'i1'}),
	row('user', 'What is in a.ts?', 100, {id: 'i2'}),
	row('file', 'a.ts', 500, {
		id: 'i3',
		path: 'src/a.ts',
		range: {first: 1, last: 20},
		body: {bytes: 16_384, totalBytes: 49_152},
		state: 'changed',
	}),
	row('call', 'read_file b.ts', 50, {id: 'i4'}),
	row('result', 'read_file 3 lines', 40, {id: 'i5', pinned: true}),
	row('gap', 'Something is left out here', 10),
	row('assistant', 'It adds.', 0, {id: 'i6', dropped: true}),
];

async function shown(first: Ledger = ledgerOf(some), items: readonly Item[] = [], options: TestOptions = {}) {
	const answers = [first];
	const pod = {...fakePod(idle, items), ledger: async () => (answers.length > 1 ? answers.pop()! : answers[0]!)};
	const made = await fakeApp(pod, options);
	made.app.dispatch({type: 'open page', page: contextPage(first)});
	return {
		...made,
		answers,
		lines: (columns = 100, rows = 21) => made.rows(columns, rows).map(line => line.trimEnd()),
		said: (): Method[] => pod.said,
	};
}

describe('the context page', () => {
	it('has no bars for a screen reader', async () => {
		const {lines} = await shown(ledgerOf(some), [], {isSpoken: true});
		expect(lines().join('\n')).not.toMatch(/[█▊▋]/);
		expect(lines().join('\n')).toMatch(/500, 50%, file, src/);
	});

	it('shows the totals, and for each row its share, kind, name and flags', async () => {
		const unfinished = {compactions: 1, requests: 2};
		const {lines: withLost} = await shown(ledgerOf(some, {unfinished}));
		expect(withLost()[0]).toMatch(/ · 1 compaction did not finish$/);
		const {lines} = await shown(ledgerOf(some, {window: 200_000}));
		expect(lines(100, 17)).toEqual([
			'Context · ≈ 1k tokens · <1% of 200k · 7 rows',
			'❯ type to search',
			'file 1× 500 50% · prompt 1× 300 30% · user 1× 100 10% · call 1× 50 5% · result 1× 40 4%',
			'gap 1× 10 1% · assistant 1× 0 0%',
			'❯ █▊        300   30%  prompt       System prompt',
			'  ▋         100   10%  user         What is in a.ts?',
			'  ███       500   50%  file         src/a.ts:1-20 · ▲ changed · 16 KB of 48 KB',
			'  ▎          50    5%  call         read_file b.ts',
			'  ▎          40    4%  result       read_file 3 lines · pinned',
			'             10    1%  gap          Something is left out here',
			'              -        assistant    It adds. · dropped',
			'',
			'',
			'Esc close · Enter show · Ctrl+S sort by size · Ctrl+X drop · Ctrl+R restore · Ctrl+T pin',
		]);
		expect((await shown()).lines(100, 16)[0]).toContain('window unknown');
	});

	it.each<[string, number, string, Partial<Method> | undefined]>([
		['Ctrl+X', 2, 'x', {method: 'context', op: 'drop', ids: ['i3']}],
		['Ctrl+T', 2, 't', {method: 'context', op: 'pin', ids: ['i3']}],
		['Ctrl+T on a pinned item', 4, 't', {method: 'context', op: 'restore', ids: ['i5']}],
		['Ctrl+R on a pinned item', 4, 'r', {method: 'context', op: 'restore', ids: ['i5']}],
		['Ctrl+R on a dropped item', 6, 'r', {method: 'context', op: 'restore', ids: ['i6']}],
		['Ctrl+X on a dropped item', 6, 'x', undefined],
		['Ctrl+O on an item that is not the output of a tool', 2, 'o', undefined],
		['Ctrl+R on an unchanged item', 1, 'r', undefined],
		['Ctrl+X on a row that is not an item', 5, 'x', undefined],
	])('sends the method of a key, or shows a sentence: %s', async (_name, downs, key, method) => {
		const {press, said, told, lines} = await shown();
		lines();
		for (let n = 0; n < downs; n++) press('down');
		press(key, {ctrl: true});
		await settled();
		expect(said()).toEqual(method === undefined ? [] : [method]);
		if (method === undefined) expect(told()).toHaveLength(1);
	});

	it('restores both a call and its result on Ctrl+R, because either may have been dropped', async () => {
		const make = createItems();
		const [call, result] = [make.call('c', 'read_file', {path: 'a'}), make.result('c', '', '')];
		const {press, said} = await shown(
			ledgerOf([
				row('call', 'a', 0, {id: call.id, dropped: true}),
				row('result', 'a', 0, {id: result.id, dropped: true}),
			]),
			[call, result],
		);
		press('down');
		press('r', {ctrl: true});
		await settled();
		expect(said()).toEqual([{method: 'context', op: 'restore', ids: [call.id, result.id]}]);
	});

	it('shows a refusal and stays open', async () => {
		const {app, press, pod, told} = await shown();
		pod.answer = async () => ({accepted: false, code: 'not_idle', sentence: 'Not now.'});
		press('x', {ctrl: true});
		await settled();
		expect([told(), app.state.page === undefined]).toEqual([['Not now.'], false]);
	});

	it('is requested again when the history grows, and the same item stays chosen', async () => {
		const {press, commit, answers, lines} = await shown();
		lines();
		for (let n = 0; n < 2; n++) press('down');
		answers.push(
			ledgerOf([
				row('user', 'before', 1, {id: 'i9'}),
				...some.map(one => (one.id === 'i3' ? {...one, tokens: 0, dropped: true} : one)),
			]),
		);
		commit({type: 'context', op: 'drop', ids: ['i3']});
		await settled();
		expect(lines().findLast(line => line.startsWith('❯'))).toMatch(/- +file +src\/a\.ts:1-20 · dropped/);
	});

	it('has a screen reader read the block of the row again on Enter', async () => {
		const item = createItems().user('What is in a.ts?');
		const {app, press} = await shown(ledgerOf([row('user', item.text, 100, {id: item.id})]), [item], {
			isSpoken: true,
		});
		press('enter');
		expect(app.state).toMatchObject({page: undefined, transcript: {readAgain: {from: item.id, count: 1}}});
	});

	it('scrolls to the block of the row on Enter, even far up', async () => {
		const make = createItems();
		const items = [
			make.user('the first one'),
			...Array.from({length: 60}, (_, n) => make.assistant(`answer ${n}`)),
		];
		const {app, press, rows} = await shown(
			ledgerOf(items.map(({id}, n) => row('assistant', `row ${n}`, 1, {id}))),
			items,
		);
		rows();
		press('enter');
		rows();
		expect(app.state.page).toBeUndefined();
		expect(layoutOf(app.state).transcript.rows.map(({row}) => textOf(row))).toContain('the first one');
	});

	it('shows the items that match what you type, by their name, kind or path', async () => {
		const {lines, type, press, said} = await shown();
		type('read_file');
		expect(lines().slice(1, 2)).toEqual(['❯ read_file']);
		expect(lines().filter(line => line.includes('read_file'))).toHaveLength(3);
		press('down');
		press('x', {ctrl: true});
		await settled();
		expect(said()).toEqual([{method: 'context', op: 'drop', ids: ['i5']}]);
		type(' prompt');
		expect(lines().join('\n')).toContain('Nothing matches.');
	});

	it('sorts by size on Ctrl+S and back, and the highlight stays on its item', async () => {
		const {lines, press} = await shown();
		const names = () => lines(120).flatMap(line => /(?:%|-) +(\w+) {2,}\S/.exec(line)?.[1] ?? []);
		const chosen = () => lines().find(line => /^❯ .*\d/.test(line));
		press('down');
		const before = chosen();
		expect(names()).toEqual(['prompt', 'user', 'file', 'call', 'result', 'gap', 'assistant']);
		press('s', {ctrl: true});
		expect(names()).toEqual(['file', 'prompt', 'user', 'call', 'result', 'gap', 'assistant']);
		expect(chosen()).toBe(before);
		expect(lines().join('\n')).toContain('Ctrl+S sort by order');
		press('s', {ctrl: true});
		expect(names()[0]).toBe('prompt');
	});

	it('closes on Esc, and none of its letters go to the message', async () => {
		const {app, press, type, draft} = await shown();
		type('xyz');
		press('escape');
		expect([app.state.page, draft()]).toEqual([undefined, []]);
	});
});

describe.each([
	[120, 40],
	[60, 15],
	[40, 10],
	[20, 6],
	[9, 3],
])('a context page of %d by %d', (columns, rows) => {
	it('is quick, inert, and fits with thousands of hostile rows', async () => {
		const evil = '\x1b[2J\x1b]0;x\x07\r\u202e日本語👍🏽\u200b ';
		const kinds = ['file', 'call', 'result', 'user', 'summary', 'knowledge'] as const;
		const {
			app,
			press,
			rows: draw,
		} = await shown(
			ledgerOf(
				Array.from({length: 5000}, (_, n) =>
					row(kinds[n % 6]!, evil.repeat(n % 9), n * 1000, {
						id: `i${n}`,
						...(n % 3 === 0 && {path: evil, state: 'gone'}),
						...(n % 4 === 0 && {summarised: 12, pinned: true, body: {bytes: 1, totalBytes: 2e9}}),
					}),
				),
			),
		);
		for (const key of ['home', 'down', 'pagedown', 'end', 'pageup', 'up']) {
			press(key);
			const lines = draw(columns, rows);
			expect(lines.some(line => line.startsWith('❯')) || rows < 4).toBe(true);
			for (const line of lines) {
				expect(line).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e\u200b]/);
				expect(width(line)).toBeLessThanOrEqual(columns);
			}
		}
		const start = cpuTime();
		for (let frame = 0; frame < 50; frame++) pageRows(app.state, columns, rows);
		expect((cpuTime() - start) / 50).toBeLessThan(20);
	});
});
