import {mkdir, utimes, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {findSession} from '../../../../src/pod/disk/list/find.ts';
import {realFiles, type Files} from '../../../../src/pod/disk/files.ts';
import {latestSession, listAllSessions, listSessions} from '../../../../src/pod/disk/list/list.ts';
import {historyFile, projectDir, sessionDir} from '../../../../src/pod/disk/paths.ts';
import type {Item} from '../../../../src/worker/index.ts';
import {historyOf, tempHome, user, type Home} from '../fixture.ts';

const ids = ['01JD8XK3Q2AAAAAAAAAAAAAAAA', '01JD8XK3Q2BBBBBBBBBBBBBBBB', '01JD9000000000000000000000'];

/** Creates a session with an id. Its last change is this number of minutes after the epoch. */
async function made(
	home: Home,
	id: string,
	minutes: number,
	items: readonly Item[] = [user('a', 'hello')],
	cwd = home.cwd,
): Promise<string> {
	const dir = sessionDir(home.root, cwd, id);
	await mkdir(dir, {recursive: true});
	await writeFile(historyFile(dir), historyOf(items, {session: id, cwd, created: '2026-01-01T00:00:00.000Z'}));
	await utimes(historyFile(dir), minutes * 60, minutes * 60);
	return dir;
}

/** Returns the real file operations, which count the bytes read. */
function counted(): {readonly files: Files; readonly bytes: () => number} {
	let bytes = 0;
	const files: Files = {
		...realFiles,
		async open(path, flags, mode) {
			const file = await realFiles.open(path, flags, mode);
			const read: typeof file.read = async (...args) => {
				const answer = await file.read(...args);
				bytes += answer.bytesRead;
				return answer;
			};
			return {
				read,
				write: async (...args) => file.write(...args),
				truncate: async length => file.truncate(length),
				datasync: async () => file.datasync(),
				sync: async () => file.sync(),
				stat: async () => file.stat(),
				close: async () => file.close(),
			};
		},
	};
	return {files, bytes: () => bytes};
}

describe('the sessions of a list', () => {
	it('are sorted by their last change, each with the first line of its message', async () => {
		const home = await tempHome();
		const setup = {
			id: 's',
			at: 'x',
			type: 'setup',
			model: 'm',
			prompt: 'p'.repeat(100_000),
			tools: [],
			settings: {},
		} as Item;
		await made(home, ids[0]!, 1, [setup, user('a', '  explain\n\t@src/a.ts  please ')]);
		await made(home, ids[1]!, 3);
		await made(home, ids[2]!, 2, [user('a', 'elsewhere')], '/other');
		const here = await listSessions(projectDir(home.root, home.cwd));
		expect(here.map(({id, words, changed, cwd}) => [id, words, changed, cwd])).toEqual([
			[ids[1], 'hello', '1970-01-01T00:03:00.000Z', home.cwd],
			[ids[0], 'explain', '1970-01-01T00:01:00.000Z', home.cwd],
		]);
		expect((await listAllSessions(home.root)).map(({id}) => id)).toEqual([ids[1], ids[2], ids[0]]);
		expect(await latestSession(projectDir(home.root, home.cwd))).toEqual({
			ok: true,
			dir: sessionDir(home.root, home.cwd, ids[1]!),
		});
	});

	it('have the last words from the end of the file if the label has none', async () => {
		const home = await tempHome();
		const dir = await made(home, ids[0]!, 1, [user('a', 'hello'), user('b', 'and\n\nnow'), user('c', ' \nbye ')]);
		expect((await listSessions(projectDir(home.root, home.cwd)))[0]).toMatchObject({words: 'hello', last: 'bye'});
		const {bytes} = (await listSessions(projectDir(home.root, home.cwd)))[0]!;
		await writeFile(
			join(dir, 'label.json'),
			JSON.stringify({facts: {turns: 3, model: 'm', last: 'stored', bytes}}),
		);
		expect((await listSessions(projectDir(home.root, home.cwd)))[0]).toMatchObject({last: 'stored'});
	});

	it('are named by what the user typed beside a paste, however long the paste is', async () => {
		const home = await tempHome();
		const content = 'Error\n'.repeat(30_000);
		const paste = {type: 'paste', id: '1', chars: content.length, lines: 30_000, content} as const;
		const typed = {type: 'text', text: 'Why?'} as const;
		const first = {...user('a', `${content}Why?`), origin: {kind: 'submit', segments: [paste, typed]}} as Item;
		await made(home, ids[0]!, 1, [first]);
		expect((await listSessions(projectDir(home.root, home.cwd)))[0]).toMatchObject({words: 'Why?'});
	});

	it('are empty without a folder', async () => {
		const home = await tempHome();
		expect(await listSessions(projectDir(home.root, home.cwd))).toEqual([]);
		expect(await listAllSessions(home.root)).toEqual([]);
		expect(await latestSession(projectDir(home.root, home.cwd))).toEqual({ok: true});
	});

	it('leave out folders with other names, and a first commit that was killed', async () => {
		const home = await tempHome();
		const dir = await made(home, ids[0]!, 1);
		await mkdir(join(dirname(dir), 'notes'));
		await mkdir(join(dirname(dir), ids[1]!));
		await writeFile(join(home.root, 'file'), '');
		expect((await listAllSessions(home.root)).map(({id}) => id)).toEqual([ids[0]]);
	});

	it('have a reason if they cannot be opened', async () => {
		const home = await tempHome();
		const dir = await made(home, ids[0]!, 1);
		await writeFile(historyFile(dir), 'rubbish');
		const [first] = await listSessions(projectDir(home.root, home.cwd));
		expect(first).toMatchObject({
			id: ids[0],
			words: '',
			problem: expect.stringContaining('is not an inkpod session') as unknown,
		});
	});

	it('need only the start of the file when it is large', async () => {
		const home = await tempHome();
		const {files, bytes} = counted();
		await made(home, ids[0]!, 1, [
			user('a', 'short'),
			...Array.from({length: 200}, (_, n) => user(`b${n}`, 'x'.repeat(50_000))),
		]);
		expect((await listSessions(projectDir(home.root, home.cwd), files))[0]).toMatchObject({words: 'short'});
		expect(bytes()).toBeLessThan(100_000);
	});

	it('have their first words even if the first message is longer than the part that is read', async () => {
		const home = await tempHome();
		const {files, bytes} = counted();
		await made(home, ids[0]!, 1, [user('a', `"Grüße" \\ 🙂 ${'🙂 '.repeat(1_000_000)}`)]);
		const [first] = await listSessions(projectDir(home.root, home.cwd), files);
		expect(first?.words.startsWith('"Grüße" \\ 🙂 🙂')).toBe(true);
		expect(first?.words.isWellFormed()).toBe(true);
		expect(bytes()).toBeLessThan(1_500_000);
	});

	it('have no first words when these are not near the start, because only that part is read', async () => {
		const home = await tempHome();
		const {files, bytes} = counted();
		const setup = {
			id: 's',
			at: 'x',
			type: 'setup',
			model: 'm',
			prompt: 'p'.repeat(3_000_000),
			tools: [],
			settings: {},
		} as Item;
		await made(home, ids[0]!, 1, [setup, user('a', 'late')]);
		expect((await listSessions(projectDir(home.root, home.cwd), files))[0]).toMatchObject({
			words: '',
			cwd: home.cwd,
		});
		expect(bytes()).toBeLessThan(1_500_000);
	});
});

describe('the search for a session', () => {
	it('succeeds by its id or a unique prefix, ignoring case', async () => {
		const home = await tempHome();
		const dir = await made(home, ids[0]!, 1);
		await made(home, ids[1]!, 1);
		for (const prefix of [ids[0]!, ids[0]!.slice(0, 11), ids[0]!.slice(0, 11).toLowerCase()])
			expect(await findSession(home, prefix)).toEqual({ok: true, dir});
	});

	it('prefers the session of this directory', async () => {
		const home = await tempHome();
		const dir = await made(home, ids[0]!, 1);
		const other = await made(home, ids[1]!, 1, undefined, '/other');
		expect(await findSession(home, '01JD8X')).toEqual({ok: true, dir});
		expect(await findSession(home, '01JD8XK3Q2B')).toEqual({ok: true, dir: other});
	});

	it('lists the ids of an ambiguous prefix', async () => {
		const home = await tempHome();
		await made(home, ids[0]!, 1);
		await made(home, ids[1]!, 1);
		expect(await findSession(home, '01jd8')).toEqual({
			ok: false,
			reason: 'ambiguous',
			sentence: `2 sessions begin with 01JD8: ${ids[1]}, ${ids[0]}.`,
		});
	});

	it('lists the nearest ids of an unknown prefix', async () => {
		const home = await tempHome();
		expect(await findSession(home, '01JD')).toEqual({
			ok: false,
			reason: 'unknown',
			sentence: 'No session begins with 01JD. There are no sessions yet.',
		});
		for (const id of ids) await made(home, id, 1);
		expect(await findSession(home, '01JD90000X')).toEqual({
			ok: false,
			reason: 'unknown',
			sentence: `No session begins with 01JD90000X. The nearest are ${ids[2]}, ${ids[1]}, ${ids[0]}.`,
		});
		expect(await findSession(home, '../../../etc')).toMatchObject({ok: false, reason: 'unknown'});
		expect(await findSession(home, '')).toMatchObject({ok: false, reason: 'empty'});
		expect(await findSession(home, ' ')).toMatchObject({ok: false, reason: 'empty'});
	});
});
