import {rm, utimes, writeFile} from 'node:fs/promises';
import {describe, expect, it} from 'vitest';
import {createPathRows} from '../../../../src/pod/references/completion/path-rows.ts';
import {walkTree, type WalkResult} from '../../../../src/pod/references/completion/path-tree.ts';
import {tempProject, type TempProject} from '../../../helpers/temp-project.ts';

type Done = WalkResult & {readonly complete: boolean; readonly steps: number};

function walked(
	{dir, scope}: TempProject,
	{
		most: maxRows = 1000,
		mostIgnored: maxIgnored = 1000,
		before,
	}: {readonly most?: number; readonly mostIgnored?: number; readonly before?: WalkResult} = {},
): Done {
	const walk = walkTree({root: dir, scope, maxRows, maxIgnored, rows: createPathRows(), ...(before && {before})});
	for (let steps = 1; ; steps += 1) {
		const step = walk.next();
		if (step.done === true) return {...step.value, steps};
	}
}

function listed({rows}: WalkResult): string[] {
	return Array.from({length: rows.size}, (_, row) => rows.entry(row))
		.map(({path, directory, ignored}) => `${ignored ? '!' : ''}${path}${directory ? '/' : ''}`)
		.toSorted();
}

/** Sets old times, because a recently changed folder is always read again. */
async function aged(project: TempProject, folders: readonly string[]): Promise<void> {
	for (const folder of folders) await utimes(project.path(folder), 1e9, 1e9);
}

describe('walkTree', () => {
	it('walks ignored files last, up to their own limit', async () => {
		const modules = Object.fromEntries(
			Array.from({length: 40}, (_, index) => [`node_modules/p${index}/index.js`, '']),
		);
		const project = await tempProject({'.gitignore': 'node_modules/\n', ...modules, 'z/y/x/w/deep.ts': ''});
		const all = walked(project);
		expect(listed(all)).toHaveLength(87);
		expect(all.complete).toBe(true);
		const few = walked(project, {mostIgnored: 10});
		expect(listed(few)).toContain('z/y/x/w/deep.ts');
		expect(few.complete).toBe(false);
		expect(listed(few).filter(path => path.startsWith('!node_modules/p')).length).toBeLessThan(87 - 7);
		const least = walked(project, {most: 4});
		expect(least.rows.size).toBe(4);
		expect(least.complete).toBe(false);
	});

	it('finds the same in a later walk as in a first one, whatever has changed', async () => {
		const project = await tempProject({
			'.gitignore': '*.log\n',
			'a/x.ts': '',
			'a/y.log': '',
			'a/sub/z.ts': '',
			'b/one.ts': '',
			'c/gone.ts': '',
			'é/Ä.ts': '',
		});
		const folders = ['a', 'a/sub', 'b', 'c', 'é', '.'];
		await aged(project, folders);
		const first = walked(project);
		expect(listed(walked(project, {before: first}))).toEqual(listed(first));

		await project.write('a/sub/new.ts', '');
		await rm(project.path('c'), {recursive: true});
		const second = walked(project, {before: first});
		expect(listed(second)).toEqual(listed(walked(project)));
		expect(listed(second)).toContain('a/sub/new.ts');

		await aged(project, ['a', 'a/sub', '.']);
		const third = walked(project, {before: second});
		await writeFile(project.path('.gitignore'), '*.ts\n');
		const fourth = walked(project, {before: third});
		expect(listed(fourth)).toEqual(listed(walked(project)));
		expect(listed(fourth)).toContain('!b/one.ts');
	});

	it('copies an unchanged folder from the previous walk', async () => {
		const project = await tempProject({'a/x.ts': '', 'b/y.ts': ''});
		await aged(project, ['a', 'b', '.']);
		const first = walked(project);
		// The folder's time does not change here, so an unseen file shows that the folder was not read again.
		await project.write('a/unseen.ts', '');
		await aged(project, ['a']);
		expect(listed(walked(project, {before: first}))).toEqual(['a/', 'a/x.ts', 'b/', 'b/y.ts']);
	});

	it('finds a new link target although the folder itself has not changed', async () => {
		const project = await tempProject({'a/x.ts': ''});
		await project.link('a/link', '../later.ts');
		await aged(project, ['a']);
		const first = walked(project);
		expect(listed(first)).not.toContain('a/link');
		await project.write('later.ts', '');
		expect(listed(walked(project, {before: first}))).toContain('a/link');
	});

	it('gives way to other work within a folder of thousands of entries', async () => {
		const project = await tempProject(
			Object.fromEntries(Array.from({length: 1600}, (_, index) => [`f${index}`, ''])),
		);
		expect(walked(project).steps).toBeGreaterThanOrEqual(4);
	});
});
