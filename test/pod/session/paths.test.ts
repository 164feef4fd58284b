import {createHash} from 'node:crypto';
import {mkdir, symlink} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {projectDir, realProject, sessionDir, sessionsRoot, stateHome} from '../../../src/pod/session/paths.ts';
import {tempHome} from './fixture.ts';

const hash = (path: string) => createHash('sha256').update(path).digest('hex').slice(0, 12);

describe('where sessions are', () => {
	test.each([
		[{}, '/home/me/.local/state/inkpod'],
		[{INKPOD_HOME: '', XDG_STATE_HOME: ''}, '/home/me/.local/state/inkpod'],
		[{XDG_STATE_HOME: '/state'}, '/state/inkpod'],
		[{XDG_STATE_HOME: 'relative'}, '/home/me/.local/state/inkpod'],
		[{INKPOD_HOME: '/own', XDG_STATE_HOME: '/state'}, '/own'],
	])('the environment %j, %s', (env, home) => {
		expect(stateHome(env, '/home/me')).toBe(home);
		expect(sessionsRoot(env, '/home/me')).toBe(`${home}/sessions`);
	});

	test.each([
		['/home/me/my project', `home-me-my-project-${hash('/home/me/my project')}`],
		['/home/me/my_project.x', `home-me-my_project.x-${hash('/home/me/my_project.x')}`],
		['/', hash('/')],
		['/日本', hash('/日本')],
		['/..hidden', `hidden-${hash('/..hidden')}`],
	])('the project %s, the folder %s', (path, name) => {
		expect(projectDir('/s', path)).toBe(`/s/${name}`);
	});

	test('paths that differ in punctuation or only far to the left, different folders', () => {
		const deep = '/x'.repeat(150);
		const dirs = ['/a b', '/a-b', '/a_b', '/a/b', deep, `/y${deep}`].map(path => projectDir('/s', path));
		expect(new Set(dirs).size).toBe(dirs.length);
		for (const dir of dirs) expect(dir.length).toBeLessThan(120);
	});

	test('a link to a directory, the same project', async () => {
		const home = await tempHome();
		await mkdir(join(home.home, 'real'));
		await symlink(join(home.home, 'real'), join(home.home, 'link'));
		expect(sessionDir('/s', await realProject(join(home.home, 'link')), 'X')).toBe(
			sessionDir('/s', join(home.home, 'real'), 'X'),
		);
		expect(await realProject(join(home.home, 'gone'))).toBe(join(home.home, 'gone'));
	});
});
