import {execFile} from 'node:child_process';
import {mkdtemp, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {promisify} from 'node:util';
import {gzipSync} from 'node:zlib';
import {expect, it, onTestFinished} from 'vitest';
import {tarOf} from '../../../../src/pod/disk/bundle/tar.ts';
import {historyOf} from '../fixture.ts';
import {createItems} from '../../../helpers/items.ts';

const run = promisify(execFile);
const session = '01JZZZZZZZZZZZZZZZZZZZZZZZ';
const megabyte = 1_048_576;

/** Reads a bundle in a process of its own, and returns what it says and the memory that it took, in MB. */
async function readAlone(bytes: Buffer) {
	const folder = await mkdtemp(join(tmpdir(), 'inkpod-bomb-'));
	onTestFinished(async () => rm(folder, {recursive: true}));
	const file = join(folder, 'a.tar.gz');
	await writeFile(file, bytes);
	const source = (path: string) => JSON.stringify(new URL(`../../../../src/pod/${path}`, import.meta.url).href);
	const program = `
		const {readFileSync} = await import('node:fs');
		const {openBundle} = await import(${source('disk/bundle/open-bundle.ts')});
		const {checkEntries} = await import(${source('disk/bundle/manifest.ts')});
		const {readSession} = await import(${source('disk/log/read.ts')});
		const opened = await openBundle(${JSON.stringify(file)});
		let said = opened.sentence ?? 'read';
		if (opened.ok) {
			await checkEntries(opened.bundle.entries);
			const read = await readSession(${JSON.stringify(join(file, session))}, opened.bundle.files);
			if (!read.ok) said = read.sentence;
		}
		// The usage that the kernel reports includes that of the process before it ran Node: a copy of this test.
		const [, kilobytes] = /^VmHWM:\\s*(\\d+)/m.exec(readFileSync('/proc/self/status', 'utf8'));
		console.log(JSON.stringify({said, megabytes: kilobytes / 1024}));`;
	const {stdout} = await run(process.execPath, ['--input-type=module', '-e', program]);
	return {...(JSON.parse(stdout) as {said: string; megabytes: number}), zipped: bytes.length};
}

async function tarGz(entries: ReadonlyArray<readonly [name: string, bytes: Buffer]>): Promise<Buffer> {
	async function* given() {
		for (const [name, bytes] of entries) yield {name: `${session}/${name}`, bytes};
	}
	const pieces: Buffer[] = [];
	for await (const piece of tarOf(given())) pieces.push(piece);
	return gzipSync(Buffer.concat(pieces), {level: 1});
}

const history = (...texts: readonly unknown[]) => {
	const make = createItems();
	return historyOf(texts.map(a => ({...make.result('c', 'x', 'x'), details: {a}})));
};
const long = 'x'.repeat(4 * megabyte);

it.each([
	['zeros', async () => gzipSync(Buffer.alloc(200 * megabyte), {level: 1}), 'There are bytes after its last file.'],
	['one huge file', async () => tarGz([['kept/a', Buffer.alloc(50 * megabyte)]]), 'Unpack it with gunzip'],
	['a long history', async () => tarGz([['history.json', history(long, long, long, long, long)]]), 'Unpack it with'],
	['a long line', async () => tarGz([['history.json', history(long + long)]]), 'Unpack it with gunzip'],
	['many small values', async () => tarGz([['history.json', history(repeated(700_000))]]), 'Unpack it with gunzip'],
	['as many values as may be', async () => tarGz([['history.json', history(repeated(590_000))]]), 'read'],
	['many items', async () => tarGz([['history.json', historyOf(manyItems())]]), 'read'],
	[
		'all that may be',
		async () =>
			tarGz([
				['kept/a', Buffer.alloc(26 * megabyte)],
				['history.json', history(long, long, long)],
			]),
		'read',
	],
])('a bundle takes at most 256 MB of memory: %s', async (_, make, sentence) => {
	const {said, megabytes} = await readAlone(await make());
	expect(said).toContain(sentence);
	expect(megabytes).toBeLessThan(256);
});

function repeated(count: number): readonly unknown[] {
	return Array.from({length: count}, () => ({}));
}

function manyItems() {
	const make = createItems();
	return Array.from({length: 40_000}, () => make.item('rewind', {to: 'i1'}));
}
