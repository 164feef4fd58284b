import {execFile} from 'node:child_process';
import {once} from 'node:events';
import {mkdir, open, symlink, truncate, writeFile} from 'node:fs/promises';
import {createServer} from 'node:net';
import {join} from 'node:path';
import {promisify} from 'node:util';
import {describe, expect, it} from 'vitest';
import {readTail} from '../../../src/pod/disk/log/tail.ts';
import {realFiles, type Files} from '../../../src/pod/disk/files.ts';
import {forkSession} from '../../../src/pod/disk/conversations/fork.ts';
import {listSessions} from '../../../src/pod/disk/list/list.ts';
import {headerLine} from '../../../src/pod/disk/format/line.ts';
import {openSession} from '../../../src/pod/disk/log/open.ts';
import {historyFile, lockFile} from '../../../src/pod/disk/paths.ts';
import {readSession} from '../../../src/pod/disk/log/read.ts';
import {tempProject} from '../../helpers/temp-project.ts';
import {long} from './fixture.ts';

const mebibyte = 1024 * 1024;
const id = '01JZZZZZZZZZZZZZZZZZZZZZZZ';
const clock = {now: () => 0, id: () => 'x'};
const header = headerLine({session: id, cwd: '/x', created: '2026-01-01T00:00:00.000Z'});

/** Other things in place of a history, and the sentence about each. */
const impostors: ReadonlyArray<readonly [name: string, make: (path: string) => Promise<unknown>, sentence: RegExp]> = [
	['a FIFO', async path => promisify(execFile)('mkfifo', [path]), /not a regular file/],
	[
		'a link to a FIFO',
		async path => promisify(execFile)('mkfifo', [`${path}.fifo`]).then(async () => symlink(`${path}.fifo`, path)),
		/not a regular file/,
	],
	['a folder', async path => mkdir(path), /not a regular file|EISDIR/],
	['a device without an end', async path => symlink('/dev/zero', path), /not a regular file/],
	['a device that is empty', async path => symlink('/dev/null', path), /not a regular file/],
	['the terminal', async path => symlink('/dev/tty', path), /not a regular file|ENXIO/],
	['a loop of links', async path => symlink(path, path), /ELOOP/],
	['a socket', async path => once(createServer().listen(path).unref(), 'listening'), /ENXIO|not a regular file/],
	['an empty file', async path => writeFile(path, ''), /is empty/],
	[
		'50 MB without a newline',
		async path => writeFile(path, Buffer.alloc(50 * mebibyte, 'x')),
		/is not an inkpod session/,
	],
	[
		'50 MB of JSON without a newline',
		async path => writeFile(path, `{"format":"inkpod.history/1","x":"${'x'.repeat(50 * mebibyte)}`),
		/is not an inkpod session/,
	],
	[
		'10 GB of NULs',
		async path => writeFile(path, '').then(async () => truncate(path, 10 * 1024 * mebibyte)),
		/is not an inkpod session/,
	],
	[
		'a header and 10 GB of NULs',
		async path => writeFile(path, `${header}\n`).then(async () => truncate(path, 10 * 1024 * mebibyte)),
		/longer than 128 MB/,
	],
	[
		'a million tiny lines',
		async path => writeFile(path, `${header}\n${'x\n'.repeat(1_000_000)}\n]}\n`),
		/More than 10000 lines .* are damaged/,
	],
	[
		'a million tiny lines and no end',
		async path => writeFile(path, `${header}\n${'x\n'.repeat(1_000_000)}`),
		/More than 10000 lines .* are damaged/,
	],
];

/** Returns files that count the bytes read and the largest piece. */
function counting(): {readonly files: Files; readonly read: {bytes: number; largest: number}} {
	const read = {bytes: 0, largest: 0};
	const files: Files = {
		...realFiles,
		async open(path, flags, mode) {
			const file = await realFiles.open(path, flags, mode);
			const readFrom = file.read.bind(file);
			return Object.assign(file, {
				async read(buffer: Uint8Array, offset: number, length: number, position: number) {
					read.largest = Math.max(read.largest, length);
					const done = await readFrom(buffer, offset, length, position);
					read.bytes += done.bytesRead;
					return done;
				},
			});
		},
	};
	return {files, read};
}

describe.each(impostors)('%s instead of a history', (_, make, sentence) => {
	async function place() {
		const project = await tempProject();
		const dir = project.path(id);
		await mkdir(dir);
		await make(historyFile(dir));
		return {root: project.dir, dir};
	}

	it('is refused with a sentence after a limited read', async () => {
		const {dir} = await place();
		const {files, read} = counting();
		expect(await readSession(dir, files)).toMatchObject({
			ok: false,
			sentence: expect.stringMatching(sentence) as string,
		});
		expect(await openSession(dir, clock, files)).toMatchObject({
			ok: false,
			sentence: expect.stringMatching(sentence) as string,
		});
		expect(await forkSession(dir, {backupsOf: () => [], copyOutputs: async () => 0}, clock, files)).toMatchObject({
			ok: false,
			sentence: expect.stringMatching(sentence) as string,
		});
		expect((await readTail(dir, mebibyte, files)) ?? []).toEqual([]);
		expect(read.largest).toBeLessThanOrEqual(128 * mebibyte);
		expect(read.bytes).toBeLessThan(600 * mebibyte);
	}, 60_000);

	it('is shown in the list', async () => {
		const {root, dir} = await place();
		const {files, read} = counting();
		for (const summary of await listSessions(root, files)) expect(summary).toMatchObject({dir, words: ''});
		expect(read.bytes).toBeLessThanOrEqual(3 * mebibyte);
	});
});

describe('a long line without an end', () => {
	it('is cut off and saved', async () => {
		const project = await tempProject();
		const dir = project.path(id);
		await mkdir(dir);
		const size = (long ? 100 : 20) * mebibyte;
		await writeFile(historyFile(dir), `${header}\n${'x'.repeat(size)}`);
		const opened = await openSession(dir, clock);
		expect(opened).toMatchObject({
			ok: true,
			session: {
				items: [
					{text: expect.stringContaining(`Its ${size + 1} bytes are not part of the conversation`) as string},
				],
			},
		});
		if (opened.ok) await opened.session.close();
	}, 30_000);
});

describe('a lock that is not a file', () => {
	it('causes an error at once', async () => {
		const project = await tempProject();
		const dir = project.path(id);
		await mkdir(dir);
		await writeFile(historyFile(dir), `${header}\n]}\n`);
		await promisify(execFile)('mkfifo', [lockFile(dir)]);
		const opened = await openSession(dir, clock);
		expect(opened).toMatchObject({ok: false, sentence: expect.stringContaining('is not a regular file') as string});
		await (await open(join(dir, 'x'), 'w')).close();
	});
});
