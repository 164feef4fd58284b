import {readFile} from 'node:fs/promises';
import {describe, expect, it} from 'vitest';
import {credentialsFile} from '../../../../src/pod/models/keys/credentials-path.ts';
import {changeCredential, lookUpKey, removeKey, storeKey} from '../../../../src/pod/models/keys/stored-keys.ts';
import {fakeKeychain, type Manner} from '../../../helpers/fake-keychain.ts';
import {tempProject} from '../../../helpers/temp-project.ts';

const key = 'sk-FAKE-stored-1234567890';

async function place(manner?: Manner) {
	const {dir} = await tempProject();
	const fake = await fakeKeychain(`${dir}-outside`, manner === undefined ? {} : {manner});
	const env = {HOME: `${dir}-home`, PATH: manner === undefined ? '/nowhere' : fake.path};
	const options = {env, pwd: dir, platform: 'linux' as const, timeoutMs: manner === 'hangs' ? 200 : 5000};
	return {options, fake, onDisk: async () => readFile(credentialsFile(env), 'utf8').catch(() => '')};
}

describe('a stored key', () => {
	it('is in the keychain, and the file only names its provider', async () => {
		const {options, onDisk, fake} = await place('works');
		expect(await storeKey('openai', key, options)).toEqual({
			ok: true,
			place: 'keychain',
			where: "the system's keychain",
		});
		expect(await fake.stored('openai')).toBe(key);
		expect(await onDisk()).toContain('openai');
		expect(await onDisk()).not.toContain(key);
		expect(await lookUpKey('openai', options)).toEqual({ok: true, key});
	});

	it.each<[Manner, RegExp]>([
		['hangs', /The keychain \(secret-tool\) did not answer within 2 s\./],
		['refuses', /The keychain \(secret-tool\) refused the key\./],
	])('is in the file if the keychain %s, and the user is told', async (manner, remark) => {
		const {options} = await place(manner);
		const stored = await storeKey('openai', key, options);
		expect(stored).toMatchObject({ok: true, place: 'file', remark: expect.stringMatching(remark) as unknown});
		expect(await lookUpKey('openai', options)).toEqual({ok: true, key});
	});

	it('is in the file without a keychain', async () => {
		const {options, onDisk} = await place();
		const stored = await storeKey('openai', key, options);
		expect(stored).toEqual({ok: true, place: 'file', where: credentialsFile(options.env)});
		expect(await onDisk()).toContain(key);
		expect(await lookUpKey('openai', options)).toEqual({ok: true, key});
	});

	it('replaces an older one in the file when the keychain takes it', async () => {
		const {options, onDisk} = await place('works');
		await changeCredential(options.env, 'openai', {key: 'older'});
		await storeKey('openai', key, options);
		expect(await onDisk()).not.toContain('older');
	});

	it.each<[Manner | undefined, RegExp]>([
		['hangs', /did not answer within 2 s/],
		['refuses', /The keychain no longer has the key for openai\./],
		[undefined, /The keychain no longer has the key for openai\./],
	])('that the keychain should have, but it %s, is reported', async (manner, sentence) => {
		const {options} = await place(manner);
		await changeCredential(options.env, 'openai', {keychain: true});
		expect(await lookUpKey('openai', options)).toEqual({
			ok: false,
			sentence: expect.stringMatching(sentence) as unknown,
		});
	});

	it('is removed from the keychain and from the file', async () => {
		const {options, fake, onDisk} = await place('works');
		await storeKey('openai', key, options);
		await changeCredential(options.env, 'openai', {key});
		expect(await removeKey('openai', options)).toEqual({
			from: ["the system's keychain", credentialsFile(options.env)],
		});
		expect(await fake.stored('openai')).toBeUndefined();
		expect(await onDisk()).not.toContain('openai');
		expect(await removeKey('openai', options)).toEqual({from: []});
	});

	it('that may still be in a silent keychain keeps its entry', async () => {
		const {options, onDisk} = await place('hangs');
		await changeCredential(options.env, 'openai', {keychain: true});
		expect(await removeKey('openai', options)).toEqual({
			from: [],
			problem: expect.stringMatching(
				/did not answer within 2 s\. A key for openai may still be stored/,
			) as unknown,
		});
		expect(await onDisk()).toContain('openai');
	});
});
