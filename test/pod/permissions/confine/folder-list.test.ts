import {chmod, mkdir, rename, rm, symlink, utimes, writeFile} from 'node:fs/promises';
import {setImmediate as nextTurn} from 'node:timers/promises';
import {describe, expect, it} from 'vitest';
import {createFolderList, folderListOf} from '../../../../src/pod/permissions/confine/folder-list.ts';
import {tempProject} from '../../../helpers/temp-project.ts';

const bare = (folder: string) => ({[`${folder}/HEAD`]: 'x', [`${folder}/objects/`]: '', [`${folder}/refs/`]: ''});

async function list(files: Parameters<typeof tempProject>[0], limits?: Parameters<typeof createFolderList>[1]) {
	const project = await tempProject(files);
	const folders = createFolderList(project.dir, limits);
	const namesOf = (paths: ReadonlyMap<string, string>) =>
		[...paths.keys()].map(path => path.slice(project.dir.length + 1)).toSorted();
	return {
		project,
		folders,
		repositories: async () => namesOf((await folders.look()).repositories),
		files: async () => namesOf((await folders.look()).files),
	};
}

describe('the list of folders', () => {
	it('finds repositories at any depth, also in installed and built packages', async () => {
		const deep = Array.from({length: 40}, () => 'd').join('/');
		const {repositories} = await list({
			...bare('.git'),
			...bare('vendor/x/.git'),
			...bare('node_modules/@s/x/.git'),
			...bare('build/x/.git'),
			...bare(`${deep}/.git`),
			'sub/.git': 'gitdir: x\n',
		});
		expect(await repositories()).toEqual(
			['.git', 'build/x/.git', `${deep}/.git`, 'node_modules/@s/x/.git', 'sub/.git', 'vendor/x/.git'].toSorted(),
		);
	});

	it('finds the last of 301 repositories, whatever it may keep', async () => {
		const files = Object.assign({}, ...Array.from({length: 301}, (_, index) => ({[`r${index}/.git`]: 'x'}))) as {};
		for (const limits of [undefined, {maxKept: 10, maxFound: 1000}]) {
			const {repositories, project} = await list(files, limits);
			expect(await repositories()).toHaveLength(301);
			await project.mkdir('r300/sub/.git');
			expect(await repositories()).toContain('r300/sub/.git');
		}
	});

	it('recognizes bare repositories and folders of worktrees, and does not look into repositories', async () => {
		const {repositories} = await list({
			...bare('a/b.git'),
			...bare('a/b.git/modules/c'),
			'w/HEAD': 'x',
			'w/commondir': '../x',
			'no/HEAD': 'x',
			'no/objects/': '',
		});
		expect(await repositories()).toEqual(['a/b.git', 'w']);
	});

	it('contains files that other programs run, but not those of packages and repositories', async () => {
		const {files} = await list({
			'.envrc': '',
			'a/.vscode/tasks.json': '',
			'a/b/c/d/e/f/g/h/i/.npmrc': '',
			'x/.config/git/config': '',
			'node_modules/x/.npmrc': '',
			...bare('.git'),
		});
		expect(await files()).toEqual(['.envrc', 'a/.vscode', 'a/b/c/d/e/f/g/h/i/.npmrc', 'x/.config/git/config']);
	});

	it('sees what is created, removed and moved later', async () => {
		const {repositories, project} = await list({...bare('a/.git'), 'b/c/d/': ''});
		expect(await repositories()).toEqual(['a/.git']);
		await project.mkdir('b/c/d/.git');
		expect(await repositories()).toEqual(['a/.git', 'b/c/d/.git']);
		await rename(project.path('b'), project.path('e'));
		expect(await repositories()).toEqual(['a/.git', 'e/c/d/.git']);
		await rm(project.path('a'), {recursive: true});
		expect(await repositories()).toEqual(['e/c/d/.git']);
	});

	it('sees a change of a folder whose modification time was set back', async () => {
		const {repositories, project} = await list({'a/b/': ''});
		const old = new Date(2020, 1);
		await utimes(project.path('a/b'), old, old);
		expect(await repositories()).toEqual([]);
		await project.mkdir('a/b/.git');
		await utimes(project.path('a/b'), old, old);
		expect(await repositories()).toEqual(['a/b/.git']);
	});

	it('gives a replaced path another identity, and answers with the same object when nothing has changed', async () => {
		const {folders, project} = await list({'a/.envrc': '1'});
		const first = await folders.look();
		await writeFile(project.path('a/new'), '2');
		await rename(project.path('a/new'), project.path('a/.envrc'));
		const second = await folders.look();
		const path = project.path('a/.envrc');
		expect(second.files.get(path)).not.toBe(first.files.get(path));
		await expect.poll(async () => (await folders.look()) === (await folders.look())).toBe(true);
	});

	it('follows no links, and leaves out what it cannot read', async () => {
		const {repositories, project} = await list({'a/b/': '', ...bare('x/.git')});
		await symlink('../x', project.path('a/link'));
		await symlink('../x/.git', project.path('a/.git'));
		await symlink('.', project.path('a/loop'));
		await chmod(project.path('a/b'), 0o000);
		expect(await repositories()).toEqual(['a/.git', 'x/.git']);
	});

	it('finds a repository in a folder that can be entered but not read, and in one whose name is not UTF-8', async () => {
		const {repositories, folders, project} = await list(bare('a/.git'));
		await chmod(project.path('a'), 0o300);
		expect(await repositories()).toEqual(['a/.git']);
		await chmod(project.path('a'), 0o700);
		await mkdir(Buffer.concat([Buffer.from(project.path('x')), Buffer.of(0xff), Buffer.from('/.git')]), {
			recursive: true,
		});
		const found = [...(await folders.look()).repositories.keys()];
		expect(found).toContain(`${project.path('x')}\udcff/.git`);
	});

	it('contains the whole folder if there is more than it can keep', async () => {
		const limits = {maxKept: 100, maxFound: 3};
		const {files} = await list({'a/.envrc': '', 'b/.envrc': '', 'c/.envrc': '', 'd/.envrc': ''}, limits);
		expect(await files()).toContain('');
		const few = await list({'a/.envrc': '', 'b/.envrc': ''}, limits);
		expect(await few.files()).toEqual(['a/.envrc', 'b/.envrc']);
	});

	it('lets other work go on', async () => {
		const {folders} = await list(
			Object.fromEntries(Array.from({length: 2000}, (_, index) => [`f${index % 30}/g${index}/h/`, ''])),
		);
		const turns: number[] = [];
		const looking = new AbortController();
		const counted = (async () => {
			while (!looking.signal.aborted) turns.push(await nextTurn(1));
		})();
		await folders.look();
		looking.abort();
		await counted;
		// Without a pause there would be one, after the look.
		expect(turns.length).toBeGreaterThan(2);
	});

	it('is shared by all who ask for the same folder', async () => {
		const project = await tempProject();
		expect(folderListOf(project.dir)).toBe(folderListOf(project.dir));
	});
});
