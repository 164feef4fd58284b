import {mkdir, readdir, readFile, rename, rm, symlink, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {findNewExecutables} from '../../../../src/pod/permissions/confine/new-executables.ts';
import {presentRunLater} from '../../../../src/pod/permissions/confine/protected-places.ts';
import {tempProject} from '../../../helpers/temp-project.ts';

const repositoryIn = (folder: string) => ({
	[`${folder}/HEAD`]: 'ref: refs/heads/main\n',
	[`${folder}/config`]: '[core]\n',
	[`${folder}/objects/`]: '',
	[`${folder}/refs/`]: '',
});

type PathOf = (name: string) => string;

/** Lets a command change a project, and returns what it created, relative to the project. */
async function created(files: Readonly<Record<string, string>>, command: (path: PathOf) => Promise<unknown>) {
	const project = await tempProject(files);
	const before = await presentRunLater(project.dir);
	await command(name => project.path(name));
	const found = await findNewExecutables(project.dir, before);
	const relative = (path: string) => path.slice(project.dir.length + 1);
	return {
		project,
		created: found.created.map(relative).toSorted(),
		setAside: found.setAside.map(([from, to]) => [relative(from), relative(to)] as const),
	};
}

async function createRepository(path: PathOf, folder: string): Promise<void> {
	for (const name of ['objects', 'refs', 'hooks']) await mkdir(path(`${folder}/${name}`), {recursive: true});
	await writeFile(path(`${folder}/HEAD`), 'ref: refs/heads/main\n');
}

describe('what a confined command created', () => {
	it('is nothing after an ordinary change', async () => {
		const found = await created({...repositoryIn('.git'), 'a.txt': 'a', '.envrc': 'x'}, async path => {
			await writeFile(path('a.txt'), 'b');
			await writeFile(path('b.txt'), 'b');
			await mkdir(path('node_modules/x/.vscode'), {recursive: true});
		});
		expect(found).toMatchObject({created: [], setAside: []});
	});

	it('contains new and replaced files that other programs run', async () => {
		const found = await created({...repositoryIn('.git'), '.envrc': 'x', 'sub/.npmrc': 'x'}, async path => {
			await mkdir(path('.husky'));
			await writeFile(path('.husky/pre-commit'), 'x');
			await rename(path('sub'), path('sub2'));
			await mkdir(path('sub'));
			await writeFile(path('sub/.npmrc'), 'evil');
		});
		expect(found.created).toEqual(['.husky', 'sub/.npmrc', 'sub2/.npmrc']);
		expect(found.setAside).toEqual([]);
	});

	it.each(['.git', 'lib/.git', 'vendor/a/.git', 'node_modules/x/.git', 'a/b/c/d/e/f/g/h/i/j/.git', 'bare', 'x.git'])(
		'disables a new repository: %s',
		async folder => {
			const found = await created({'a.txt': ''}, async path => createRepository(path, folder));
			expect(found.setAside).toEqual([[`${folder}/HEAD`, `${folder}/HEAD.set-aside`]]);
			expect(await readdir(found.project.path(folder))).not.toContain('HEAD');
		},
	);

	it('disables a .git file, a .git link, and a folder of a worktree', async () => {
		const found = await created({...repositoryIn('r/.git'), 'a/': '', 'b/': '', 'w/': ''}, async path => {
			await writeFile(path('a/.git'), 'gitdir: ../r/.git\n');
			await symlink('../r/.git', path('b/.git'));
			await writeFile(path('w/HEAD'), 'x');
			await writeFile(path('w/commondir'), '../r/.git');
		});
		expect(new Map(found.setAside)).toEqual(
			new Map([
				['a/.git', 'a/.git.set-aside'],
				['b/.git', 'b/.git.set-aside'],
				['w/HEAD', 'w/HEAD.set-aside'],
			]),
		);
	});

	it('disables repositories in new repositories', async () => {
		const folders = ['x.git', 'x.git/modules/a', 'x.git/modules/a/objects/b.git', 'x.git/y/.git'];
		const found = await created({}, async path => {
			for (const folder of folders) await createRepository(path, folder);
		});
		expect(found.setAside.map(([from]) => from).toSorted()).toEqual(
			folders.map(folder => `${folder}/HEAD`).toSorted(),
		);
	});

	it('disables a repository that took the place of another one, also by a link to one', async () => {
		const found = await created({...repositoryIn('a/.git'), ...repositoryIn('b/.git')}, async path => {
			for (const name of ['a', 'b']) await rename(path(name), path(`${name}-old`));
			await createRepository(path, 'a/.git');
			await mkdir(path('b'));
			await symlink('../b-old/.git', path('b/.git'));
		});
		expect(found.setAside.map(([from]) => from).toSorted()).toEqual(
			['a-old/.git/HEAD', 'a/.git/HEAD', 'b-old/.git/HEAD', 'b/.git'].toSorted(),
		);
	});

	it('overwrites nothing that was set aside before', async () => {
		const found = await created({'lib/.git/HEAD.set-aside': 'first'}, async path =>
			createRepository(path, 'lib/.git'),
		);
		expect(found.setAside).toEqual([['lib/.git/HEAD', 'lib/.git/HEAD.set-aside-2']]);
		expect(await readFile(found.project.path('lib/.git/HEAD.set-aside'), 'utf8')).toBe('first');
	});

	it('renames nothing outside of the project, and no other folder than the one that it has seen', async () => {
		const project = await tempProject({...repositoryIn('../outside/.git'), 'a/': ''});
		const before = await presentRunLater(project.dir);
		await symlink('../../outside/.git', project.path('a/.git'));
		await symlink('../outside', project.path('b'));
		const {setAside} = await findNewExecutables(project.dir, before);
		expect(setAside.map(([from]) => from)).toEqual([project.path('a/.git')]);
		expect(await readdir(project.path('../outside/.git'))).toContain('HEAD');
	});

	it('survives what vanishes meanwhile', async () => {
		const found = await created({...repositoryIn('.git'), '.envrc': 'x'}, async path =>
			rm(join(path('.'), '.envrc')),
		);
		expect(found).toMatchObject({created: [], setAside: []});
	});

	it('disables a new repository in a folder whose name is not UTF-8', async () => {
		const project = await tempProject({});
		const before = await presentRunLater(project.dir);
		const folder = Buffer.concat([Buffer.from(project.path('x')), Buffer.of(0xff)]);
		for (const name of ['objects', 'refs'])
			await mkdir(Buffer.concat([folder, Buffer.from(`/.git/${name}`)]), {recursive: true});
		await writeFile(Buffer.concat([folder, Buffer.from('/.git/HEAD')]), 'ref: refs/heads/main\n');
		const {setAside} = await findNewExecutables(project.dir, before);
		expect(setAside.map(([from]) => from)).toEqual([`${project.path('x')}\udcff/.git/HEAD`]);
		expect(await readdir(Buffer.concat([folder, Buffer.from('/.git')]))).toContain('HEAD.set-aside');
	});
});
