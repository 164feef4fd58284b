import {readFile, rm, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {openSession} from '../../../../src/pod/disk/log/open.ts';
import {readSession} from '../../../../src/pod/disk/log/read.ts';
import {verifySession} from '../../../../src/pod/disk/check/verify.ts';
import {systemClock, type Item} from '../../../../src/worker/index.ts';
import {countedClock} from '../../../helpers/clock.ts';
import {
	call,
	opened,
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
} from '../fixture.ts';

const clock = systemClock();

function throughJson(item: Item): unknown {
	return JSON.parse(JSON.stringify(item));
}

/** The notice names the items that began in the lost bytes, and their number. */
function expectReported(notice: Item | undefined, lost: Buffer, items: readonly Item[]): void {
	const {text} = notice as Item & {type: 'message'};
	const began = items.filter(
		({id, type}) =>
			lost.includes(`{"id":"${id}",`) && lost.includes(`"type":"${type}"`, lost.indexOf(`{"id":"${id}",`)),
	);
	for (const type of new Set(began.map(item => item.type)))
		expect(text).toContain(`${began.filter(item => item.type === type).length} ${type}`);
	expect(text).toContain(
		lost.length === 0
			? 'it is lost'
			: `Its ${lost.length} bytes are not part of the conversation. They are in history.json.torn-`,
	);
}

describe('a history whose closing brackets are there twice', () => {
	it('gets its end back, loses nothing, and says nothing', async () => {
		const items = [user('a', 'first'), user('b', 'second')];
		const {dir, path} = await storedSession(await tempHome(), [items]);
		const whole = await readFile(path);
		await writeFile(path, Buffer.concat([whole, Buffer.from(']}\n')]));
		const read = await readSession(dir);
		const verdict = read.ok ? verifySession(read.session) : undefined;
		expect(verdict).toMatchObject({ok: true, findings: [{about: 'tail', level: 'note'}]});
		const session = opened(await openSession(dir, clock));
		await session.close();
		expect(await readFile(path)).toEqual(whole);
	});
});

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

	it.each(histories)(
		'%s: keeps all complete items and reports the loss, at every byte of the last three lines',
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
				// A header and a newline are a session without items, so no item can be lost.
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
				if (isLoss) expectReported(notice, lost, items.slice(whole));
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

	it('is mentioned in the notice', async () => {
		const home = await tempHome();
		const {dir, path} = await storedSession(home, [items]);
		const bytes = await readFile(path);
		await writeFile(path, bytes.subarray(0, bytes.length - 60));
		const session = opened(await openSession(dir, clock));
		await session.close();
		const notice = session.items.at(-1) as Item & {type: 'message'};
		expect(notice.text).toContain('it would have added 1 message');
		expect(notice.text).toMatch(/They are in history\.json\.torn-\d{4}-/);
	});

	it('keeps the bytes of two cuts in the same millisecond', async () => {
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

	it.each(['open', 'write', 'truncate', 'datasync', 'sync'] as const)(
		'loses nothing when %s fails during the repair, and the next start repairs it',
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
