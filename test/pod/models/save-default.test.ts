import {chmod, mkdir, readFile, stat, writeFile} from 'node:fs/promises';
import path from 'node:path';
import {describe, expect, it} from 'vitest';
import {saveDefaultModel, withModel} from '../../../src/pod/models/save-default.ts';
import {tempHome} from '../disk/fixture.ts';
import {configDirectory} from '../../../src/pod/ground/env/env.ts';

const model = {name: 'openai/gpt-5', effort: undefined};
const low = {...model, effort: 'low' as const};

describe('the text of config.toml with another default model', () => {
	it.each([
		['an empty file', '', model, '[model]\nname = "openai/gpt-5"\n'],
		[
			'no model',
			'# mine\nmax_turns = 3',
			low,
			'# mine\nmax_turns = 3\n\n[model]\nname = "openai/gpt-5"\neffort = "low"\n',
		],
		[
			'a model with a comment',
			'[model] # here\nname = "a/b" # good\nstall_timeout = 9\n\n[screen]\ntitle = true\n',
			low,
			'[model] # here\nname = "openai/gpt-5" # good\neffort = "low"\nstall_timeout = 9\n\n[screen]\ntitle = true\n',
		],
		['an effort that goes', "[model]\neffort = 'max'\nname = 'a/b'\n", model, '[model]\nname = "openai/gpt-5"\n'],
		[
			'an effort that changes',
			"[model]\r\neffort = 'max'\r\nname = 'a/b'\r\n",
			low,
			'[model]\r\neffort = "low"\r\nname = "openai/gpt-5"\r\n',
		],
		['dotted keys', 'model.name = "a/b"\n', low, 'model.name = "openai/gpt-5"\nmodel.effort = "low"\n'],
		[
			'a name with invisible characters',
			'',
			{name: 'ollama/a\u202eb\u00a0\u{e0041}"', effort: undefined},
			'[model]\nname = "ollama/a\\u202eb\\u00a0\\U000e0041\\""\n',
		],
		[
			'a table without a name',
			'[model]\nstall_timeout = 9\n',
			model,
			'[model]\nname = "openai/gpt-5"\nstall_timeout = 9\n',
		],
	])('keeps all other lines: %s', (_name, text, wanted, changed) => {
		expect(withModel(text, wanted)).toBe(changed);
	});

	it.each([
		['an inline table', 'model = {name = "a/b"}\n'],
		['a long text', '[model]\nname = """a/b"""\n'],
		['a header inside a text', 'x = """\n[model]\n"""\n[ "model" ]\nstall_timeout = 9\n'],
	])('is refused if the lines are not simple: %s', (_name, text) => {
		expect(withModel(text, model)).toBeUndefined();
	});
});

describe('saving the default model', () => {
	it('creates the file, and later keeps its mode', async () => {
		const {env} = await tempHome();
		const file = path.join(configDirectory(env), 'config.toml');
		expect(await saveDefaultModel(env, model)).toBeUndefined();
		await chmod(file, 0o644);
		expect(await saveDefaultModel(env, low)).toBeUndefined();
		expect(await readFile(file, 'utf8')).toBe('[model]\nname = "openai/gpt-5"\neffort = "low"\n');
		expect((await stat(file)).mode & 0o777).toBe(0o644);
	});

	it.each([
		['invalid', 'model = [', /not valid TOML/],
		['with options of another model', '[model]\nname = "a/b"\nwindow = 9\n', /belong to a\/b/],
	])('leaves a file as it is that is %s', async (_name, text, sentence) => {
		const {env} = await tempHome();
		const file = path.join(configDirectory(env), 'config.toml');
		await mkdir(configDirectory(env), {recursive: true});
		await writeFile(file, text);
		expect(await saveDefaultModel(env, model)).toMatch(sentence);
		expect(await readFile(file, 'utf8')).toBe(text);
	});
});
