import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {Readable} from 'node:stream';
import {describe, expect, it} from 'vitest';
import {redact, type UnwantedWish} from '../../../src/cli/keep/redact.ts';
import {verify} from '../../../src/cli/verify.ts';
import {openSession} from '../../../src/pod/disk/log/open.ts';
import {historyFile, idOf} from '../../../src/pod/disk/paths.ts';
import {systemClock} from '../../../src/worker/index.ts';
import {createSecretSession, filesWith} from '../../helpers/secret-session.ts';
import {storedSession, tempHome, user, type Home} from '../../pod/disk/fixture.ts';

const secret = 'sk-proj-0123456789abcdef';

type Wish = {
	readonly id: string;
	readonly unwanted: UnwantedWish;
	readonly stdin?: string;
	readonly isTrial?: boolean;
	readonly isEverywhere?: boolean;
};

async function run({env, cwd}: Home, {stdin = '', isTrial = false, isEverywhere = false, ...wish}: Wish) {
	let out = '';
	let err = '';
	const code = await redact({
		...wish,
		isTrial,
		isEverywhere,
		env,
		cwd,
		stdin: Readable.from([stdin]),
		stdout: {write: text => (out += text)},
		stderr: {write: text => (err += text)},
	});
	return {code, out, err};
}

async function verified({env, cwd}: Home, id: string) {
	let out = '';
	const stdout = {write: (text: string) => (out += text)};
	return {code: await verify({id, env, cwd, requests: true, stdout, stderr: stdout}), out};
}

describe('inkpod redact', () => {
	it('removes the text on stdin, and says where it was sent', async () => {
		const home = await tempHome();
		const {dir} = await createSecretSession({...home, secret});
		const {code, out, err} = await run(home, {id: idOf(dir), unwanted: {kind: 'text'}, stdin: `${secret}\n`});
		expect({code, err}).toEqual({code: 0, err: ''});
		expect(out).toMatch(/^Removed \d+ texts from session /);
		expect(out).toContain('requests to api.anthropic.com (anthropic): 2026-01-02T03:04:05.000Z');
		expect(out).toContain('It left this machine: revoke it.');
		expect(await filesWith(home.home, secret)).toEqual([]);
		expect((await verified(home, idOf(dir))).code).toBe(0);
		expect((await run(home, {id: idOf(dir), unwanted: {kind: 'text'}, stdin: secret})).out).toMatch(/^Not found/);
	});

	it('removes what a pattern matches, and not the JSON after it', async () => {
		const home = await tempHome();
		const {dir} = await createSecretSession({...home, secret});
		const unwanted = {kind: 'pattern', source: String.raw`sk-proj-[^\s,.\\]+`} as const;
		const {code, out} = await run(home, {id: idOf(dir), unwanted});
		expect(code).toBe(0);
		expect(out).toMatch(/^Removed \d+ texts/);
		expect(await filesWith(home.home, secret)).toEqual([]);
		expect(await readFile(historyFile(dir), 'utf8')).not.toContain('sk-proj');
		expect((await verified(home, idOf(dir))).code).toBe(0);
	});

	it('removes the texts of an item', async () => {
		const home = await tempHome();
		const {dir} = await storedSession(home, [[user('a', 'yes'), user('b', `It is ${secret}`), user('c', 'yes')]]);
		const {code} = await run(home, {id: idOf(dir), unwanted: {kind: 'item', id: 'b'}});
		expect(code).toBe(0);
		const {items} = JSON.parse(await readFile(historyFile(dir), 'utf8')) as {items: ReadonlyArray<{text: string}>};
		expect(items.map(({text}) => text)).toEqual(['yes', '[redacted: item, 30 bytes]', 'yes', undefined]);
		expect((await verified(home, idOf(dir))).code).toBe(0);
		const {code: unknown, err} = await run(home, {id: idOf(dir), unwanted: {kind: 'item', id: 'z'}});
		expect({unknown, err}).toEqual({unknown: 1, err: 'inkpod: The session has no item z with a text.\n'});
	});

	it('changes nothing with --dry-run', async () => {
		const home = await tempHome();
		const {dir} = await createSecretSession({...home, secret});
		const before = await readFile(historyFile(dir), 'utf8');
		const {out} = await run(home, {id: idOf(dir), unwanted: {kind: 'text'}, stdin: secret, isTrial: true});
		expect(out).toMatch(/^Found \d+ texts\. Nothing was changed\.\n/);
		expect(out).toContain('It left this machine: revoke it.');
		expect(await readFile(historyFile(dir), 'utf8')).toBe(before);
	});

	it('verifies after a second removal from the same lines', async () => {
		const home = await tempHome();
		const {dir} = await createSecretSession({...home, secret: `${secret} and pass-word-99`});
		for (const stdin of ['pass-word-99', secret, '[redacted: text', 'KEY='])
			expect(await run(home, {id: idOf(dir), unwanted: {kind: 'text'}, stdin})).toMatchObject({code: 0, err: ''});
		const {code, out} = await verified(home, idOf(dir));
		expect({code, failures: out.match(/^FAILURE.*/gm)}).toEqual({code: 0, failures: null});
	});

	it('skips open sessions with --everywhere, and refuses an open session', async () => {
		const home = await tempHome();
		const {dir} = await createSecretSession({...home, secret});
		const other = await createSecretSession({...home, secret});
		const opened = await openSession(other.dir, systemClock());
		const wish = {unwanted: {kind: 'text'}, stdin: secret} as const;
		const refused = await run(home, {...wish, id: idOf(other.dir)});
		expect(refused).toMatchObject({code: 1, out: '', err: expect.stringContaining('open') as string});
		const {code, err} = await run(home, {...wish, id: idOf(dir), isEverywhere: true});
		expect({code, err}).toEqual({
			code: 1,
			err: expect.stringContaining(`Session ${idOf(other.dir)} was not`) as string,
		});
		expect((await filesWith(home.home, secret)).every(path => path.includes(idOf(other.dir)))).toBe(true);
		if (opened.ok) await opened.session.close();
		expect(await run(home, {...wish, id: idOf(dir), isEverywhere: true})).toMatchObject({code: 0, err: ''});
		expect(await filesWith(home.home, secret)).toEqual([]);
	});

	it('refuses a text that is too short, and a pattern that takes too long', async () => {
		const home = await tempHome();
		const {dir} = await storedSession(home, [[user('a', 'one')]]);
		expect((await run(home, {id: idOf(dir), unwanted: {kind: 'text'}, stdin: 'abc'})).code).toBe(2);
		const bad = await run(home, {id: idOf(dir), unwanted: {kind: 'pattern', source: '('}});
		expect(bad).toMatchObject({code: 1, err: expect.stringContaining('not a valid regular expression') as string});
		expect(await filesWith(join(home.home), 'redact')).toEqual([]);
	});
});
