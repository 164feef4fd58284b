import {execFile} from 'node:child_process';
import {appendFile, chmod, link, mkdir, rename, rm, symlink, truncate, writeFile} from 'node:fs/promises';
import {createServer} from 'node:net';
import {promisify} from 'node:util';
import {describe, expect, it, onTestFinished} from 'vitest';
import {preflight} from '../../../../src/pod/references/submission/preflight.ts';
import {defaultLimits} from '../../../../src/pod/config/limits.ts';
import {scopeOf, tempProject, type TempProject} from '../../../helpers/temp-project.ts';
import {accepted, failures, submit} from './submit.ts';

const texts = async (project: TempProject, draft: string) =>
	(await accepted(project, draft)).attachments.map(item => item.text);

describe.skipIf(process.platform === 'win32')('links in a message', () => {
	it.each<[string, Readonly<Record<string, string>>, string, string]>([
		['to a file of the scope are attached under their own name', {l: 'a.md'}, '@l', '[File: l]\nbody'],
		['in a chain are attached', {l: 'm', m: 'n/a.md', n: '.'}, '@l', '[File: l]\nbody'],
		['to a directory are listed', {l: 'd'}, '@l', '[Dir: l]\nx.md'],
		['through a linked directory are attached', {l: 'd'}, '@l/x.md', '[File: l/x.md]\nX'],
	])('%s', async (_, links, draft, text) => {
		const project = await tempProject({'a.md': 'body', 'd/x.md': 'X'});
		for (const [name, target] of Object.entries(links)) await project.link(name, target);
		expect(await texts(project, draft)).toEqual([text]);
	});

	it.each<[string, Readonly<Record<string, string>>, string, string]>([
		['out of the scope', {l: '../out.md'}, '@l', 'out_of_scope'],
		['out of the scope and back to a secret’s folder', {l: '../project/../out.md'}, '@l', 'out_of_scope'],
		['out of the scope by a chain', {l: 'm', m: '../out.md'}, '@l', 'out_of_scope'],
		['out of the scope to a missing file', {l: '../nothing'}, '@l', 'out_of_scope'],
		['to a device', {l: '/dev/zero'}, '@l', 'out_of_scope'],
		['to a missing file inside', {'l.md': 'gone.md'}, '@l.md', 'not_found'],
		['to itself', {l: 'l'}, '@l', 'io'],
		['in a circle', {l: 'm', m: 'l'}, '@l', 'io'],
		['with an innocent name to a secret', {l: '.env'}, '@l', 'denied'],
	])('fail with the reason: %s, %s: %s %s', async (_, links, draft, reason) => {
		const project = await tempProject({'../out.md': 'SECRET', '.env': 'KEY=1'});
		for (const [name, target] of Object.entries(links)) await project.link(name, target);
		const {user, attachments, alerts} = await accepted(project, draft);
		expect(failures(user)).toEqual([reason]);
		expect(attachments).toEqual([]);
		expect(alerts).toHaveLength(1);
	});

	it('are attached when they are hard links in a folder of the scope', async () => {
		const project = await tempProject({'../out.md': 'shared'});
		await link(project.path('../out.md'), project.path('hard.md'));
		expect(await texts(project, '@hard.md')).toEqual(['[File: hard.md]\nshared']);
	});
});

describe.skipIf(process.platform === 'win32')('a special file', () => {
	it('is not opened, and fails with not_a_file', async () => {
		const project = await tempProject();
		await promisify(execFile)('mkfifo', [project.path('pipe')]);
		await project.link('l', 'pipe');
		const server = createServer().listen(project.path('socket'));
		onTestFinished(() => void server.close());
		await new Promise(resolve => server.once('listening', resolve));
		expect(failures((await accepted(project, '@pipe @l @socket @pipe:3')).user)).toEqual([
			'not_a_file',
			'not_a_file',
			'not_a_file',
			'not_a_file',
		]);
		const whole = {...project, scope: await scopeOf('/')};
		expect(failures((await accepted(whole, '@/dev/zero @/dev/null @dev/tty')).user)).toEqual([
			'not_a_file',
			'not_a_file',
			'not_a_file',
		]);
	});
});

describe('an unreadable file', () => {
	it.skipIf(process.platform === 'win32')(
		'fails with io and “permission denied”, and so do a directory and its contents',
		async () => {
			const project = await tempProject({'a.md': 'x', 'd/b.md': 'x'});
			await chmod(project.path('..'), 0o755);
			await chmod(project.path('a.md'), 0);
			await chmod(project.path('d'), 0);
			const restore = asNobody();
			try {
				const {user, alerts} = await accepted(project, '@a.md @d @d/b.md');
				expect(failures(user)).toEqual(['io', 'io', 'io']);
				expect(alerts.map(alert => alert.text)).toEqual(
					['a.md', 'd', 'd/b.md'].map(
						path => `${path} was not attached: it could not be read (permission denied).`,
					),
				);
			} finally {
				restore();
				await chmod(project.path('d'), 0o755);
			}
		},
	);

	/** Switches to another user, because root may read everything. Returns a function that switches back. */
	function asNobody(): () => void {
		if (process.geteuid?.() !== 0) return () => {};
		process.seteuid!(65_534);
		return () => process.seteuid!(0);
	}
});

describe('a file that changes', () => {
	/** Changes a file in the hook, which runs after the refs are found and before they are read. */
	async function changedBefore(project: TempProject, draft: string, change: () => Promise<unknown>) {
		return accepted(project, draft, {
			async hook() {
				await change();
				return {type: 'continue'};
			},
		});
	}

	it.each<[string, (project: TempProject) => Promise<unknown>, string | undefined]>([
		['gone', async project => rm(project.path('a.md')), 'not_found'],
		[
			'now a directory',
			async project => rm(project.path('a.md')).then(async () => mkdir(project.path('a.md'))),
			undefined,
		],
		[
			'now a FIFO',
			async project =>
				rm(project.path('a.md')).then(async () => promisify(execFile)('mkfifo', [project.path('a.md')])),
			'not_a_file',
		],
		[
			'now a link out',
			async project => rm(project.path('a.md')).then(async () => symlink('../out.md', project.path('a.md'))),
			'out_of_scope',
		],
		['now binary', async project => writeFile(project.path('a.md'), 'a\0b'), 'binary'],
		['now huge', async project => truncate(project.path('a.md'), 300 * 1024 ** 2), 'too_large'],
		['now empty', async project => truncate(project.path('a.md'), 0), 'bad_range'],
	])('is read safely when it changes after it was found: %s', async (name, change, reason) => {
		const project = await tempProject({'a.md': 'one\ntwo\n', '../out.md': 'SECRET'});
		const {user, attachments} = await changedBefore(project, name === 'now empty' ? '@a.md:2' : '@a.md', async () =>
			change(project),
		);
		expect(failures(user)).toEqual([reason]);
		expect(attachments.map(item => item.text)).toEqual(
			reason === undefined ? ['[Dir: a.md]\n(empty directory)'] : [],
		);
	});

	it('is sent as it is when the message is sent', async () => {
		const project = await tempProject({'a.md': 'old\n', 'b.md': 'b'});
		const draft = [{type: 'text', text: '@a.md @b.md'}] as const;
		const before = await preflight(draft, {
			scope: project.scope,
			limits: defaultLimits.fileRefs,
			signal: new AbortController().signal,
		});
		expect(before.refs.map(ref => ref.ok)).toEqual([true, true]);
		await project.write('a.md', 'new and longer\n');
		await rm(project.path('b.md'));
		const {user, attachments} = await accepted(project, before.segments);
		expect(attachments.map(item => item.text)).toEqual(['[File: a.md]\nnew and longer\n']);
		expect(failures(user)).toEqual([undefined, 'not_found']);
	});

	it('is never a mixture when it is replaced', async () => {
		const [old, fresh] = ['old\n'.repeat(4000), 'new\n'.repeat(4000)];
		const project = await tempProject({'a.md': old});
		const done = new AbortController();
		const writer = (async () => {
			for (let turn = 0; !done.signal.aborted; turn += 1) {
				await project.write('next', turn % 2 === 0 ? fresh : old);
				await rename(project.path('next'), project.path('a.md'));
			}
		})();
		const seen = new Set<string>();
		for (let turn = 0; turn < 50; turn += 1) {
			const {attachments} = await accepted(project, '@a.md');
			for (const {text} of attachments) seen.add(text);
		}
		done.abort();
		await writer;
		for (const text of seen) expect([`[File: a.md]\n${old}`, `[File: a.md]\n${fresh}`]).toContain(text);
		expect(seen.size).toBeGreaterThan(0);
	});

	it('fails with io when it grows while it is read', async () => {
		const project = await tempProject({'a.log': 'x\n'.repeat(4_000_000)});
		const done = new AbortController();
		const writer = (async () => {
			while (!done.signal.aborted) await appendFile(project.path('a.log'), 'y\n');
		})();
		const {user, alerts} = await accepted(project, '@a.log');
		done.abort();
		await writer;
		expect(failures(user)).toEqual(['io']);
		expect(alerts.map(alert => alert.text)).toEqual([
			'a.log was not attached: it could not be read (it changed while it was being read).',
		]);
	});
});

describe('the contents of a file', () => {
	const le = (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le');
	const be = (text: string) => le(text).swap16();

	it.each<[string, Uint8Array | string, string]>([
		['CRLF and a lone CR', 'a\r\nb\rc\r\n', 'a\nb\rc\n'],
		['two BOMs', '\uFEFF\uFEFFa', '\uFEFFa'],
		['only a BOM', '\uFEFF', ''],
		['UTF-16 LE', le('日本👍\r\n'), '日本👍\n'],
		['UTF-16 BE', be('日本👍\r\n'), '日本👍\n'],
		['only a UTF-16 BOM', le(''), ''],
		['U+FFFD', 'a\uFFFDb', 'a\uFFFDb'],
		['escape sequences', '\u001B[2J\u0007', '\u001B[2J\u0007'],
	])('are text: %s', async (_, content, body) => {
		const project = await tempProject({'f.txt': content});
		expect(await texts(project, '@f.txt')).toEqual([`[File: f.txt]\n${body}`]);
	});

	it.each<[string, Uint8Array]>([
		['a NUL byte', Buffer.from('a\0b')],
		['a NUL byte after the cap', Buffer.from(`${'a'.repeat(20_000)}\0`)],
		['a broken character after the cap', Buffer.concat([Buffer.alloc(20_000, 'a'), Buffer.from([0xc3])])],
		['Latin-1', Buffer.from([0x63, 0x61, 0x66, 0xe9])],
		['UTF-16 with an odd number of bytes', le('abc').subarray(0, 7)],
		['UTF-16 with a lone surrogate', le('a\uD800')],
		['UTF-16 BE with a surrogate in the wrong order', be('a\uDC00\uD800')],
		['UTF-16 without a BOM', Buffer.from('abc', 'utf16le')],
		['a surrogate in UTF-8', Buffer.from([0x61, 0xed, 0xa0, 0x80])],
	])('are binary: %s', async (_, content) => {
		const project = await tempProject({'f.txt': content});
		expect(failures((await accepted(project, '@f.txt @f.txt:1')).user)).toEqual(['binary', 'binary']);
	});
});

describe('the reading of five files', () => {
	it('happens at the same time, and is reported before the first file is done', async () => {
		const project = await tempProject(
			Object.fromEntries([1, 2, 3, 4, 5].map(n => [`${n}.md`, Buffer.alloc(4_000_000, 'x\n')])),
		);
		const states: string[] = [];
		const {attachments} = await accepted(project, '@1.md @2.md @3.md @4.md @5.md', {
			progress: (_, state) => void states.push(state),
		});
		expect(states).toEqual([...Array<string>(5).fill('reading'), ...Array<string>(5).fill('read')]);
		expect(attachments.map(item => item.text.split('\n')[0])).toEqual([1, 2, 3, 4, 5].map(n => `[File: ${n}.md]`));
	});

	it('takes little memory even if the files are large', async () => {
		const project = await tempProject();
		for (const n of [1, 2, 3, 4, 5]) await project.write(`${n}.md`, Buffer.alloc(16_000_000, 'x\n'));
		const before = process.memoryUsage().arrayBuffers;
		let most = 0;
		const watch = setInterval(() => (most = Math.max(most, process.memoryUsage().arrayBuffers)), 1);
		await accepted(project, '@1.md @2.md @3.md @4.md @5.md');
		clearInterval(watch);
		expect(most - before).toBeLessThan(20_000_000);
	});

	it('can be aborted long before its end', async () => {
		const project = await tempProject(
			Object.fromEntries([1, 2, 3, 4, 5].map(n => [`${n}.md`, Buffer.alloc(16_000_000, 'x\n')])),
		);
		const abort = new AbortController();
		let reading = 0;
		const result = await submit(project, '@1.md @2.md @3.md @4.md @5.md', {
			signal: abort.signal,
			progress(_, state) {
				if (state === 'reading' && (reading += 1) === 5) setImmediate(() => abort.abort('cancel'));
			},
		});
		expect(result).toEqual({ok: false, code: 'aborted', sentence: 'The message was cancelled before it was sent.'});
	});

	it('skips a file over the limit', async () => {
		const project = await tempProject({'huge.log': ''});
		await truncate(project.path('huge.log'), 256 * 1024 ** 2 + 1);
		expect(failures((await accepted(project, '@huge.log')).user)).toEqual(['too_large']);
	});
});
