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

	it('contains the pod once, in small chunks that import only earlier ones and that the chat lists', async () => {
		const ofPod = chunks
			.filter(({name}) => name.startsWith('pod-'))
			.toSorted((left, right) => Number(left.name.slice(4)) - Number(right.name.slice(4)));
		const names = ofPod.map(({fileName}) => path.basename(fileName));
		const chat = chunks.find(({name, moduleIds}) => name === 'chat' && moduleIds.length > 1)!;
		expect(await readFile(path.join(directory, chat.fileName), 'utf8')).toContain(names.join(' '));
		expect(
			ofPod
				.flatMap(({moduleIds}) => moduleIds)
				.filter(id =>
					/\/src\/(?:pod\/pod|worker\/loop\/worker|pod\/protocol\/tail|pod\/open\/start\/open-planned)\.ts$/.test(
						id,
					),
				),
		).toHaveLength(4);
		const later = ofPod.map(({imports}, at) =>
			imports.filter(name => ofPod.slice(at).some(({fileName}) => fileName === name)),
		);
		expect(later).toEqual(ofPod.map(() => []));
		// A key waits for at most one of them.
		expect(ofPod.length).toBeGreaterThan(5);
		expect(Math.max(...ofPod.map(({code}) => code.length))).toBeLessThan(120_000);
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
		chunk('c.js', ['a.js', 'd.js'], ['/p/src/c.ts', '/p/src/pod/open/start/open-planned.ts']),
		chunk('d.js', ['b.js'], ['/p/src/d1.ts', '/p/src/d2.ts']),
	];

	it('puts the entry, the chat and the rest of the pod into chunks after their dependencies', () => {
		const {name} = startGroups(split, {maxSize: 20});
		expect(split.flatMap(({moduleIds}) => moduleIds).map(id => name(id))).toEqual([
			null,
			'base',
			'chat',
			'chat',
			'pod-2',
			'pod-2',
			'pod-1',
			'pod-1',
		]);
	});

	it('puts a module that is longer than a chunk into a separate chunk', () => {
		const {name} = startGroups(split, {maxSize: 5});
		expect(split.at(-1)!.moduleIds.map(id => name(id))).toEqual(['pod-1', 'pod-2']);
	});

	it('keeps a package that fits into a chunk whole, because its modules may import each other in a circle', () => {
		const modules = ['/p/src/d.ts', ...['a', 'b'].map(name => `/p/node_modules/@x/toml/dist/${name}.js`)];
		const chunks = [...split.slice(0, 4), chunk('d.js', ['b.js'], modules)];
		const {name} = startGroups(chunks, {maxSize: 20});
		expect(modules.map(id => name(id))).toEqual(['pod-1', 'pod-2', 'pod-2']);
	});

	it.each(['src/cli/chat.ts', 'src/pod/open/start/open-planned.ts'])('fails the build when %s is missing', source => {
		expect(() => startGroups(split.filter(({moduleIds}) => !moduleIds.includes(`/p/${source}`)))).toThrow(
			`${source} is not in the bundle`,
		);
	});
});
