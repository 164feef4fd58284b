import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, it} from 'vitest';
import {config, saveSetting, settingsOfChat} from '../../../src/cli/settings/settings.ts';
import {parseLaunch} from '../../../src/cli/args.ts';
import {tempProject} from '../../helpers/temp-project.ts';

it('the chat saves a theme in the configuration of the user', async () => {
	const {dir} = await tempProject();
	expect(await saveSetting({XDG_CONFIG_HOME: dir, HOME: dir}, ['screen', 'theme'], 'dark')).toBeUndefined();
	expect(await readFile(join(dir, 'inkpod/config.toml'), 'utf8')).toBe('[screen]\ntheme = "dark"\n');
});

async function run(json: boolean, text: string) {
	const project = await tempProject({'work/a': ''});
	const {dir} = project;
	await project.write('inkpod/config.toml', text);
	const [out, err]: [string[], string[]] = [[], []];
	const code = await config({
		json,
		cwd: `${dir}/work`,
		env: {XDG_CONFIG_HOME: dir, HOME: dir, INKPOD_HOME: `${dir}/state`},
		stdout: {write: line => out.push(line)},
		stderr: {write: line => err.push(line)},
	});
	return {code, out: out.join('').replaceAll(dir, ''), err: err.join('')};
}

it('inkpod config prints every setting with its value and its origin', async () => {
	const {code, out} = await run(false, '[screen]\nbell = "never"\n');
	expect(code).toBe(0);
	expect(out).toMatch(/^screen\.bell +"never" +yours: \/inkpod\/config\.toml$/m);
	expect(out).toMatch(/^screen\.mouse +true +default$/m);
});

it('inkpod config --json prints the same for programs', async () => {
	const {out} = await run(true, '[screen]\nstatus = ["model"]\n');
	const read: unknown = JSON.parse(out);
	expect(read).toContainEqual({
		key: 'screen.status',
		value: ['model'],
		origin: 'user',
		place: '/inkpod/config.toml',
		default: 'all parts',
		type: 'list of parts',
		about: 'the parts of the status line, in this order',
	});
	expect(read).toContainEqual(expect.objectContaining({key: 'screen.mouse', value: null, origin: 'default'}));
});

it('inkpod config ends with 2 and a sentence if a file is broken', async () => {
	expect(await run(false, '[screen\n')).toMatchObject({
		code: 2,
		out: '',
		err: expect.stringMatching(/^inkpod: .*TOML/),
	});
});

it('the settings of a chat know the options of its command line', async () => {
	const {dir} = await tempProject({'work/a': ''});
	const parsed = parseLaunch(['--cwd', `${dir}/work`, '--no-mouse', '--max-turns', '3']);
	if (!parsed.ok || parsed.launch.command !== 'chat') throw new Error('not a chat');
	const read = await settingsOfChat(parsed.launch, {XDG_CONFIG_HOME: dir, HOME: dir}, false);
	const flags = read.ok ? read.settings.filter(({origin}) => origin === 'flag') : [];
	expect(flags.map(({key, value, place}) => [key, value, place])).toEqual([
		['max_turns', '3', '--max-turns'],
		['screen.mouse', 'false', '--no-mouse'],
	]);
});
