import {chmod, mkdir, readdir, readFile, rename, rm, stat, unlink, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {createSession} from '../../../src/pod/session/create.ts';
import {openSession, type Opened} from '../../../src/pod/session/open.ts';
import {historyFile} from '../../../src/pod/session/paths.ts';
import {readSession} from '../../../src/pod/session/read.ts';
import type {Session} from '../../../src/pod/session/session.ts';
import {verifySession} from '../../../src/pod/session/verify.ts';
import {createHistory, HistoryError, systemClock, type Item} from '../../../src/worker/index.ts';
import {countedClock} from '../../helpers/clock.ts';
import {
	call,
	faultyFiles,
	itemsOnDisk,
	long,
	namesIn,
	request,
	result,
	sessionOfBytes,
	storedSession,
	systemError,
	tempHome,
	unsynced,
	user,
	type Fault,
} from './fixture.ts';

const clock = systemClock();

function opened(answer: Opened): Session {
	if (!answer.ok) throw new Error(answer.sentence);
	return answer.session;
}

async function failed(done: Promise<unknown>): Promise<HistoryError> {
	return done.then(
		() => {
			throw new Error('it was written');
		},
		(error: unknown) => error as HistoryError,
	);
}

describe('a new session', () => {
	test('that commits nothing, leaves nothing', async () => {
		const home = await tempHome();
		const session = createSession(home, clock);
		await session.close();
		expect(await readdir(home.home)).toEqual(['project']);
	});

	test('with a first commit, private folders and files and a document that is whole', async () => {
		const home = await tempHome();
		const session = createSession(home, clock);
		await session.log.write([user('a', 'hello'), user('b', 'again')]);
		const mode = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);
		for (const path of [session.dir, dirname(session.dir), home.root, dirname(home.root)])
			expect(await mode(path)).toBe('700');
		expect(await mode(historyFile(session.dir))).toBe('600');
		expect(await mode(join(session.dir, 'lock'))).toBe('600');
		expect(await itemsOnDisk(session)).toEqual([user('a', 'hello'), user('b', 'again')]);
		await session.close();
		expect(await namesIn(session.dir)).toEqual(['history.json']);
	});

	test('that is opened again and goes on, one document', async () => {
		const home = await tempHome();
		const {dir} = await storedSession(home, [[user('a', '1')], [call('b', 'c'), result('c', 'c')]]);
		const session = opened(await openSession(dir, clock));
		expect(session).toMatchObject({id: dir.split('/').at(-1), cwd: home.cwd, dir});
		const history = createHistory(session.log, session.items);
		await Promise.all([history.append([user('d', '2')]), history.append([user('e', '3')])]);
		await session.close();
		const all = [user('a', '1'), call('b', 'c'), result('c', 'c'), user('d', '2'), user('e', '3')];
		expect(history.items).toEqual(all);
		expect(await itemsOnDisk(session)).toEqual(all);
		const read = await readSession(dir);
		expect(read.ok && verifySession(read.session)).toMatchObject({ok: true, findings: []});
	});

	test('that is closed, refuses to write', async () => {
		const home = await tempHome();
		const session = createSession(home, clock);
		await session.log.write([user('a', '1')]);
		await session.close();
		await session.close();
		expect(await failed(session.log.write([user('b', '2')]))).toMatchObject({reason: 'gone'});
	});
});

function throughJson(item: Item): unknown {
	return JSON.parse(JSON.stringify(item));
}

/** The notice names what began in the bytes that are lost, and how many they are. */
function expectTold(notice: Item | undefined, lost: Buffer, items: readonly Item[]): void {
	const {text} = notice as Item & {type: 'message'};
	const began = items.filter(
		({id, type}) =>
			lost.includes(`{"id":"${id}",`) && lost.includes(`"type":"${type}"`, lost.indexOf(`{"id":"${id}",`)),
	);
	for (const type of new Set(began.map(item => item.type)))
		expect(text).toContain(`${began.filter(item => item.type === type).length} ${type}`);
	expect(text).toContain(
		lost.length === 0 ? 'it is lost' : `Its ${lost.length} bytes are kept in history.json.torn-`,
	);
}

describe('a history that was cut', () => {
	const items = [user('a', 'first'), call('b', 'c1'), request('r'), result('c', 'c1'), user('d', 'läst "words"')];

	const histories: ReadonlyArray<readonly [string, readonly Item[]]> = [
		['of calls and words', items],
		[
			'of characters of several bytes',
			[
				user('a', 'eins'),
				{...result('b', 'ç1'), content: '日本語 👨‍👩‍👧 \ud83d '.repeat(4)} as Item,
				user('c', '\u2028é\u0301\u202e'),
				call('d', '👍'),
			],
		],
		[
			'of text that looks like its own end',
			[
				user('a', '\n]}\n'),
				user('b', '","sum":"00000000000000000000000000000000"}\n]}\n'),
				result('c', '{"id":"x","at":"y","type":"message"'),
				request('d'),
			],
		],
		['of one item', [user('only', 'ö')]],
	];

	test.each(histories)(
		'%s, at every byte of its last three lines: all whole items stay and the loss is told',
		async (name, items) => {
			const home = await tempHome();
			const {path} = await storedSession(home, [items]);
			const bytes = await readFile(path);
			const starts = items.map(item => bytes.indexOf(Buffer.from(`{"id":"${item.id}"`)));
			const ends = starts.map((_start, index) => (starts[index + 1] ?? bytes.length - 2) - 2);
			const step = long ? 1 : histories.findIndex(([known]) => known === name) < 2 ? 3 : 7;
			for (let cut = starts.at(-3) ?? starts[0]! - 1; cut < bytes.length; cut += step) {
				const {dir, path: copy} = await sessionOfBytes(home, bytes.subarray(0, cut));
				const whole = ends.filter(end => end <= cut).length;
				const read = await readSession(dir);
				expect(read.ok && read.session.items).toEqual(items.slice(0, whole).map(throughJson));
				expect((await readFile(copy)).equals(bytes.subarray(0, cut))).toBe(true);

				const session = opened(await openSession(dir, clock, unsynced));
				const lost = bytes.subarray(ends[whole - 1] ?? starts[0]! - 1, cut);
				// A header and a newline are a session without items: nothing of an item is there that could be lost.
				const isLoss = cut <= ends.at(-1)! && !(whole === 0 && lost.length === 1);
				expect(session.items.slice(0, whole)).toEqual(items.slice(0, whole).map(throughJson));
				const [notice, ...others] = session.items.slice(whole);
				expect(others).toEqual([]);
				expect(notice).toEqual(
					isLoss
						? expect.objectContaining({type: 'message', origin: {kind: 'notice', about: 'torn'}})
						: undefined,
				);
				await session.log.write([user('z', 'on')]);
				await session.close();
				expect(await itemsOnDisk(session)).toEqual([...session.items, user('z', 'on')]);
				const torn = (await namesIn(dir)).filter(name => name.startsWith('history.json.torn-'));
				expect(torn).toHaveLength(isLoss && lost.length > 0 ? 1 : 0);
				if (torn[0] !== undefined) expect((await readFile(join(dir, torn[0]))).equals(lost)).toBe(true);
				if (isLoss) expectTold(notice, lost, items.slice(whole));
				const verified = await readSession(dir);
				expect(
					verified.ok &&
						verifySession(verified.session).findings.filter(
							({about}) => about !== 'pairing' && about !== 'shape',
						),
				).toEqual([]);
				await rm(dir, {recursive: true});
			}
		},
	);

	test('what is cut off, named in the notice', async () => {
		const home = await tempHome();
		const {dir, path} = await storedSession(home, [items]);
		const bytes = await readFile(path);
		await writeFile(path, bytes.subarray(0, bytes.length - 60));
		const session = opened(await openSession(dir, clock));
		await session.close();
		const notice = session.items.at(-1) as Item & {type: 'message'};
		expect(notice.text).toContain('it was to add 1 message');
		expect(notice.text).toMatch(/kept in history\.json\.torn-\d{4}-/);
	});

	test('twice at the same millisecond, both remains are kept', async () => {
		const home = await tempHome();
		const {dir, path} = await storedSession(home, [items]);
		for (let time = 0; time < 2; time += 1) {
			const bytes = await readFile(path);
			await writeFile(path, bytes.subarray(0, bytes.length - 40));
			await opened(await openSession(dir, countedClock())).close();
		}
		expect(await namesIn(dir)).toEqual([
			'history.json',
			'history.json.torn-2026-01-01T00-00-00.010Z',
			'history.json.torn-2026-01-01T00-00-00.010Z-2',
		]);
	});

	test.each(['open', 'write', 'truncate', 'datasync', 'sync'] as const)(
		'and %s fails while its end is restored, nothing is lost and the next start restores it',
		async operation => {
			const home = await tempHome();
			const {dir, path} = await storedSession(home, [items]);
			const bytes = await readFile(path);
			await writeFile(path, bytes.subarray(0, bytes.length - 40));
			const fault: Fault = (now, at) => {
				if (now === operation && (at.includes('torn-') || (now !== 'open' && at === path)))
					throw systemError('ENOSPC');
			};
			const answer = await openSession(dir, clock, faultyFiles(fault));
			expect(answer).toMatchObject({ok: false, reason: 'no_space'});
			const session = opened(await openSession(dir, clock));
			expect(session.items.slice(0, 4)).toEqual(items.slice(0, 4));
			expect(session.items.length).toBeGreaterThan(4);
			await session.close();
			expect(await namesIn(dir)).not.toContain('lock');
		},
	);
});

describe('a history that is damaged in the middle', () => {
	test('a notice in its place at every start, the file as it was, and the same again after an append', async () => {
		const home = await tempHome();
		const {dir, path} = await storedSession(home, [[user('a', '1'), user('b', '2'), user('c', '3')]]);
		const bad = Buffer.from((await readFile(path)).toString().replace('"text":"2"', '"text":"X"'));
		await writeFile(path, bad);
		const session = opened(await openSession(dir, clock));
		expect(session.items.map(({id}) => id)).toEqual(['a', 'damaged-line-3', 'c']);
		expect((await readFile(path)).equals(bad)).toBe(true);
		await session.log.write([user('d', '4')]);
		await session.close();
		const again = opened(await openSession(dir, clock));
		expect(again.items).toEqual([...session.items, user('d', '4')]);
		await again.close();
	});

	test('an unknown type or a newer format, refused and untouched', async () => {
		const home = await tempHome();
		const {dir, path} = await storedSession(home, [
			[user('a', '1'), {...user('b', '2'), type: 'hologram'} as unknown as Item],
		]);
		const bytes = await readFile(path);
		const refused = await openSession(dir, clock);
		expect(refused).toMatchObject({ok: false, reason: 'unknown_type'});
		expect(!refused.ok && refused.sentence).toContain('"hologram"');
		expect(await readSession(dir)).toMatchObject({ok: false, reason: 'unknown_type'});
		expect((await readFile(path)).equals(bytes)).toBe(true);
		await writeFile(path, bytes.toString().replace('inkpod.history/1', 'inkpod.history/2'));
		expect(await openSession(dir, clock)).toMatchObject({ok: false, reason: 'newer_format'});
		expect(await namesIn(dir)).toEqual(['history.json']);
	});

	test('unknown keys, kept', async () => {
		const home = await tempHome();
		const item = {...user('a', '1'), later: {deep: [1, null, 'ü']}} as unknown as Item;
		const {dir} = await storedSession(home, [[item]]);
		const session = opened(await openSession(dir, clock));
		expect(session.items).toEqual([item]);
		await session.close();
	});
});

describe('an append that fails', () => {
	const codes = [
		['ENOSPC', 'no_space'],
		['EDQUOT', 'no_space'],
		['EACCES', 'denied'],
		['EPERM', 'denied'],
		['EROFS', 'read_only'],
		['ESTALE', 'gone'],
		['EIO', 'io'],
	] as const;

	test.each(codes)('with %s, reason %s: the file is as it was, and the next append works', async (code, reason) => {
		const home = await tempHome();
		let failing = false;
		const session = createSession(
			home,
			clock,
			faultyFiles((operation, path, size) => {
				if (failing && operation === 'write' && path.includes('history.json') && size > 4)
					throw systemError(code);
			}),
		);
		await session.log.write([user('a', '1')]);
		const before = await readFile(historyFile(session.dir));
		failing = true;
		const error = await failed(session.log.write([user('b', '2')]));
		expect(error).toMatchObject({name: 'HistoryError', reason});
		expect((await readFile(historyFile(session.dir))).equals(before)).toBe(true);
		failing = false;
		await session.log.write([user('c', '3')]);
		await session.close();
		expect(await itemsOnDisk(session)).toEqual([user('a', '1'), user('c', '3')]);
	});

	test('after any number of bytes, the file is as it was', async () => {
		const home = await tempHome();
		let taken: number | undefined;
		const session = createSession(
			home,
			clock,
			faultyFiles((operation, path, size) =>
				operation === 'write' && path.includes('history.json') && size > 4 ? taken : undefined,
			),
		);
		await session.log.write([user('a', '1')]);
		const before = await readFile(historyFile(session.dir));
		for (taken = 0; taken < 40; taken += 1) {
			expect(await failed(session.log.write([user('b', 'lost')]))).toMatchObject({reason: 'io'});
			expect((await readFile(historyFile(session.dir))).equals(before)).toBe(true);
		}
		await session.close();
	});

	test('when it cannot be made durable, the file is as it was', async () => {
		const home = await tempHome();
		let failures = 0;
		const session = createSession(
			home,
			clock,
			faultyFiles(operation => {
				if (operation === 'datasync' && failures++ === 0) throw systemError('EIO');
			}),
		);
		await session.log.write([user('a', '1')]);
		const before = await readFile(historyFile(session.dir));
		expect(await failed(session.log.write([user('b', '2')]))).toMatchObject({reason: 'io'});
		expect((await readFile(historyFile(session.dir))).equals(before)).toBe(true);
		await session.close();
	});

	test('and cannot be undone, later appends are refused with the same reason, and the next start restores the end', async () => {
		const home = await tempHome();
		let failing = false;
		const session = createSession(
			home,
			clock,
			faultyFiles((operation, path, size) => {
				if (!failing || !path.includes('history.json')) return undefined;
				if (operation === 'write') return Math.min(size, 10);
				if (operation === 'truncate') throw systemError('EIO');
				return undefined;
			}),
		);
		await session.log.write([user('a', '1')]);
		failing = true;
		const first = await failed(session.log.write([user('b', '2')]));
		failing = false;
		expect(await failed(session.log.write([user('c', '3')]))).toBe(first);
		await session.close();
		const again = opened(await openSession(session.dir, clock));
		expect(again.items.map(item => (item.type === 'message' ? item.origin?.kind : item.type))).toEqual([
			'submit',
			'notice',
		]);
		await again.close();
	});

	test.each(['mkdir', 'open', 'write', 'sync', 'rename'] as const)(
		'at the first commit, by %s: nothing is left, and the next commit makes the session',
		async operation => {
			const home = await tempHome();
			let failing = true;
			const session = createSession(
				home,
				clock,
				faultyFiles((now, path) => {
					if (failing && now === operation && (now !== 'sync' || path.includes('history.json')))
						throw systemError('ENOSPC');
				}),
			);
			expect(await failed(session.log.write([user('a', '1')]))).toMatchObject({reason: 'no_space'});
			expect(await readdir(home.root).catch(() => [])).toEqual([]);
			failing = false;
			await session.log.write([user('b', '2')]);
			await session.close();
			expect(await itemsOnDisk(session)).toEqual([user('b', '2')]);
		},
	);

	test('where no folder can be made, a reason and no end without one', async () => {
		const session = createSession({root: '/proc/inkpod/sessions', cwd: '/p'}, clock);
		expect(await failed(session.log.write([user('a', '1')]))).toBeInstanceOf(HistoryError);
	});

	test.each([
		['removed', async (path: string) => unlink(path)],
		['moved', async (path: string) => rename(path, `${path}.old`)],
		[
			'replaced',
			async (path: string) =>
				writeFile(`${path}.2`, await readFile(path)).then(async () => rename(`${path}.2`, path)),
		],
		['cut', async (path: string) => writeFile(path, '')],
		['in a folder that was moved', async (path: string) => rename(dirname(path), `${dirname(path)}-old`)],
	])('because the file was %s under it, reason gone and nothing is written', async (_, harm) => {
		const home = await tempHome();
		const session = createSession(home, clock);
		await session.log.write([user('a', '1')]);
		const path = historyFile(session.dir);
		await harm(path);
		const left = await readFile(path).catch(() => undefined);
		expect(await failed(session.log.write([user('b', '2')]))).toMatchObject({reason: 'gone'});
		expect(await readFile(path).catch(() => undefined)).toEqual(left);
		await session.close();
	});

	test('because the lock was taken away, reason gone and nothing is written', async () => {
		const home = await tempHome();
		const session = createSession(home, clock);
		await session.log.write([user('a', '1')]);
		await unlink(join(session.dir, 'lock'));
		const other = opened(await openSession(session.dir, clock));
		expect(await failed(session.log.write([user('b', '2')]))).toMatchObject({reason: 'gone'});
		await session.close();
		await other.log.write([user('c', '3')]);
		await other.close();
		expect(await itemsOnDisk(session)).toEqual([user('a', '1'), user('c', '3')]);
	});
});

describe('a folder without a session', () => {
	test('refused, and no lock is left', async () => {
		const home = await tempHome();
		const dir = join(home.root, 'p', '01JD8XK3Q2ABCDEFGHJKMNPQRS');
		expect(await openSession(dir, clock)).toMatchObject({ok: false, reason: 'gone'});
		await mkdir(dir, {recursive: true});
		expect(await openSession(dir, clock)).toMatchObject({ok: false, reason: 'gone'});
		expect(await namesIn(dir)).toEqual([]);
	});

	test.skipIf(process.getuid?.() === 0)('that may not be written, refused as denied and readable', async () => {
		const home = await tempHome();
		const {dir, path} = await storedSession(home, [[user('a', '1')]]);
		await chmod(path, 0o400);
		expect(await openSession(dir, clock)).toMatchObject({ok: false, reason: 'denied'});
		expect(await readSession(dir)).toMatchObject({ok: true});
	});
});
