import {readFile, rm, stat, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {backupHashes} from '../../../../src/pod/tools/files/changes.ts';
import {forkSession, type ForkOptions} from '../../../../src/pod/disk/conversations/fork.ts';
import {realFiles} from '../../../../src/pod/disk/files.ts';
import {saveBackup, backupsDir} from '../../../../src/pod/disk/bodies/pasted.ts';
import {listSessions} from '../../../../src/pod/disk/list/list.ts';
import {readSummary} from '../../../../src/pod/disk/list/summary.ts';
import {openSession} from '../../../../src/pod/disk/log/open.ts';
import {compactionsDir, historyFile, idOf, projectDir, sideDir} from '../../../../src/pod/disk/paths.ts';
import {readSession} from '../../../../src/pod/disk/log/read.ts';
import {verifySummaries} from '../../../../src/pod/disk/check/verify-summaries.ts';
import {verifySession} from '../../../../src/pod/disk/check/verify.ts';
import {systemClock, type Item} from '../../../../src/worker/index.ts';
import {compactedSession} from '../../../helpers/side-sessions.ts';
import {sha256} from '../../tools/files/file-tools.ts';
import {historyOf, itemsOnDisk, namesIn, request, sessionOfBytes, storedSession, tempHome, user} from '../fixture.ts';

const changed = (before: string): Item => ({
	id: 'c',
	at: '2026-01-01T00:00:02.000Z',
	type: 'tool_result',
	callId: 'x',
	summary: '',
	content: '',
	isError: false,
	ms: 1,
	details: {changed: [{path: 'a', real: '/p/a', before, after: sha256('new')}]},
});
const fork = async (dir: string, options: Partial<ForkOptions> = {}, files = realFiles) =>
	forkSession(dir, {backupsOf: () => [], copyOutputs: async () => 0, ...options}, systemClock(), files);

async function made(
	dir: string,
	options?: Partial<ForkOptions>,
): Promise<Extract<Awaited<ReturnType<typeof fork>>, {ok: true}>> {
	const forked = await fork(dir, options);
	if (!forked.ok) throw new Error(forked.sentence);
	return forked;
}

async function verdict(dir: string) {
	const read = await readSession(dir);
	return read.ok ? verifySession(read.session) : read;
}

describe('a fork', () => {
	it('has the same items with a new id and a new chain, and leaves the original unchanged', async () => {
		const home = await tempHome();
		const {dir, path} = await storedSession(home, [[user('a', '日本'), request('b')], [user('c', 'two')]]);
		const before = await readFile(path);
		const {dir: forked, notice, warnings} = await made(dir);
		expect(idOf(forked)).not.toBe(idOf(dir));
		expect(await itemsOnDisk({dir: forked})).toEqual(await itemsOnDisk({dir}));
		expect(await verdict(forked)).toMatchObject({ok: true, findings: []});
		expect(notice).toBe(`Forked session ${idOf(dir)} into this one. The original is unchanged.`);
		expect(warnings).toEqual([]);
		expect(await readFile(path)).toEqual(before);
		expect(await namesIn(forked)).toEqual(['history.json']);
		const opened = await openSession(forked, systemClock());
		if (!opened.ok) throw new Error(opened.sentence);
		await opened.session.log.write([request('d')]);
		await opened.session.close();
		expect(await verdict(forked)).toMatchObject({ok: true, counts: {message: 2, request: 2}});
		const listed = await listSessions(projectDir(home.root, home.cwd));
		expect(listed.map(({id, forkOf, words}) => [id, forkOf, words])).toEqual(
			expect.arrayContaining([
				[idOf(forked), idOf(dir), '日本'],
				[idOf(dir), undefined, '日本'],
			]),
		);
	});

	it('takes over the title with a mark, once, as an item and for the list', async () => {
		const home = await tempHome();
		const title = (id: string, text: string): Item => ({
			id,
			at: '2026-01-01T00:00:02.000Z',
			type: 'title',
			title: text,
		});
		const {dir} = await storedSession(home, [[user('a', 'one'), title('b', 'Fix it'), user('c', 'two')]]);
		const first = await made(dir);
		expect((await itemsOnDisk({dir: first.dir})).at(-1)).toMatchObject({type: 'title', title: 'Fix it (fork)'});
		expect(await readSummary(first.dir)).toMatchObject({title: 'Fix it (fork)', forkOf: idOf(dir)});
		const second = await made(first.dir);
		expect(await readSummary(second.dir)).toMatchObject({title: 'Fix it (fork)', forkOf: idOf(first.dir)});
		expect(await readSummary((await made(dir, {upTo: 'a'})).dir)).not.toHaveProperty('title');
		const untitled = await storedSession(home, [[title('b', 'Fix it'), title('c', '')]]);
		expect(await itemsOnDisk(await made(untitled.dir))).toHaveLength(2);
		const long = await storedSession(home, [[title('b', 'x'.repeat(200))]]);
		expect((await readSummary((await made(long.dir)).dir)).title).toBe(`${'x'.repeat(193)} (fork)`);
	});

	it('has the conversations of its compactions as files of its own', async () => {
		const home = await tempHome();
		const own = [user('s', 'Summarise this.'), request('t')];
		const sides = [
			{id: 'C1', items: own},
			{id: 'C2', items: own},
			{id: 'C3', items: own, finished: false},
		];
		const dir = await compactedSession(home, [user('a', '1'), request('b')], ...sides);
		const {dir: forked, warnings} = await made(dir, {upTo: 'C1'});
		expect([await namesIn(compactionsDir(forked)), warnings.length]).toEqual([['C1'], 0]);
		const path = historyFile(sideDir(forked, 'C1'));
		expect(await readFile(path)).toEqual(await readFile(historyFile(sideDir(dir, 'C1'))));
		expect((await stat(path)).nlink).toBe(1);
		const read = await readSession(forked);
		expect(read.ok && (await verifySummaries(read.session))).toMatchObject({ok: true, count: 1, findings: []});
		await rm(compactionsDir(dir), {recursive: true});
		expect((await made(dir)).warnings).toContain('The conversations of some compactions could not be copied.');
	});

	it('ends at a given item, and is refused for an unknown item', async () => {
		const home = await tempHome();
		const {dir} = await storedSession(home, [[user('a', '1'), request('b'), user('c', '2')]]);
		expect(await itemsOnDisk(await made(dir, {upTo: 'b'}))).toMatchObject([{id: 'a'}, {id: 'b'}]);
		expect(await fork(dir, {upTo: 'nowhere'})).toEqual({ok: false, sentence: 'The session has no item nowhere.'});
		expect(await listSessions(projectDir(home.root, home.cwd))).toHaveLength(2);
	});

	it('copies what is safely on disk of a session that is being written, without its lock', async () => {
		const home = await tempHome();
		const {dir, path} = await storedSession(home, [[user('a', '1'), user('b', '2')]]);
		const opened = await openSession(dir, systemClock());
		const half = (await readFile(path)).subarray(0, -30);
		await writeFile(path, half);
		expect(await itemsOnDisk(await made(dir))).toMatchObject([{id: 'a'}]);
		expect((await readFile(path)).equals(half)).toBe(true);
		if (opened.ok) await opened.session.close();
	});

	it('keeps unknown keys, even nested ones, and has a notice for a damaged line', async () => {
		const home = await tempHome();
		const items = [
			{...request('a'), usage: {input: 1, later: 2}, extra: {deep: true}},
			user('b', '1'),
			user('c', '2'),
		] as Item[];
		const {dir, path} = await sessionOfBytes(home, historyOf(items));
		await writeFile(path, (await readFile(path, 'utf8')).replace('"text":"1"', '"text":"0"'));
		const {dir: forked} = await made(dir);
		expect(await itemsOnDisk({dir: forked})).toMatchObject([
			{usage: {input: 1, later: 2}, extra: {deep: true}},
			{id: 'damaged-line-3', origin: {kind: 'notice'}},
			{id: 'c'},
		]);
		expect(await verdict(forked)).toMatchObject({ok: true});
	});

	it('has the backups of its items, as links or else as copies', async () => {
		const home = await tempHome();
		const [one, other] = ['one', 'other'].map(text => Buffer.from(text)) as [Buffer, Buffer];
		const {dir} = await storedSession(home, [[user('a', '1'), changed(sha256(one)), changed(sha256('gone'))]]);
		for (const bytes of [one, other]) await saveBackup(dir, sha256(bytes), bytes);
		const {dir: linked, warnings} = await made(dir, {backupsOf: backupHashes});
		expect(await namesIn(backupsDir(linked))).toEqual([sha256(one)]);
		expect((await stat(join(backupsDir(linked), sha256(one)))).nlink).toBe(2);
		expect(warnings[0]).toContain('Some backups of changed files');
		let links = 0;
		const noLinks = {
			...realFiles,
			link: async (from: string, to: string) =>
				to.includes('kept')
					? Promise.reject(Object.assign(new Error('no links'), {code: 'EPERM', n: links++}))
					: realFiles.link(from, to),
		};
		const copied = await fork(dir, {backupsOf: backupHashes}, noLinks);
		if (!copied.ok) throw new Error(copied.sentence);
		expect(links).toBe(2);
		expect(await readFile(join(backupsDir(copied.dir), sha256(one)), 'utf8')).toBe('one');
		expect((await stat(join(backupsDir(copied.dir), sha256(one)))).nlink).toBe(1);
	});

	it('is refused with a reason for an empty session or a file that is not a session', async () => {
		const home = await tempHome();
		expect(await fork(join(home.root, 'p', '01JD8XK3Q2ABCDEFGHJKMNPQRS'))).toEqual({
			ok: false,
			sentence: 'There is nothing to fork yet.',
		});
		const {dir} = await sessionOfBytes(home, historyOf([]));
		expect(await fork(dir)).toEqual({ok: false, sentence: 'There is nothing to fork yet.'});
		await writeFile(historyFile(dir), 'no');
		expect(await fork(dir)).toMatchObject({
			ok: false,
			sentence: expect.stringContaining('is not an inkpod session') as string,
		});
	});
});
