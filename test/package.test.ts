import {spawnSync} from 'node:child_process';
import {chmod, copyFile, cp, mkdir, mkdtemp, readFile, readdir, rm, writeFile} from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {builtProgram, projectRoot} from './helpers/built.ts';
import {cleanEnvironment} from './helpers/pty.ts';
import {giveAway} from './helpers/other-user.ts';
import {topLevelAwaits} from './helpers/top-level-await.ts';

type Packed = {
	readonly filename: string;
	readonly size: number;
	readonly unpackedSize: number;
	readonly files: ReadonlyArray<{readonly path: string; readonly mode: number}>;
};

let program: string;
let temporary: string;

beforeAll(async () => {
	program = await builtProgram();
	temporary = await mkdtemp(path.join(os.tmpdir(), 'inkpod-package-'));
});
afterAll(async () => rm(temporary, {recursive: true, force: true}));

const whereToGetIt =
	'Get it from https://nodejs.org/en/download, or with nvm: nvm install 24\n' +
	'In a checkout of inkpod, npm start runs the Node.js that npm ci installed.\n';

describe('the launcher', () => {
	it.each(['18.20.8', '20.20.2', '22.18.0'])(
		'names the Node version that it needs, and where to get it, on Node %s',
		version => {
			const {status, stdout, stderr} = launchAs(version);
			expect({status, stdout, stderr}).toEqual({
				status: 2,
				stdout: '',
				stderr: `inkpod needs Node.js 22.19 or newer; this is ${version}.\n${whereToGetIt}`,
			});
		},
	);

	it.each(['22.19.0', '24.0.0', '100.1.0'])('starts on Node %s', version => {
		expect(launchAs(version)).toMatchObject({status: 0, stderr: ''});
	});

	it.each(['app.js', 'a shared chunk', 'a circle of chunks'])(
		'says so and exits with 1 when the program never finishes loading: %s',
		async part => {
			const copy = await mkdtemp(path.join(temporary, 'waiting-'));
			await cp(path.dirname(program), copy, {recursive: true});
			const base = (await readdir(path.join(copy, 'chunks'))).find(name => name.startsWith('base-'))!;
			const waiting = part === 'app.js' ? 'app.js' : path.join('chunks', base);
			const never = part === 'a circle of chunks' ? `await import('../app.js');` : 'await new Promise(() => {});';
			const file = path.join(copy, waiting);
			await writeFile(file, `${never}\n${await readFile(file, 'utf8')}`);
			for (const args of [['--version'], ['-p', 'hello']])
				expect(run(process.execPath, [path.join(copy, 'inkpod.js'), ...args])).toEqual({
					status: 1,
					stdout: '',
					stderr: 'inkpod stopped before it ran the command. Install it again, or report this bug.\n',
				});
		},
	);

	it('starts on an old installed Node and names the version that it needs', async context => {
		const old = await oldNode();
		context.skip(old === undefined, 'no Node older than 22.19 on PATH');
		const {status, stdout, stderr} = run(old!, [program, '--version']);
		expect({status, stdout}).toEqual({status: 2, stdout: ''});
		expect(stderr).toMatch(/^inkpod needs Node\.js 22\.19 or newer; this is [\d.]+\.\n/u);
		expect(stderr.endsWith(whereToGetIt)).toBe(true);
	});

	it("keeps its compile cache in the user's own directory, not in the shared temporary one", async () => {
		const home = await mkdtemp(path.join(temporary, 'home-'));
		const scratch = await mkdtemp(path.join(temporary, 'tmp-'));
		run(process.execPath, [program, '--version'], {...cleanEnvironment(home), TMPDIR: scratch});
		expect(await readdir(path.join(home, '.cache/inkpod'))).toEqual(['compile']);
		expect(await readdir(scratch)).toEqual([]);
	});

	it.each<[string, (folder: string) => Promise<Readonly<Record<string, string>>>]>([
		['is relative', async folder => ({XDG_CACHE_HOME: path.relative(temporary, folder)})],
		['is below a relative home', async folder => ({HOME: path.relative(temporary, folder)})],
		[
			'belongs to another user, or everybody can change it',
			async folder => {
				await giveAway(await made(folder, 'inkpod'));
				return {XDG_CACHE_HOME: folder};
			},
		],
		[
			'is in a folder that everybody can change',
			async folder => {
				await chmod(folder, 0o777);
				return {XDG_CACHE_HOME: folder};
			},
		],
		[
			'is open to everybody, although it is sticky',
			async folder => {
				await chmod(await made(folder, 'inkpod/compile'), 0o1777);
				return {XDG_CACHE_HOME: folder};
			},
		],
	])('runs no code from a compile cache that %s', async (_name, make) => {
		const folder = await mkdtemp(path.join(temporary, 'cache-'));
		const env = {...cleanEnvironment(await mkdtemp(path.join(temporary, 'home-'))), ...(await make(folder))};
		run(process.execPath, [program, '--version'], env, temporary);
		const found = await readdir(folder, {recursive: true, withFileTypes: true});
		expect(found.filter(entry => entry.isFile())).toEqual([]);
	});

	// A preloaded module pretends another version of Node, because the program has no option for that.
	function launchAs(version: string) {
		const pretend = `Object.defineProperty(process, 'versions', {value: {...process.versions, node: '${version}'}})`;
		return run(process.execPath, [
			'--import',
			`data:text/javascript,${encodeURIComponent(pretend)}`,
			program,
			'--version',
		]);
	}
});

describe('the package', () => {
	// Chunks that wait for each other never finish loading, and Node then ends without a word.
	it('has no file that waits while it loads', async () => {
		const names = (await readdir(path.dirname(program), {recursive: true})).filter(name => name.endsWith('.js'));
		const waiting = await Promise.all(
			names.map(async name =>
				topLevelAwaits(await readFile(path.join(path.dirname(program), name), 'utf8')).map(
					place => `${name}: ${place}`,
				),
			),
		);
		expect(names).toContain('app.js');
		expect(waiting.flat()).toEqual([]);
	});

	it.each([
		['await a;', 1],
		['const b = 1 + (await a), c = `${await a}`;', 2],
		['for await (const b of a) c();', 1],
		['if (a) { await using b = a; }', 1],
		['class A extends (await b) { [await c]() {} }', 2],
		['async function a() { await b; for await (const c of d) e(); await using f = g; }', 0],
		['const a = async () => await b, c = {async d() { await e; }}, f = "await g";', 0],
		['class A { static async a() { await b; } }', 0],
	])('would show the waits of %j', (code, count) => {
		expect(topLevelAwaits(code)).toHaveLength(count);
	});

	it('keeps the MCP client in a separate chunk, which loads only when it is needed', async () => {
		const files = (await readdir(path.join(projectRoot, 'dist'), {recursive: true})).filter(name =>
			name.endsWith('.js'),
		);
		const texts = await Promise.all(
			files.map(async name => [name, await readFile(path.join(projectRoot, 'dist', name), 'utf8')] as const),
		);
		const own = texts.filter(([, text]) => text.includes('ai-sdk-mcp-client')).map(([name]) => path.basename(name));
		expect(own).toHaveLength(1);
		const ways = texts.flatMap(([, text]) =>
			[
				...text.matchAll(
					new RegExp(
						`(\\bimport\\(|\\bfrom|\\bimport)\\s*["'\`](?:\\./|\\./chunks/)${own[0]!.replaceAll('.', String.raw`\.`)}`,
						'gu',
					),
				),
			].map(([, how]) => how),
		);
		expect(ways.length).toBeGreaterThan(0);
		expect(new Set(ways)).toEqual(new Set(['import(']));
	});

	it('loads no Ink when you switch sessions, because only a screen with a list needs its 16 MB', async () => {
		const names = (await readdir(path.join(projectRoot, 'dist/chunks'))).filter(name => name.endsWith('.js'));
		const chunks = new Map(
			await Promise.all(
				names.map(
					async name => [name, await readFile(path.join(projectRoot, 'dist/chunks', name), 'utf8')] as const,
				),
			),
		);
		const reached = (from: readonly string[]): ReadonlySet<string> => {
			const found = new Set(from);
			for (const name of found)
				for (const [, next] of chunks.get(name)!.matchAll(/(?:\bfrom|\bimport)\s*["'`]\.\/([^"'`]+)["'`]/gu))
					if (chunks.has(next!)) found.add(next!);
			return found;
		};
		const layout = names.filter(name => chunks.get(name)!.includes('new WebAssembly.Instance'));
		expect(layout).toHaveLength(1);
		expect([...reached(names.filter(name => name.startsWith('show-picker-')))]).toContain(layout[0]);
		const others = names.filter(name => /^(?:chat|switch-session|start-pod|pick-session)-/u.test(name));
		expect([...reached(others)]).not.toContain(layout[0]);
	});

	it('contains dist, the readme, the licence and package.json when packed', () => {
		const {files, size, unpackedSize} = pack('--dry-run');
		const names = files.map(file => file.path);
		expect(names.filter(name => !name.startsWith('dist/'))).toEqual([
			'LICENSE',
			'README.md',
			'package.json',
			'schema/config.schema.json',
		]);
		expect(
			names.filter(
				name => !/^dist\/(?:inkpod|app|library|chunks\/[\w-]+)\.js$/u.test(name) && name.startsWith('dist/'),
			),
		).toEqual(['dist/THIRD_PARTY_NOTICES.txt', 'dist/chunks/ja.json', 'dist/chunks/zh.json', 'dist/library.d.ts']);
		expect(files.find(file => file.path === 'dist/inkpod.js')?.mode).toBe(0o755);
		// npx needs 3 ms for each file when it runs the package for the first time.
		expect(names.length).toBeLessThanOrEqual(215);
		expect(size).toBeLessThan(1_500_000);
		expect(unpackedSize).toBeLessThan(5_500_000);
	});

	it('runs the build before it is packed', async () => {
		const manifest = JSON.parse(await readFile(path.join(projectRoot, 'package.json'), 'utf8')) as {
			scripts: Record<string, string>;
		};
		expect(manifest.scripts['prepack']).toContain('build');
	});

	it('contains the licences of all inlined packages', async () => {
		const notices = await readFile(path.join(path.dirname(program), 'THIRD_PARTY_NOTICES.txt'), 'utf8');
		const [, ...texts] = notices.split(/^-{100}$/mu);
		for (const name of ['ink', 'react', 'yoga-layout', 'zod', '@ai-sdk/provider-utils'])
			expect(notices).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+ \\(`, 'mu'));
		expect(texts.filter(text => text.length < 500)).toEqual([]);
	});

	it('is built before it is packed', async () => {
		const {filename} = pack('--pack-destination', temporary);
		const empty = await mkdtemp(path.join(temporary, 'empty-'));
		await copyFile(path.join(temporary, filename), path.join(empty, filename));
		const home = await mkdtemp(path.join(temporary, 'home-'));
		const {status, stdout, stderr} = run(
			'npx',
			['--yes', `./${filename}`, '--version'],
			{...cleanEnvironment(home), npm_config_registry: 'http://127.0.0.1:9'},
			empty,
		);
		expect({status, stdout, stderr}).toMatchObject({
			status: 0,
			stdout: `${/\d+\.\d+\.\d+/u.exec(filename)?.[0]}\n`,
		});
	});

	// Scripts are disabled: the program is already built, and other tests may be running it.
	function pack(...options: string[]): Packed {
		const {stdout, stderr} = run(
			'npm',
			['pack', '--json', '--ignore-scripts', ...options],
			{...process.env},
			projectRoot,
		);
		const [packed] = JSON.parse(stdout) as Packed[];
		if (packed === undefined) throw new Error(stderr);
		return {...packed, files: packed.files.toSorted((left, right) => (left.path < right.path ? -1 : 1))};
	}
});

async function made(folder: string, name: string): Promise<string> {
	const directory = path.join(folder, name);
	await mkdir(directory, {recursive: true});
	return directory;
}

function run(
	command: string,
	args: readonly string[],
	env: NodeJS.ProcessEnv = cleanEnvironment(temporary),
	cwd = temporary,
) {
	const {status, stdout, stderr} = spawnSync(command, args, {cwd, env, encoding: 'utf8', timeout: 60_000});
	return {status, stdout, stderr};
}

async function oldNode(): Promise<string | undefined> {
	const candidates = (process.env['PATH'] ?? '').split(path.delimiter).map(directory => path.join(directory, 'node'));
	return candidates.find(candidate => {
		const [major = 0, minor = 0] = run(candidate, ['-p', 'process.versions.node'])
			.stdout?.split('.')
			.map(Number) ?? [99];
		return major > 0 && (major < 22 || (major === 22 && minor < 19));
	});
}
