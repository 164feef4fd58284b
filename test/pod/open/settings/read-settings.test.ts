import {describe, expect, it} from 'vitest';
import {readSettings, type Flag} from '../../../../src/pod/open/settings/read-settings.ts';
import {tempProject} from '../../../helpers/temp-project.ts';

async function settings(user: string, inkpod = '', more: Partial<Parameters<typeof readSettings>[0]> = {}) {
	const project = await tempProject();
	const {dir} = project;
	await project.write('home/inkpod/config.toml', user);
	if (inkpod !== '') await project.write('work/inkpod.toml', inkpod);
	else await project.write('work/a', '');
	const env = {XDG_CONFIG_HOME: `${dir}/home`, HOME: dir, INKPOD_HOME: `${dir}/state`, ...more.env};
	const read = await readSettings({where: {cwd: `${dir}/work`, trust: true}, ...more, env});
	if (!read.ok) throw new Error(read.sentence);
	const row = (key: string) => {
		const {value, origin, place, own, fixed} = read.settings.find(each => each.key === key) ?? {origin: 'missing'};
		return {
			value,
			origin,
			...(place !== undefined && {place: place.replace(dir, '')}),
			...(own !== undefined && {own}),
			...(fixed !== undefined && {fixed}),
		};
	};
	return {row, keys: read.settings.map(({key}) => key)};
}

describe('the settings', () => {
	it('have their values and origins', async () => {
		const flags: readonly Flag[] = [{path: ['screen', 'mouse'], value: false, name: '--no-mouse'}];
		const {row} = await settings(
			'max_turns = 5\n[screen]\nmouse = true\nbell = "never"\nglyphs = "unicode"\n[retry]\nmax_attempts = 2\n',
			'[retry]\nmax_attempts = 9\n',
			{flags, env: {INKPOD_GLYPHS: 'ascii'}},
		);
		expect(row('screen.title')).toEqual({value: undefined, origin: 'default'});
		expect(row('screen.bell')).toEqual({
			value: '"never"',
			origin: 'user',
			place: '/home/inkpod/config.toml',
			own: '"never"',
		});
		expect(row('screen.mouse')).toEqual({value: 'false', origin: 'flag', place: '--no-mouse', own: 'true'});
		expect(row('screen.glyphs')).toEqual({
			value: '"ascii"',
			origin: 'environment',
			place: 'INKPOD_GLYPHS',
			own: '"unicode"',
		});
		expect(row('retry.max_attempts')).toEqual({
			value: '9',
			origin: 'project',
			place: '/work/inkpod.toml',
			own: '2',
		});
	});

	it('list the names that a file has, and one row for each list', async () => {
		const {row, keys} = await settings(
			'[models."a/b"]\ntop_p = 0.5\n[[permission]]\ntool = "bash"\naction = "ask"\n',
			'[[permission]]\ntool = "edit_file"\naction = "deny"\n',
		);
		expect(row('models."a/b".top_p')).toMatchObject({value: '0.5', origin: 'user'});
		expect(keys.filter(key => key.includes('<name>'))).toEqual([]);
		expect(row('permission')).toMatchObject({value: '2 entries', fixed: 'Edit this list in the file.'});
		expect(row('hook')).toMatchObject({origin: 'default'});
	});

	it('never show the headers of a provider, which may contain keys', async () => {
		const {row} = await settings('[providers.openai.headers]\nx-key = "sk-secret"\n');
		expect(row('providers.openai.headers.x-key')).toEqual({
			value: '(not shown)',
			origin: 'user',
			place: '/home/inkpod/config.toml',
			fixed: 'This may contain a key, so it is not shown. Edit it in the file.',
		});
	});

	it('take from a project without trust only what restricts', async () => {
		const project = await tempProject();
		const {dir} = project;
		await project.write(
			'work/inkpod.toml',
			'max_turns = 3\n[scope]\nwritable = false\n[confine]\nmode = "require"\n',
		);
		const env = {XDG_CONFIG_HOME: `${dir}/home`, HOME: dir, INKPOD_HOME: `${dir}/state`};
		const read = await readSettings({env, where: {cwd: `${dir}/work`}});
		const origins = read.ok
			? ['max_turns', 'scope.writable', 'confine.mode'].map(
					key => read.settings.find(each => each.key === key)?.origin,
				)
			: read.sentence;
		expect(origins).toEqual(['default', 'project', 'project']);
	});

	it('keep the stricter confinement of the user', async () => {
		const {row} = await settings('[confine]\nmode = "require"\n', '[confine]\nmode = "auto"\nnetwork = "none"\n');
		expect(row('confine.mode')).toMatchObject({value: '"require"', origin: 'user'});
		expect(row('confine.network')).toMatchObject({value: '"none"', origin: 'project'});
	});

	it('cannot be changed in an attached terminal, except those of its screen', async () => {
		const {row} = await settings('', '', {isAttached: true});
		expect(row('max_turns').fixed).toContain('attached');
		expect(row('screen.mouse').fixed).toBeUndefined();
	});

	it('are not read from a broken file', async () => {
		const project = await tempProject({'work/a': ''});
		const {dir} = project;
		await project.write('home/inkpod/config.toml', '[screen\n');
		const read = await readSettings({env: {XDG_CONFIG_HOME: `${dir}/home`, HOME: dir}, where: {cwd: dir}});
		expect(read).toMatchObject({ok: false, sentence: expect.stringContaining('is not valid TOML')});
	});
});
