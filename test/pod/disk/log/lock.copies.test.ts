import {execFile} from 'node:child_process';
import {rename} from 'node:fs/promises';
import {basename, join} from 'node:path';
import {promisify} from 'node:util';
import {describe, expect, it} from 'vitest';
import {createSession} from '../../../../src/pod/disk/log/open.ts';
import {openSession} from '../../../../src/pod/disk/log/open.ts';
import {historyFile} from '../../../../src/pod/disk/paths.ts';
import {readSession} from '../../../../src/pod/disk/log/read.ts';
import {withRescue} from '../../../../src/pod/disk/check/rescue.ts';
import type {Session} from '../../../../src/pod/disk/log/log.ts';
import {systemClock} from '../../../../src/worker/index.ts';
import {storedSession, tempHome, user, type Home} from '../fixture.ts';

const clock = systemClock();
const run = promisify(execFile);
const [one, two, three] = [user('a', '1'), user('b', '2'), user('c', '3')] as const;

/** How a folder is copied: a shell command with the source as $1 and the copy as $2. */
const copies: ReadonlyArray<readonly [name: string, command: string]> = [
	['cp -a', 'cp -a "$1" "$2"'],
	['cp -R without times', 'cp -R "$1" "$2"'],
	['tar', 'mkdir "$2" && tar -C "$1" -cf - . | tar -C "$2" -xf -'],
	['rsync -a, or the same by cp', 'if command -v rsync; then rsync -a "$1/" "$2/"; else cp -pR "$1" "$2"; fi'],
	['hard links', 'mkdir "$2" && cd "$1" && find . -type d -exec mkdir -p "$2/{}" \\; -o -exec ln {} "$2/{}" \\;'],
];

/** What happened to the original before it was copied. */
const originals: ReadonlyArray<readonly [name: string, open: (home: Home) => Promise<Session | undefined>]> = [
	[
		'open in a new session',
		async home => {
			const session = withRescue(createSession(home, clock), clock);
			await session.log.write([one, two]);
			return session;
		},
	],
	[
		'open in a resumed session',
		async home => {
			const {dir} = await storedSession(home, [[one], [two]]);
			const opened = await openSession(dir, clock);
			return opened.ok ? withRescue(opened.session, clock) : undefined;
		},
	],
];

const cases = copies.flatMap(([copy, command]) =>
	originals.map(([original, open]) => ({copy, command, original, open})),
);

describe('a copied home', () => {
	it.each(cases)('is not locked by the owner of the original ($copy, $original)', async ({command, open}) => {
		const home = await tempHome();
		const original = await open(home);
		if (original === undefined) throw new Error('not opened');
		const copy = join(home.home, 'copy');
		await run('/bin/sh', ['-c', command, 'sh', home.root, copy]);
		const dir = join(copy, basename(join(original.dir, '..')), original.id);
		const opened = await openSession(dir, clock);
		if (!opened.ok) throw new Error(opened.sentence);
		expect(opened.session.items).toEqual([one, two]);
		expect(await openSession(dir, clock)).toMatchObject({ok: false, reason: 'held'});
		expect(await openSession(original.dir, clock)).toMatchObject({ok: false, reason: 'held'});
		await opened.session.log.write([three]);
		await opened.session.close();
		await original.log.write([user('d', '4')]);
		await original.close();
		expect(await itemsOf(dir)).toEqual([one, two, three]);
		expect(await itemsOf(original.dir)).toEqual([one, two, user('d', '4')]);
	});

	it('is locked when it was moved, because its owner still writes it', async () => {
		const home = await tempHome();
		const session = await originals[1]![1](home);
		if (session === undefined) throw new Error('not opened');
		const moved = join(home.home, 'moved');
		await rename(home.root, moved);
		const dir = join(moved, basename(join(session.dir, '..')), session.id);
		expect(await openSession(dir, clock)).toMatchObject({ok: false, reason: 'held'});
		await session.close();
	});
});

async function itemsOf(dir: string): Promise<unknown> {
	const read = await readSession(dir);
	if (!read.ok) throw new Error(`${historyFile(dir)}: ${read.sentence}`);
	return read.session.items;
}
