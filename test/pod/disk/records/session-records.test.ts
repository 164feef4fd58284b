import {appendFile, mkdir, readFile, utimes, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {historyFile, sessionDir} from '../../../../src/pod/disk/paths.ts';
import {isDamageNotice} from '../../../../src/pod/disk/log/notices.ts';
import {readSession} from '../../../../src/pod/disk/log/read.ts';
import {streamPath} from '../../../../src/pod/disk/log/stream-file.ts';
import type {RowKind} from '../../../../src/pod/disk/records/record-rows.ts';
import {sessionRecords, type SessionRecord} from '../../../../src/pod/disk/records/session-records.ts';
import type {Item} from '../../../../src/worker/index.ts';
import {call, historyOf, long, result, tempHome, user} from '../fixture.ts';

const id = '01JD8XK3Q2AAAAAAAAAAAAAAAA';
const childId = '01JD8XK3Q2BBBBBBBBBBBBBBBB';
const at = '2026-01-01T00:00:03.000Z';
const later = '2026-01-02T00:00:00.000Z';
const end: Item = {id: 'e', at, type: 'run_end', outcome: 'finished'};
const request: Item = {id: 'q', at, type: 'request', model: 'm/1', requestHash: 'aa', startedAt: at};
const usage = {input: 1_000_000, output: 0};
const answered: Item = {id: 'qe', at, type: 'request_end', request: 'q', usage, endedAt: at, stop: 'end'};
const lost: Item = {...request, id: 'q2'};

type Header = Partial<Parameters<typeof historyOf>[1]>;

async function stored(items: readonly Item[], header: Header = {}) {
	const home = await tempHome();
	const dir = sessionDir(home.root, home.cwd, id);
	await write(dir, items, header);
	return dir;
}

async function write(dir: string, items: readonly Item[], header: Header = {}): Promise<void> {
	await mkdir(dir, {recursive: true});
	await writeFile(historyFile(dir), historyOf(items, {session: id, cwd: '/project', created: at, ...header}));
}

async function recordsOf(dir: string, kind: RowKind, options: {since?: string; pauses?: number} = {}) {
	const records: SessionRecord[] = [];
	const problems: string[] = [];
	let pauses = 0;
	await sessionRecords(dir, {
		kind,
		since: options.since,
		prices: model => ({[model]: [{input: 2, output: 8}]}),
		onRecord: record => records.push(record),
		onPause: async () => ++pauses <= (options.pauses ?? Number.POSITIVE_INFINITY),
		onProblem: sentence => problems.push(sentence),
	});
	return {records, problems};
}

describe('the records of a session', () => {
	it('are its items with the session and the turn', async () => {
		const dir = await stored([user('a', 'one'), end, user('b', 'two')]);
		const {records, problems} = await recordsOf(dir, 'messages');
		expect(problems).toEqual([]);
		expect(records).toMatchObject([
			{session: id, turn: 1, id: 'a', type: 'message', text: 'one'},
			{session: id, turn: 2, id: 'b', text: 'two'},
		]);
		expect(records[0]).not.toHaveProperty('sum');
		expect(records[0]).not.toHaveProperty('copied');
	});

	it('are calls or results', async () => {
		const dir = await stored([call('c', 'x'), result('r', 'x')]);
		expect((await recordsOf(dir, 'calls')).records).toMatchObject([{id: 'c', name: 'read_file'}]);
		expect((await recordsOf(dir, 'results')).records).toMatchObject([{id: 'r', callId: 'x'}]);
	});

	it('join a request with its end, and keep a request whose answer is lost', async () => {
		const dir = await stored([request, answered, lost]);
		const {records} = await recordsOf(dir, 'requests');
		expect(records).toMatchObject([{id: 'q', model: 'm/1', usage, stop: 'end'}, {id: 'q2'}]);
		expect(records[1]).not.toHaveProperty('usage');
	});

	it('have the cost of each request', async () => {
		const dir = await stored([request, answered, lost]);
		const {records} = await recordsOf(dir, 'costs');
		expect(records).toMatchObject([{id: 'q', model: 'm/1', usd: 2}, {id: 'q2'}]);
		expect(records[1]?.['usd']).toBeUndefined();
	});

	it('name the files that tools read and changed, and those of messages', async () => {
		const read = {path: 'a', real: '/a', sha256: 's', first: 1, last: 2, totalLines: 2, whole: true};
		const changed = [{path: 'b', real: '/b', after: 't'}];
		const attached = {kind: 'file', path: 'c', sha256: 'u'};
		const dir = await stored([
			{...result('r', 'x'), details: {read, changed}} as Item,
			{...user('m', ''), role: 'system', origin: attached} as Item,
		]);
		expect((await recordsOf(dir, 'files')).records).toMatchObject([
			{op: 'read', path: 'a', sha256: 's', callId: 'x'},
			{op: 'change', path: 'b', after: 't'},
			{op: 'file', path: 'c', sha256: 'u'},
		]);
	});

	it('include the decisions about calls', async () => {
		const approvals = [{at, by: 'user', allowed: true, choice: 'allow'}];
		const dir = await stored([call('c', 'x'), {...result('r', 'x'), details: {approvals}} as Item]);
		expect((await recordsOf(dir, 'approvals')).records).toMatchObject([
			{item: 'c', by: 'user', choice: 'allow', at},
		]);
	});

	it('include those of children, compactions and side questions', async () => {
		const dir = await stored([user('a', 'one')]);
		await write(join(dir, 'children', childId), [user('b', 'two')]);
		await write(join(dir, 'compactions', 'k'), [user('c', 'three')]);
		await write(join(dir, 'asides', 's'), [user('d', 'four')], {fork: {session: id, to: 'a'}});
		await mkdir(join(dir, 'children', 'not-an-id'));
		expect(
			(await recordsOf(dir, 'messages')).records.map(({parent, part, ...rest}) => [rest['id'], parent, part]),
		).toEqual([
			['a', undefined, undefined],
			['b', id, 'child'],
			['c', id, 'compaction'],
			['d', id, 'aside'],
		]);
	});

	it('mark what a fork copied, and leave its cost out', async () => {
		const fork = {session: childId, to: 'qe'};
		const dir = await stored([user('a', 'one'), request, answered, user('b', 'two'), lost], {fork});
		expect((await recordsOf(dir, 'messages')).records.map(({id: item, copied}) => [item, copied])).toEqual([
			['a', true],
			['b', undefined],
		]);
		expect((await recordsOf(dir, 'costs')).records.map(({id: item}) => item)).toEqual(['q2']);
	});

	it('begin at a time, and keep the numbers of the turns', async () => {
		const dir = await stored([user('a', 'one'), end, {...user('b', 'two'), at: later}]);
		expect((await recordsOf(dir, 'messages', {since: later})).records).toMatchObject([{id: 'b', turn: 2}]);
	});

	it('skip a history that has not changed since a time', async () => {
		const dir = await stored([{...user('b', 'two'), at: later}]);
		await utimes(historyFile(dir), 1000, 1000);
		expect((await recordsOf(dir, 'messages', {since: '2025-01-01T00:00:00.000Z'})).records).toEqual([]);
	});

	it('stop when nobody takes them', async () => {
		const items = Array.from({length: 600}, (_, n) => user(`m${n}`, 'x'.repeat(4096)));
		const dir = await stored(items);
		const {records} = await recordsOf(dir, 'messages', {pauses: 0});
		expect(records.length).toBeGreaterThan(0);
		expect(records.length).toBeLessThan(300);
	});

	it('are complete for lines that are longer than a piece', async () => {
		const dir = await stored([user('a', 'x'.repeat(3_000_000)), user('b', 'two')]);
		expect((await recordsOf(dir, 'messages')).records.map(({id: item}) => item)).toEqual(['a', 'b']);
	});

	it('are empty without a history or without items', async () => {
		const home = await tempHome();
		expect(await recordsOf(home.cwd, 'messages')).toEqual({records: [], problems: []});
	});
});

describe('a session that is not intact', () => {
	const items = ['a', 'b', 'c'].map(each => user(each, `text ${each}`));

	it('is printed without the changed line, each other item once, and is named', async () => {
		const dir = await stored(items);
		const text = await readFile(historyFile(dir), 'utf8');
		await writeFile(historyFile(dir), text.replace('text b', 'text B'));
		const {records, problems} = await recordsOf(dir, 'messages');
		expect(records.map(({id: item}) => item)).toEqual(['a', 'c']);
		expect(problems).toEqual([`${historyFile(dir)} is damaged. Its readable records were printed.`]);
	});

	it.each<[string, (text: string) => string]>([
		['a lost line', text => text.replace(/\{"id":"b".*\n/, '')],
		['a changed header', text => text.replace('/project', '/Project')],
		['a wrong separator', text => text.replace(/,\n\{"id":"b"/, ' \n{"id":"b"')],
	])('is named after %s', async (_, change) => {
		const dir = await stored(items);
		await writeFile(historyFile(dir), change(await readFile(historyFile(dir), 'utf8')));
		expect((await recordsOf(dir, 'messages')).problems).toHaveLength(1);
	});

	it('has the same items as for every other command, whichever byte was changed', async () => {
		const dir = await stored(items);
		const bytes = await readFile(historyFile(dir));
		for (let byte = 0; byte < bytes.length; byte += long ? 1 : 13) {
			const changed = Buffer.from(bytes);
			changed[byte] = bytes[byte] === 0x0a ? 0x20 : (bytes[byte] ?? 0) ^ 1;
			await writeFile(historyFile(dir), changed);
			const read = await readSession(dir);
			const expected = read.ok ? read.session.items.filter(item => !isDamageNotice(item)) : [];
			const {records, problems} = await recordsOf(dir, 'messages');
			const ids = expected.flatMap(({type, id: item}) => (type === 'message' ? [item] : []));
			expect([byte, records.map(({id: item}) => item)]).toEqual([byte, ids]);
			// The last bytes are those of an append that has not finished.
			if (byte < bytes.length - 4) expect([byte, problems.length]).toEqual([byte, 1]);
		}
	});

	it('is printed as far as it is while a process writes it', async () => {
		const dir = await stored(items);
		const text = await readFile(historyFile(dir), 'utf8');
		await writeFile(historyFile(dir), `${text.slice(0, -4)},\n{"id":"d","at":"2026`);
		const {records, problems} = await recordsOf(dir, 'messages');
		expect(records.map(({id: item}) => item)).toEqual(['a', 'b', 'c']);
		expect(problems).toEqual([]);
	});

	it('has text that only the log of streamed text contains', async () => {
		const dir = await stored(items);
		const begun = {id: 's', at, type: 'message', role: 'assistant', text: ''};
		await appendFile(streamPath(dir), `${JSON.stringify({id: 's', offset: 0, text: 'Once', item: begun})}\n`);
		expect((await recordsOf(dir, 'messages')).records.map(({text}) => text)).toContain('Once');
	});

	it('is named if it has an unknown type of item, and if it is not a session', async () => {
		const dir = await stored([user('a', 'one'), {id: 'n', at, type: 'novel'} as unknown as Item]);
		expect((await recordsOf(dir, 'messages')).problems).toEqual([expect.stringContaining('"novel"')]);
		await writeFile(historyFile(dir), 'nothing');
		expect((await recordsOf(dir, 'messages')).problems).toEqual([
			expect.stringContaining('is not an inkpod session'),
		]);
	});
});
