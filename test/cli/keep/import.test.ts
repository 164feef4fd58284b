import {readFile, writeFile} from 'node:fs/promises';
import path from 'node:path';
import {describe, expect, it} from 'vitest';
import {exportSession} from '../../../src/cli/export/export.ts';
import {importFile} from '../../../src/cli/keep/import.ts';
import {listSessions} from '../../../src/pod/disk/list/list.ts';
import {idOf, projectDir} from '../../../src/pod/disk/paths.ts';
import {readSession} from '../../../src/pod/disk/log/read.ts';
import {recordedIn} from '../../../src/pod/ground/history/recorded.ts';
import type {ItemOf} from '../../../src/worker/index.ts';
import {fixturePath} from '../../helpers/fixtures.ts';
import {storedSession, tempHome, user, type Home} from '../../pod/disk/fixture.ts';

async function run({env, cwd}: Home, file: string) {
	let [out, err] = ['', ''];
	const stdout = {write: (text: string) => (out += text)};
	const stderr = {write: (text: string) => (err += text)};
	return {code: await importFile({file, env, cwd, stdout, stderr}), out, err};
}

async function sessionsOf({root, cwd}: Home) {
	return listSessions(projectDir(root, cwd));
}

describe('inkpod import', () => {
	it('makes a session with a new id from a history, which keeps the folder where it worked', async () => {
		const [from, to] = [await tempHome(), await tempHome()];
		const {dir, path: file} = await storedSession(from, [[user('a', 'hello'), user('b', 'there')]]);
		const {code, out} = await run(to, file);
		expect(code).toBe(0);
		expect(out).toMatch(/^Imported 2 items as session [0-9A-Z]{26}\. Resume it with: inkpod -r [0-9A-Z]{26}\n$/);
		const [found] = await sessionsOf(to);
		expect(found?.id).not.toBe(idOf(dir));
		const read = await readSession(found!.dir);
		if (!read.ok) throw new Error(read.sentence);
		expect(read.session).toMatchObject({cwd: from.cwd, items: [{id: 'a'}, {id: 'b'}]});
	});

	it('takes an exported JSON, and says that it is a redacted copy', async () => {
		const home = await tempHome();
		const {dir} = await storedSession(home, [[user('a', `ghp_${'a1'.repeat(20)}`)]]);
		const to = path.join(home.cwd, 'out.json');
		const silent = {write: () => true};
		const options = {format: 'json', to, exact: false, force: false, stdout: silent, stderr: silent} as const;
		await exportSession({id: idOf(dir), env: home.env, cwd: home.cwd, ...options});
		expect((await run(home, to)).out).toContain('It is a redacted copy: 1 secret was left out before the export.');
	});

	it('takes no approval mode, folders and limits that somebody else chose, but stays read-only', async () => {
		const home = await tempHome();
		const mode: ItemOf<'mode'> = {
			...{type: 'mode', id: 'm', at: '2026-01-01T00:00:00.000Z'},
			...{approval: 'accept-edits', addDirs: ['/'], limits: {maxCost: 1e9}, readOnly: true},
		};
		const {path: file} = await storedSession(await tempHome(), [[user('a', 'hello'), mode]]);
		expect((await run(home, file)).code).toBe(0);
		const [found] = await sessionsOf(home);
		const read = await readSession(found!.dir);
		if (!read.ok) throw new Error(read.sentence);
		expect(recordedIn(read.session.items).mode).toEqual({readOnly: true});
	});

	it('says that images are missing', async () => {
		expect((await run(await tempHome(), fixturePath('images', 'history.json'))).out).toContain(
			'images and documents',
		);
	});

	it.each([
		['is changed', (text: string) => text.replace('hello', 'jello')],
		['is cut', (text: string) => text.slice(0, -5)],
		['is no history', () => '{"a": 1}'],
		['is empty', () => ''],
	])('refuses a file that %s, and makes nothing', async (_, change) => {
		const home = await tempHome();
		const {path: file} = await storedSession(await tempHome(), [[user('a', 'hello')]]);
		await writeFile(file, change(await readFile(file, 'utf8')));
		const {code, out, err} = await run(home, file);
		expect([code, out]).toEqual([1, '']);
		expect(err).toMatch(/^inkpod: .+\.\n$/);
		expect(await sessionsOf(home)).toEqual([]);
	});

	it('refuses a file that does not exist', async () => {
		expect(await run(await tempHome(), '/does/not/exist.json')).toMatchObject({code: 1, out: ''});
	});
});
