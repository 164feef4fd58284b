import {chmod, link, mkdir, readdir, readFile, rename, rm, writeFile} from 'node:fs/promises';
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

	it.each([
		['a monitor', '[core]\n\tfsmonitor = evil\n'],
		['an alias', '[core]\n\tbare = false\n[alias]\n\tst = !evil\n'],
		['a filter', '[filter "x"]\n\tclean = evil\n'],
		['an include', '[include]\n\tpath = ../evil\n'],
		['a remote that is a program', '[remote "origin"]\n\turl = ext::sh -c evil\n'],
		['a program for the transfer', '[remote "origin"]\n\tuploadpack = evil\n'],
	])('makes a new repository harmless whose configuration has %s', async (_name, config) => {
		const found = await created(repository, async path => {
			for (const folder of ['lib/.git/objects', 'lib/.git/refs', 'lib/.git/hooks'])
				await mkdir(path(folder), {recursive: true});
			await writeFile(path('lib/.git/HEAD'), 'ref: refs/heads/main\n');
			await writeFile(path('lib/.git/config'), config);
			await writeFile(path('lib/.git/hooks/pre-commit'), '#!/bin/sh\n');
		});
		expect(found.setAside.map(([from]) => from)).toEqual(['lib/.git/hooks', 'lib/.git/config']);
		expect(found.created).toContain('lib/.git');
	});

	it('leaves a new repository as git makes it', async () => {
		const config =
			'[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n\tlogallrefupdates = true\n' +
			'[remote "origin"]\n\turl = https://example.com/x.git\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n' +
			'[branch "main"]\n\tremote = origin\n\tmerge = refs/heads/main\n';
		const found = await created(repository, async path => {
			for (const folder of ['lib/.git/objects', 'lib/.git/refs']) await mkdir(path(folder), {recursive: true});
			await writeFile(path('lib/.git/HEAD'), 'ref: refs/heads/main\n');
			await writeFile(path('lib/.git/config'), config);
		});
		expect(found.setAside).toEqual([]);
	});

	it('restores files of git that have another name and were written under it', async () => {
		const project = await tempProject({...repository, '.git/hooks/pre-commit': 'good\n'});
		await link(project.path('.git/config'), project.path('cfg'));
		await link(project.path('.git/hooks/pre-commit'), project.path('hook.sh'));
		const env = {HOME: project.path('../home')};
		const before = await presentRunLater(project.dir, env);
		await writeFile(project.path('cfg'), '[core]\n\tfsmonitor = evil\n');
		await writeFile(project.path('hook.sh'), 'evil\n');
		const {restored} = await whatCreated(before, await presentRunLater(project.dir, env));
		expect(restored.toSorted()).toEqual([project.path('.git/config'), project.path('.git/hooks/pre-commit')]);
		expect(await readFile(project.path('cfg'), 'utf8')).toBe('[core]\n');
		expect(await readFile(project.path('.git/hooks/pre-commit'), 'utf8')).toBe('good\n');
	});

	it('survives what vanishes meanwhile', async () => {
		const found = await created({...repository, '.envrc': 'x'}, async path => rm(join(path('.'), '.envrc')));
		expect(found).toMatchObject({created: [], setAside: []});
	});
});
