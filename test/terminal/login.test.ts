import {readdir, readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {errorCode} from '../../src/pod/ground/files/fs-error.ts';
import {changeCredential} from '../../src/pod/models/keys/stored-keys.ts';
import {idle, openChat, pressUntil, send} from '../helpers/chat.ts';
import {fakeKeychain} from '../helpers/fake-keychain.ts';
import {tempProject} from '../helpers/temp-project.ts';
import {startServer} from '../helpers/wire-servers/index.ts';

const good = 'sk-FAKEGOOD-1234567890abcdef';
const wrong = 'sk-FAKEWRONG-0987654321fedcba';
const typedByMistake = 'sk-FAKETYPED-555566667777';

describe('a refused key', () => {
	it('is replaced on the spot, the turn continues, and no file has a key', async () => {
		await using server = await startServer('openai', [[{type: 'text', text: 'It works now.'}]], {key: good});
		const project = await tempProject();
		const home = `${project.dir}-home`;
		const fake = await fakeKeychain(home);
		const terminal = await openChat({
			args: ['--model', 'openai/gpt-6-astra'],
			cwd: project.dir,
			home,
			env: {OPENAI_API_KEY: wrong, OPENAI_BASE_URL: server.url, PATH: fake.path},
		});
		await terminal.waitFor(idle);
		await send(terminal, 'hello');
		await terminal.waitFor('for another key');
		expect(terminal.screen()).toContain('Invalid API key (401');
		await pressUntil(terminal, '\x1bl', 'Key for openai');
		terminal.write(`\x1b[200~${good}\x1b[201~`);
		await terminal.waitFor('••••');
		terminal.write('\r');
		await terminal.waitFor('It works now.');
		expect(await fake.stored('openai')).toBe(good);
		await terminal.waitFor('◦ idle');
		await send(terminal, `/login ${typedByMistake}`);
		await terminal.waitFor('Do not type a key after /login');
		await terminal.waitFor(screen => !screen.includes('FAKE'), {what: 'no key on the screen'});
		terminal.write('\x1b');
		await terminal.waitFor(screen => !screen.includes('Key for'), {what: 'a closed page'});
		terminal.write('\x04');
		await terminal.exit;
		await expectNoKeys(home, /\/keychain\/key-/);
	});
});

describe('a later start', () => {
	it('names the place of the stored key on its first screen, without the keychain', async () => {
		const project = await tempProject();
		const home = `${project.dir}-home`;
		const fake = await fakeKeychain(home);
		const env = {HOME: home, INKPOD_HOME: join(home, '.local/state/inkpod'), PATH: fake.path};
		await changeCredential(env, 'openai', {keychain: true});
		const terminal = await openChat({cwd: project.dir, home, env});
		await terminal.waitFor(/Model {5}openai\/\S+ · key from keychain/);
		await terminal.waitFor(idle);
		expect(await fake.calls()).toEqual([]);
	});
});

describe('a first start without a key', () => {
	it('gets its first answer after a login, and the key is only in the file of keys', async () => {
		await using server = await startServer('openai', [[{type: 'text', text: 'The first answer.'}]], {key: good});
		const project = await tempProject();
		const home = `${project.dir}-home`;
		const env = {OPENAI_BASE_URL: server.url, PATH: '/usr/bin:/bin'};
		const terminal = await openChat({cwd: project.dir, home, env});
		await terminal.waitFor(/◦ idle [^\n]*offline/u);
		await send(terminal, '/login openai');
		await terminal.waitFor('Key for openai');
		terminal.write(good);
		await terminal.waitFor('••••');
		terminal.write('\r');
		await terminal.waitFor(/◦ idle [^\n]*gpt/u);
		await terminal.waitFor(/Model {5}openai\/\S+ · key from file/);
		await send(terminal, 'hello');
		await terminal.waitFor('The first answer.');
		await expectNoKeys(home, /\/credentials$/);
	});

	it('leads from the offline guide to a first answer in the same session, and a refused key is not stored', async () => {
		await using server = await startServer('openai', [[{type: 'text', text: 'The first answer.'}]], {key: good});
		const project = await tempProject();
		const env = {OPENAI_BASE_URL: server.url, PATH: '/usr/bin:/bin'};
		const terminal = await openChat({cwd: project.dir, home: `${project.dir}-home`, env, cols: 60, rows: 15});
		await terminal.waitFor(/◦ idle [^\n]*offline/u);
		await send(terminal, 'hello there');
		await terminal.waitFor(/To connect a real model, type \/login[^]*◦ idle [^\n]*offline/);
		await send(terminal, '/login openai');
		await terminal.waitFor('Key for openai');
		terminal.write(wrong);
		await terminal.waitFor('••••');
		terminal.write('\r');
		await terminal.waitFor('The key is not stored.');
		terminal.write(good);
		await terminal.waitFor('••••');
		terminal.write('\r');
		await terminal.waitFor(/◦ idle [^\n]*gpt/u);
		await send(terminal, 'hello again');
		await terminal.waitFor('The first answer.');
		expect(server.requests).toHaveLength(1);
	});

	it('leaves nothing of a key behind if it is killed while the key is typed', async () => {
		const project = await tempProject();
		const home = `${project.dir}-home`;
		const terminal = await openChat({cwd: project.dir, home, env: {PATH: '/usr/bin:/bin'}});
		await terminal.waitFor(/◦ idle [^\n]*offline/u);
		await send(terminal, '/login openai');
		await terminal.waitFor('Key for openai');
		terminal.write(good);
		await terminal.waitFor('••••');
		terminal.kill('SIGKILL');
		await terminal.exit;
		expect(terminal.raw().toString('utf8')).not.toContain('FAKE');
		await expectNoKeys(home, /^$/);
	});
});

/** Checks all files of a folder, except those in the right place. The chat may replace one of them meanwhile. */
async function expectNoKeys(folder: string, rightPlace: RegExp): Promise<void> {
	const entries = await readdir(folder, {recursive: true, withFileTypes: true});
	const files = entries.filter(entry => entry.isFile()).map(({parentPath, name}) => join(parentPath, name));
	for (const file of files.filter(name => !rightPlace.test(name))) {
		const text = await readFile(file, 'utf8').catch((cause: unknown) => {
			if (errorCode(cause) === 'ENOENT') return undefined;
			throw cause;
		});
		if (text === undefined) return expectNoKeys(folder, rightPlace);
		expect(`${file} ${text}`).not.toContain('FAKE');
	}
}
