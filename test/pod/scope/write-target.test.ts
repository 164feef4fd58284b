import {execFile} from 'node:child_process';
import {chmod, link, lstat, mkdir, readdir, readFile, readlink, rename, stat, writeFile} from 'node:fs/promises';
import {createServer} from 'node:net';
import {promisify} from 'node:util';
import {describe, expect, onTestFinished, it} from 'vitest';
import {openTarget, type TargetOptions} from '../../../src/pod/scope/write-target.ts';
import {scopeOf, tempProject, type TempProject} from '../../helpers/temp-project.ts';

/** Writes and returns `ok` or the reason. `between` runs after the place was opened. */
async function put(
	project: Pick<TempProject, 'scope'>,
	path: string,
	content = 'new',
	{
		between,
		mayReplace,
		...options
	}: Partial<TargetOptions> & {
		readonly between?: () => Promise<unknown>;
		readonly mayReplace?: () => Promise<boolean>;
	} = {},
): Promise<string> {
	const target = await openTarget(project.scope, path, {maxBytes: 1e6, ...options});
	if (!target.ok) return target.reason;
	try {
		await between?.();
		const written = await target.replace(Buffer.from(content), mayReplace);
		return written.ok ? 'ok' : written.reason;
	} finally {
		await target.close();
	}
}

/** Returns every file below a folder with its contents. A link is `-> target`. */
async function tree(dir: string): Promise<Record<string, string>> {
	const entries = await readdir(dir, {recursive: true, withFileTypes: true});
	const found = entries
		.filter(entry => !entry.isDirectory())
		.map(async entry => {
			const path = `${entry.parentPath}/${entry.name}`;
			return [
				path.slice(dir.length + 1),
				entry.isSymbolicLink()
					? `-> ${await readlink(path)}`
					: entry.isFile()
						? await readFile(path, 'utf8')
						: 'special',
			] as const;
		});
	return Object.fromEntries(await Promise.all(found));
}

const ways = process.platform === 'linux' ? [true, false] : [false];

describe.each(ways)('a file that is written through handles: %s', byHandle => {
	it('can be deleted without its directory, unless it was changed or replaced', async () => {
		const project = await tempProject({'src/a.txt': 'old', 'src/b.txt': 'old', 'src/c.txt': 'old'});
		const remove = async (path: string, between = async (): Promise<unknown> => undefined) => {
			const target = await openTarget(project.scope, path, {maxBytes: 1e6, byHandle});
			if (!target.ok) return target.reason;
			await between();
			const removed = await target.remove();
			await target.close();
			return removed.ok ? 'ok' : removed.reason;
		};
		expect(await remove('src/a.txt')).toBe('ok');
		expect(await remove('src/b.txt', async () => writeFile(project.path('src/b.txt'), 'new'))).toBe('changed');
		expect(
			await remove('src/c.txt', async () => rename(project.path('src/b.txt'), project.path('src/c.txt'))),
		).toBe('changed');
		expect(await remove('src/none.txt')).toBe('changed');
		expect(await tree(project.dir)).toEqual({'src/c.txt': 'new'});
	});

	it('is replaced after mayReplace accepts the complete new file, and otherwise stays', async () => {
		const project = await tempProject({'a.txt': 'old'});
		const seen: Array<Record<string, string>> = [];
		const look = (answer: boolean) => async () => {
			seen.push(await tree(project.dir));
			return answer;
		};
		expect(await put(project, 'a.txt', 'new', {byHandle, mayReplace: look(false)})).toBe('changed');
		expect(await tree(project.dir)).toEqual({'a.txt': 'old'});
		expect(await put(project, 'a.txt', 'new', {byHandle, mayReplace: look(true)})).toBe('ok');
		expect(await tree(project.dir)).toEqual({'a.txt': 'new'});
		expect(seen.map(files => Object.values(files).toSorted())).toEqual([
			['new', 'old'],
			['new', 'old'],
		]);
	});

	it.each<[string, Record<string, string>, string, Record<string, string>]>([
		['a new file', {}, 'a.txt', {'a.txt': 'new'}],
		['a new file below missing folders', {'src/': ''}, 'src/x/y/a.txt', {'src/x/y/a.txt': 'new'}],
		['an existing file', {'a.txt': 'old'}, './a.txt', {'a.txt': 'new'}],
		['a name of 255 bytes', {}, 'é'.repeat(127), {['é'.repeat(127)]: 'new'}],
		[
			'one of two names that look the same',
			{'\u00E9.txt': 'old'},
			'e\u0301.txt',
			{'\u00E9.txt': 'old', 'e\u0301.txt': 'new'},
		],
	])('gets all of its contents when it is %s', async (_, files, path, expected) => {
		const project = await tempProject(files);
		expect(await put(project, path, 'new', {byHandle})).toBe('ok');
		expect(await tree(project.dir)).toEqual(expected);
	});

	it('is found through absolute paths and links inside the scope, and the links stay', async () => {
		const project = await tempProject({'real/a.txt': 'old'});
		await project.link('way', 'real');
		await project.link('chain', 'way/a.txt');
		await project.link('dangling', 'real/b.txt');
		for (const path of [project.path('way/a.txt'), 'chain', 'dangling'])
			expect(await put(project, path, path, {byHandle})).toBe('ok');
		expect(await tree(project.dir)).toEqual({
			'real/a.txt': 'chain',
			'real/b.txt': 'dangling',
			way: '-> real',
			chain: '-> way/a.txt',
			dangling: '-> real/b.txt',
		});
	});

	it('keeps its mode, or gets one from the umask when it is new', async () => {
		const project = await tempProject({'run.sh': 'old', 'own.txt': 'old'});
		await chmod(project.path('run.sh'), 0o755);
		await chmod(project.path('own.txt'), 0o600);
		for (const path of ['run.sh', 'own.txt', 'dir/new.txt']) await put(project, path, 'new', {byHandle});
		const mode = async (path: string) => (await stat(project.path(path))).mode & 0o777;
		expect([await mode('run.sh'), await mode('own.txt'), await mode('dir/new.txt'), await mode('dir')]).toEqual([
			0o755,
			0o600,
			0o666 & ~process.umask(),
			0o777 & ~process.umask(),
		]);
	});

	it('is replaced when it is a hard link, and its other names stay unchanged', async () => {
		const project = await tempProject({'../outside.txt': 'shared'});
		await link(project.path('../outside.txt'), project.path('a.txt'));
		expect(await put(project, 'a.txt', 'new', {byHandle})).toBe('ok');
		expect(await readFile(project.path('../outside.txt'), 'utf8')).toBe('shared');
		expect(await readFile(project.path('a.txt'), 'utf8')).toBe('new');
	});

	it('is refused without a trace for a path outside the scope or an invalid name', async () => {
		const project = await tempProject({
			'../outside/a.txt': 'theirs',
			'../project-x/a.txt': 'theirs',
			'in/a.txt': 'ours',
			'sub/': '',
		});
		await project.link('file', '../outside/a.txt');
		await project.link('dir', '../outside');
		await project.link('chain', 'dir');
		await project.link('dangling', '../outside/none.txt');
		await project.link('loop', 'pool');
		await project.link('pool', 'loop');
		await promisify(execFile)('mkfifo', [project.path('pipe')]);
		await project.link('to-pipe', 'pipe');
		const before = await tree(project.path('..'));
		const cases: ReadonlyArray<readonly [string, string]> = [
			['../x', 'out_of_scope'],
			['../outside/a.txt', 'out_of_scope'],
			['sub/../../x', 'out_of_scope'],
			[project.path('../outside/a.txt'), 'out_of_scope'],
			['../project-x/a.txt', 'out_of_scope'],
			['/etc/inkpod-test', 'out_of_scope'],
			['file', 'out_of_scope'],
			['dir/a.txt', 'out_of_scope'],
			['dir/none/none.txt', 'out_of_scope'],
			['chain/a.txt', 'out_of_scope'],
			['dangling', 'out_of_scope'],
			['/dev/zero', 'out_of_scope'],
			['/proc/self/environ', 'out_of_scope'],
			['loop', 'io'],
			['loop/a.txt', 'io'],
			['pipe', 'not_a_file'],
			['to-pipe', 'not_a_file'],
			['sub', 'is_directory'],
			['.', 'is_directory'],
			['sub/', 'is_directory'],
			['sub/none/', 'is_directory'],
			['in/a.txt/', 'is_directory'],
			['in/a.txt/b.txt', 'not_a_directory'],
			['a\0b', 'not_found'],
			['../a\0b', 'not_found'],
			['x'.repeat(5000), 'not_found'],
			['x'.repeat(256), 'not_found'],
			[`sub/new/${'x'.repeat(256)}/a.txt`, 'not_found'],
		];
		for (const [path, reason] of cases)
			expect([path, await put(project, path, 'new', {byHandle})]).toEqual([path, reason]);
		expect(await tree(project.path('..'))).toEqual(before);
	});

	it('is refused when it is a socket', async () => {
		const project = await tempProject();
		const server = createServer().listen(project.path('socket'));
		onTestFinished(() => void server.close());
		await new Promise(resolve => server.once('listening', resolve));
		expect(await put(project, 'socket', 'new', {byHandle})).toBe('not_a_file');
	});

	it('is refused as read-only before any other reason is checked', async () => {
		const project = await tempProject({'a.txt': 'old'});
		const scope = await scopeOf(project.dir, {writable: false});
		for (const path of ['a.txt', 'new/b.txt', '../x', '/etc/passwd', 'a\0b', '.'])
			expect(await put({scope}, path, 'new', {byHandle})).toBe('read_only');
		expect(await tree(project.dir)).toEqual({'a.txt': 'old'});
	});

	it('is refused in read-only roots and protected folders, inside and outside the working directory', async () => {
		const project = await tempProject({
			'../more/a.txt': 'theirs',
			'given/a.txt': 'theirs',
			'state/a.txt': 'theirs',
			'state-x/a.txt': 'ours',
		});
		const scope = await scopeOf(project.dir, {
			readRoots: [project.path('../more'), project.path('given'), project.path('..')],
		});
		const protectedFolders = [project.path('state'), project.path('none')];
		for (const path of [
			'../more/a.txt',
			'given/a.txt',
			'given/new.txt',
			'state/a.txt',
			'state/new/a.txt',
			'none/a.txt',
		])
			expect(await put({scope}, path, 'new', {byHandle, protectedFolders})).toBe('out_of_scope');
		expect(await put({scope}, 'state-x/a.txt', 'new', {byHandle, protectedFolders})).toBe('ok');
	});

	it('is not replaced when it changed after it was opened', async () => {
		const project = await tempProject({
			'a.txt': 'old',
			'b.txt': 'old',
			'c.txt': 'old',
			'dir/d.txt': 'old',
			'../outside/d.txt': 'theirs',
		});
		expect(
			await put(project, 'a.txt', 'new', {
				byHandle,
				between: async () => writeFile(project.path('a.txt'), 'theirs'),
			}),
		).toBe('changed');
		expect(
			await put(project, 'b.txt', 'new', {
				byHandle,
				between: async () => rename(project.path('b.txt'), project.path('z.txt')),
			}),
		).toMatch(/changed|io/);
		expect(
			await put(project, 'n.txt', 'new', {
				byHandle,
				between: async () => project.link('n.txt', '../outside/d.txt'),
			}),
		).toBe('changed');
		expect(
			await put(project, 'new/n.txt', 'new', {byHandle, between: async () => project.link('new', '../outside')}),
		).toMatch(/not_a_directory|io/);
		const swap = async () => {
			await rename(project.path('dir'), project.path('aside'));
			await project.link('dir', '../outside');
		};
		// The handle still reaches the directory after its move.
		expect(await put(project, 'dir/d.txt', 'new', {byHandle, between: swap})).toBe(
			byHandle ? 'changed' : 'out_of_scope',
		);
		expect(await tree(project.path('aside'))).toEqual({'d.txt': 'old'});
		expect(await tree(project.path('../outside'))).toEqual({'d.txt': 'theirs'});
		expect((await readdir(project.path('.'), {recursive: true})).filter(name => name.includes('.inkpod-'))).toEqual(
			[],
		);
	});

	it('is not written when its directory was moved out of the scope', async () => {
		const project = await tempProject({'dir/d.txt': 'old'});
		expect(
			await put(project, 'dir/d.txt', 'new', {
				byHandle,
				between: async () => rename(project.path('dir'), project.path('../moved')),
			}),
		).toMatch(/out_of_scope|io/);
		expect(await tree(project.path('../moved'))).toEqual({'d.txt': 'old'});
	});
});

it('openTarget returns the current bytes, or too_large over the limit', async () => {
	const project = await tempProject({'a.txt': 'old'});
	const target = await openTarget(project.scope, 'a.txt', {maxBytes: 3});
	if (!target.ok) throw new Error(target.reason);
	expect([target.real, target.present?.bytes.toString()]).toEqual([project.path('a.txt'), 'old']);
	await target.close();
	expect(await put(project, 'a.txt', 'new', {maxBytes: 2})).toBe('too_large');
	expect((await lstat(project.path('a.txt'))).size).toBe(3);
});

it.skipIf(process.getuid?.() === 0)(
	'openTarget fails with io for a file or folder without write permission',
	async () => {
		const project = await tempProject({'a.txt': 'old'});
		await chmod(project.path('a.txt'), 0o444);
		expect(await put(project, 'a.txt')).toBe('io');
		await mkdir(project.path('locked'), {mode: 0o555});
		expect(await put(project, 'locked/a.txt')).toBe('io');
		expect(await tree(project.dir)).toEqual({'a.txt': 'old'});
	},
);
