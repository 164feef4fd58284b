import {hash} from 'node:crypto';
import {mkdir, readFile, rm, symlink, writeFile} from 'node:fs/promises';
import {dirname} from 'node:path';
import {describe, expect, it} from 'vitest';
import {context} from '../../src/cli/context.ts';
import {verify} from '../../src/cli/verify.ts';
import {historyFile, idOf, sideDir} from '../../src/pod/disk/paths.ts';
import {createItems} from '../helpers/items.ts';
import {compactedSession} from '../helpers/side-sessions.ts';
import {call, namesIn, request, storedSession, tempHome, user, type Home} from '../pod/disk/fixture.ts';

async function run(
	home: Home,
	id: string,
): Promise<{readonly code: number; readonly out: string; readonly err: string}> {
	let out = '';
	let err = '';
	const code = await verify({
		id,
		env: home.env,
		cwd: home.cwd,
		stdout: {write: text => (out += text)},
		stderr: {write: text => (err += text)},
	});
	return {code, out, err};
}

const make = createItems();
const sent = make.sent();
const answered = make.answered(sent, 'end', {input: 7, output: 1});

describe('inkpod verify', () => {
	it('exits with 0 and prints the counts of an intact session', async () => {
		const home = await tempHome();
		const {dir} = await storedSession(home, [[user('a', '1'), call('b', 'c1'), request('c')]]);
		const {code, out} = await run(home, idOf(dir).slice(0, 8).toLowerCase());
		expect(code).toBe(0);
		expect(out).toContain('items    3: message 1, tool_call 1, request 1\n');
		expect(out).toContain('note at line 3: This tool call has no result yet');
		expect(out).toContain('The session is intact.\n');
	});

	it('exits with 0 for an incomplete last line, and does not change it', async () => {
		const home = await tempHome();
		const {dir, path} = await storedSession(home, [[user('a', '1'), user('b', '2')]]);
		const cut = (await readFile(path)).subarray(0, -30);
		await writeFile(path, cut);
		expect(await run(home, idOf(dir))).toMatchObject({
			code: 0,
			out: expect.stringMatching(
				/note at line 3: The last append is incomplete.*up to its unfinished end/s,
			) as unknown,
		});
		expect((await readFile(path)).equals(cut)).toBe(true);
		expect(await namesIn(dir)).toEqual(['history.json']);
	});

	it('exits with 1 and names a changed line', async () => {
		const home = await tempHome();
		const {dir, path} = await storedSession(home, [[user('a', '1'), user('b', '2')]]);
		await writeFile(path, (await readFile(path, 'utf8')).replace('"text":"1"', '"text":"0"'));
		expect(await run(home, idOf(dir))).toMatchObject({
			code: 1,
			out: expect.stringContaining('FAILURE at line 2: ') as unknown,
		});
	});

	it('exits with 1 and names a line whose check is wrong, although it follows the chain', async () => {
		const home = await tempHome();
		const {dir, path} = await storedSession(home, [[user('a', '1')]]);
		const [header = '', line = '', ...rest] = (await readFile(path, 'utf8')).split('\n');
		const text = line.replace(/"check":"\w+","sum":"\w+"/, '"check":"00000000"');
		const sum = hash('sha256', `${hash('sha256', header, 'hex').slice(0, 32)}\n${text}`, 'hex').slice(0, 32);
		await writeFile(path, [header, `${text.slice(0, -1)},"sum":"${sum}"}`, ...rest].join('\n'));
		const {code, out} = await run(home, idOf(dir));
		expect(code).toBe(1);
		expect(out).toMatch(
			/FAILURE at line 2 in .*: The check of this line does not fit.*\nThe session is damaged\.\n$/,
		);
	});

	it('checks the conversations of compactions, and names the file and the line of a changed one', async () => {
		const home = await tempHome();
		const own = [user('s', 'Summarise this.'), sent, answered];
		const sides = [
			{id: 'C1', items: own},
			{id: 'C2', items: own, finished: false},
		];
		const dir = await compactedSession(home, [user('a', '1')], ...sides);
		const {code, out} = await run(home, idOf(dir));
		expect([code, out]).toEqual([
			0,
			expect.stringContaining('compact  2 conversations, 1 of them unfinished: ok, 1 note\n'),
		]);
		const path = historyFile(sideDir(dir, 'C1'));
		await writeFile(path, (await readFile(path, 'utf8')).replace('this', 'that'));
		expect(await run(home, idOf(dir))).toMatchObject({
			code: 1,
			out: expect.stringMatching(
				new RegExp(`FAILURE at line 2 in ${path}: .*\n[^]*The session is damaged\\.`),
			) as unknown,
		});
		let report = '';
		const stdout = {write: (text: string) => (report += text)};
		const how = {id: idOf(dir), env: home.env, cwd: home.cwd, json: false, request: false, terminal: false};
		await context({...how, stdout, stderr: stdout});
		expect(report).toContain('compact  1 compaction did not finish: 1 request, 7 tokens in, 1 out\n');
	});

	it('exits with 2 and a reason when the sessions cannot be read', async () => {
		const home = await tempHome();
		const {dir} = await storedSession(home, [[user('a', '1')]]);
		await rm(home.root, {recursive: true});
		await mkdir(dirname(home.root), {recursive: true});
		await symlink(home.root, home.root);
		expect(await run(home, idOf(dir))).toEqual({
			code: 2,
			out: '',
			err: expect.stringMatching(/^inkpod: .*sessions.*\n$/) as unknown,
		});
	});

	it('exits with 1 and a reason for an unknown session and for a newer format', async () => {
		const home = await tempHome();
		const {dir, path} = await storedSession(home, [[user('a', '1')]]);
		expect(await run(home, 'ZZZZ')).toMatchObject({
			code: 1,
			out: '',
			err: expect.stringMatching(/^inkpod: No session begins with ZZZZ\. The nearest are /) as unknown,
		});
		await writeFile(path, (await readFile(path, 'utf8')).replace(/.*/, '{"format":"inkpod.history/9","items":['));
		expect(await run(home, idOf(dir))).toMatchObject({
			code: 1,
			out: '',
			err: expect.stringContaining('newer inkpod') as unknown,
		});
	});
});
