import {chmod, mkdir, readdir, readFile, rename, rm, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {whatCreated} from '../../../src/pod/confine/created.ts';
import {presentRunLater} from '../../../src/pod/confine/places.ts';
import {tempProject} from '../../helpers/temp-project.ts';

const repository = {
	'.git/HEAD': 'ref: refs/heads/main\n',
	'.git/config': '[core]\n',
	'.git/objects/': '',
	'.git/refs/': '',
};

/** Lets a command change a project, and returns what it created, relative to the project. */
async function created(
	files: Readonly<Record<string, string>>,
	command: (path: (name: string) => string) => Promise<unknown>,
) {
	const project = await tempProject(files);
	const env = {HOME: project.path('../home')};
	const before = await presentRunLater(project.dir, env);
	await command(name => project.path(name));
	const found = await whatCreated(before, await presentRunLater(project.dir, env));
	const relative = (path: string) => path.slice(project.dir.length + 1);
	return {
		project,
		created: found.created.map(relative).toSorted(),
		setAside: found.setAside.map(pair => pair.map(relative)),
	};
}

describe('what a confined command created', () => {
	it('is nothing after an ordinary change', async () => {
		const found = await created({...repository, 'a.txt': 'a', '.envrc': 'x'}, async path => {
			await writeFile(path('a.txt'), 'b');
			await writeFile(path('b.txt'), 'b');
			await writeFile(path('.git/index'), 'x');
		});
		expect(found).toMatchObject({created: [], setAside: []});
	});

	it('contains new and replaced files that other programs run', async () => {
		const found = await created({...repository, '.envrc': 'x', 'sub/.npmrc': 'x'}, async path => {
			await mkdir(path('.husky'));
			await writeFile(path('.husky/pre-commit'), 'x');
			await rename(path('sub'), path('sub2'));
			await mkdir(path('sub'));
			await writeFile(path('sub/.npmrc'), 'evil');
		});
		expect(found.created).toEqual(['.husky', 'sub/.npmrc', 'sub2/.npmrc']);
		expect(found.setAside).toEqual([]);
	});

	it.each([
		['commondir', async (path: (name: string) => string) => writeFile(path('.git/commondir'), '../evil\n')],
		[
			'hooks',
			async (path: (name: string) => string) => {
				await mkdir(path('.git/hooks'));
				await writeFile(path('.git/hooks/pre-commit'), '#!/bin/sh\n');
				await chmod(path('.git/hooks/pre-commit'), 0o755);
			},
		],
		[
			'config.worktree',
			async (path: (name: string) => string) => writeFile(path('.git/config.worktree'), '[core]\n'),
		],
	])('gets another name if git would run programs through it: .git/%s', async (name, command) => {
		const found = await created(repository, command);
		expect(found.setAside).toEqual([[`.git/${name}`, `.git/${name}.set-aside`]]);
		expect(found.created).toEqual([]);
		expect(await readdir(found.project.path('.git'))).not.toContain(name);
	});

	it('keeps a folder of hooks with samples only, and a new repository', async () => {
		const found = await created({}, async path => {
			for (const folder of ['.git/hooks', '.git/objects', '.git/refs'])
				await mkdir(path(folder), {recursive: true});
			await writeFile(path('.git/HEAD'), 'ref: refs/heads/main\n');
			await writeFile(path('.git/hooks/pre-commit.sample'), 'x');
		});
		expect(found.setAside).toEqual([]);
		expect(found.created).toContain('.git');
		const again = await created(repository, async path => {
			await mkdir(path('.git/hooks'));
			await writeFile(path('.git/hooks/pre-commit.sample'), 'x');
		});
		expect(again.setAside).toEqual([]);
	});

	it('overwrites nothing that was set aside before', async () => {
		const found = await created({...repository, '.git/commondir.set-aside': 'first'}, async path =>
			writeFile(path('.git/commondir'), 'second'),
		);
		expect(found.setAside).toEqual([['.git/commondir', '.git/commondir.set-aside-2']]);
		expect(await readFile(found.project.path('.git/commondir.set-aside'), 'utf8')).toBe('first');
	});

	it('survives what vanishes meanwhile', async () => {
		const found = await created({...repository, '.envrc': 'x'}, async path => rm(join(path('.'), '.envrc')));
		expect(found).toMatchObject({created: [], setAside: []});
	});
});
