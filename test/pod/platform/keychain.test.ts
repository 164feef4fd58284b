import {delimiter} from 'node:path';
import {describe, expect, it} from 'vitest';
import {findKeychain} from '../../../src/pod/platform/keychain.ts';
import {fakeKeychain, type Manner} from '../../helpers/fake-keychain.ts';
import {tempProject} from '../../helpers/temp-project.ts';

const key = 'sk-proj-FAKE_keychain/7c1d9e+==';

const systems = [
	['linux', 'secret-tool'],
	['darwin', 'security'],
] as const;

async function keychainOn(
	platform: NodeJS.Platform,
	program: string,
	{manner = 'works', timeoutMs = 5000}: {readonly manner?: Manner; readonly timeoutMs?: number} = {},
) {
	const {dir} = await tempProject();
	const fake = await fakeKeychain(`${dir}-outside`, {manner, program});
	const env = {PATH: fake.path, OPENAI_API_KEY: 'sk-env-FAKE-1234567890', MINE: 'sk-mine-FAKE-1234567890'};
	const keychain = findKeychain({env, pwd: dir, keyNames: ['MINE'], platform, timeoutMs});
	if (keychain === undefined) throw new Error('There is a keychain.');
	return {fake, keychain};
}

describe.each(systems)('the keychain on %s', (platform, program) => {
	it('stores a key, returns it, and forgets it', async () => {
		const {keychain, fake} = await keychainOn(platform, program);
		expect(await keychain.store('openai', key)).toEqual({kind: 'done', key});
		expect(await fake.stored('openai')).toBe(key);
		expect(await keychain.lookUp('openai')).toEqual({kind: 'done', key});
		expect(await keychain.lookUp('groq')).toEqual({kind: 'failed'});
		expect(await keychain.remove('openai')).toMatchObject({kind: 'done'});
		expect(await keychain.lookUp('openai')).toEqual({kind: 'failed'});
	});

	it('gets the key only on stdin, and no key in its environment', async () => {
		const {keychain, fake} = await keychainOn(platform, program);
		await keychain.store('openai', key);
		const calls = await fake.calls();
		expect(calls).toHaveLength(2);
		expect(calls.join()).not.toContain('FAKE');
		expect(await fake.environments()).toContain('PATH=');
		expect(await fake.environments()).not.toContain('FAKE');
	});

	it.each<[Manner, string]>([
		['refuses', 'failed'],
		['hangs', 'timed_out'],
	])('reports that the program %s', async (manner, kind) => {
		const {keychain} = await keychainOn(platform, program, {manner, timeoutMs: manner === 'hangs' ? 200 : 5000});
		expect(await keychain.store('openai', key)).toEqual({kind});
		expect(await keychain.lookUp('openai')).toEqual({kind});
		expect(await keychain.remove('openai')).toEqual({kind});
	});
});

describe('the keychain', () => {
	it('is missing without its program, and a program of the project does not count', async () => {
		const {dir} = await tempProject();
		const inProject = await fakeKeychain(dir);
		const [folder] = inProject.path.split(delimiter);
		expect(findKeychain({env: {PATH: folder}, pwd: dir, platform: 'linux'})).toBeUndefined();
		expect(findKeychain({env: {PATH: '/nowhere'}, pwd: dir})).toBeUndefined();
	});

	it.each(['sk-"quoted', 'sk-back\\slash', `sk-${'x'.repeat(1100)}`])(
		'does not give `security` a key that could end its line: %s',
		async unfit => {
			const {keychain, fake} = await keychainOn('darwin', 'security');
			expect(await keychain.store('openai', unfit)).toEqual({kind: 'unfit'});
			expect(await fake.calls()).toEqual([]);
		},
	);
});
