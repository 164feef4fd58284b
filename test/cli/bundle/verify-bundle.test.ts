import {createHash} from 'node:crypto';
import {mkdir, readFile, readdir, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {gunzipSync, gzipSync} from 'node:zlib';
import {describe, expect, it} from 'vitest';
import {exportBundle} from '../../../src/cli/bundle/export-bundle.ts';
import {verifyBundle} from '../../../src/cli/bundle/verify-bundle.ts';
import {memorySource} from '../../../src/pod/disk/bundle/byte-source.ts';
import {openBundle} from '../../../src/pod/disk/bundle/open-bundle.ts';
import {readTar, tarOf} from '../../../src/pod/disk/bundle/tar.ts';
import {backupsDir} from '../../../src/pod/disk/bodies/pasted.ts';
import {childDir, historyFile, idOf} from '../../../src/pod/disk/paths.ts';
import type {Item} from '../../../src/worker/index.ts';
import {createItems} from '../../helpers/items.ts';
import {compactedSession} from '../../helpers/side-sessions.ts';
import {historyOf, storedSession, tempHome, user, type Home} from '../../pod/disk/fixture.ts';

const version = '1.2.3';
const seed = Number(process.env['INKPOD_SEED'] ?? Date.now() % 1_000_000);
const make = createItems();
const child = '01JD8XK3Q2ABCDEFGHJKMNPQRS';

/** A session with a compaction, a child and a backup. */
async function wholeSession(home: Home): Promise<{readonly id: string; readonly dir: string}> {
	const sent = make.sent();
	const end: Item = {id: 'end', at: '2026-01-01T00:00:05.000Z', type: 'run_end', outcome: 'finished'};
	const answered = make.answered(sent, 'end', {input: 1});
	const side = {id: 'sum', items: [user('s', 'Summarise.'), sent, answered]};
	const dir = await compactedSession(home, [user('a', 'First words'), end], side);
	const own = historyOf([user('c', 'The task')], {session: child, cwd: '/p', created: '2026-01-01T00:00:00.000Z'});
	await mkdir(childDir(dir, child), {recursive: true});
	await writeFile(historyFile(childDir(dir, child)), own);
	const backup = Buffer.from('the file before');
	await mkdir(backupsDir(dir), {recursive: true});
	await writeFile(join(backupsDir(dir), createHash('sha256').update(backup).digest('hex')), backup);
	await writeFile(join(dir, 'draft.json'), '{}');
	return {id: idOf(dir), dir};
}

async function pack(home: Home, id: string, name: string, exact = false) {
	let err = '';
	const stderr = {write: (text: string) => (err += text)};
	const to = join(home.cwd, name);
	const code = await exportBundle({id, to, exact, force: true, version, env: home.env, cwd: home.cwd, stderr});
	return {code, err, file: to};
}

async function verify(file: string, as = version) {
	let out = '';
	let err = '';
	const stdout = {write: (text: string) => (out += text)};
	const stderr = {write: (text: string) => (err += text)};
	return {code: await verifyBundle({file, version: as, env: {}, stdout, stderr}), out, err};
}

describe('inkpod verify BUNDLE', () => {
	it('passes on another machine, without a project and without a session', async () => {
		const home = await tempHome();
		const {id} = await wholeSession(home);
		for (const name of ['a.tar', 'a.tar.gz', 'a.tgz']) {
			const packed = await pack(home, id, name);
			expect(packed).toMatchObject({code: 0, err: `inkpod: Wrote ${packed.file}.\n`});
			const {code, out, err} = await verify(packed.file);
			expect({code, err}).toEqual({code: 0, err: ''});
			expect(out).toContain('made by inkpod 1.2.3 (en)\nfiles    6: ok\n');
			expect(out).toContain('screens  1: ok\nThe bundle is intact.\n');
		}
		const read = await readTar(memorySource(await readFile(join(home.cwd, 'a.tar'))));
		const names = read.ok ? [...read.entries.keys()].map(name => name.slice(27)) : [];
		expect(names).toEqual([
			'history.json',
			expect.stringMatching(/^kept\/[\da-f]{64}$/),
			'compactions/sum/history.json',
			`children/${child}/history.json`,
			'manifest.json',
			'manifest.sha256',
		]);
	});

	it(`names every file in which a byte is changed (seed ${seed})`, async () => {
		const home = await tempHome();
		const {id} = await wholeSession(home);
		const {file} = await pack(home, id, 'a.tar');
		const archive = await readFile(file);
		const opened = await openBundle(file);
		if (!opened.ok) throw new Error(opened.sentence);
		let random = seed;
		for (const [name, {size, read}] of opened.bundle.entries) {
			const start = archive.indexOf(await read(0, size));
			for (let round = 0; round < 6; round++) {
				random = (random * 1_103_515_245 + 12_345) % 2 ** 31;
				const at = round === 0 ? 0 : round === 1 ? size - 1 : random % size;
				const changed = Buffer.from(archive);
				changed[start + at]! ^= 1 + (random % 255);
				const other = join(home.cwd, 'changed.tar');
				await writeFile(other, changed);
				const {code, out} = await verify(other);
				expect([name, at, code]).toEqual([name, at, 1]);
				const named = name.endsWith('manifest.sha256') ? 'manifest.json' : name;
				expect(out).toMatch(new RegExp(`FAILURE .*${named}`));
			}
		}
		await opened.bundle.close();
	});

	it('fails for a screen that differs, but does not compare those of another version', async () => {
		const home = await tempHome();
		const {id} = await wholeSession(home);
		const {file} = await pack(home, id, 'a.tar');
		const read = await readTar(memorySource(await readFile(file)));
		if (!read.ok) throw new Error(read.sentence);
		const entries = await Promise.all(
			[...read.entries].map(async ([name, source]) => ({name, bytes: await source.read(0, source.size)})),
		);
		const manifest = entries.find(({name}) => name.endsWith('manifest.json'))!;
		const text = manifest.bytes.toString().replace(/("rows": \d+,\s+"sha256": ")\w{4}/, '$10000');
		const sum = createHash('sha256').update(text).digest('hex');
		async function* forged() {
			for (const {name, bytes} of entries)
				yield {
					name,
					bytes: name.endsWith('manifest.json')
						? Buffer.from(text)
						: name.endsWith('.sha256')
							? Buffer.from(`${sum}  manifest.json\n`)
							: bytes,
				};
		}
		const pieces: Buffer[] = [];
		for await (const piece of tarOf(forged())) pieces.push(piece);
		await writeFile(file, Buffer.concat(pieces));
		const {code, out} = await verify(file);
		expect(code).toBe(1);
		expect(out).toContain('The screen after this turn differs from the one in the manifest.');
		const later = await verify(file, '2.0.0');
		expect(later.code).toBe(0);
		expect(later.out).toContain('screens  1 screen: not comparable, made by inkpod 1.2.3 (en)\n');
	});

	it('refuses what is not a bundle, is damaged, or is too large', async () => {
		const home = await tempHome();
		const {id} = await wholeSession(home);
		const {file} = await pack(home, id, 'a.tgz');
		expect(await openBundle(file, {most: 1000})).toMatchObject({
			ok: false,
			sentence: expect.stringContaining('Unpack it with gunzip') as string,
		});
		const bytes = await readFile(file);
		await writeFile(file, bytes.subarray(0, bytes.length - 20));
		expect((await verify(file)).err).toContain('Its compressed bytes are damaged.');
		await writeFile(file, gzipSync(gunzipSync(bytes).subarray(0, 2048)));
		expect((await verify(file)).err).toContain('It is cut off');
		await writeFile(file, gzipSync(Buffer.alloc(4_000_000)));
		expect((await verify(file)).err).toContain('There are bytes after its last file.');
		await writeFile(file, 'no archive');
		expect(await verify(file)).toMatchObject({code: 1, err: expect.stringContaining('It is cut off') as string});
		expect((await verify(join(home.cwd, 'missing.tar'))).err).toContain('is missing, or was replaced');
	});
});

describe('inkpod export --bundle', () => {
	it('lists the secrets of histories and backups, and writes nothing without --exact', async () => {
		const home = await tempHome();
		const {dir} = await storedSession(home, [[user('a', `ghp_${'a1'.repeat(20)}`)]]);
		const backup = Buffer.from('DB_PASSWORD=abcdefghijkl');
		const name = createHash('sha256').update(backup).digest('hex');
		await mkdir(backupsDir(dir), {recursive: true});
		await writeFile(join(backupsDir(dir), name), backup);
		const refused = await pack(home, idOf(dir), 'a.tar');
		expect(refused.code).toBe(1);
		expect(refused.err).toContain(
			'contains 2 values that look like secrets (GitHub token, password or token). To write it,',
		);
		expect(refused.err).toContain('  GitHub token in item a\n');
		expect(refused.err).toContain(`  password or token in kept/${name}\n`);
		expect(await readdir(home.cwd)).toEqual([]);
		const written = await pack(home, idOf(dir), 'a.tar', true);
		expect(written).toMatchObject({code: 0, err: expect.stringContaining('It contains 2 values') as string});
		expect((await verify(written.file)).code).toBe(0);
	});
});
