import {hash} from 'node:crypto';
import {mkdir, readFile, stat, symlink, writeFile} from 'node:fs/promises';
import path from 'node:path';
import {describe, expect, it} from 'vitest';
import {exportSession, type ExportFormat} from '../../../src/cli/export/export.ts';
import {exportContextLimits, readExportContext} from '../../../src/pod/disk/export/export-context.ts';
import {blobsDir} from '../../../src/pod/disk/bodies/hashed-files.ts';
import {childDir, childrenDir, historyFile, idOf} from '../../../src/pod/disk/paths.ts';
import {createItems} from '../../helpers/items.ts';
import {compactedSession} from '../../helpers/side-sessions.ts';
import type {Item} from '../../../src/worker/index.ts';
import {readSession} from '../../../src/pod/disk/log/read.ts';
import {verifySession} from '../../../src/pod/disk/check/verify.ts';
import {historyOf, sessionOfBytes, storedSession, tempHome, user, type Home} from '../../pod/disk/fixture.ts';
import {fixtureNames, fixturePath} from '../../helpers/fixtures.ts';
import {sanitize} from '../../../src/text/sanitize.ts';

const make = createItems();
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

/** The tags of a page without images. */
const allowedTags = new Set(
	(
		'!doctype html head meta title style body header main footer h1 h2 h3 h4 h5 h6 dl dt dd section details summary ' +
		'pre p div span strong em s code a ul ol li blockquote hr table thead tbody tr th td'
	).split(' '),
);

/** Returns the text of a page, without its tags. */
function visible(html: string): string {
	return html
		.replaceAll(/<[^>]*>/g, '')
		.replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
}

describe('inkpod export', () => {
	it('prints Markdown without secrets, and lists what it left out', async () => {
		const home = await tempHome();
		const {dir} = await storedSession(home, [[user('a', `my key is ${key}`)]]);
		const {code, out, err} = await run(home, idOf(dir));
		expect(code).toBe(0);
		expect(out).toContain('## You\n\nmy key is [redacted: Anthropic key]\n');
		expect(out).toContain('- Left out: 1 value that looks like a secret (Anthropic key)');
		expect(out).toMatch(/- Head of the hash chain: [0-9a-f]{32}, line 2\n/);
		expect(err.split('\n')).toEqual([
			'inkpod: Left out 1 value that looks like a secret. Others may remain.',
			'inkpod:   Anthropic key in item a',
			'inkpod: To keep secrets, use: inkpod export --exact',
			'',
		]);
		const exact = await run(home, idOf(dir), {exact: true});
		expect(exact).toMatchObject({err: '', out: expect.stringContaining(key) as string});
	});

	it.each(['html', 'md'] as const)('prints no control characters of an id (%s)', async format => {
		const home = await tempHome();
		const {dir} = await storedSession(home, [[user('\u001B]0;title\u0007', 'hello')]]);
		const {out} = await run(home, idOf(dir), {format});
		expect(out).toContain('hello');
		expect(out).not.toMatch(/[\u0000-\u0008\u000B-\u001F\u007F-\u009F]/);
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

	it('has titles in Markdown that are neither links nor code nor HTML', async () => {
		const home = await tempHome();
		const title =
			'[x](javascript:alert(1)) `a` <b>b</b> *c* _d_ snake_case https://e.example ![f](g) &lt; ~~h~~ \\ #';
		const call = make.call('c', 'bash', {command: 'ls *.ts > [a](b) `c`\n# not a heading'});
		const items = [user('a', 'go'), make.item('title', {title}), call, make.system('**bold** <i>', {kind: 'note'})];
		const {dir} = await storedSession(home, [items]);
		const {out} = await run(home, idOf(dir));
		expect(out.split('\n').filter(line => line.startsWith('## '))).toEqual([
			'## You',
			String.raw`## Renamed: \[x\](javascript:alert(1)) \`a\` \<b\>b\</b\> \*c\* \_d\_ ` +
				String.raw`snake_case https\://e.example !\[f\](g) \&lt; \~\~h\~\~ \\ \#`,
			expect.stringContaining(String.raw`ls \*.ts \> \[a\](b) \`c\``) as string,
			expect.stringContaining(String.raw`\*\*bold\*\* \<i\>`) as string,
			'## Record',
		]);
		expect(out).toMatch(/^# \\\[x\\\]\(javascript:alert\(1\)\) /);
	});

	it.each(fixtureNames)('has every stored text of the fixture %s in its page, inert', async name => {
		const {home, id, dir} = await fixtureSession(name);
		const read = await readSession(dir);
		if (!read.ok) throw new Error(read.sentence);
		const {out} = await run(home, id, {format: 'html', exact: true});
		expect(out).not.toMatch(/[\0-\x08\x0b-\x1f\x7f-\x9f]/);
		const tags = [...out.matchAll(/<\/?([!\w-]*)/g)].map(([, tag = '']) => tag);
		expect(tags.filter(tag => !allowedTags.has(tag))).toEqual([]);
		for (const [address] of out.matchAll(/(?<=href=")[^"]*/g)) expect(address).toMatch(/^https?:\/\//);
		const shown = visible(out);
		for (const item of read.session.items)
			if (item.type === 'message' && item.role === 'assistant')
				for (const [word] of item.text.replaceAll(/&#?\w+;/g, ' ').matchAll(/[\p{L}\p{N}]{2,}/gu))
					expect(shown).toContain(word);
			else if (item.type === 'message') expect(shown).toContain(sanitize(item.text));
			else if (item.type === 'tool_result') expect(shown).toContain(sanitize(item.content));
	});
});

/** A PNG of one pixel. */
const png = Buffer.from(
	'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
	'base64',
);
const svg = Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>`);

function image(id: string, bytes: Buffer, more: object = {}): Item {
	const origin = {
		kind: 'image',
		path: `${id}.png`,
		bytes: bytes.length,
		mime: 'image/png',
		width: 1,
		height: 1,
		...more,
	};
	return {
		id,
		at: '2026-01-01T00:00:01.000Z',
		type: 'message',
		role: 'system',
		text: `[Image: ${id}.png]`,
		origin: {...origin, sha256: hash('sha256', bytes, 'hex')},
	};
}

async function writeBlob(dir: string, bytes: Buffer): Promise<void> {
	await mkdir(blobsDir(dir), {recursive: true});
	await writeFile(path.join(blobsDir(dir), hash('sha256', bytes, 'hex')), bytes);
}

const childId = '01JD8XK3Q2CCCCCCCCCCCCCCCC';
const childStarted = (id: string, child = childId): Item => ({
	id,
	at: '2026-01-01T00:00:02.000Z',
	type: 'child_started',
	child,
	title: 'look <at> it',
	task: 'Look at the tests.',
	model: 'offline',
	context: 'fresh',
	scope: {pwd: '/p', writable: false},
});

async function writeChild(dir: string, items: readonly Item[], header: object = {}): Promise<string> {
	const own = childDir(dir, childId);
	await mkdir(own, {recursive: true});
	const facts = {session: childId, cwd: '/p', created: '2026-01-01T00:00:00.000Z', ...header};
	await writeFile(historyFile(own), historyOf(items, facts));
	return own;
}

describe('the images of an exported page', () => {
	it('are in the page itself if their bytes are an image, and are reported', async () => {
		const home = await tempHome();
		const missing = image('gone', Buffer.from('gone'));
		const {dir} = await storedSession(home, [[user('a', 'look'), image('i', png), image('s', svg), missing]]);
		for (const bytes of [png, svg]) await writeBlob(dir, bytes);
		const {out, err} = await run(home, idOf(dir), {format: 'html'});
		expect(out.match(/<img [^>]*>/g)).toEqual([
			`<img alt="Image i.png · 1 × 1 · ${png.length} B" width="1" height="1" ` +
				`src="data:image/png;base64,${png.toString('base64')}">`,
		]);
		expect(out).toContain(`content="default-src 'none'; style-src 'unsafe-inline'; img-src data:"`);
		expect(out).not.toContain(svg.toString('base64'));
		expect(err).toBe('inkpod: 1 image is in the page. inkpod does not look for secrets in images.\n');
		const {out: markdown, err: silent} = await run(home, idOf(dir));
		expect(markdown).not.toContain('base64');
		expect(silent).toBe('');
	});

	it('have the type of their bytes, and none is shown above the limits', async () => {
		const home = await tempHome();
		const gif = Buffer.from('GIF89a\x01\x00\x01\x00\x80\x00\x00\x00\x00\x00\xff\xff\xff,', 'latin1');
		const huge = Buffer.from(png);
		huge.writeUInt32BE(100_000, 16);
		huge.writeUInt32BE(100_000, 20);
		const items = [image('g', gif), image('h', huge), image('i', png)];
		const {dir} = await storedSession(home, [items]);
		for (const bytes of [gif, huge, png]) await writeBlob(dir, bytes);
		expect((await run(home, idOf(dir), {format: 'html'})).out.match(/data:image\/\w+/g)).toEqual([
			'data:image/gif',
			'data:image/png',
		]);
		const limits = {...exportContextLimits, imageBytes: gif.length + png.length - 1};
		const read = await readExportContext({dir, items}, {hasImages: true, limits});
		expect([...read.images.keys()]).toEqual(['g']);
	});
});

describe('the children of an exported page', () => {
	it('are folded, without their secrets, in HTML and in Markdown', async () => {
		const home = await tempHome();
		const {dir} = await storedSession(home, [[user('a', 'go'), childStarted('c')]]);
		await writeChild(dir, [user('t', `The key ${key}`), image('i', png)]);
		await writeBlob(childDir(dir, childId), png);
		const html = await run(home, idOf(dir), {format: 'html'});
		const name = 'Child session look &#60;at&#62; it';
		expect(html.out).toContain(`<section class="child" id="c"><details><summary>${name}</summary>`);
		expect(html.out).toMatch(
			/Look at the tests\.<\/pre><section class="user" id="t">.*The key \[redacted: Anthropic key\]/s,
		);
		expect(html.out).toContain('data:image/png');
		expect(html.err).toMatch(/Left out 1 value .*\n.*in item t\n.*--exact\n.*1 image is in the page/);
		const {out} = await run(home, idOf(dir));
		expect(out).toContain(`\n\n<details><summary>${name}</summary>\n\n`);
		expect(out).toMatch(/## You\n\nThe key \[redacted: Anthropic key\]\n.*\n<\/details>\n\n## Record\n/s);
		expect((await run(home, idOf(dir), {exact: true})).out).toContain(key);
	});

	it('say why they are not there, and a link leads nowhere', async () => {
		const home = await tempHome();
		const {dir} = await storedSession(home, [[childStarted('c'), childStarted('d', '../../x')]]);
		const {out} = await run(home, idOf(dir));
		expect(out.match(/Its history is missing\./g)).toHaveLength(2);
		const other = await storedSession(home, [[user('o', 'another session')]]);
		await mkdir(childrenDir(dir));
		await symlink(other.dir, childDir(dir, childId));
		const linked = await run(home, idOf(dir));
		expect(linked.out).not.toContain('another session');
		expect(linked.out).toContain('is a link, or not of the type that inkpod expects');
	});

	it('have only their own items if they are forks, and end at the limits', async () => {
		const home = await tempHome();
		const items = [user('a', 'of the parent'), childStarted('c')];
		const {dir} = await storedSession(home, [items]);
		const own = await writeChild(dir, [user('a', 'of the parent'), user('b', 'of the child'), childStarted('e')], {
			fork: {session: idOf(dir), to: 'a'},
		});
		const deep = await writeChild(own, [user('d', 'of the grandchild')]);
		const {out} = await run(home, idOf(dir));
		expect(out.match(/^of the parent/gm)).toHaveLength(1);
		expect(out).toMatch(/of the child[^]*of the grandchild[^]*<\/details>\n\n<\/details>/);
		const limited = async (limits: Partial<typeof exportContextLimits>) =>
			readExportContext({dir, items}, {hasImages: false, limits: {...exportContextLimits, ...limits}});
		const large = {sentence: expect.stringContaining('too large') as string};
		expect((await limited({conversations: 0})).conversations.get('c')).toEqual(large);
		const {size} = await stat(historyFile(own));
		expect((await limited({historyBytes: size - 1})).conversations.get('c')).toEqual(large);
		const [one] = [...(await limited({conversations: 1})).conversations.values()];
		expect(one).toMatchObject({conversations: new Map([['e', large]])});
		const [flat] = [...(await limited({depth: 0})).conversations.values()];
		expect(flat).toMatchObject({conversations: new Map()});
		expect(deep).toContain(childId);
	});
});

it('the conversation of a compaction is folded after its summary', async () => {
	const home = await tempHome();
	const own = [user('s', 'Summarise this.')];
	const dir = await compactedSession(home, [user('a', '1')], {id: 'C1', items: own}, {id: 'C2', items: own});
	const {out} = await run(home, idOf(dir), {format: 'html'});
	expect(out.match(/<details><summary>Conversation of the summary<\/summary>/g)).toHaveLength(2);
	expect(out.match(/Summarise this\./g)).toHaveLength(2);
});
