import {mkdir, mkdtemp, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach, describe, expect, it} from 'vitest';
import {chosenLanguage} from '../../src/language/index.ts';

let home: string;
beforeEach(async () => {
	home = await mkdtemp(join(tmpdir(), 'inkpod-language-'));
});
afterEach(async () => {
	await rm(home, {recursive: true});
});

async function configure(text: string): Promise<void> {
	await mkdir(join(home, '.config/inkpod'), {recursive: true});
	await writeFile(join(home, '.config/inkpod/config.toml'), text);
}

describe('the language', () => {
	it.each([
		[{LANG: 'ja_JP.UTF-8'}, 'ja'],
		[{LANG: 'zh_CN.UTF-8'}, 'zh'],
		[{LANG: 'zh-Hans'}, 'zh'],
		[{LANG: 'zh_TW.UTF-8'}, 'en'],
		[{LANG: 'ja_JP.UTF-8', LC_ALL: 'C'}, 'en'],
		[{LANG: 'en_GB.UTF-8', LC_MESSAGES: 'ja_JP.UTF-8'}, 'ja'],
		[{LANG: 'ja_JP.UTF-8', LC_ALL: ''}, 'ja'],
		[{LANG: 'jam_JM'}, 'en'],
		[{}, 'en'],
	])('of the locale %j is %s', async (env, language) => {
		expect(await chosenLanguage({HOME: home, ...env})).toBe(language);
	});

	it('of the configuration replaces that of the locale, and INKPOD_LANGUAGE replaces both', async () => {
		await configure('[screen]\nmouse = true\nlanguage = "zh"\n');
		const env = {HOME: home, LANG: 'ja_JP.UTF-8'};
		expect(await chosenLanguage(env)).toBe('zh');
		expect(await chosenLanguage({...env, INKPOD_LANGUAGE: 'en'})).toBe('en');
		await configure('screen.language = "ja"');
		expect(await chosenLanguage({HOME: home})).toBe('ja');
	});

	it('ignores a language in another table, an unknown one, and a configuration that is damaged', async () => {
		const env = {HOME: home, LANG: 'ja_JP.UTF-8'};
		for (const text of ['[model]\nlanguage = "zh"', '[screen]\nlanguage = "xx"', '[screen\nlanguage = "zh"']) {
			await configure(text);
			expect(await chosenLanguage(env)).toBe('ja');
		}
	});
});
