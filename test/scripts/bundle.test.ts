import {mkdtemp, readFile, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {bundle, startGroups, threadPlugin} from '../../scripts/bundle.mjs';

const threads = [{source: 'src/room/echo-worker.ts', file: 'chunks/echo-worker.js'}];
const starter = `const file = new URL('./echo-worker.ts', import.meta.url);`;

describe('the thread plugin', () => {
	it('rewrites the address of a worker thread to its file, wherever the chunk is', () => {
		const plugin = threadPlugin(threads);
		const {code} = plugin.transform(starter, '/project/src/room/start.ts')!;
		expect(plugin.renderChunk(code, {fileName: 'chunks/start-1.js'})?.code).toBe(
			`const file = new URL('./echo-worker.js', import.meta.url);`,
		);
		expect(plugin.renderChunk(code, {fileName: 'app.js'})?.code).toBe(
			`const file = new URL('./chunks/echo-worker.js', import.meta.url);`,
		);
		expect(() => plugin.buildEnd(undefined)).not.toThrow();
	});

	it('ignores sources of other folders, and fails the build when nothing starts a thread', () => {
		const plugin = threadPlugin(threads);
		expect(plugin.transform(starter, '/project/src/other/start.ts')).toBeNull();
		expect(plugin.renderChunk('const a = 1;', {fileName: 'app.js'})).toBeNull();
		expect(() => plugin.buildEnd(undefined)).toThrow('nothing in the bundle starts src/room/echo-worker.ts');
	});
});

describe('the bundle', () => {
	let directory: string;
	let chunks: Awaited<ReturnType<typeof bundle>>;

	beforeAll(async () => {
		directory = await mkdtemp(path.join(tmpdir(), 'inkpod-bundle-'));
		chunks = await bundle({directory, minify: false, sourcemap: false});
	});
	afterAll(async () => rm(directory, {recursive: true, force: true}));

	function numbered(...names: readonly string[]): typeof chunks {
		return names.flatMap(name => {
			const numberOf = (chunk: (typeof chunks)[number]) => Number(chunk.name.slice(name.length + 1));
			return chunks
				.filter(chunk => chunk.name.startsWith(`${name}-`) && Number.isInteger(numberOf(chunk)))
				.toSorted((left, right) => numberOf(left) - numberOf(right));
		});
	}

	it('loads only the listed packages before the first frame', () => {
		const first = chunks.filter(
			({fileName, moduleIds}) => fileName === 'app.js' || moduleIds.some(id => id.endsWith('/src/cli/chat.ts')),
		);
		expect(first).toHaveLength(2);
		const loaded = new Set(first);
		for (const {imports} of loaded)
			for (const name of imports) for (const chunk of chunks) if (chunk.fileName === name) loaded.add(chunk);
		const modules = [...loaded].flatMap(({moduleIds}) => moduleIds.map(id => id.replaceAll('\\', '/')));
		expect(modules.filter(id => id.endsWith('/src/pod/pod.ts'))).toEqual([]);
		const packages = modules.flatMap(id => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(id)?.[1] ?? []);
		expect([...new Set(packages)].toSorted()).toEqual([
			'ansi-regex',
			'chalk',
			'get-east-asian-width',
			'smol-toml',
			'string-width',
			'strip-ansi',
			'zustand',
		]);
		// These files load before the first frame, together with the launcher: the entry, shared modules and the chat.
		expect(loaded.size).toBeLessThanOrEqual(5);
	});

	it('loads the rest in small chunks that the chat lists, each after the chunks that it imports', async () => {
		const chat = chunks.find(({name, moduleIds}) => name === 'chat' && moduleIds.length > 1)!;
		const code = await readFile(path.join(directory, chat.fileName), 'utf8');
		const names = ['first', 'pod', 'session', 'ink', 'attach', 'learn'];
		const all = names.flatMap(name => numbered(name));
		for (const name of names)
			expect(code).toContain(
				JSON.stringify(
					numbered(name)
						.map(({fileName}) => path.basename(fileName))
						.join(' '),
				),
			);
		const later = all.map(({imports}, at) =>
			imports.filter(file => all.slice(at).some(each => each.fileName === file)),
		);
		expect(later).toEqual(all.map(() => []));
		// A key waits for at most one of them. Each file takes half a millisecond, too.
		expect(numbered('pod').length).toBeGreaterThan(5);
		expect(all.length).toBeLessThanOrEqual(48);
		expect(all.filter(({code}) => code.length > 120_000).map(({moduleIds}) => moduleIds.length)).toEqual([1, 1]);
	});

	it('contains the pod, Ink and the drafts once, and loads Ink without the pod', () => {
		const core = chunks.filter(({name}) => name === 'core');
		const entries = [...core, ...numbered('first', 'pod', 'session', 'ink')]
			.flatMap(({moduleIds}) => moduleIds)
			.filter(id =>
				/\/src\/(?:pod\/pod|worker\/loop\/worker|pod\/protocol\/tail|pod\/open\/start\/open-planned)\.ts$/.test(
					id,
				),
			);
		expect(entries).toHaveLength(4);
		const pod = numbered('pod').map(({fileName}) => fileName);
		const needing = numbered('session', 'ink').filter(({imports}) => imports.some(file => pod.includes(file)));
		expect(needing.map(({name}) => name)).toEqual([]);
	});

	it('loads neither the schemas of the configuration nor those of scripts unless they are used', () => {
		const started = numbered('first', 'pod', 'session', 'ink', 'attach', 'learn').flatMap(
			({moduleIds}) => moduleIds,
		);
		const names = ['pod/config/config-schema.ts', 'pod/config/model-schema.ts', 'worker/wires/script.ts'];
		expect(started.filter(id => names.some(name => id.endsWith(`/src/${name}`)))).toEqual([]);
	});

	it('imports no module of Node, because Node would run all getters of that module', () => {
		const importing = chunks.filter(({code}) => /^import [^;]*["'`]node:/mu.test(code));
		expect(importing.map(({fileName}) => fileName)).toEqual([]);
		expect(chunks.some(({code}) => code.includes('getBuiltinModule("node:fs")'))).toBe(true);
	});

	it('contains no import cycles of chunks', () => {
		const importsOf = (fileName: string) => chunks.find(chunk => chunk.fileName === fileName)?.imports ?? [];
		const circles = chunks.filter(({fileName, imports}) => {
			const reached = new Set(imports);
			for (const name of reached) for (const next of importsOf(name)) reached.add(next);
			return reached.has(fileName);
		});
		expect(circles.map(({name}) => name)).toEqual([]);
	});
});

describe('startGroups', () => {
	const chunk = (fileName: string, imports: string[], moduleIds: string[]) => ({
		fileName,
		imports,
		moduleIds,
		modules: Object.fromEntries(moduleIds.map(id => [id, {renderedLength: 10}])),
	});
	const split = [
		chunk('app.js', ['a.js'], ['/p/src/main.tsx']),
		chunk('a.js', [], ['/p/src/a.ts']),
		chunk('b.js', ['a.js'], ['/p/src/cli/chat.ts', '/p/src/b.ts']),
		chunk('c.js', ['a.js', 'd.js', 'e.js'], ['/p/src/c.ts', '/p/src/pod.ts']),
		chunk('d.js', ['b.js'], ['/p/src/d1.ts', '/p/src/d2.ts']),
		chunk('e.js', ['a.js'], ['/p/src/e.ts']),
		chunk('f.js', ['e.js', 'g.js'], ['/p/src/ink.ts']),
		chunk('g.js', ['a.js'], ['/p/src/pod/disk/drafts/drafts.ts']),
	];
	const lists = {pod: 'src/pod.ts', ink: 'src/ink.ts'};

	it('puts the entry, the chat, the drafts and each list into chunks after their dependencies', () => {
		const {name} = startGroups(split, {maxSize: 20, lists});
		const ids = split.flatMap(({moduleIds}) => moduleIds);
		expect(Object.fromEntries(ids.map(id => [id.slice('/p/src/'.length), name(id)]))).toEqual({
			'main.tsx': null,
			'a.ts': 'base',
			'cli/chat.ts': 'chat',
			'b.ts': 'chat',
			'c.ts': 'pod-2',
			'pod.ts': 'pod-2',
			'd1.ts': 'pod-1',
			'd2.ts': 'pod-1',
			'pod/disk/drafts/drafts.ts': 'first-1',
			// The pod and Ink both need it.
			'e.ts': 'first-2',
			'ink.ts': 'ink-1',
		});
	});

	it('puts a module that is longer than a chunk into a separate chunk', () => {
		const {name} = startGroups(split, {maxSize: 5, lists});
		expect(['/p/src/d1.ts', '/p/src/d2.ts'].map(id => name(id))).toEqual(['pod-1', 'pod-2']);
	});

	it('keeps a package that fits into a chunk whole, because its modules may import each other in a circle', () => {
		const modules = ['/p/src/d.ts', ...['a', 'b'].map(name => `/p/node_modules/@x/toml/dist/${name}.js`)];
		const chunks = split.map(each => (each.fileName === 'd.js' ? chunk('d.js', ['b.js'], modules) : each));
		const {name} = startGroups(chunks, {maxSize: 20, lists});
		expect(modules.map(id => name(id))).toEqual(['pod-1', 'pod-2', 'pod-2']);
	});

	it.each(['src/cli/chat.ts', 'src/pod.ts', 'src/pod/disk/drafts/drafts.ts'])(
		'fails the build when %s is missing',
		source => {
			const others = split.filter(({moduleIds}) => !moduleIds.includes(`/p/${source}`));
			expect(() => startGroups(others, {lists})).toThrow(`${source} is not in the bundle`);
		},
	);
});
