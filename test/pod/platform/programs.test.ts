import {chmod} from 'node:fs/promises';
import {describe, expect, it} from 'vitest';
import {findProgram} from '../../../src/pod/platform/programs.ts';
import {tempProject, type TempProject} from '../../helpers/temp-project.ts';

async function program(project: TempProject, path: string): Promise<string> {
	const file = await project.write(path, '#!/bin/sh\n');
	await chmod(file, 0o755);
	return file;
}

describe('the lookup of a program by its name', () => {
	it.each([
		'.',
		'',
		'node_modules/.bin',
		'./node_modules/.bin',
		'../outside',
		'$DIR',
		'$DIR/node_modules/.bin',
		'$DIR/../link',
		'$DIR/../links',
		'/nowhere',
	])('skips %j in PATH', async folder => {
		const project = await tempProject();
		await program(project, 'tool');
		const own = await program(project, 'node_modules/.bin/tool');
		await project.link('../link', project.path('node_modules/.bin'));
		await project.mkdir('../links');
		await project.link('../links/tool', own);
		const good = await program(project, '../good/tool');
		const path = `${folder.replace('$DIR', project.dir)}:${project.path('../good')}`;
		expect(findProgram('tool', path, project.dir)).toBe(good);
	});

	it('skips one of the repository above the project', async () => {
		const project = await tempProject({'.git/': '', 'sub/': ''});
		await program(project, 'bin/tool');
		const good = await program(project, '../good/tool');
		const path = `${project.path('bin')}:${project.path('../good')}`;
		expect(findProgram('tool', path, project.path('sub'))).toBe(good);
	});

	it('returns the first executable one, with the name unchanged', async () => {
		const project = await tempProject({'../a/tool': 'text', '../b/tool/x': '', '../c/': ''});
		const real = await program(project, '../d/box');
		const link = await project.link('../c/tool', real);
		const path = ['a', 'b', 'c', 'd'].map(name => project.path(`../${name}`)).join(':');
		expect([
			findProgram('tool', path, project.dir),
			findProgram('none', path),
			findProgram('tool', undefined),
			findProgram('../d/box', path),
			findProgram('', path),
		]).toEqual([link, undefined, undefined, undefined, undefined]);
	});

	it('returns a system program when the project is the root folder', () => {
		expect([findProgram('sh', '/bin:/usr/bin', '/'), findProgram('sh', '/usr/bin', '/usr')]).toEqual([
			'/bin/sh',
			undefined,
		]);
	});
});
