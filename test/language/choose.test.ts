import {execFileSync} from 'node:child_process';
import {mkdir, mkdtemp, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach, describe, expect, it} from 'vitest';
import {chosenLanguage} from '../../src/language/index.ts';
import {fileBounds} from '../../src/pod/config/limits.ts';

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
	])('of the locale %j is %s', (env, language) => {
		expect(chosenLanguage({HOME: home, ...env})).toBe(language);
	});

	it('of the configuration replaces that of the locale, and INKPOD_LANGUAGE replaces both', async () => {
		await configure('[screen]\nmouse = true\nlanguage = "zh"\n');
		const env = {HOME: home, LANG: 'ja_JP.UTF-8'};
		expect(chosenLanguage(env)).toBe('zh');
		expect(chosenLanguage({...env, INKPOD_LANGUAGE: 'en'})).toBe('en');
		await configure('screen.language = "ja"');
		expect(chosenLanguage({HOME: home})).toBe('ja');
	});

	it.each([
		'[screen] # a comment\n  language="ja"',
		"[screen]\nlanguage = 'ja'",
		'[screen]\nlanguage = """ja"""',
		'[screen]\n"language" = "ja"',
		'["screen"]\nlanguage = "ja"',
		'[ screen ]\nlanguage = "\\u006aa"',
		'[screen]\n"lang\\u0075age" = "ja"',
		'"screen" . language = "ja"',
		'screen = {mouse = false, language = "ja"}',
		'note = """\n[screen]\nlanguage = "zh"\n"""\n[screen]\nlanguage = "ja"',
		'\r\n[screen]\r\nlanguage = "ja"\r\n',
	])('is read as TOML from %j', async text => {
		await configure(text);
		expect(chosenLanguage({HOME: home})).toBe('ja');
	});

	it.each([
		['in another table', '[model]\nlanguage = "zh"'],
		['in a table below', '[screen.more]\nlanguage = "zh"'],
		['in a comment', '[screen]\n# language = "zh"'],
		['in a text', 'note = """\n[screen]\nlanguage = "zh"\n"""'],
		['that is unknown', '[screen]\nlanguage = "xx"'],
		['that is a list', '[screen]\nlanguage = ["zh"]'],
		['of a list of tables', '[[screen]]\nlanguage = "zh"'],
		['of a damaged file', '[screen\nlanguage = "zh"'],
		['that is there twice', '[screen]\nlanguage = "zh"\nlanguage = "zh"'],
		['of a file that is too large', `[screen]\nlanguage = "zh"\n${'#'.repeat(fileBounds.config)}`],
		['of a file that nests too deeply', `a = ${'['.repeat(5000)}\n[screen]\nlanguage = "zh"`],
	])('ignores a language %s', async (_name, text) => {
		await configure(text);
		expect(chosenLanguage({HOME: home, LANG: 'ja_JP.UTF-8'})).toBe('ja');
	});

	it('does not wait for a configuration that is a FIFO, and takes a folder for none', async () => {
		const file = join(home, '.config/inkpod/config.toml');
		await mkdir(join(home, '.config/inkpod'), {recursive: true});
		execFileSync('mkfifo', [file]);
		expect(chosenLanguage({HOME: home})).toBe('en');
		await rm(file);
		await mkdir(file);
		expect(chosenLanguage({HOME: home})).toBe('en');
	});
});
