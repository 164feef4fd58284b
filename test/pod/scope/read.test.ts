import {createHash} from 'node:crypto';
import {open, rename, rm, stat, truncate, utimes} from 'node:fs/promises';
import {describe, expect, it} from 'vitest';
import {readText, type ReadOptions} from '../../../src/pod/scope/read.ts';
import {openFiles} from '../../helpers/processes.ts';
import {scopeOf, tempProject} from '../../helpers/temp-project.ts';

const options: ReadOptions = {maxBytes: 16_384, maxScanBytes: 256 * 1024 * 1024};

it('readText returns a small file with its facts', async () => {
	const project = await tempProject({'a.txt': '\uFEFFone\r\ntwo\r\n'});
	await project.link('link', 'a.txt');
	const {mtimeMs} = await stat(project.path('a.txt'));
	expect(await readText(project.scope, 'link', options)).toEqual({
		ok: true,
		path: 'link',
		real: project.path('a.txt'),
		body: 'one\ntwo\n',
		bytes: 8,
		totalBytes: 13,
		lines: 2,
		totalLines: 2,
		truncated: false,
		sha256: createHash('sha256').update('\uFEFFone\r\ntwo\r\n').digest('hex'),
		mtimeMs,
	});
});

it('readText returns a range with the facts of the whole file', async () => {
	const project = await tempProject({'a.txt': 'one\ntwo\nthree\n'});
	expect(await readText(project.scope, 'a.txt', {...options, range: {first: 2, last: 9}})).toMatchObject({
		body: 'two\nthree',
		bytes: 9,
		totalBytes: 14,
		lines: 2,
		totalLines: 3,
		truncated: false,
	});
});

it('readText cuts non-ASCII text after the last whole character', async () => {
	const project = await tempProject();
	for (const [character, size] of [
		['é', 2],
		['日', 3],
		['👍', 4],
	] as const) {
		for (let before = 0; before < size; before += 1) {
			const text = 'x'.repeat(before) + character.repeat(8200);
			await project.write('a.txt', text);
			const read = await readText(project.scope, 'a.txt', options);
			expect(read).toMatchObject({
				ok: true,
				truncated: true,
				totalBytes: Buffer.byteLength(text),
				totalLines: 1,
				lines: 1,
			});
			if (!read.ok) continue;
			expect(text.startsWith(read.body)).toBe(true);
			expect(read.body.isWellFormed()).toBe(true);
			expect(read.bytes).toBe(Buffer.byteLength(read.body));
			expect(read.bytes).toBeGreaterThan(16_384 - size);
			expect(read.bytes).toBeLessThanOrEqual(16_384);
		}
	}
});

it('readText joins CRLF and characters across chunk boundaries', async () => {
	const project = await tempProject();
	const chunk = 256 * 1024;
	for (let shift = 0; shift < 4; shift += 1) {
		const text = `${'x'.repeat(chunk - shift)}\r\n${'日'.repeat(chunk / 3)}\r\nend\r\n`;
		await project.write('a.txt', text);
		const read = await readText(project.scope, 'a.txt', {...options, maxBytes: chunk * 4});
		expect(read).toMatchObject({
			ok: true,
			body: text.replaceAll('\r\n', '\n'),
			lines: 3,
			totalLines: 3,
			totalBytes: Buffer.byteLength(text),
			sha256: createHash('sha256').update(text).digest('hex'),
		});
	}
});

it.each([
	['utf-16 LE', (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le')],
	['utf-16 BE', (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le').swap16()],
])('readText decodes %s across several chunks', async (_, encode) => {
	const project = await tempProject();
	const text = `x${'👍日\r\n'.repeat(60_000)}`;
	await project.write('a.txt', encode(text));
	const read = await readText(project.scope, 'a.txt', {...options, maxBytes: 10_000_000});
	expect(read).toMatchObject({ok: true, body: text.replaceAll('\r\n', '\n'), totalBytes: encode(text).length});
});

describe('a file that is not text', () => {
	it.each([
		['a NUL far after the cut', Buffer.concat([Buffer.alloc(600_000, 'x'), Buffer.from([0])])],
		[
			'a broken character far after the cut',
			Buffer.concat([Buffer.alloc(600_000, 'x'), Buffer.from([0xff]), Buffer.alloc(9, 'x')]),
		],
		[
			'a character that the end cuts',
			Buffer.concat([Buffer.alloc(300_000, 'x'), Buffer.from('日').subarray(0, 2)]),
		],
	])('is binary: %s', async (_, content) => {
		const project = await tempProject({'a.txt': content});
		expect(await readText(project.scope, 'a.txt', options)).toMatchObject({ok: false, reason: 'binary'});
		expect(await readText(project.scope, 'a.txt', {...options, range: {first: 1, last: 1}})).toMatchObject({
			ok: false,
			reason: 'binary',
		});
	});
});

it('readText fails with bad_range for a start past the end or an end before the start', async () => {
	const project = await tempProject({'a.txt': 'one\ntwo\n', 'empty.txt': ''});
	expect(await readText(project.scope, 'a.txt', {...options, range: {first: 3}})).toMatchObject({
		ok: false,
		reason: 'bad_range',
		totalLines: 2,
	});
	expect(await readText(project.scope, 'a.txt', {...options, range: {first: 2, last: 1}})).toMatchObject({
		ok: false,
		reason: 'bad_range',
	});
	expect(await readText(project.scope, 'empty.txt', {...options, range: {first: 1}})).toMatchObject({
		ok: true,
		body: '',
	});
	expect(await readText(project.scope, 'empty.txt', {...options, range: {first: 2}})).toMatchObject({
		ok: false,
		reason: 'bad_range',
		totalLines: 0,
	});
});

it('readText fails with too_large for a sparse file of 5 GB without reading it', async () => {
	const project = await tempProject({'huge.log': ''});
	await truncate(project.path('huge.log'), 5 * 1024 ** 3);
	expect(await readText(project.scope, 'huge.log', options)).toEqual({
		ok: false,
		reason: 'too_large',
		totalBytes: 5 * 1024 ** 3,
	});
});

it('readText needs little memory for a file of many chunks', async () => {
	const project = await tempProject();
	const handle = await open(project.path('big.log'), 'w');
	const block = Buffer.from(`${'x'.repeat(99)}\n`.repeat(10_000));
	for (let count = 0; count < 64; count += 1) await handle.write(block);
	await handle.close();
	const before = process.memoryUsage().arrayBuffers;
	let most = 0;
	const watch = setInterval(() => (most = Math.max(most, process.memoryUsage().arrayBuffers)), 1);
	const read = await readText(project.scope, 'big.log', options);
	clearInterval(watch);
	expect(read).toMatchObject({ok: true, totalBytes: 64_000_000, totalLines: 640_000, truncated: true});
	expect(most - before).toBeLessThan(32_000_000);
});

it('readText reads a kernel file that reports no size', {skip: process.platform !== 'linux'}, async () => {
	const scope = await scopeOf('/proc');
	const read = await readText(scope, '/proc/self/status', options);
	expect(read).toMatchObject({ok: true});
	if (read.ok) expect(read.totalBytes).toBe(Buffer.byteLength(read.body));
	expect(await readText(scope, '/proc/self/environ', options)).toMatchObject({ok: false, reason: 'denied'});
});

describe('secrets', () => {
	it('are denied until confirmed, by name or through an innocent name', async () => {
		const project = await tempProject({'.env': 'KEY=1', '.env.example': 'KEY='});
		await project.link('notes.txt', '.env');
		await project.link('id_rsa', '.env.example');
		const env = project.path('.env');
		expect(await readText(project.scope, '.env', options)).toEqual({ok: false, reason: 'denied', real: env});
		expect(await readText(project.scope, 'notes.txt', options)).toEqual({ok: false, reason: 'denied', real: env});
		expect(await readText(project.scope, 'id_rsa', options)).toEqual({
			ok: false,
			reason: 'denied',
			real: `${env}.example`,
		});
		expect(await readText(project.scope, '.env', {...options, confirmed: true})).toMatchObject({
			ok: true,
			body: 'KEY=1',
		});
		expect(await readText(project.scope, '.env.example', options)).toMatchObject({ok: true, body: 'KEY='});
		expect(await readText(project.scope, '.env.local', options)).toMatchObject({ok: false, reason: 'not_found'});
	});
});

/** Waits until this process has opened and checked a file. */
async function underWay(path: string): Promise<void> {
	while (!openFiles().includes(path)) await stat(path);
	for (let turn = 0; turn < 10; turn++) await stat(path);
}

describe('an aborted read', () => {
	it('opens nothing if the signal is already aborted', async () => {
		const project = await tempProject({'a.txt': 'x'});
		expect(await readText(project.scope, 'a.txt', {...options, signal: AbortSignal.abort()})).toEqual({
			ok: false,
			reason: 'aborted',
		});
	});

	it('stops in the middle of a file', async () => {
		const project = await tempProject({'a.txt': Buffer.alloc(200_000_000, 'x')});
		const abort = new AbortController();
		const reading = readText(project.scope, 'a.txt', {...options, signal: abort.signal});
		await underWay(project.path('a.txt'));
		abort.abort();
		expect(await reading).toEqual({ok: false, reason: 'aborted'});
	});
});

describe('a file that changes during the read', () => {
	it('fails with io and the reason if the file keeps changing', async () => {
		const project = await tempProject({'a.txt': Buffer.alloc(8_000_000, 'x')});
		const done = new AbortController();
		const writer = (async () => {
			for (let turn = 0; !done.signal.aborted; turn += 1) await utimes(project.path('a.txt'), 1, turn);
		})();
		const read = await readText(project.scope, 'a.txt', options);
		done.abort();
		await writer;
		expect(read).toMatchObject({ok: false, reason: 'io', cause: {message: 'it changed while it was being read'}});
	});

	it('is read again if it changes once', async () => {
		const project = await tempProject({'a.txt': Buffer.alloc(50_000_000, 'x')});
		const reading = readText(project.scope, 'a.txt', options);
		await underWay(project.path('a.txt'));
		await truncate(project.path('a.txt'), 4);
		expect(await reading).toMatchObject({ok: true, body: 'xxxx', totalBytes: 4, totalLines: 1});
	});

	it('fails with not_found if it is deleted', async () => {
		const project = await tempProject({'a.txt': Buffer.alloc(50_000_000, 'x')});
		const reading = readText(project.scope, 'a.txt', options);
		await underWay(project.path('a.txt'));
		await rm(project.path('a.txt'));
		expect(await reading).toMatchObject({ok: false, reason: 'not_found'});
	});

	it('returns the new file if it is replaced', async () => {
		const project = await tempProject({'a.txt': Buffer.alloc(50_000_000, 'x'), 'b.txt': 'new\n'});
		const reading = readText(project.scope, 'a.txt', options);
		await underWay(project.path('a.txt'));
		await rename(project.path('b.txt'), project.path('a.txt'));
		expect(await reading).toMatchObject({ok: true, body: 'new\n'});
	});
});

it.each([
	['missing', 'not_found'],
	['../x', 'out_of_scope'],
	['dir', 'is_directory'],
	['nul\0', 'not_found'],
])('readText fails for %s with %s', async (path, reason) => {
	const project = await tempProject({'dir/': ''});
	expect(await readText(project.scope, path, options)).toMatchObject({ok: false, reason});
});
