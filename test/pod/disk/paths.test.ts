import {createHash} from 'node:crypto';
import {mkdir, symlink} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {projectDir, realProject, sessionDir, sessionsRoot, stateHome} from '../../../src/pod/disk/paths.ts';
import {tempHome} from './fixture.ts';

const hash = (path: string) => createHash('sha256').update(path).digest('hex').slice(0, 12);

describe('the folder of sessions', () => {
	it.each([
		[{}, '/home/me/.local/state/inkpod'],
		[{INKPOD_HOME: '', XDG_STATE_HOME: ''}, '/home/me/.local/state/inkpod'],
		[{XDG_STATE_HOME: '/state'}, '/state/inkpod'],
		[{XDG_STATE_HOME: 'relative'}, '/home/me/.local/state/inkpod'],
		[{INKPOD_HOME: '/own', XDG_STATE_HOME: '/state'}, '/own'],
	])('is, for the environment %j, %s', (env, home) => {
		expect(stateHome(env, '/home/me')).toBe(home);
		expect(sessionsRoot(env, '/home/me')).toBe(`${home}/sessions`);
	});

	it.each([
		['/home/me/my project', `home-me-my-project-${hash('/home/me/my project')}`],
		['/home/me/my_project.x', `home-me-my_project.x-${hash('/home/me/my_project.x')}`],
		['/', hash('/')],
		['/日本', hash('/日本')],
		['/..hidden', `hidden-${hash('/..hidden')}`],
	])('is, for the project %s, %s', (path, name) => {
		expect(projectDir('/s', path)).toBe(`/s/${name}`);
	});

	it('differs for paths that differ only in punctuation or only far to the left', () => {
		const deep = '/x'.repeat(150);
		const dirs = ['/a b', '/a-b', '/a_b', '/a/b', deep, `/y${deep}`].map(path => projectDir('/s', path));
		expect(new Set(dirs).size).toBe(dirs.length);
		for (const dir of dirs) expect(dir.length).toBeLessThan(120);
	});

	it('is the same for a link to the directory', async () => {
		const home = await tempHome();
		await mkdir(join(home.home, 'real'));
		await symlink(join(home.home, 'real'), join(home.home, 'link'));
		expect(sessionDir('/s', await realProject(join(home.home, 'link')), 'X')).toBe(
			sessionDir('/s', join(home.home, 'real'), 'X'),
		);
		expect(await realProject(join(home.home, 'gone'))).toBe(join(home.home, 'gone'));
	});
});
