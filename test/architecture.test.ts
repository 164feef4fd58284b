import {execFileSync} from 'node:child_process';
import {readFileSync, readdirSync} from 'node:fs';
import path from 'node:path';
import {describe, expect, it} from 'vitest';
import {
	badNames,
	defaultExports,
	heavyProtocol,
	importCycles,
	longFiles,
	longFunctions,
	moduleMocks,
	strayTests,
	systemUses,
	unnamedPackages,
	wrongDirections,
} from './helpers/architecture.ts';
import {projectRoot} from './helpers/built.ts';
import {podRooms, upwardImports} from './helpers/pod-rooms.ts';
import {parseSource, type SourceFile} from './helpers/source-file.ts';
import {stillTooLong} from './helpers/still-too-long.ts';

type Manifest = {
	readonly devDependencies: Readonly<Record<string, string>>;
	readonly dependencies?: unknown;
	readonly engines: {readonly node: string};
};

const sources = parseTree('src');
const tests = parseTree('test');
const tools = [...parseTree('scripts'), ...parseTree('bench')];
const manifest = JSON.parse(read('package.json')) as Manifest;

describe('the imports', () => {
	it('go from main to the screen, the pod and the worker through their entry files, and never back', () => {
		expect(wrongDirections(sources)).toEqual([]);
		expect(
			wrongDirections([
				source('src/worker/turn.ts', `import {a} from '../pod/pod.ts'; import './item.ts'; import 'zod'`),
				source(
					'src/pod/pod.ts',
					`import type {Item} from '../worker/item.ts'; import {b} from '../worker/index.ts'; import './protocol.ts'`,
				),
				source(
					'src/screen/app.tsx',
					`import {c} from '../pod/protocol.ts';\nexport {d} from '../worker/index.ts';\n` +
						`const e = import('../pod/pod.ts');\ntype F = import('../cli/args.ts').F`,
				),
				source('src/text/span.ts', `import './width.ts'; import '../transcript/fold.ts'`),
				source('src/transcript/fold.ts', `import '../text/span.ts'; import '../screen/app.tsx'`),
				source('src/acp/feed.ts', `import '../transcript/fold.ts'; import '../screen/app.tsx'`),
				source(
					'src/cli/print.ts',
					`import '../screen/app.tsx'; import '../worker/index.ts'; import '../pod/index.ts'; import '../pod/pod.ts'`,
				),
				source('src/attic.ts', ''),
			]),
		).toEqual([
			'src/worker/turn.ts:1 imports src/pod/pod.ts',
			'src/pod/pod.ts:1 imports src/worker/item.ts',
			'src/screen/app.tsx:2 imports src/worker/index.ts',
			'src/screen/app.tsx:3 imports src/pod/pod.ts',
			'src/screen/app.tsx:4 imports src/cli/args.ts',
			'src/text/span.ts:1 imports src/transcript/fold.ts',
			'src/transcript/fold.ts:1 imports src/screen/app.tsx',
			'src/acp/feed.ts:1 imports src/screen/app.tsx',
			'src/cli/print.ts:1 imports src/pod/pod.ts',
			'src/attic.ts is in no layer',
		]);
	});

	it('of the pod go from a room only to the rooms below it', () => {
		expect(upwardImports(sources)).toEqual([]);
		expect(
			upwardImports([
				source('src/pod/index.ts', `export {a} from './open/start/plan.ts'; import '../language/index.ts'`),
				source('src/pod/tools/web/page.ts', `import '../../scope/scope.ts'; import './text.ts'; import 'zod'`),
				source('src/pod/scope/scope.ts', `import type {A} from '../tools/web/page.ts';`),
				source('src/pod/open/start/plan.ts', `import '../../pod.ts';\nimport '../../index.ts'`),
				source('src/pod/protocol.ts', `import './ground/text/one-line.ts'`),
				source('src/pod/attic/a.ts', ''),
				source('src/pod/attic.ts', ''),
			]),
		).toEqual([
			'src/pod/scope/scope.ts:1 imports src/pod/tools/web/page.ts, which is above it',
			'src/pod/open/start/plan.ts:2 imports src/pod/index.ts, which is above it',
			'src/pod/protocol.ts:1 imports src/pod/ground/text/one-line.ts, which is above it',
			'src/pod/attic/a.ts is in no room',
			'src/pod/attic.ts is in no room',
		]);
		const used = new Set(sources.map(({path: name}) => name.split('/')[2]));
		expect(podRooms.filter(room => room !== 'doors' && !used.has(room))).toEqual([]);
	});

	it('of the protocol include no node: module, and only types of the worker', () => {
		expect(heavyProtocol(sources)).toEqual([]);
		const files = [
			source(
				'src/pod/protocol.ts',
				`import type {Item} from '../worker/index.ts'; import type {Stats} from 'node:fs'; ` +
					`import {z} from 'zod'; import './names.ts'`,
			),
			source(
				'src/pod/names.ts',
				`import {join} from 'node:path';\nimport {type Clock} from '../worker/clock.ts'`,
			),
		];
		expect(heavyProtocol(files)).toEqual([
			'src/pod/names.ts:1 loads node:path',
			'src/pod/protocol.ts loads src/worker/clock.ts',
		]);
		expect(heavyProtocol(files.slice(0, 1))).toEqual([]);
	});

	it('form no cycles, even by type imports', () => {
		expect(importCycles(sources)).toEqual([]);
		expect(
			importCycles([
				source('src/b.ts', `import './c.ts'`),
				source('src/c.ts', `import type {A} from './a.ts'; import './d.ts'`),
				source('src/a.ts', `import './b.ts'; import './d.ts'`),
				source('src/d.ts', ''),
				source('src/e.ts', `import './e.ts'`),
			]),
		).toEqual(['src/a.ts -> src/b.ts -> src/c.ts -> src/a.ts', 'src/e.ts -> src/e.ts']);
	});
});

describe('the size', () => {
	it('of a file is at most 400 lines', () => {
		const found = longFiles([...sources, ...tests, ...tools], 400);
		expect(found.filter(text => !stillTooLong.some(name => text.includes(`/${name} `)))).toEqual([]);
		expect(
			longFiles([source('src/a.ts', 'f();\n'.repeat(401)), source('src/b.ts', 'f();\n'.repeat(400))], 400),
		).toEqual(['src/a.ts has 401 lines']);
	});

	it('of a function is at most 80 lines', () => {
		const helpers = tests.filter(file => !file.path.includes('.test.'));
		const found = longFunctions([...sources, ...helpers, ...tools], 80);
		expect(found.filter(text => !stillTooLong.some(name => text.includes(` ${name} `)))).toEqual([]);
		const body = (lines: number) => `{\n${'f();\n'.repeat(lines - 2)}}`;
		expect(
			longFunctions(
				[
					source(
						'src/a.tsx',
						`function long() ${body(81)}\n` +
							`export const held = {method() ${body(81)}, arrow: () => ${body(80)}};\nclass C { inner() ${body(82)} }`,
					),
				],
				80,
			),
		).toEqual([
			'src/a.tsx:1 long has 81 lines',
			'src/a.tsx:82 method has 81 lines',
			'src/a.tsx:242 inner has 82 lines',
		]);
	});
});

describe('the style of the sources', () => {
	it('allows no default exports', () => {
		expect(defaultExports(sources)).toEqual([]);
		expect(
			defaultExports([
				source('src/a.ts', 'const a = 1;\nexport default a'),
				source('src/b.ts', `export {b as default} from './c.ts'`),
				source('src/c.ts', 'export const b = 1'),
			]),
		).toEqual(['src/a.ts:2 exports a default', 'src/b.ts:1 exports a default']);
	});

	it('allows no module mocks in tests', () => {
		expect(moduleMocks(tests)).toEqual([]);
		expect(moduleMocks([source('test/a.test.ts', `vi.fn();\nvi.mock('x');\nvi.doMock('y')`)])).toEqual([
			'test/a.test.ts:2 mocks a module',
			'test/a.test.ts:3 mocks a module',
		]);
	});

	it('requires kebab-case for the names of files', () => {
		expect(badNames(sources)).toEqual([]);
		expect(
			badNames(
				['src/useThing.ts', 'src/App.tsx', 'src/a_b.ts', 'src/use-thing.ts', 'src/sha256.ts'].map(name =>
					source(name, ''),
				),
			),
		).toEqual(['src/useThing.ts', 'src/App.tsx', 'src/a_b.ts'].map(name => `${name} is not in kebab-case`));
	});

	it('requires that the folders of tests mirror those of the sources', () => {
		const paths = (files: readonly SourceFile[]) => files.map(file => file.path);
		expect(
			strayTests(
				paths(tests).filter(name => name.includes('.test.')),
				[...paths(sources), ...listed('scripts'), ...listed('bench')],
			),
		).toEqual([]);
		expect(
			strayTests(
				[
					'test/pod/pod.test.ts',
					'test/pod/pod.hostile.test.ts',
					'test/pod/pot.test.ts',
					'test/laws/one-fold.test.ts',
					'test/scripts/build.test.ts',
				],
				['src/pod/pod.ts', 'scripts/build.mjs'],
			),
		).toEqual(['test/pod/pot.test.ts mirrors no source']);
	});

	it('requires that imported packages are listed in package.json', () => {
		const named = new Set(Object.keys(manifest.devDependencies));
		expect(unnamedPackages([...sources, ...tests], named)).toEqual([]);
		expect(
			unnamedPackages(
				[
					source(
						'src/a.ts',
						`import 'ink/build/x.js'; import '@a/b/c'; import 'node:fs'; import './b.ts';\nimport '@a/c'`,
					),
				],
				new Set(['ink', '@a/b']),
			),
		).toEqual(['src/a.ts:2 imports @a/c, which package.json does not name']);
	});
});

describe('what differs by system', () => {
	it('is used only in the files that a port changes', () => {
		expect(systemUses(sources)).toEqual([
			'src/pod/platform/local-door.ts names createConnection',
			'src/pod/platform/local-door.ts names createServer',
			'src/pod/platform/process-identity.ts names kill',
			'src/pod/platform/process-tree.ts names kill',
			'src/pod/platform/system.ts names getegid',
			'src/pod/platform/system.ts names geteuid',
			'src/pod/platform/system.ts names getgroups',
			'src/pod/platform/system.ts names getuid',
			'src/pod/platform/system.ts names platform',
			'src/screen/terminal/capabilities.ts names kill',
			'src/screen/terminal/clipboard/clipboard-programs.ts names platform',
		]);
		expect(
			systemUses([
				source('src/a.ts', `if (process.platform === 'linux') process.kill(1);\nconst {getuid} = process`),
				source('src/b.ts', `import {isIP, createServer} from 'node:net';\nchild.kill(); process.cwd()`),
			]),
		).toEqual([
			'src/a.ts names getuid',
			'src/a.ts names kill',
			'src/a.ts names platform',
			'src/b.ts names createServer',
		]);
	});
});

describe('the packages', () => {
	// npm asks the registry for every other kind of dependency, even for optional ones. Without a network npx would
	// wait for a minute.
	it('are development dependencies with exact versions, so an installation fetches nothing', () => {
		expect(Object.keys(manifest).filter(key => /dependencies/iu.test(key))).toEqual(['devDependencies']);
		expect(
			Object.entries(manifest.devDependencies).filter(
				([, version]) => !/^\d+\.\d+\.\d+(?:-[\w.]+)?$/u.test(version),
			),
		).toEqual([]);
	});

	it('have a lockfile that names no registry', () => {
		const lock = read('package-lock.json');
		expect(lock).not.toContain('"resolved"');
		expect(lock.match(/https?:\/\/[^"]*\.tgz/gu)).toBeNull();
	});

	// npm on an older Node would print a warning of five lines for each package that it does not run itself.
	it('have an .npmrc that only pins versions, omits registries, and hides warnings', () => {
		const lines = read('.npmrc')
			.split('\n')
			.map(line => line.trim())
			.filter(line => line !== '');
		expect(lines.toSorted()).toEqual(['loglevel=error', 'omit-lockfile-registry-resolved=true', 'save-exact=true']);
	});

	it('run on an older Node than the one that builds them', () => {
		expect(manifest.engines.node).toBe('>=22.19');
		const installed = (JSON.parse(read('node_modules/node/package.json')) as {version: string}).version;
		expect(installed).toBe(manifest.devDependencies['node']);
		const inScripts = execFileSync('npm', ['exec', '--offline', '-c', 'node -p process.version'], {
			cwd: projectRoot,
			encoding: 'utf8',
		});
		expect(inScripts.trim()).toBe(`v${installed}`);
	});
});

function read(name: string): string {
	return readFileSync(path.join(projectRoot, name), 'utf8');
}

function listed(directory: string): string[] {
	return readdirSync(path.join(projectRoot, directory), {recursive: true, withFileTypes: true})
		.filter(entry => entry.isFile())
		.map(entry => path.relative(projectRoot, path.join(entry.parentPath, entry.name)));
}

function parseTree(directory: string): SourceFile[] {
	return listed(directory)
		.filter(name => /\.(?:tsx?|mjs)$/u.test(name) && !name.startsWith('test/fixtures/'))
		.map(name => parseSource(name, read(name)));
}

function source(name: string, text: string): SourceFile {
	return parseSource(name, text);
}
