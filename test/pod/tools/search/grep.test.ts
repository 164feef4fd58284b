import {execFileSync} from 'node:child_process';
import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {searchBuiltin} from '../../../../src/pod/tools/search/grep-builtin.ts';
import type {SearchEngine} from '../../../../src/pod/tools/search/grep-search.ts';
import {findRipgrep} from '../../../../src/pod/tools/search/find-ripgrep.ts';
import {ripgrepEngine} from '../../../../src/pod/tools/search/find-ripgrep.ts';
import {scopeOf, tempProject} from '../../../helpers/temp-project.ts';
import {grep} from './run-grep.ts';

const nowhere = {pwd: '/nowhere', writable: false, readRoots: [], home: '/'};
const rg = findRipgrep(process.env['PATH'], nowhere);
const engines: ReadonlyArray<readonly [string, SearchEngine | undefined]> = [
	['built-in', searchBuiltin],
	['ripgrep', rg === undefined ? undefined : ripgrepEngine(rg)],
];

const files = {
	'.gitignore': 'dist/\n*.log\n',
	'.git/config': 'needle',
	'a.ts': 'const needle = 1;\nother\nneedle again\n',
	'b/c.ts': 'x\r\nneedle\r\ny\r\n',
	'b/d.md': '# Needle\n',
	'.hidden/e.ts': 'needle\n',
	'dist/f.js': 'needle\n',
	'g.log': 'needle\n',
	'h.bin': Uint8Array.of(0, 110, 101, 101, 100, 108, 101, 0),
	'.env': 'needle=1\n',
	'keys/id_rsa': 'needle\n',
	'.env.example': 'needle=\n',
};

describe.each(engines.filter((entry): entry is readonly [string, SearchEngine] => entry[1] !== undefined))(
	'%s',
	(_, engine) => {
		it('lists lines of text files in the order of paths, without ignored files and secrets', async () => {
			const project = await tempProject(files);
			expect(await grep(engine, project, {pattern: 'needle'})).toEqual({
				summary: '5 matches in 4 files (2 secret-looking files left out)',
				content: [
					'.env.example:1:needle=',
					'.hidden/e.ts:1:needle',
					'a.ts:1:const needle = 1;',
					'a.ts:3:needle again',
					'b/c.ts:2:needle',
					'[left out, because they look like secrets: .env, keys/id_rsa]',
				].join('\n'),
			});
		});
		it('lists only paths, or only counts', async () => {
			const project = await tempProject(files);
			expect(await grep(engine, project, {pattern: 'needle', glob: '*.ts', output: 'files'})).toEqual({
				summary: '3 files',
				content: '.hidden/e.ts\na.ts\nb/c.ts',
			});
			expect(await grep(engine, project, {pattern: 'needle', glob: '*.ts', output: 'count'})).toEqual({
				summary: '4 matches in 3 files',
				content: '.hidden/e.ts:1\na.ts:2\nb/c.ts:1',
			});
		});
		it('shows context in separate groups and no line twice', async () => {
			const project = await tempProject({'a.txt': '1\n2 x\n3\n4 x\n5\n6\n7\n8\n9 x\n', 'b.txt': 'x\nlast'});
			expect((await grep(engine, project, {pattern: 'x', context: 1})).content.split('\n')).toEqual([
				'a.txt-1-1',
				'a.txt:2:2 x',
				'a.txt-3-3',
				'a.txt:4:4 x',
				'a.txt-5-5',
				'--',
				'a.txt-8-8',
				'a.txt:9:9 x',
				'--',
				'b.txt:1:x',
				'b.txt-2-last',
			]);
		});
		it('lists up to the limit of matches with their context, and the number of all', async () => {
			const project = await tempProject({
				'a.txt': Array.from({length: 50}, (_, index) => `x ${index}`).join('\n'),
				'b.txt': 'x\n',
			});
			const {summary, content} = await grep(engine, project, {pattern: 'x', limit: 3, context: 1});
			expect(summary).toBe('3 of 51 matches in 2 files');
			expect(content.split('\n')).toEqual([
				'a.txt:1:x 0',
				'a.txt:2:x 1',
				'a.txt:3:x 2',
				'[...truncated, 3 of 51 matches in 2 files — narrow the pattern, path or glob, or raise limit]',
			]);
		});
		it('reports when nothing is found', async () => {
			const project = await tempProject({'a.ts': 'x'});
			expect(await grep(engine, project, {pattern: 'needle'})).toEqual({
				summary: 'no matches',
				content: 'No matches.',
			});
		});
		it('returns an error for a broken pattern, and never "no matches"', async () => {
			const project = await tempProject({'a.ts': 'x'});
			for (const pattern of ['(a', '[a', '*a', '(?=a)b', 'a\nb'])
				expect(await grep(engine, project, {pattern})).toMatchObject({isError: true});
		});
		it('accepts a pattern that looks like an option', async () => {
			const project = await tempProject({'a.ts': '--pre=touch\n'});
			expect((await grep(engine, project, {pattern: '--pre=touch'})).content).toBe('a.ts:1:--pre=touch');
		});
		it('searches one file, a folder, and an ignored folder that is named', async () => {
			const project = await tempProject(files);
			expect((await grep(engine, project, {pattern: 'needle', path: 'a.ts'})).summary).toBe(
				'2 matches in 1 file',
			);
			expect((await grep(engine, project, {pattern: 'needle', path: './b/'})).content).toBe('b/c.ts:2:needle');
			expect((await grep(engine, project, {pattern: 'needle', path: 'dist'})).content).toBe('dist/f.js:1:needle');
			expect((await grep(engine, project, {pattern: 'needle', path: '.env'})).content).toBe(
				'No matches.\n[left out, because they look like secrets: .env]',
			);
		});
		it('applies the ignore rules of pwd in a folder without a git root', async () => {
			const project = await tempProject({'.gitignore': '*.log\n', 'b/x.log': 'needle\n', 'b/y.ts': 'needle\n'});
			expect((await grep(engine, project, {pattern: 'needle', path: 'b'})).content).toBe('b/y.ts:1:needle');
		});
		it('ignores an ignored folder even if a glob names it', async () => {
			const project = await tempProject({
				'.gitignore': 'gen\n',
				'src/gen/a.ts': 'needle\n',
				'src/b.ts': 'needle\n',
			});
			expect((await grep(engine, project, {pattern: 'needle', glob: 'src/**'})).content).toBe(
				'src/b.ts:1:needle',
			);
			expect((await grep(engine, project, {pattern: 'needle', glob: '!*.ts'})).content).toBe('No matches.');
		});
		it('cuts a long line between characters', async () => {
			const project = await tempProject({'a.txt': `needle ${'👍é'.repeat(50_000)}\n`});
			const {content} = await grep(engine, project, {pattern: 'needle'});
			expect(content.isWellFormed()).toBe(true);
			expect(Array.from(content)).toHaveLength('a.txt:1:'.length + 501);
			expect(content.endsWith('…')).toBe(true);
		});
		it('returns whole rows and the true count when there are too many bytes', async () => {
			const project = await tempProject({'a.txt': 'needle 日本語\n'.repeat(1000)});
			const {content, summary} = await grep(
				engine,
				project,
				{pattern: 'needle', limit: 1000},
				{maxOutputBytes: 4096},
			);
			expect(Buffer.byteLength(content)).toBeLessThanOrEqual(4096);
			expect(summary).toMatch(/^\d+ of 1000 matches in 1 file$/);
		});
		it('counts a huge number of matches up to a limit', async () => {
			const project = await tempProject({'a.txt': 'x\n'.repeat(30_000)});
			expect((await grep(engine, project, {pattern: 'x', limit: 5})).summary).toMatch(
				/^5 of at least \d+ matches in 1 file$/,
			);
		});
		it('names only the right file when names have newlines, colons and other tricks', async () => {
			const project = await tempProject({'a:1:b.ts': 'needle\n', 'c\nd.ts': 'needle\n'});
			expect((await grep(engine, project, {pattern: 'needle'})).content.split('\n')).toEqual([
				'a:1:b.ts:1:needle',
				String.raw`c\nd.ts:1:needle`,
			]);
		});
		it('recognises a folder of secrets by its path when it is the working directory', async () => {
			const project = await tempProject({
				'.kube/config': 'needle\n',
				'.kube/other': 'needle\n',
				'.gnupg/private.kbx': 'needle\n',
			});
			const [kube, gnupg] = await Promise.all([scopeOf(project.path('.kube')), scopeOf(project.path('.gnupg'))]);
			expect((await grep(engine, {scope: kube}, {pattern: 'needle'})).content).toBe(
				'other:1:needle\n[left out, because they look like secrets: config]',
			);
			expect((await grep(engine, {scope: gnupg}, {pattern: 'needle'})).content).toBe(
				'No matches.\n[left out, because they look like secrets: private.kbx]',
			);
		});
		it('names the secrets among the counted matches', async () => {
			const project = await tempProject({'a.pem': '', 'b.txt': 'x\n'.repeat(30_000), 'c.pem': ''});
			expect((await grep(engine, project, {pattern: 'x', limit: 1})).content).toContain(
				'look like secrets: a.pem]',
			);
		});
		it('neither follows nor reads links that leave the scope', async () => {
			const project = await tempProject({'../outside/a.ts': 'needle\n', 'b.ts': 'x\n'});
			await project.link('out', '../outside');
			await project.link('c.ts', '../outside/a.ts');
			await project.link('loop', '.');
			expect((await grep(engine, project, {pattern: 'needle'})).content).toBe('No matches.');
		});
		it.each(['..', '../project-x', '/etc', 'out', 'file.txt'])(
			'refuses the path %s, which leads out of the scope',
			async path => {
				const project = await tempProject({'../project-x/a.ts': 'needle\n', '../x.txt': 'needle\n'});
				await project.link('out', '/etc');
				await project.link('file.txt', '../x.txt');
				expect(await grep(engine, project, {pattern: 'needle', path})).toMatchObject({
					isError: true,
					content: expect.stringContaining('outside'),
				});
			},
		);
		it('never opens a FIFO, whether the call names it or the search finds it', async () => {
			const project = await tempProject({'a.ts': 'needle\n'});
			execFileSync('mkfifo', [project.path('pipe')]);
			expect(await grep(engine, project, {pattern: 'needle', path: 'pipe'})).toMatchObject({
				isError: true,
				content: expect.stringContaining('a FIFO'),
			});
			expect((await grep(engine, project, {pattern: 'needle'})).content).toBe('a.ts:1:needle');
		});
		it('searches UTF-16 and files with a BOM, and the last line without a newline', async () => {
			const project = await tempProject({
				'a.txt': Buffer.from('\uFEFFneedle\n', 'utf16le'),
				'b.txt': '\uFEFFneedle',
				'c.txt': 'x\nneedle',
			});
			expect((await grep(engine, project, {pattern: '^needle$'})).content).toBe(
				'a.txt:1:needle\nb.txt:1:needle\nc.txt:2:needle',
			);
		});
		it('lists absolute paths for another root', async () => {
			const project = await tempProject({'../extra/b.ts': 'needle\n'});
			const scope = await scopeOf(project.dir, {readRoots: [project.path('../extra')]});
			expect(
				(await grep(engine, {scope}, {pattern: 'needle', path: scope.readRoots[0], glob: '*.ts'})).content,
			).toBe(`${scope.readRoots[0]}/b.ts:1:needle`);
		});
		it('throws when it is aborted during the search', async () => {
			const project = await tempProject(
				Object.fromEntries(
					Array.from({length: 300}, (_, index) => [`d${index % 20}/${index}.txt`, 'needle\n'.repeat(200)]),
				),
			);
			const abort = new AbortController();
			const running = grep(engine, project, {pattern: 'needle'}, {signal: abort.signal});
			setImmediate(() => abort.abort());
			await expect(running).rejects.toThrow('abort');
		});
	},
);

it('the built-in search stops a pattern that backtracks without end, and reports it', async () => {
	const project = await tempProject({'a.txt': `${'a'.repeat(60)}!\n`});
	const [begun, before] = [performance.now(), process.threadCpuUsage()];
	const output = await grep(searchBuiltin, project, {pattern: '^(a+)+$'});
	expect(output).toMatchObject({isError: true, content: expect.stringContaining('takes too long on a.txt')});
	// This thread does not search.
	const {user, system} = process.threadCpuUsage(before);
	expect((user + system) / 1000).toBeLessThan((performance.now() - begun) / 2);
});

const seed = 20_260_101;
const letter = fc.constantFrom('a', 'b', 'é', '日', '👍', ' ', '.', '-', 'TODO', '\t');
const line = fc.array(letter, {maxLength: 8}).map(parts => parts.join(''));
const body = fc
	.array(line, {maxLength: 6})
	.chain(lines =>
		fc.constantFrom('\n', '\r\n').chain(end => fc.boolean().map(last => lines.join(end) + (last ? end : ''))),
	);
const name = fc.constantFrom(
	'a.ts',
	'b.md',
	'src/a.ts',
	'src/b/c.ts',
	'src/b.log',
	'out/x.ts',
	'z-1.ts',
	'z/1.ts',
	'.dot/d.ts',
	'.env',
	'A.ts',
);
const rules = fc
	.subarray(['out', '*.log', '!src/b.log', 'src/*', '!src/b', '/a.ts', '**/c.ts', 'z/'])
	.map(chosen => `${chosen.join('\n')}\n`);
const query = fc.record({
	pattern: fc.constantFrom(
		'a',
		'^a',
		'b$',
		'^$',
		'.',
		String.raw`\w`,
		String.raw`\bTODO\b`,
		'TODO|日',
		'[aé]+',
		String.raw`\.`,
		'a.b',
		'👍',
		String.raw`^\s`,
		'(?i)todo',
		'[^a]',
		String.raw`\W`,
	),
	output: fc.constantFrom('content', 'files', 'count'),
	context: fc.constantFrom(0, 1, 2),
	glob: fc.constantFrom(undefined, '*.ts', 'src/**', '!*.md', '*.{md,log}', '/a.ts'),
	path: fc.constantFrom(undefined, 'src', 'out', '.'),
	limit: fc.constantFrom(200, 2),
});

it.skipIf(rg === undefined)(
	`both engines give the same answer in random projects (needs rg; seed ${seed})`,
	async () => {
		const engine = ripgrepEngine(rg!);
		const property = fc.asyncProperty(
			fc.dictionary(name, body),
			rules,
			fc.boolean(),
			fc.array(query, {minLength: 1, maxLength: 4}),
			async (contents, gitignore, inGit, queries) => {
				const project = await tempProject({
					...contents,
					'.gitignore': gitignore,
					'src/': '',
					'out/': '',
					...(inGit ? {'.git/': ''} : {}),
				});
				for (const args of queries) {
					const [first, second] = await Promise.all([
						grep(searchBuiltin, project, args),
						grep(engine, project, args),
					]);
					expect({args, output: second}).toEqual({args, output: first});
				}
			},
		);
		await fc.assert(property, {seed, numRuns: process.env['INKPOD_TEST'] === 'long' ? 1000 : 25});
	},
);

it('the built-in search names a file that is too large for it, beside the matches', async () => {
	const project = await tempProject({'small.txt': 'x\n', 'huge.txt': 'y\n'.repeat(5 * 1024 * 1024)});
	const {summary} = await grep(searchBuiltin, project, {pattern: 'z'});
	expect(summary).toBe('no matches (1 file larger than 8 MiB was not searched)');
});
