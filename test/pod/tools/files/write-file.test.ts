import {execFile} from 'node:child_process';
import {chmod, link, readdir, readFile, stat, symlink} from 'node:fs/promises';
import {promisify} from 'node:util';
import {describe, expect, it} from 'vitest';
import {shownResult} from '../../../../src/pod/protocol.ts';
import {createChanges} from '../../../../src/pod/tools/files/changes.ts';
import {writeFileTool} from '../../../../src/pod/tools/files/write-file.ts';
import {scopeOf, tempProject} from '../../../helpers/temp-project.ts';
import {fileTools, sha256} from './file-tools.ts';
import {runTool} from '../run-tool.ts';

const write = (path: string, content: string) => ['write_file', {path, content}] as const;
const lines = Array.from({length: 30}, (_, index) => `line ${index + 1}\n`).join('');

describe('a new file', () => {
	it('is written with its folders, and the details have its beginning', async () => {
		const project = await tempProject();
		const tools = fileTools(project);
		expect(await tools.call(...write('src/new/a.ts', 'x\ny\n'))).toEqual({
			summary: 'new file, 2 lines',
			content: 'new file, 2 lines',
			details: {
				changed: [{path: 'src/new/a.ts', real: project.path('src/new/a.ts'), after: sha256('x\ny\n')}],
				diff: '--- /dev/null\n+++ src/new/a.ts\n@@ -0,0 +1,2 @@\n+x\n+y',
			},
		});
		expect(await readFile(project.path('src/new/a.ts'), 'utf8')).toBe('x\ny\n');
		expect(await readdir(project.path('..'))).not.toContain('sessions');
	});
	it('is complete on disk and in the preview when it is long', async () => {
		const project = await tempProject();
		const tools = fileTools(project);
		const content = 'a line\n'.repeat(5000);
		expect((await tools.preview(...write('a.txt', content))).detail.match(/^\+a line$/gm)).toHaveLength(5000);
		const output = await tools.call(...write('a.txt', content));
		expect(Buffer.byteLength(shownResult(output))).toBeLessThan(4200);
		expect(shownResult(output)).toContain('more lines of the diff]');
		expect((await stat(project.path('a.txt'))).size).toBe(35_000);
	});
	it('is written when it is empty', async () => {
		const project = await tempProject();
		expect(await fileTools(project).call(...write('a.txt', ''))).toMatchObject({
			summary: 'new file, 0 lines',
			content: 'new file, 0 lines',
		});
		expect((await stat(project.path('a.txt'))).size).toBe(0);
	});
	it('can be edited and overwritten without a read', async () => {
		const project = await tempProject();
		const tools = fileTools(project);
		await tools.call(...write('a.txt', 'x\n'));
		await tools.call('edit_file', {path: 'a.txt', edits: [{old: 'x', new: 'y'}]});
		expect((await tools.call(...write('a.txt', 'z\n'))).summary).toBe('overwritten, 1 line');
		expect(await tools.kept('y\n')).toBe('y\n');
	});
	it('is written twice and edited in the order of the calls in one batch', async () => {
		const project = await tempProject();
		const outputs = await fileTools(project).batch(
			write('a.txt', '1\n'),
			write('a.txt', '2\n'),
			['edit_file', {path: 'a.txt', edits: [{old: '2', new: '3'}]}],
			write('a.txt', '4\n'),
		);
		expect(outputs.map(({summary}) => summary)).toEqual([
			'new file, 1 line',
			'overwritten, 1 line',
			'1 edit',
			'overwritten, 1 line',
		]);
		expect(await readFile(project.path('a.txt'), 'utf8')).toBe('4\n');
	});
});

describe('a file that exists', () => {
	it.each<[string, (tools: ReturnType<typeof fileTools>) => unknown, string | undefined]>([
		['not read', () => {}, 'read the file with read_file before you change it (not_read).'],
		['read whole', async tools => tools.call('read_file', {path: 'a.txt'}), undefined],
		[
			'read in part',
			async tools => tools.call('read_file', {path: 'a.txt', limit: 29}),
			'(not_read). Read the rest',
		],
		[
			'read in parts that are the whole',
			async tools =>
				tools.batch(['read_file', {path: 'a.txt', offset: 11}], ['read_file', {path: 'a.txt', limit: 12}]),
			undefined,
		],
		[
			'read in parts with a gap',
			async tools =>
				tools.batch(['read_file', {path: 'a.txt', offset: 14}], ['read_file', {path: 'a.txt', limit: 12}]),
			'Read the rest',
		],
		['attached whole', tools => tools.attach('a.txt', lines), undefined],
		['attached and cut', tools => tools.attach('a.txt', lines, {truncated: true, lines: 30}), 'Read the rest'],
		[
			'attached in parts that are the whole',
			tools => {
				tools.attach('a.txt', lines, {range: {first: 1, last: 15}, lines: 15});
				tools.attach('a.txt', lines, {range: {first: 16}, lines: 15});
			},
			undefined,
		],
		[
			'attached and cut, and the rest read',
			async tools => {
				tools.attach('a.txt', lines, {truncated: true, lines: 20});
				await tools.call('read_file', {path: 'a.txt', offset: 20});
			},
			undefined,
		],
		[
			'edited after a part was read',
			async tools => {
				await tools.call('read_file', {path: 'a.txt', limit: 3});
				await tools.call('edit_file', {path: 'a.txt', edits: [{old: 'line 30', new: 'end'}]});
			},
			'Read the rest',
		],
		['attached in an earlier version', tools => tools.attach('a.txt', 'older\n'), '(changed). Read it again.'],
	])('is handled by its state: %s', async (_, before, refused) => {
		const project = await tempProject({'a.txt': lines});
		const tools = fileTools(project);
		await before(tools);
		const there = await readFile(project.path('a.txt'), 'utf8');
		const output = await tools.call(...write('a.txt', 'new\n'));
		expect(output).toMatchObject(
			refused === undefined
				? {summary: 'overwritten, 1 line'}
				: {isError: true, content: expect.stringContaining(refused)},
		);
		expect(await readFile(project.path('a.txt'), 'utf8')).toBe(refused === undefined ? 'new\n' : there);
	});
	it('keeps its mode, its CRLF and its byte order mark', async () => {
		const project = await tempProject({'a.sh': '\uFEFFone\r\ntwo\r\n'});
		await chmod(project.path('a.sh'), 0o755);
		const tools = fileTools(project);
		await tools.call('read_file', {path: 'a.sh'});
		const output = await tools.call(...write('a.sh', 'one\n2\n'));
		expect(shownResult(output)).toBe('--- a.sh\n+++ a.sh\n@@ -1,2 +1,2 @@\n one\n-two\n+2');
		expect(await readFile(project.path('a.sh'), 'utf8')).toBe('\uFEFFone\r\n2\r\n');
		expect((await stat(project.path('a.sh'))).mode & 0o777).toBe(0o755);
	});
	it('gets the line endings of the model, and the diff shows them', async () => {
		const project = await tempProject({'a.txt': 'one\ntwo\n'});
		const tools = fileTools(project);
		await tools.call('read_file', {path: 'a.txt'});
		expect(shownResult(await tools.call(...write('a.txt', 'one\r\ntwo\r\n')))).toContain(
			'-one\n-two\n+one\r\n+two\r',
		);
		expect(await readFile(project.path('a.txt'), 'utf8')).toBe('one\r\ntwo\r\n');
	});
	it('is written with a note when its old contents are too large to save', async () => {
		const project = await tempProject({'a.txt': `${'x'.repeat(1023)}\n`.repeat(16 * 1024 + 1)});
		const tools = fileTools(project);
		tools.attach('a.txt', await readFile(project.path('a.txt')));
		expect((await tools.call(...write('a.txt', 'small\n'))).content).toMatch(
			/\[the earlier contents were not saved: it is larger than 16 MiB\]$/,
		);
		expect((await stat(project.path('a.txt'))).size).toBe(6);
	});
	it('is written with a note when the place for its backup is occupied', async () => {
		const project = await tempProject({'a.txt': 'x\n', '../sessions': 'a file'});
		const tools = fileTools(project);
		tools.attach('a.txt', 'x\n');
		expect((await tools.call(...write('a.txt', 'y\n'))).content).toContain(
			'[the earlier contents were not saved: ',
		);
	});
});

describe('a refused write', () => {
	it('has a reason and changes nothing: outside paths, special files, invalid names', async () => {
		const project = await tempProject({
			'../outside/a.txt': 'theirs',
			'../project-x/a.txt': 'theirs',
			'../home/.config/inkpod/config.toml': '',
		});
		await project.link('file', '../outside/a.txt');
		await project.link('dir', '../outside');
		await project.link('chain', 'dir');
		await project.link('loop', 'loop');
		await promisify(execFile)('mkfifo', [project.path('pipe')]);
		await project.write('in.txt', 'ours');
		await link(project.path('in.txt'), project.path('../outside/hard.txt'));
		const tools = fileTools(project);
		const before = await readdir(project.path('..'), {recursive: true});
		const cases: ReadonlyArray<readonly [string, string]> = [
			['../x', 'out_of_scope'],
			['../outside/a.txt', 'out_of_scope'],
			[project.path('../outside/new.txt'), 'out_of_scope'],
			['../project-x/a.txt', 'out_of_scope'],
			['file', 'out_of_scope'],
			['dir/a.txt', 'out_of_scope'],
			['dir/new/b.txt', 'out_of_scope'],
			['chain/a.txt', 'out_of_scope'],
			['/dev/zero', 'out_of_scope'],
			['/proc/self/environ', 'out_of_scope'],
			['loop', 'io'],
			['pipe', 'not_a_file'],
			['a\0b', 'not_found'],
			['x'.repeat(5000), 'not_found'],
			['in.txt', 'not_read'],
		];
		for (const [path, reason] of cases) {
			expect(await tools.call(...write(path, 'new'))).toMatchObject({
				isError: true,
				content: expect.stringContaining(`(${reason}`),
			});
			expect(await tools.call('edit_file', {path, edits: [{old: 'theirs', new: 'ours'}]})).toMatchObject({
				isError: true,
				content: expect.stringContaining(`(${reason}`),
			});
		}
		expect(await readdir(project.path('..'), {recursive: true})).toEqual(before);
		expect(await readFile(project.path('../outside/a.txt'), 'utf8')).toBe('theirs');
	});
	it('does not confuse names that look the same', async () => {
		const project = await tempProject({'\u00E9.txt': 'x\n'});
		const tools = fileTools(project);
		await tools.call('read_file', {path: '\u00E9.txt'});
		await tools.call(...write('e\u0301.txt', 'y\n'));
		expect(await readFile(project.path('\u00E9.txt'), 'utf8')).toBe('x\n');
	});
	it('has the reason read_only first in a read-only scope, and creates no folder', async () => {
		const project = await tempProject({'a.txt': 'x\n'});
		const tools = fileTools(project, {scope: await scopeOf(project.dir, {writable: false})});
		for (const path of ['a.txt', 'new/deep/b.txt', '../x', '/etc/passwd', 'a\0b', 'none.txt']) {
			for (const [name, args] of [
				write(path, 'y'),
				['edit_file', {path, edits: [{old: 'x', new: 'y'}]}] as const,
			])
				expect((await tools.call(name, args)).content).toContain(
					'the working directory is read-only (read_only).',
				);
		}
		expect(await readdir(project.dir)).toEqual(['a.txt']);
	});
	it('protects inkpod’s own files inside the scope', async () => {
		const project = await tempProject({'.local/state/inkpod/trust/x.json': '{}', '.config/inkpod/config.toml': ''});
		const tools = fileTools(project, {env: {HOME: project.dir}});
		for (const path of [
			'.local/state/inkpod/trust/y.json',
			'.config/inkpod/config.toml',
			'.config/inkpod/workflows/x.md',
		])
			expect((await tools.call(...write(path, 'x'))).content).toContain('(out_of_scope)');
	});
	it('protects what a link in inkpod’s own configuration leads to', async () => {
		const project = await tempProject({'../home/.config/inkpod/x': '', 'dot/config.toml': 'old', 'dot/other': ''});
		await symlink(project.path('dot/config.toml'), project.path('../home/.config/inkpod/config.toml'));
		await symlink(project.path('dot/new'), project.path('../home/.config/inkpod/mcp.json'));
		const tools = fileTools(project, {env: {HOME: project.path('../home')}});
		for (const path of ['dot/config.toml', 'dot/new'])
			expect((await tools.call(...write(path, 'x'))).content).toContain('(out_of_scope)');
		expect(await readFile(project.path('dot/config.toml'), 'utf8')).toBe('old');
		expect((await tools.call(...write('dot/fresh', 'x'))).isError).not.toBe(true);
	});
	it('restarts the call when its folder becomes a git directory during the write', async () => {
		const project = await tempProject({'a.txt': 'old'});
		let isRunLater = false;
		const look = async () => {
			isRunLater ||= (await readdir(project.dir)).some(name => name.endsWith('.tmp'));
			return isRunLater;
		};
		const changes = createChanges({
			scope: project.scope,
			items: () => [],
			sessionDir: project.path('../s'),
			apart: [],
			isRunLater: look,
		});
		expect(await runTool(writeFileTool(changes), {path: 'b.txt', content: 'x'})).toMatchObject({summary: 'moved'});
		expect(await readdir(project.dir)).toEqual(['a.txt']);
	});
	it('leaves the file alone when the call is stopped before its turn', async () => {
		const project = await tempProject();
		const changes = createChanges({
			scope: project.scope,
			items: () => [],
			sessionDir: project.path('../s'),
			apart: [],
			isRunLater: async () => false,
		});
		const stop = new AbortController();
		const tool = writeFileTool(changes);
		const made = ['a.txt', 'b.txt'].map(async path => runTool(tool, {path, content: 'x'}, stop.signal));
		stop.abort();
		expect((await Promise.allSettled(made)).map(({status}) => status)).toEqual(['rejected', 'rejected']);
		expect(await readdir(project.dir)).toEqual([]);
	});
});
