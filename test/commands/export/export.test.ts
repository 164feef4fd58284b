import {readFile, stat, writeFile} from 'node:fs/promises';
import path from 'node:path';
import {describe, expect, it} from 'vitest';
import {exportSession, type ExportFormat} from '../../../src/commands/export/export.ts';
import {idOf} from '../../../src/pod/session/paths.ts';
import {readSession} from '../../../src/pod/session/read.ts';
import {verifySession} from '../../../src/pod/session/verify.ts';
import {sessionOfBytes, storedSession, tempHome, user, type Home} from '../../pod/session/fixture.ts';
import {fixtureNames, fixturePath} from '../../helpers/fixtures.ts';
import {sanitize} from '../../../src/tui/text/sanitize.ts';

const key = `sk-ant-api03-${'a1B2'.repeat(8)}`;

async function run(
	home: Home,
	id: string,
	options: {format?: ExportFormat; to?: string; exact?: boolean; force?: boolean} = {},
) {
	let [out, err] = ['', ''];
	const code = await exportSession({
		id,
		env: home.env,
		cwd: home.cwd,
		format: 'md',
		exact: false,
		force: false,
		...options,
		stdout: {write: text => (out += text)},
		stderr: {write: text => (err += text)},
	});
	return {code, out, err};
}

async function fixtureSession(name: string) {
	const home = await tempHome();
	const {dir} = await sessionOfBytes(home, await readFile(fixturePath(name, 'history.json')));
	return {home, id: idOf(dir), dir};
}

describe('inkpod export', () => {
	it('prints Markdown without secrets, and lists what it left out', async () => {
		const home = await tempHome();
		const {dir} = await storedSession(home, [[user('a', `my key is ${key}`)]]);
		const {code, out, err} = await run(home, idOf(dir));
		expect(code).toBe(0);
		expect(out).toContain('## You\n\nmy key is [redacted: Anthropic key]\n');
		expect(out).toContain('- Left out: 1 secret (Anthropic key 1)');
		expect(out).toMatch(/- Head of the hash chain: [0-9a-f]{32}, line 2\n/);
		expect(err.split('\n')).toEqual([
			'inkpod: Left out 1 secret (Anthropic key 1). To keep secrets, use: inkpod export --exact',
			'inkpod:   Anthropic key in item a',
			'',
		]);
		const exact = await run(home, idOf(dir), {exact: true});
		expect(exact).toMatchObject({err: '', out: expect.stringContaining(key) as string});
	});

	it('writes a history that is intact and says that it is redacted', async () => {
		const home = await tempHome();
		const {dir} = await storedSession(home, [[user('a', key), user('b', 'plain')]]);
		const original = await readSession(dir);
		const {out} = await run(home, idOf(dir), {format: 'json'});
		const copy = await sessionOfBytes(await tempHome(), Buffer.from(out), idOf(dir));
		const read = await readSession(copy.dir);
		if (!read.ok || !original.ok) throw new Error('a history cannot be read');
		expect(verifySession(read.session)).toMatchObject({ok: true, findings: []});
		expect(read.session.decoded.header.redacted).toEqual({count: 1, originalHead: original.session.decoded.sum});
		expect(read.session.items.map(({id}) => id)).toEqual(['a', 'b']);
		const exact = await run(home, idOf(dir), {format: 'json', exact: true});
		expect(exact.out).toBe(await readFile(path.join(dir, 'history.json'), 'utf8'));
	});

	it('writes a file that only you can read, and replaces an existing one only with force', async () => {
		const home = await tempHome();
		const {dir} = await storedSession(home, [[user('a', 'hello')]]);
		const to = path.join(home.cwd, 'out.html');
		expect(await run(home, idOf(dir), {to, format: 'html'})).toMatchObject({code: 0, out: ''});
		expect((await stat(to)).mode & 0o777).toBe(0o600);
		const first = await readFile(to, 'utf8');
		await writeFile(to, 'mine');
		const refused = await run(home, idOf(dir), {to, format: 'html'});
		expect(refused).toMatchObject({code: 2, err: `inkpod: ${to} exists. Replace it with --force.\n`});
		expect(await readFile(to, 'utf8')).toBe('mine');
		expect(await run(home, idOf(dir), {to, format: 'html', force: true})).toMatchObject({code: 0});
		expect(await readFile(to, 'utf8')).toBe(first);
	});

	it('writes nothing inside the state of inkpod, and reports a folder that is missing', async () => {
		const home = await tempHome();
		const {dir} = await storedSession(home, [[user('a', 'hello')]]);
		expect(await run(home, idOf(dir), {to: path.join(dir, 'x.md'), force: true})).toMatchObject({code: 2});
		expect(await run(home, idOf(dir), {to: path.join(home.cwd, 'no/x.md')})).toMatchObject({code: 1});
		expect(await run(home, 'ZZZZ')).toMatchObject({code: 1, out: ''});
	});

	it.each(fixtureNames)('has every stored text of the fixture %s in its page, inert', async name => {
		const {home, id, dir} = await fixtureSession(name);
		const read = await readSession(dir);
		if (!read.ok) throw new Error(read.sentence);
		const {out} = await run(home, id, {format: 'html', exact: true});
		expect(out).not.toMatch(/[\0-\x08\x0b-\x1f\x7f-\x9f]/);
		expect(
			out.match(
				/<(?!\/?(?:!doctype|html|head|meta|title|style|body|h[123]|dl|dt|dd|section|details|summary|pre|p)\b)/gi,
			),
		).toBeNull();
		const shown = out.replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
		for (const item of read.session.items)
			if (item.type === 'message') expect(shown).toContain(sanitize(item.text));
			else if (item.type === 'tool_result') expect(shown).toContain(sanitize(item.content));
	});
});
