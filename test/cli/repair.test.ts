import {readFile, writeFile} from 'node:fs/promises';
import {describe, expect, it} from 'vitest';
import {repair} from '../../src/cli/repair.ts';
import {idOf} from '../../src/pod/disk/paths.ts';
import {storedSession, tempHome, user, type Home} from '../pod/disk/fixture.ts';

async function run(home: Home, id: string) {
	let out = '';
	let err = '';
	const code = await repair({
		id,
		env: home.env,
		cwd: home.cwd,
		stdout: {write: text => (out += text)},
		stderr: {write: text => (err += text)},
	});
	return {code, out, err};
}

describe('inkpod repair', () => {
	it('lists what changed, names the copy, and does not copy an intact session', async () => {
		const home = await tempHome();
		const {dir, path} = await storedSession(home, [[user('a', '1'), user('b', '2')]]);
		expect(await run(home, idOf(dir))).toMatchObject({code: 0, out: expect.stringContaining('intact') as string});
		await writeFile(path, (await readFile(path, 'utf8')).replaceAll('"1"', '"0"'));
		const {code, out} = await run(home, idOf(dir));
		expect(code).toBe(0);
		expect(out).toContain('Line 2 of');
		expect(out).toMatch(/Resume the copy with: inkpod -r [0-9A-Z]{26}\n$/);
	});

	it('exits with 1 for a file that is not a session, and for an unknown id', async () => {
		const home = await tempHome();
		const {dir, path} = await storedSession(home, [[user('a', '1')]]);
		await writeFile(path, 'rubbish');
		expect(await run(home, idOf(dir))).toMatchObject({
			code: 1,
			out: '',
			err: expect.stringMatching(/^inkpod: /) as string,
		});
		expect(await run(home, 'ZZZZ')).toMatchObject({code: 1, out: ''});
	});
});
