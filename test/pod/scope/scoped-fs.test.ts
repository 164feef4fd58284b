import {execFile} from 'node:child_process';
import {createServer} from 'node:net';
import {chmod, readdir, rename, rm, symlink, writeFile} from 'node:fs/promises';
import {promisify} from 'node:util';
import {describe, expect, onTestFinished, it} from 'vitest';
import {locate} from '../../../src/pod/scope/locate.ts';
import {openFile} from '../../../src/pod/scope/scoped-fs.ts';
import {scopeOf, tempProject, type TempProject} from '../../helpers/temp-project.ts';

/** Opens a file, reads all of it, and closes it. */
async function contentOf(project: TempProject, path: string): Promise<string> {
	const opened = await openFile(project.scope, path);
	if (!opened.ok) return opened.reason;
	try {
		return (await opened.handle.readFile()).toString();
	} finally {
		await opened.handle.close();
	}
}

describe('a file of the scope', () => {
	it.each([
		['a.txt', 'a.txt'],
		['./sub/../a.txt', 'a.txt'],
		['a b "c" \'d\'.txt', 'a b "c" \'d\'.txt'],
		['new\nline.txt', 'new\nline.txt'],
		['\u001B[31mred\u0007.txt', '\u001B[31mred\u0007.txt'],
		['日本語.txt', '日本語.txt'],
		['👍🏽.txt', '👍🏽.txt'],
		['~/a.txt', '~/a.txt'],
		['back\\slash.txt', 'back\\slash.txt'],
	])('is opened by the name %j', async (path, name) => {
		const project = await tempProject({[name]: 'content', 'sub/': ''});
		expect(await contentOf(project, path)).toBe('content');
	});

	it('is opened by its absolute path', async () => {
		const project = await tempProject({'a.txt': 'content'});
		expect(await contentOf(project, project.path('a.txt'))).toBe('content');
	});

	it('is a different file in NFC and in NFD', async () => {
		const project = await tempProject();
		await project.write('caf\u00E9.txt', 'composed');
		await project.write('cafe\u0301.txt', 'decomposed');
		const names = await readdir(project.dir);
		if (names.length === 2) {
			expect(await contentOf(project, 'caf\u00E9.txt')).toBe('composed');
			expect(await contentOf(project, 'cafe\u0301.txt')).toBe('decomposed');
		} else {
			expect(await contentOf(project, 'caf\u00E9.txt')).toBe('decomposed');
		}
	});

	it('is opened at its real path through a chain of links', async () => {
		const project = await tempProject({'deep/a.txt': 'content'});
		await project.link('two', 'deep');
		await project.link('one', 'two/a.txt');
		const opened = await openFile(project.scope, 'one');
		expect(opened).toMatchObject({ok: true, real: project.path('deep/a.txt')});
		if (opened.ok) await opened.handle.close();
	});

	it('has a reason if it is missing, a directory, or below a file', async () => {
		const project = await tempProject({'a.txt': 'x', 'dir/': ''});
		expect(await contentOf(project, 'b.txt')).toBe('not_found');
		expect(await contentOf(project, 'no/such/b.txt')).toBe('not_found');
		expect(await contentOf(project, 'a.txt/b.txt')).toBe('not_found');
		expect(await contentOf(project, 'a.txt/')).toBe('not_found');
		expect(await contentOf(project, 'dir/')).toBe('is_directory');
		expect(await contentOf(project, 'dir')).toBe('is_directory');
		expect(await contentOf(project, '')).toBe('is_directory');
	});

	it.skipIf(process.getuid?.() === 0)('is io if it is unreadable', async () => {
		const project = await tempProject({'a.txt': 'x', 'dir/b.txt': 'x'});
		await chmod(project.path('a.txt'), 0);
		await chmod(project.path('dir'), 0);
		expect(await contentOf(project, 'a.txt')).toBe('io');
		expect(await contentOf(project, 'dir/b.txt')).toBe('io');
		await chmod(project.path('dir'), 0o700);
	});
});

describe('a path outside the scope', () => {
	it.each([
		'../outside.txt',
		'../missing.txt',
		'../project-x/a.txt',
		'../no/such',
		'/etc/passwd',
		'/no/such/path',
		'/proc/self/environ',
		'/dev/zero',
		'sub/../../outside.txt',
		'..',
	])('is out_of_scope, existing or not: %s', async path => {
		const project = await tempProject({'../outside.txt': 'secret', '../project-x/a.txt': 'secret', 'sub/': ''});
		expect(await contentOf(project, path)).toBe('out_of_scope');
	});

	it.each([
		['a link to a file', '../outside.txt', 'link'],
		['a dangling link', '../missing.txt', 'link'],
		['a link to a directory', '..', 'link/outside.txt'],
		['a missing name below a link to a directory', '..', 'link/missing.txt'],
		['an absolute link', '/etc/passwd', 'link'],
	])('is out_of_scope: %s', async (_, target, path) => {
		const project = await tempProject({'../outside.txt': 'secret'});
		await project.link('link', target);
		expect(await contentOf(project, path)).toBe('out_of_scope');
	});

	it('is out_of_scope for circular links, which are io inside the scope', async () => {
		const project = await tempProject();
		await project.link('a', 'b');
		await project.link('b', 'a');
		await project.link('../c', 'd');
		await project.link('../d', 'c');
		await project.link('out', '../c');
		expect(await contentOf(project, 'a')).toBe('io');
		expect(await contentOf(project, 'a/x')).toBe('io');
		expect(await contentOf(project, 'out')).toBe('out_of_scope');
	});

	it('is opened in a read root, by its absolute path and through a link', async () => {
		const project = await tempProject({'../extra/a.txt': 'extra', 'sub/': ''});
		await project.link('sub/link', '../../extra/a.txt');
		const scope = await scopeOf(project.path('sub'), {readRoots: [project.path('../extra')]});
		expect(await contentOf({...project, scope}, project.path('../extra/a.txt'))).toBe('extra');
		expect(await contentOf({...project, scope}, 'link')).toBe('extra');
	});
});

describe('a path that names nothing', () => {
	it.each([
		['a NUL byte', 'a\0b'],
		['a NUL byte outside', '../a\0b'],
		['5,000 characters', 'x'.repeat(5000)],
		['300 characters in one part', 'x'.repeat(300)],
		['5,000 parts', './'.repeat(5000) + 'a'],
		['a megabyte', 'x/'.repeat(500_000)],
	])('is not_found: %s', async (_, path) => {
		const project = await tempProject();
		expect(await contentOf(project, path)).toBe('not_found');
	});
});

describe.skipIf(process.platform === 'win32')('a path that is not a file', () => {
	it('is refused without being opened: a FIFO and a link to it', async () => {
		const project = await tempProject();
		await promisify(execFile)('mkfifo', [project.path('pipe')]);
		await project.link('link', 'pipe');
		expect(await contentOf(project, 'pipe')).toBe('not_a_file');
		expect(await contentOf(project, 'link')).toBe('not_a_file');
	});

	it('is not_a_file: a socket', async () => {
		const project = await tempProject();
		const server = createServer().listen(project.path('socket'));
		onTestFinished(() => void server.close());
		await new Promise(resolve => server.once('listening', resolve));
		expect(await contentOf(project, 'socket')).toBe('not_a_file');
	});

	it('is not_a_file: a device in the scope', async () => {
		const project = await tempProject();
		expect(await contentOf({...project, scope: await scopeOf('/')}, '/dev/zero')).toBe('not_a_file');
	});
});

it('never follows a link outside that is swapped during the open', async () => {
	const project = await tempProject({'../secrets/a.txt': 'SECRET', 'inside/a.txt': 'fine'});
	await project.link('way', 'inside');
	const done = new AbortController();
	const swapper = (async () => {
		for (let turn = 0; !done.signal.aborted; turn += 1) {
			await symlink(turn % 2 === 0 ? '../secrets' : 'inside', project.path('next'));
			await rename(project.path('next'), project.path('way'));
		}
	})();
	const seen = new Set<string>();
	for (let turn = 0; turn < (process.env['INKPOD_TEST'] === 'long' ? 20_000 : 500); turn += 1)
		seen.add(await contentOf(project, 'way/a.txt'));
	done.abort();
	await swapper;
	expect(seen).not.toContain('SECRET');
	expect(seen).toContain('fine');
});

it('never follows a directory outside that is swapped for a link during the open', async () => {
	const project = await tempProject({'../secrets/a.txt': 'SECRET', 'way/a.txt': 'fine'});
	const done = new AbortController();
	const swapper = (async () => {
		while (!done.signal.aborted) {
			await rename(project.path('way'), project.path('aside'));
			await symlink('../secrets', project.path('way'));
			await rm(project.path('way'));
			await rename(project.path('aside'), project.path('way'));
		}
	})();
	const seen = new Set<string>();
	for (let turn = 0; turn < (process.env['INKPOD_TEST'] === 'long' ? 20_000 : 500); turn += 1)
		seen.add(await contentOf(project, 'way/a.txt'));
	done.abort();
	await swapper;
	expect(seen).not.toContain('SECRET');
});

it('locates a new file below a missing folder', async () => {
	const project = await tempProject({'dir/': ''});
	await project.link('alias', 'dir');
	expect(await locate(project.scope, 'alias/new/file.txt')).toMatchObject({
		ok: true,
		exists: false,
		real: project.path('dir/new/file.txt'),
	});
	await writeFile(project.path('dir/x'), '');
	expect(await locate(project.scope, 'alias/x')).toMatchObject({ok: true, exists: true, real: project.path('dir/x')});
});
