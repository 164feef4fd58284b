import {mkdir, symlink, writeFile} from 'node:fs/promises';
import {join, relative} from 'node:path';
import {describe, expect, it} from 'vitest';
import {walkFiles} from '../../../../src/pod/tools/search/walk.ts';
import {tempProject} from '../../../helpers/temp-project.ts';

const long = process.env['INKPOD_TEST'] === 'long';
const running = new AbortController().signal;
const options = (pwd: string, more: Partial<Parameters<typeof walkFiles>[1]> = {}) => ({
	scope: {pwd},
	accepts: () => true,
	signal: running,
	...more,
});

/** Creates a folder that is so large that it is read in pieces. */
async function largeFolder(count = long ? 200_000 : 20_000) {
	const project = await tempProject();
	const pad = 'x'.repeat(40);
	for (let from = 0; from < count; from += 500) {
		await Promise.all(
			Array.from({length: 500}, async (_, at) => writeFile(project.path(`f${from + at}${pad}`), '')),
		);
	}
	return {project, count};
}

describe('a walk', () => {
	it('finds the regular files that are not ignored, and enters no link', async () => {
		const project = await tempProject({
			'.gitignore': 'skipped\n*.log\n',
			'a.ts': '',
			'a.log': '',
			'deep/er/b.ts': '',
			'skipped/c.ts': '',
			'.git/config': '',
		});
		await mkdir(project.path('real'));
		await symlink(project.path('deep'), project.path('link'));
		await symlink(project.path('a.ts'), project.path('a-link.ts'));
		const {files, complete} = await walkFiles(project.dir, options(project.dir));
		expect(files.map(file => relative(project.dir, file)).toSorted()).toEqual([
			'.gitignore',
			'a.ts',
			join('deep', 'er', 'b.ts'),
		]);
		expect(complete).toBe(true);
	});

	it('stops at the maximum number of files and reports it', async () => {
		const project = await tempProject(
			Object.fromEntries(Array.from({length: 50}, (_, at) => [`d${at % 7}/f${at}`, ''])),
		);
		expect(await walkFiles(project.dir, options(project.dir, {maxFiles: 10}))).toMatchObject({
			complete: false,
			files: {length: 10},
		});
		expect(await walkFiles(project.dir, options(project.dir, {maxFiles: 51}))).toMatchObject({
			complete: true,
			files: {length: 50},
		});
	});

	it('gives way to other tasks in a very large folder, and stops on an abort', async () => {
		const {project, count} = await largeFolder();
		let turns = 0;
		let isOver = false;
		const countTurn = () => {
			turns++;
			if (!isOver) setImmediate(countTurn);
		};
		setImmediate(countTurn);
		expect(await walkFiles(project.dir, options(project.dir))).toMatchObject({
			files: {length: Math.min(count, 100_000)},
		});
		isOver = true;
		expect(turns).toBeGreaterThan(count / 2000);
		const stop = new AbortController();
		let seen = 0;
		const accepts = () => {
			seen += 1;
			if (seen === 3000) stop.abort();
			return true;
		};
		await expect(walkFiles(project.dir, options(project.dir, {accepts, signal: stop.signal}))).rejects.toThrow(
			'aborted',
		);
		expect(seen).toBe(3000);
	}, 60_000);
});
