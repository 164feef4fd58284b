import {chmod, mkdir, readFile, stat, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {saveSetting} from '../../../../src/pod/config/settings/save-setting.ts';
import {saveTyped} from '../../../../src/pod/config/settings/save-setting.ts';
import {tempProject} from '../../../helpers/temp-project.ts';

async function withFile(text?: string) {
	const {dir} = await tempProject();
	const file = join(dir, 'inkpod', 'config.toml');
	await mkdir(join(dir, 'inkpod'));
	if (text !== undefined) await writeFile(file, text);
	return {file, env: {XDG_CONFIG_HOME: dir, HOME: dir}, read: async () => readFile(file, 'utf8')};
}

describe('a saved setting', () => {
	it('makes a private file if there is none', async () => {
		const {env, file, read} = await withFile();
		expect(await saveSetting(env, ['screen', 'theme'], 'dark')).toBeUndefined();
		expect(await read()).toBe('[screen]\ntheme = "dark"\n');
		expect((await stat(file)).mode & 0o777).toBe(0o600);
	});

	it('keeps the other lines and the mode of the file', async () => {
		const {env, file, read} = await withFile('# mine\n[screen] # here\nmouse = false # no\n');
		await chmod(file, 0o644);
		expect(await saveSetting(env, ['screen', 'mouse'], true)).toBeUndefined();
		expect(await read()).toBe('# mine\n[screen] # here\nmouse = true # no\n');
		expect((await stat(file)).mode & 0o777).toBe(0o644);
	});

	it('refuses a value that the start would refuse, and leaves the file as it is', async () => {
		const {env, read} = await withFile('[retry]\nmax_attempts = 3\n');
		expect(await saveSetting(env, ['retry', 'max_attempts'], 0)).toBe('retry.max_attempts must be at least 1.');
		expect(await saveSetting(env, ['screen', 'bell'], 'loud')).toMatch(/^screen\.bell /);
		expect(await read()).toBe('[retry]\nmax_attempts = 3\n');
	});

	it('reports a broken file', async () => {
		const {env} = await withFile('[retry\n');
		expect(await saveSetting(env, ['max_turns'], 3)).toMatch(/config\.toml:1.* is not valid TOML/);
	});
});

describe('a setting that the user types', () => {
	it.each([
		['screen.bell', 'never', 'bell = "never"'],
		['screen.bell', '"never"', 'bell = "never"'],
		['screen.mouse', 'false', 'mouse = false'],
		['screen.status', 'model, keys', 'status = ["model", "keys"]'],
		['screen.status', '["cost"]', 'status = ["cost"]'],
	])('is TOML, a text or a list: %s = %s', async (key, typed, line) => {
		const {env, read} = await withFile();
		expect(await saveTyped(env, key.split('.'), typed)).toBeUndefined();
		expect(await read()).toBe(`[screen]\n${line}\n`);
	});

	it('is removed by an empty text', async () => {
		const {env, read} = await withFile('[screen]\nmouse = false\n');
		expect(await saveTyped(env, ['screen', 'mouse'], ' ')).toBeUndefined();
		expect(await read()).toBe('[screen]\n');
	});

	it('is refused with a reason, and unknown names are reported', async () => {
		const {env, read} = await withFile('# mine\n');
		expect(await saveTyped(env, ['max_turns'], 'many')).toBe('max_turns must be a number.');
		expect(await saveTyped(env, ['screen', 'theme'], 'drak')).toContain('Did you mean "dark"?');
		expect(await saveTyped(env, ['screen', 'status'], 'modl')).toMatch(/status/);
		expect(await read()).toBe('# mine\n');
	});
});
