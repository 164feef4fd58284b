import {spawn} from 'node:child_process';
import {cp, mkdtemp, readdir, readFile, realpath, rm} from 'node:fs/promises';
import * as fs from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join, relative} from 'node:path';
import {setTimeout} from 'node:timers/promises';
import {describe, expect, it, onTestFinished} from 'vitest';
import {checkSession} from '../../../../src/cli/verify.ts';
import type {Files, OpenFile} from '../../../../src/pod/disk/files.ts';
import {openSession} from '../../../../src/pod/disk/log/open.ts';
import {readSession} from '../../../../src/pod/disk/log/read.ts';
import {finishReplacement} from '../../../../src/pod/disk/redact/intent.ts';
import {redactSession} from '../../../../src/pod/disk/redact/redact-session.ts';
import {createRemover} from '../../../../src/pod/disk/redact/remover.ts';
import {systemClock} from '../../../../src/worker/index.ts';
import {projectRoot} from '../../../helpers/built.ts';
import {seededRandom} from '../../../helpers/random.ts';
import {createSecretSession, filesWith} from '../../../helpers/secret-session.ts';
import {long, tempHome} from '../fixture.ts';

const secret = 'sk-Secret/"of"\\the-user+äß';
/** The number of kills. `INKPOD_KILLS` sets it. Killing a real process takes much longer. */
const all = Number(process.env['INKPOD_KILLS'] ?? (long ? 2000 : 20));
const timed = Math.ceil(all / 20);
const kills = {counted: all - timed, timed};

/** A state folder with a session, which is copied for each kill. */
async function prepared() {
	const home = await tempHome();
	const {dir, home: state} = await createSecretSession({...home, secret, model: 'groq/llama-x'});
	return {state, dir: relative(state, dir), before: await contentsOf(state)};
}

type Prepared = Awaited<ReturnType<typeof prepared>>;

async function copyOf({state}: Prepared): Promise<string> {
	const copy = join(await realpath(await mkdtemp(join(tmpdir(), 'inkpod-killed-'))), 'inkpod');
	onTestFinished(async () => rm(join(copy, '..'), {recursive: true, force: true}));
	await cp(state, copy, {recursive: true});
	return copy;
}

/** Returns the contents of all files, without locks. */
async function contentsOf(folder: string): Promise<ReadonlyMap<string, string>> {
	const entries = await readdir(folder, {recursive: true, withFileTypes: true});
	const paths = entries.filter(entry => entry.isFile() && !/^lock(?:\.|$)/.test(entry.name));
	const read = paths.map(async ({parentPath, name}) => {
		const path = join(parentPath, name);
		return [relative(folder, path), (await readFile(path)).toString('latin1')] as const;
	});
	return new Map((await Promise.all(read)).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

type KilledFiles = {
	readonly files: Files;
	readonly changes: () => number;
	/** Returns the number of changes up to the one that makes the list of files durable. */
	readonly listed: () => number;
};

/** Returns the real file operations, which stop like a killed process after a number of changes. */
function killedFiles(after: number): KilledFiles {
	let changes = 0;
	let listed = 0;
	const change = () => {
		if (++changes > after) throw Object.assign(new Error('killed'), {code: 'EKILLED'});
	};
	const counted = (file: OpenFile): OpenFile => ({
		read: async (...args) => file.read(...args),
		async write(...args) {
			change();
			return file.write(...args);
		},
		async truncate(length) {
			change();
			return file.truncate(length);
		},
		datasync: async () => file.datasync(),
		sync: async () => file.sync(),
		stat: async () => file.stat(),
		close: async () => file.close(),
	});
	return {
		changes: () => changes,
		listed: () => listed,
		files: {
			...fs,
			async open(path, flags, mode) {
				if (flags === 'wx') change();
				return counted(await fs.open(path, flags, mode));
			},
			async mkdir(path, mode) {
				change();
				return fs.mkdir(path, mode);
			},
			async rename(from, to) {
				change();
				if (to.endsWith('files.json')) listed = changes;
				return fs.rename(from, to);
			},
			async link(from, to) {
				change();
				return fs.link(from, to);
			},
			async unlink(path) {
				change();
				return fs.unlink(path);
			},
			async rmdir(path) {
				change();
				return fs.rmdir(path);
			},
		},
	};
}

async function redact(dir: string, files: Files) {
	const remover = createRemover('text', [secret]);
	return redactSession(dir, {remover, isTrial: false, clock: systemClock(), files});
}

/** Removes the locks of a killed process. The test's own process lives, so its locks would count. */
async function removeLocks(folder: string): Promise<void> {
	for (const entry of await readdir(folder, {recursive: true, withFileTypes: true}))
		if (/^lock(?:\.|$)/.test(entry.name)) await rm(join(entry.parentPath, entry.name));
}

/** Finishes what the killed process left. Returns whether the state is the old one or the new one. */
async function stateAfter({dir, before}: Prepared, copy: string): Promise<'old' | 'new'> {
	await removeLocks(copy);
	await finishReplacement(join(copy, dir), fs);
	const after = await contentsOf(copy);
	expect([...after.keys()].filter(path => /redact(?:ion)?(?:\/|$)/.test(path))).toEqual([]);
	if (after.get(`${dir}/history.json`) === before.get(`${dir}/history.json`)) {
		expect(after).toEqual(before);
		return 'old';
	}
	expect(await filesWith(copy, secret)).toEqual([]);
	const read = await readSession(join(copy, dir));
	expect(read.ok && (await checkSession(read.session, {requests: true, signing: {}})).ok).toBe(true);
	return 'new';
}

describe('a removal of a text that is killed', () => {
	it('leaves the old state or the new one, wherever it stops', {timeout: 60_000 + kills.counted * 3000}, async () => {
		const ready = await prepared();
		const whole = killedFiles(Infinity);
		expect(await redact(join(await copyOf(ready), ready.dir), whole.files)).toMatchObject({ok: true});
		const random = seededRandom(kills.counted);
		const seen = new Set<string>();
		for (let n = 0; n < kills.counted; n++) {
			const copy = await copyOf(ready);
			// The changes around the list of files are the most interesting ones.
			const at = Math.floor(((n + random()) / kills.counted) * whole.changes());
			await redact(join(copy, ready.dir), killedFiles(at).files).catch(() => undefined);
			seen.add(await stateAfter(ready, copy));
			await rm(copy, {recursive: true, force: true});
		}
		expect(seen).toEqual(new Set(['old', 'new']));
	});

	it('leaves the old state or the new one at any time', {timeout: 60_000 + kills.timed * 10_000}, async () => {
		const ready = await prepared();
		const random = seededRandom(kills.timed);
		for (let n = 0; n < kills.timed; n++) {
			const copy = await copyOf(ready);
			const program = join(projectRoot, 'test/helpers/killed-redaction.ts');
			const child = spawn(process.execPath, [program, join(copy, ready.dir)], {
				stdio: ['pipe', 'pipe', 'ignore'],
			});
			const closed = new Promise(resolve => child.once('close', resolve));
			child.stdin.end(secret);
			await new Promise(resolve => child.stdout.once('data', resolve));
			await setTimeout(random() * 3000);
			child.kill('SIGKILL');
			await closed;
			await stateAfter(ready, copy);
		}
	});

	it('is finished by the next process that opens the session', async () => {
		const ready = await prepared();
		const whole = killedFiles(Infinity);
		await redact(join(await copyOf(ready), ready.dir), whole.files);
		for (const n of [0, 5]) {
			const copy = await copyOf(ready);
			await redact(join(copy, ready.dir), killedFiles(whole.listed() + n).files).catch(() => undefined);
			expect((await filesWith(copy, secret)).length).toBeGreaterThan(0);
			await removeLocks(copy);
			const opened = await openSession(join(copy, ready.dir), systemClock());
			if (!opened.ok) throw new Error(opened.sentence);
			await opened.session.close();
			expect(await filesWith(copy, secret)).toEqual([]);
		}
	});
});
