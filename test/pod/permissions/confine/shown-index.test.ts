import {execFileSync} from 'node:child_process';
import {copyFileSync, mkdirSync, readFileSync, rmSync, symlinkSync, utimesSync} from 'node:fs';
import {describe, expect, it} from 'vitest';
import {makeStandIns} from '../../../../src/pod/permissions/confine/hidden-secrets.ts';
import {showIndex} from '../../../../src/pod/permissions/confine/shown-index.ts';
import {tempProject} from '../../../helpers/temp-project.ts';

/** A repository with a tracked secret. Its stand-in has the same name in another folder. */
async function setting() {
	const project = await tempProject({'project/secret0': 'secret\n', 'in/': ''});
	const dir = project.path('project');
	// git reads a file again if it is as new as the index.
	utimesSync(`${dir}/secret0`, 1_700_000_000, 1_700_000_000);
	const git = (...args: readonly string[]) =>
		execFileSync('git', args, {cwd: dir, env: {PATH: process.env['PATH'], HOME: dir}, encoding: 'utf8'});
	git('init', '-q');
	git('add', '.');
	const standIns = makeStandIns([`${dir}/secret0`], project.path('in'))!;
	const layer = {
		path: dir,
		upper: project.path('upper'),
		merged: dir,
		since: 0,
		known: new Map<string, string>(),
		index: '',
	};
	mkdirSync(`${layer.upper}/.git`, {recursive: true});
	return {
		...{project, dir, git, standIns, layer},
		show: (tops = [dir]) =>
			showIndex({tree: dir, path: `${dir}/.git/index`}, {standIns, tops, folder: project.path('shown')}),
	};
}

const index = '.git/index';

describe('the index that a command sees', () => {
	it('lets git know the stand-in of a tracked secret without reading it', async () => {
		const {project, dir, git, standIns, show} = await setting();
		const changed = () => git('--work-tree', project.path('in'), 'diff-files', '--name-only');
		const {folder} = show()!;
		copyFileSync(`${folder}/${index}`, `${dir}/${index}`);
		expect(changed()).toBe('');
		expect(standIns[0]!.isTouched()).toBe(false);
	});

	it('gets the facts of the secret again when the command has ended', async () => {
		const {dir, layer, show} = await setting();
		const {folder, restore} = show()!;
		copyFileSync(`${folder}/${index}`, `${layer.upper}/${index}`);
		expect(readFileSync(`${layer.upper}/${index}`)).not.toEqual(readFileSync(`${dir}/${index}`));
		restore(layer);
		expect(readFileSync(`${layer.upper}/${index}`)).toEqual(readFileSync(`${dir}/${index}`));
	});

	it('is not written through a link that the command made', async () => {
		const {project, layer, show} = await setting();
		const {folder, restore} = show()!;
		mkdirSync(project.path('other'));
		copyFileSync(`${folder}/${index}`, project.path('other/index'));
		rmSync(`${layer.upper}/.git`, {recursive: true});
		symlinkSync(project.path('other'), `${layer.upper}/.git`);
		restore(layer);
		expect(readFileSync(project.path('other/index'))).toEqual(readFileSync(`${folder}/${index}`));
	});

	it('is a file of its own if the command can only read it', async () => {
		const {dir, layer, show} = await setting();
		const {file, covered, top} = show([`${dir}/sub`])!;
		expect([readFileSync(file).length, [...covered], top]).toEqual([
			readFileSync(`${dir}/${index}`).length,
			[],
			undefined,
		]);
		expect(readFileSync(file)).not.toEqual(readFileSync(`${dir}/${index}`));
		expect(layer.path).toBe(dir);
	});

	it('is the real one if the secret differs from the index, or is not tracked', async () => {
		const {project, git, show} = await setting();
		await project.write('project/secret0', 'changed\n');
		expect(show()).toBe(undefined);
		git('rm', '-qf', '--cached', 'secret0');
		expect(show()).toBe(undefined);
	});
});
