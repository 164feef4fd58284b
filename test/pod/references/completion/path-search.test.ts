import {execFileSync} from 'node:child_process';
import {rm, writeFile} from 'node:fs/promises';
import {createServer} from 'node:net';
import {join} from 'node:path';
import {describe, expect, onTestFinished, it} from 'vitest';
import {scopeOf, tempProject} from '../../../helpers/temp-project.ts';
import {marked, searchPaths} from './search-paths.ts';

describe('an empty query', () => {
	it('lists the working directory: folders first, then files, hidden entries, ignored entries', async () => {
		const project = await tempProject({
			'.gitignore': 'out/\n*.log\n',
			'.git/HEAD': '',
			'src/a.ts': '',
			'b.ts': '',
			'a.md': '',
			'.github/x': '',
			'out/x': '',
			'z.log': '',
			'docs/': '',
		});
		const {matches} = await searchPaths(project.scope)('');
		expect(matches.map(match => match.type === 'path' && [match.path, match.directory, match.ignored])).toEqual([
			['docs/', true, false],
			['src/', true, false],
			['.github/', true, false],
			['a.md', false, false],
			['b.ts', false, false],
			['.gitignore', false, false],
			['out/', true, true],
			['z.log', false, true],
		]);
	});

	it('has no match and no note in an empty folder', async () => {
		const project = await tempProject();
		expect(await searchPaths(project.scope)('')).toEqual({matches: [], indexing: false});
	});
});

describe('a query of letters', () => {
	it('ranks the exact name before prefix, word, substring, folder and scattered letters', async () => {
		const project = await tempProject({
			'a/pod.ts': '',
			'a/podium.ts': '',
			'a/my-pod-list.ts': '',
			'a/tripod.ts': '',
			'pod-x/zebra.ts': '',
			'p-o-d-x/q.ts': '',
			'a/parts-of-day.ts': '',
			'a/none.ts': '',
		});
		expect(await searchPaths(project.scope).paths('pod')).toEqual([
			'a/pod.ts',
			'pod-x/',
			'a/podium.ts',
			'a/my-pod-list.ts',
			'a/tripod.ts',
			'pod-x/zebra.ts',
			'p-o-d-x/',
			'a/parts-of-day.ts',
			'p-o-d-x/q.ts',
		]);
	});

	it('ignores case, except that a capital matches the start of a word', async () => {
		const project = await tempProject({'a/xTreeWalk.ts': '', 'a/subtreewalk.ts': ''});
		expect(await searchPaths(project.scope).paths('TREE')).toEqual(['a/xTreeWalk.ts', 'a/subtreewalk.ts']);
	});

	it('finds no start of a word where the letters of the key are in other places than in the path', async () => {
		const project = await tempProject({İxAaBcd: '', xxabc: ''});
		expect(await searchPaths(project.scope).paths('abc')).toEqual(['xxabc', 'İxAaBcd']);
	});

	it('matches the name after a slash', async () => {
		const project = await tempProject({
			'src/pod/completion/x.ts': '',
			'src/podcast/cow.ts': '',
			'other/pod/co.ts': '',
		});
		const paths = searchPaths(project.scope).paths;
		expect(await paths('pod/co')).toEqual([
			'other/pod/co.ts',
			'src/pod/completion/',
			'src/pod/completion/x.ts',
			'src/podcast/cow.ts',
		]);
		expect((await paths('sr/comp'))[0]).toBe('src/pod/completion/');
		expect(await paths('pod/completion/')).toEqual(['src/pod/completion/']);
	});

	it('marks the matched code units', async () => {
		const project = await tempProject({
			'src/my-Pod.ts': '',
			'src/naïve-Ärger.ts': '',
			'src/한국어.ts': '',
			'🙂/pod.ts': '',
		});
		const ask = searchPaths(project.scope);
		expect(marked(await ask('pod'))).toEqual(['🙂/[pod].ts', 'src/my-[Pod].ts']);
		expect(marked(await ask('mypod'))).toEqual(['src/[my]-[Pod].ts']);
		expect(marked(await ask('arger'))).toEqual(['src/naïve-[Ärger].ts']);
		expect(marked(await ask('ÄRG'))).toEqual(['src/naïve-[Ärg]er.ts']);
		expect(marked(await ask('한국'))).toEqual(['src/[한국]어.ts']);
		expect(marked(await ask('src/my'))).toEqual(['src/[my]-Pod.ts']);
	});

	it('finds a name in another Unicode normalization', async () => {
		const project = await tempProject({['a/cafe\u0301.md']: '', ['b/caf\u00e9.md']: ''});
		expect([...(await searchPaths(project.scope).paths('caf\u00e9'))].toSorted()).toEqual([
			'a/cafe\u0301.md',
			'b/caf\u00e9.md',
		]);
		expect(await searchPaths(project.scope).paths('cafe\u0301.')).toHaveLength(2);
	});

	it('returns at most the limit, and nothing for 0', async () => {
		const project = await tempProject(
			Object.fromEntries(Array.from({length: 30}, (_, index) => [`d/file-${index}.ts`, ''])),
		);
		expect(await searchPaths(project.scope).paths('file', 7)).toHaveLength(7);
		expect(await searchPaths(project.scope).paths('d/', 7)).toHaveLength(7);
		expect(await searchPaths(project.scope).paths('', 0)).toEqual([]);
	});

	it('puts ignored files last and marks them', async () => {
		const project = await tempProject({
			'.gitignore': 'node_modules\nconfig.local.ts\n',
			'config.local.ts': '',
			'node_modules/config/config.ts': '',
			'src/my-config-file.ts': '',
			'src/c-o-n-f-i-g': '',
		});
		const {matches} = await searchPaths(project.scope)('config');
		expect(matches.map(match => match.type === 'path' && [match.path, match.ignored])).toEqual([
			['src/my-config-file.ts', false],
			['src/c-o-n-f-i-g', false],
			['config.local.ts', true],
			['node_modules/config/', true],
			['node_modules/config/config.ts', true],
		]);
	});
});

describe('a query with a folder', () => {
	it('lists the direct entries after a slash', async () => {
		const project = await tempProject({
			'src/pod/a.ts': '',
			'src/b.ts': '',
			'src/deep/er/c.ts': '',
			'src2/x.ts': '',
		});
		const paths = searchPaths(project.scope).paths;
		expect(await paths('src/')).toEqual(['src/deep/', 'src/pod/', 'src/b.ts']);
		expect(await paths('src//pod/')).toEqual(['src/pod/a.ts']);
		expect(await paths('./src/')).toEqual(['./src/deep/', './src/pod/', './src/b.ts']);
		expect(await paths('src/../src2/')).toEqual(['src/../src2/x.ts']);
	});

	it('ranks direct entries before deeper ones, then entries elsewhere', async () => {
		const project = await tempProject({
			'lib/code.ts': '',
			'lib/x/code.ts': '',
			'pkg/lib/code.ts': '',
			'code.ts': '',
		});
		expect(await searchPaths(project.scope).paths('lib/co')).toEqual([
			'lib/code.ts',
			'lib/x/code.ts',
			'pkg/lib/code.ts',
		]);
	});

	it('lists a new file in its folder at once', async () => {
		const project = await tempProject({'src/a.ts': ''});
		const paths = searchPaths(project.scope).paths;
		expect(await paths('src/')).toEqual(['src/a.ts']);
		await project.write('src/fresh.ts', '');
		expect(await paths('src/fre')).toEqual(['src/fresh.ts']);
	});

	it('finds a new file soon and a removed file never again', async () => {
		const project = await tempProject({'src/deep/old.ts': ''});
		const paths = searchPaths(project.scope).paths;
		expect(await paths('old')).toEqual(['src/deep/old.ts']);
		await rm(project.path('src/deep/old.ts'));
		await project.write('src/deep/fresh.ts', '');
		expect(await paths('old')).toEqual([]);
		await expect.poll(async () => paths('fresh')).toEqual(['src/deep/fresh.ts']);
	});

	it('has no match and no failure when the tree is deleted', async () => {
		const project = await tempProject({'src/a.ts': ''});
		const ask = searchPaths(project.scope);
		expect(await ask.paths('a.ts')).toEqual(['src/a.ts']);
		await rm(project.dir, {recursive: true});
		for (const text of ['', 'a', 'src/', '/x', '../']) expect((await ask(text)).matches).toEqual([]);
	});

	it('never lists .git, and says so when it is asked for', async () => {
		const project = await tempProject({'.git/config': '', 'sub/.git': '', 'sub/.github/a': ''});
		const ask = searchPaths(project.scope);
		expect(await ask.paths('git')).toEqual(['sub/.github/', 'sub/.github/a']);
		expect(await ask('.git/')).toEqual({matches: [], indexing: false, note: 'Files in .git are not listed.'});
		expect(await ask.paths('sub/')).toEqual(['sub/.github/']);
	});
});

describe('unusual names', () => {
	it('are returned unchanged', async () => {
		const names = [
			'a b.md',
			'it\'s "q".md',
			'x\ny.md',
			'\x1b[31mred.md',
			'back\\slash.md',
			'x:10.md',
			'tab\there.md',
			'日本語。.md',
			'-dash.md',
			'~tilde.md',
		];
		const project = await tempProject(Object.fromEntries(names.map(name => [`d/${name}`, ''])));
		const paths = searchPaths(project.scope).paths;
		expect([...(await paths('d/'))].toSorted()).toEqual(names.map(name => `d/${name}`).toSorted());
		expect([...(await paths('md'))].toSorted()).toEqual(names.map(name => `d/${name}`).toSorted());
	});

	it('are skipped when they are not UTF-8', async () => {
		const project = await tempProject({'d/ok.md': '', 'd/real\uFFFD.md': ''});
		await writeFile(
			Buffer.concat([Buffer.from(`${project.path('d')}/bad`), Buffer.from([0xff]), Buffer.from('.md')]),
			'',
		);
		const paths = searchPaths(project.scope).paths;
		expect([...(await paths('md'))].toSorted()).toEqual(['d/ok.md', 'd/real\uFFFD.md']);
		expect([...(await paths('d/'))].toSorted()).toEqual(['d/ok.md', 'd/real\uFFFD.md']);
	});

	it('are skipped when they name a FIFO or a socket', async () => {
		const project = await tempProject({'d/file': ''});
		execFileSync('mkfifo', [project.path('d/fifo')]);
		const server = createServer().listen(project.path('d/sock'));
		onTestFinished(() => void server.close());
		await expect.poll(() => server.listening).toBe(true);
		await project.link('d/to-fifo', 'fifo');
		const paths = searchPaths(project.scope).paths;
		expect(await paths('d/')).toEqual(['d/file']);
		expect(await paths('f')).toEqual(['d/file']);
		expect(await paths('so')).toEqual([]);
	});

	it('are written as ./~/ when a folder is called ~', async () => {
		const project = await tempProject({'~/x.md': ''});
		const ask = searchPaths(project.scope);
		expect(await ask.paths('')).toEqual(['./~/']);
		expect(marked(await ask('x.m'))).toEqual(['./~/[x.m]d']);
	});
});

describe('the syntax of a query', () => {
	it('accepts quotes, escapes and ranges like the resolver', async () => {
		const project = await tempProject({'my notes/a b.md': '', 'src/a.ts': '', 'x:10': ''});
		const paths = searchPaths(project.scope).paths;
		for (const text of ['"my notes/a', '"my notes/a b.md"', 'my\\ notes/a', 'my notes/a', '"my notes/a b.md":3-9'])
			expect(await paths(text)).toEqual(['my notes/a b.md']);
		for (const text of ['src/a.ts:10', 'src/a.ts:10-', 'src/a.ts:10-20', 'src/a.ts#L3', 'src/a.ts:', 'src/a.ts#'])
			expect(await paths(text)).toEqual(['src/a.ts']);
		expect(await paths('x:10')).toEqual(['x:10']);
	});

	const long = {
		letters: 'x'.repeat(4000),
		parts: 'a/'.repeat(2000),
		up: '../'.repeat(1300),
		beyond: 'é'.repeat(4000),
	};
	it.each([
		...['\0', 'a\0b', '//////', '\\', '"', '...', './', ' ', '%', '\x1b[2J', '\uD800', '~~', '::', '#'].map(
			text => [text, text],
		),
		...Object.entries(long),
	])('gives some answer for %j', async (_, text) => {
		const project = await tempProject({'a.ts': ''});
		const {matches, indexing} = await searchPaths(project.scope)(text);
		expect({few: matches.length <= 2, indexing}).toEqual({few: true, indexing: false});
	});
});

describe('paths outside the working directory', () => {
	const outside = 'Outside the directories of this session. Use /add-dir to add one.';

	it('are completed into the working directory in the form in which they were typed', async () => {
		const project = await tempProject({'src/code.ts': '', 'src/deep/cow.ts': ''});
		const paths = searchPaths(project.scope).paths;
		expect(await paths(`${project.dir}/src/co`)).toEqual([
			`${project.dir}/src/code.ts`,
			`${project.dir}/src/deep/cow.ts`,
		]);
		expect(await paths('../project/src/')).toEqual(['../project/src/deep/', '../project/src/code.ts']);
		expect(await paths(`${project.dir}/sr/cow`)).toEqual([`${project.dir}/src/deep/cow.ts`]);
	});

	it('have no match, and one note, when they lead elsewhere', async () => {
		const project = await tempProject({'a.ts': ''});
		await project.write('../secret/a.ts', '');
		const ask = searchPaths(project.scope);
		for (const text of ['/etc/', '/etc/pass', '../secret/', '../secret/a', '/nowhere/at/all', '~/'])
			expect(await ask(text)).toEqual({matches: [], indexing: false, note: outside});
	});

	it('offer only the folder that leads to the scope', async () => {
		const project = await tempProject({'a.ts': ''});
		const ask = searchPaths(project.scope);
		expect(await ask.paths('../')).toEqual(['../project/']);
		expect(await ask.paths('..')).toEqual(['../project/']);
		expect(await ask.paths('../pro')).toEqual(['../project/']);
		expect(await ask.paths('/')).toEqual([`${project.dir}/`]);
		expect(await ask('../x')).toEqual({matches: [], indexing: false, note: outside});
	});

	it('are completed in an added folder at once, in the form in which they were typed', async () => {
		const project = await tempProject({'a.ts': ''});
		await project.write('../lib/src/tool.ts', '');
		let scope = project.scope;
		const ask = searchPaths(() => scope);
		expect(await ask('../lib/')).toEqual({matches: [], indexing: false, note: outside});
		scope = await scopeOf(project.dir, {readRoots: [join(project.dir, '../lib')]});
		expect(await ask.paths('../lib/')).toEqual(['../lib/src/']);
		expect(await ask.paths('../lib/tool')).toEqual(['../lib/src/tool.ts']);
		expect([...(await ask.paths('../'))].toSorted()).toEqual(['../lib/', '../project/']);
		expect(await ask.paths('tool')).toEqual([]);
	});

	it('are completed in the home folder when it is in the scope', async () => {
		const home = await tempProject({'notes/today.md': '', 'proj/a.ts': ''});
		const before = process.env['HOME'];
		process.env['HOME'] = home.dir;
		onTestFinished(() => void (process.env['HOME'] = before));
		const ask = searchPaths(await scopeOf(home.path('proj'), {readRoots: [home.path('notes')]}));
		expect(await ask.paths('~/notes/')).toEqual(['~/notes/today.md']);
		expect(await ask.paths('~/notes/tod')).toEqual(['~/notes/today.md']);
		expect([...(await ask.paths('~'))].toSorted()).toEqual(['~/notes/', '~/proj/']);
		expect(await ask.paths('~/proj/')).toEqual(['~/proj/a.ts']);
	});
});
