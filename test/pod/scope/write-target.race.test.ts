import {readdir, readFile} from 'node:fs/promises';
import {Worker} from 'node:worker_threads';
import {describe, expect, onTestFinished, it} from 'vitest';
import {openFile} from '../../../src/pod/scope/scoped-fs.ts';
import {openTarget} from '../../../src/pod/scope/write-target.ts';
import {tempProject, type TempProject} from '../../helpers/temp-project.ts';

const tries = process.env['INKPOD_TEST'] === 'long' ? 2000 : 150;

/**
Repeats steps on the disk in a separate thread, as fast as it can, until the test ends. Each step is a call of
node:fs.
*/
async function racing(dir: string, steps: ReadonlyArray<readonly [name: string, ...args: string[]]>): Promise<void> {
	const worker = new Worker(
		`const fs = require('node:fs'); const {workerData: {dir, steps}, parentPort} = require('node:worker_threads');
		const at = name => name.startsWith('=') ? name.slice(1) : dir + '/' + name;
		parentPort.postMessage('begun');
		for (;;) for (const [name, ...args] of steps) try { fs[name](...args.map(at)); } catch {}`,
		{eval: true, workerData: {dir, steps}},
	);
	onTestFinished(async () => void (await worker.terminate()));
	await new Promise(resolve => worker.once('message', resolve));
}

/** Writes repeatedly until there were different results: then both sides of the race have happened. */
async function writeRepeatedly(project: TempProject, path: string): Promise<void> {
	const seen = new Set<string>();
	for (let turn = 0; turn < tries || seen.size < 2; turn += 1) {
		const target = await openTarget(project.scope, path, {maxBytes: 1e6});
		const written = target.ok ? await target.replace(Buffer.from(`ours ${turn}`)) : target;
		if (target.ok) await target.close();
		seen.add(written.ok ? 'ok' : written.reason);
	}
}

/** Returns the contents of the neighbouring folder, which the race must never change. */
async function outside(project: TempProject): Promise<Readonly<Record<string, string>>> {
	const names = await readdir(project.path('../outside'));
	return Object.fromEntries(
		await Promise.all(
			names.map(async name => [name, await readFile(project.path(`../outside/${name}`), 'utf8')] as const),
		),
	);
}

describe.skipIf(process.platform !== 'linux')(`a thread that swaps links (${tries} tries each)`, () => {
	it.each<[string, Record<string, string>, string, ReadonlyArray<readonly [string, ...string[]]>]>([
		[
			'a file that is a link outside every other moment',
			{'a.txt': 'ours'},
			'a.txt',
			[
				['symlinkSync', '=../outside/a.txt', 'next'],
				['renameSync', 'next', 'a.txt'],
				['copyFileSync', 'spare', 'next'],
				['renameSync', 'next', 'a.txt'],
			],
		],
		[
			'a link that points inside and outside in turn',
			{'in/a.txt': 'ours', way: '-> in'},
			'way/a.txt',
			[
				['symlinkSync', '=../outside', 'next'],
				['renameSync', 'next', 'way'],
				['symlinkSync', '=in', 'next'],
				['renameSync', 'next', 'way'],
			],
		],
		[
			'a folder that is a link outside every other moment',
			{'dir/a.txt': 'ours'},
			'dir/a.txt',
			[
				['rmSync', 'aside/a.txt'],
				['rmdirSync', 'aside'],
				['renameSync', 'dir', 'aside'],
				['symlinkSync', '=../outside', 'dir'],
				['rmSync', 'dir'],
				['renameSync', 'aside', 'dir'],
			],
		],
		[
			'a folder that is created while a link takes its place',
			{x: ''},
			'new/deep/a.txt',
			[
				['symlinkSync', '=../outside', 'new'],
				['rmSync', 'new'],
				['rmdirSync', 'new/deep'],
				['rmdirSync', 'new'],
				['rmSync', 'new/deep/a.txt'],
			],
		],
		[
			'a chain of links in which one changes',
			{'in/a.txt': 'ours', first: '-> second', second: '-> in'},
			'first/a.txt',
			[
				['symlinkSync', '=../outside', 'next'],
				['renameSync', 'next', 'second'],
				['symlinkSync', '=in', 'next'],
				['renameSync', 'next', 'second'],
			],
		],
	])('never causes a write outside: %s', async (_, files, path, steps) => {
		const project = await tempProject({spare: 'ours', '../outside/a.txt': 'theirs'});
		for (const [name, content] of Object.entries(files))
			await (content.startsWith('-> ') ? project.link(name, content.slice(3)) : project.write(name, content));
		await racing(project.dir, steps);
		await writeRepeatedly(project, path);
		expect(await outside(project)).toEqual({'a.txt': 'theirs'});
	});
});

describe.skipIf(process.platform !== 'linux')('a link that changes within the scope', () => {
	const turns = [
		['symlinkSync', '=other', 'next'],
		['renameSync', 'next', 'way'],
		['symlinkSync', '=docs', 'next'],
		['renameSync', 'next', 'way'],
	] as const;

	it('never makes a read report another path', async () => {
		const project = await tempProject({'docs/a.txt': 'docs', 'other/a.txt': 'other'});
		await project.link('way', 'docs');
		await racing(project.dir, turns);
		const seen = new Set<string>();
		for (let turn = 0; turn < tries || seen.size < 2; turn += 1) {
			const opened = await openFile(project.scope, 'way/a.txt');
			if (!opened.ok) continue;
			const text = await opened.handle.readFile('utf8');
			await opened.handle.close();
			expect(opened.real).toBe(project.path(`${text}/a.txt`));
			seen.add(text);
		}
	});

	it('never makes a write go to another path', async () => {
		const project = await tempProject({'docs/a.txt': '', 'other/a.txt': ''});
		await project.link('way', 'docs');
		await racing(project.dir, turns);
		const seen = new Set<string>();
		for (let turn = 0; turn < tries || seen.size < 2; turn += 1) {
			const target = await openTarget(project.scope, 'way/a.txt', {maxBytes: 1e6});
			if (!target.ok) continue;
			const written = await target.replace(Buffer.from(`ours ${turn}`));
			await target.close();
			if (!written.ok) continue;
			expect(await readFile(target.real, 'utf8')).toBe(`ours ${turn}`);
			seen.add(target.real);
		}
	});
});
