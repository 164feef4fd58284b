import {execFileSync} from 'node:child_process';
import {expect, it} from 'vitest';
import {globLimit, globTool} from '../../../../src/pod/tools/search/glob.ts';
import type {ToolOutput} from '../../../../src/worker/index.ts';
import {scopeOf, tempProject, type TempProject} from '../../../helpers/temp-project.ts';
import {runTool} from '../run-tool.ts';

async function glob(project: TempProject, args: unknown, maxOutputBytes = 51_200): Promise<ToolOutput> {
	return runTool(globTool({scope: project.scope, maxOutputBytes}), args);
}

async function paths(project: TempProject, args: unknown): Promise<readonly string[]> {
	const {content, isError} = await glob(project, args);
	if (isError) throw new Error(content);
	return content.split('\n');
}

it('glob lists the matches of a pattern in the order of their segments', async () => {
	const project = await tempProject({
		'a.ts': '',
		'a/z.ts': '',
		'a/b/c.ts': '',
		'b.tsx': '',
		'README.md': '',
		'.hidden/x.ts': '',
	});
	expect(await paths(project, {pattern: '*.{ts,tsx}'})).toEqual([
		'.hidden/x.ts',
		'a/b/c.ts',
		'a/z.ts',
		'a.ts',
		'b.tsx',
	]);
	expect(await paths(project, {pattern: 'a/**'})).toEqual(['a/b/c.ts', 'a/z.ts']);
	expect(await paths(project, {pattern: '*.ts', path: 'a'})).toEqual(['a/b/c.ts', 'a/z.ts']);
	expect(await paths(project, {pattern: `${project.dir}/a/*.ts`})).toEqual(['a/z.ts']);
});

it('glob reports when nothing matches', async () => {
	const project = await tempProject({'a.ts': ''});
	expect(await glob(project, {pattern: '*.py'})).toEqual({summary: 'no files', content: 'No files match *.py.'});
});

it('glob applies .gitignore files at several depths and never lists .git', async () => {
	const project = await tempProject({
		'.git/config': '',
		'.gitignore': 'dist/\n*.log\n/only-root.txt\n',
		'dist/a.js': '',
		'only-root.txt': '',
		'sub/only-root.txt': '',
		'x.log': '',
		'sub/.gitignore': '!keep.log\ntemp\n',
		'sub/keep.log': '',
		'sub/other.log': '',
		'sub/temp/a.ts': '',
		'sub/deep/temp': '',
		'sub/Temp/a.ts': '',
		'nested/.git/HEAD': '',
		'nested/y.log': '',
	});
	expect(await paths(project, {pattern: '**'})).toEqual([
		'.gitignore',
		'nested/y.log',
		'sub/.gitignore',
		'sub/Temp/a.ts',
		'sub/keep.log',
		'sub/only-root.txt',
	]);
});

it('glob applies the ignore rules above a scope that is below the git root', async () => {
	const project = await tempProject({'.git/HEAD': '', '.gitignore': '*.log\n', 'sub/a.log': '', 'sub/a.ts': ''});
	const scope = await scopeOf(project.path('sub'));
	expect((await runTool(globTool({scope, maxOutputBytes: 1e4}), {pattern: '*'})).content).toBe('a.ts');
});

it('glob lists an ignored folder that the call names', async () => {
	const project = await tempProject({
		'.gitignore': 'node_modules\n',
		'node_modules/p/index.js': '',
		'node_modules/p/x.ts': '',
	});
	expect(await paths(project, {pattern: '*.js', path: 'node_modules/p'})).toEqual(['node_modules/p/index.js']);
});

it('glob ignores a .gitignore that is a FIFO or a link, without waiting', async () => {
	const project = await tempProject({'a.ts': '', 'sub/b.ts': '', '../rules': '*.ts'});
	execFileSync('mkfifo', [project.path('.gitignore')]);
	await project.link('sub/.gitignore', '../../rules');
	expect(await paths(project, {pattern: '*.ts'})).toEqual(['a.ts', 'sub/b.ts']);
});

it('glob neither lists nor follows links', async () => {
	const project = await tempProject({'../outside/secret.ts': '', 'a.ts': ''});
	await project.link('out', '../outside');
	await project.link('loop', '.');
	await project.link('b.ts', 'a.ts');
	expect(await paths(project, {pattern: '**'})).toEqual(['a.ts']);
});

it('glob lists absolute paths for a folder of another root', async () => {
	const project = await tempProject({'a.ts': '', '../extra/b.ts': ''});
	const scope = await scopeOf(project.dir, {readRoots: [project.path('../extra')]});
	const {content} = await runTool(globTool({scope, maxOutputBytes: 1e4}), {
		pattern: '*.ts',
		path: scope.readRoots[0],
	});
	expect(content).toBe(`${scope.readRoots[0]}/b.ts`);
});

it.each([
	['../', 'outside'],
	['../project-x', 'outside'],
	['/etc', 'outside'],
	['out', 'outside'],
	['none', 'no such'],
	['a.ts', 'not a directory'],
	['pipe', 'a FIFO'],
])('glob returns an error for the path %s', async (path, reason) => {
	const project = await tempProject({'a.ts': '', '../project-x/b.ts': ''});
	await project.link('out', '/etc');
	execFileSync('mkfifo', [project.path('pipe')]);
	const output = await glob(project, {pattern: '**', path});
	expect(output.isError).toBe(true);
	expect(output.content).toContain(reason);
});

it('glob lists the first files and the number of all when there are too many', async () => {
	const count = globLimit + 50;
	const project = await tempProject(
		Object.fromEntries(Array.from({length: count}, (_, index) => [`d/${String(index).padStart(4, '0')}.ts`, ''])),
	);
	const {summary, content} = await glob(project, {pattern: '*.ts'});
	expect(summary).toBe(`${globLimit} of ${count} files`);
	expect(content.split('\n')).toHaveLength(globLimit + 1);
	expect(content).toContain(`[...truncated, ${globLimit} of ${count} files`);
	const small = await glob(project, {pattern: '*.ts'}, 1024);
	expect(Buffer.byteLength(small.content)).toBeLessThanOrEqual(1024);
	expect(small.summary).toMatch(new RegExp(`^\\d+ of ${count} files$`));
});

it('glob counts the files of each folder below the common one when there are too many', async () => {
	const names = (folder: string, count: number) =>
		Array.from({length: count}, (_, index) => [`d/${folder}${String(index).padStart(4, '0')}.ts`, ''] as const);
	const files = [...names('a/x/', globLimit), ...names('b/', 20), ...names('c\n]/', 1), ...names('', 2)];
	const project = await tempProject(Object.fromEntries(files));
	const {content} = await glob(project, {pattern: '**/*.ts'});
	expect(content.split('\n').slice(globLimit)).toEqual([
		expect.stringMatching(/^\[\.\.\.truncated, 300 of 323 files/),
		'[d/a/: 300 files]',
		'[d/b/: 20 files]',
		String.raw`[d/c\n]/: 1 file]`,
	]);
	expect((await glob(project, {pattern: 'd/b/*.ts'})).content).not.toContain('[');
});

it('glob puts a name with a newline on one line', async () => {
	const project = await tempProject({'a\nb.ts': ''});
	expect(await paths(project, {pattern: '*.ts'})).toEqual([String.raw`a\nb.ts`]);
});

it('glob throws when the call is aborted', async () => {
	const project = await tempProject({'a.ts': ''});
	await expect(
		runTool(globTool({scope: project.scope, maxOutputBytes: 1e4}), {pattern: '**'}, AbortSignal.abort()),
	).rejects.toThrow('abort');
});

it('glob refuses a broken pattern with a sentence', async () => {
	expect(await glob(await tempProject(), {pattern: '{a'})).toMatchObject({
		isError: true,
		content: 'The glob has a { without its }: {a',
	});
});
