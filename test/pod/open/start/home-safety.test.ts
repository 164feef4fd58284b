import {chmod, mkdir, readdir, stat, symlink, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {homeSafetyProblem} from '../../../../src/pod/open/start/home-safety.ts';
import {giveAway} from '../../../helpers/other-user.ts';
import {tempProject} from '../../../helpers/temp-project.ts';

type Make = (home: string) => Promise<unknown>;

const made = async (...parts: string[]) => mkdir(join(...parts), {recursive: true});

async function problemOf(make: Make, more: Readonly<Record<string, string>> = {}) {
	const project = await tempProject();
	const around = await project.mkdir('../around');
	const home = join(around, 'state');
	await make(home);
	const problem = await homeSafetyProblem({INKPOD_HOME: home, HOME: project.path('../home'), ...more});
	return {problem: problem?.replaceAll(around, '$AROUND'), home, project};
}

const whose = /belongs to another user|Every user may change/;

describe('the state folder', () => {
	it.each<[string, Make]>([
		['is yours', async home => made(home, 'sessions')],
		['does not exist yet', async () => {}],
		['may be changed by its group', async home => made(home).then(async () => chmod(home, 0o775))],
		[
			'is yours in a sticky folder of everybody',
			async home => made(home).then(async () => chmod(join(home, '..'), 0o1777)),
		],
	])('is used when it %s', async (_, make) => {
		expect((await problemOf(make)).problem).toBeUndefined();
	});

	it.each<[string, string, Make]>([
		['belongs to another user', '/state', async home => made(home).then(async () => giveAway(home))],
		['is below a folder of another user', '', async home => giveAway(join(home, '..'))],
		['may be changed by every user', '/state', async home => made(home).then(async () => chmod(home, 0o777))],
		['is sticky and of everybody', '/state', async home => made(home).then(async () => chmod(home, 0o1777))],
		[
			'contains sessions of another user',
			'/state/sessions',
			async home => made(home, 'sessions').then(async () => giveAway(join(home, 'sessions'))),
		],
		[
			'contains drafts that every user may change',
			'/state/drafts',
			async home => made(home, 'drafts').then(async () => chmod(join(home, 'drafts'), 0o1777)),
		],
		[
			'is a link to a folder of another user',
			'/other',
			async home => {
				const other = join(home, '../other');
				await made(other);
				await giveAway(other);
				await symlink(other, home);
			},
		],
	])('is refused when it %s', async (_, at, make) => {
		const {problem} = await problemOf(make);
		expect(problem).toMatch(whose);
		expect(problem).toContain(`$AROUND${at}`);
	});

	it('is refused when its path is relative, because the project could bring it', async () => {
		const {problem} = await problemOf(async () => {}, {INKPOD_HOME: 'state'});
		expect(problem).toBe('INKPOD_HOME is state, but must be an absolute path.');
	});

	it('is created at once where another user could create it first, and only there', async () => {
		const {home} = await problemOf(async path => chmod(join(path, '..'), 0o1777));
		expect((await stat(home)).mode & 0o777).toBe(0o700);
		const mine = await problemOf(async () => {});
		expect(await readdir(join(mine.home, '..'))).toEqual([]);
	});

	it('is used when you allow it as a safe folder', async () => {
		const {problem} = await problemOf(async home => {
			await made(home, 'sessions');
			await giveAway(home);
			const config = join(home, '../../home/.config/inkpod');
			await made(config);
			await writeFile(join(config, 'config.toml'), `[trust]\nsafe_directories = ["${home}"]\n`);
		});
		expect(problem).toBeUndefined();
	});
});
