import {chmod, mkdir, readdir, readFile, stat, symlink, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {changeCredential, readCredentials} from '../../../../src/pod/models/keys/stored-keys.ts';
import {credentialsFile} from '../../../../src/pod/models/keys/credentials-path.ts';
import {loadStoredKeys} from '../../../../src/pod/models/keys/load-stored.ts';
import {looksSecret} from '../../../../src/pod/scope/secret.ts';
import {tempProject} from '../../../helpers/temp-project.ts';

async function home() {
	const {dir} = await tempProject();
	const env = {HOME: dir};
	const file = credentialsFile(env);
	await mkdir(dirname(file), {recursive: true});
	return {env, file};
}

describe('the file of keys', () => {
	it('keeps the entries of other providers, and only this user can read it', async () => {
		const {env, file} = await home();
		expect(await changeCredential(env, 'openai', {key: 'k1'})).toBeUndefined();
		expect(await changeCredential(env, 'groq', {keychain: true})).toBeUndefined();
		expect(await changeCredential(env, 'xai', {key: 'k2'})).toBeUndefined();
		expect(await changeCredential(env, 'xai', undefined)).toBeUndefined();
		expect((await stat(file)).mode & 0o777).toBe(0o600);
		expect(await readdir(dirname(file))).toEqual(['credentials']);
		const read = await readCredentials(env);
		expect(read).toEqual({
			ok: true,
			credentials: new Map<string, unknown>([
				['openai', {key: 'k1'}],
				['groq', {keychain: true}],
			]),
		});
		expect(await loadStoredKeys(env)).toEqual({
			stored: new Map([
				['openai', 'file'],
				['groq', 'keychain'],
			]),
		});
	});

	it('is empty if it is missing', async () => {
		const {env} = await home();
		expect(await readCredentials(env)).toEqual({ok: true, credentials: new Map()});
		expect(await loadStoredKeys(env)).toEqual({stored: new Map()});
	});

	it.each<[string, (file: string) => Promise<void>, RegExp]>([
		['is open to others', async file => chmod(file, 0o644), /other users can read or change it\. Run: chmod 600 /],
		['is damaged', async file => writeFile(file, '{"keys": {"openai": {'), /its contents are damaged/],
		['is huge', async file => writeFile(file, ' '.repeat(300_000)), /it is too large/],
	])('is not used if it %s, and not replaced', async (_, harm, sentence) => {
		const {env, file} = await home();
		await writeFile(file, '{"keys": {"openai": {"key": "k"}}}', {mode: 0o600});
		await harm(file);
		const before = await readFile(file, 'utf8');
		expect(await readCredentials(env)).toMatchObject({
			ok: false,
			sentence: expect.stringMatching(sentence) as unknown,
		});
		expect(await changeCredential(env, 'groq', {key: 'k'})).toMatch(sentence);
		expect(await readFile(file, 'utf8')).toBe(before);
	});

	it('is not used if it is a link or a folder', async () => {
		const {env, file} = await home();
		const target = join(dirname(file), 'target');
		await writeFile(target, '{"keys": {"openai": {"key": "k"}}}', {mode: 0o600});
		await symlink(target, file);
		expect(await readCredentials(env)).toMatchObject({
			ok: false,
			sentence: expect.stringMatching(/not a regular file/) as unknown,
		});
		const other = await home();
		await mkdir(other.file);
		expect(await readCredentials(other.env)).toMatchObject({ok: false});
	});

	it('looks like a secret, so that no tool reads it without a question', async () => {
		const {file} = await home();
		expect([file, `${file}.01ABC`].map(looksSecret)).toEqual([true, true]);
	});
});
