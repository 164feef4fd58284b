import {mkdtemp, readFile, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {bundle, gather, threadPlugin} from '../../scripts/bundle.mjs';

const threads = [{source: 'src/room/echo-worker.ts', file: 'chunks/echo-worker.js'}];
const starter = `const file = new URL('./echo-worker.ts', import.meta.url);`;

test('the source that starts a thread, led to its file from wherever the chunk lies', () => {
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

test('a source of another room, left alone; a thread that nothing starts, the build fails', () => {
	const plugin = threadPlugin(threads);
	expect(plugin.transform(starter, '/project/src/other/start.ts')).toBeNull();
	expect(plugin.renderChunk('const a = 1;', {fileName: 'app.js'})).toBeNull();
	expect(() => plugin.buildEnd(undefined)).toThrow('nothing in the bundle starts src/room/echo-worker.ts');
});

let directory: string;
let chunks: Awaited<ReturnType<typeof bundle>>;

beforeAll(async () => {
	directory = await mkdtemp(path.join(tmpdir(), 'inkpod-bundle-'));
	chunks = await bundle({directory, minify: false, sourcemap: false});
});
afterAll(async () => rm(directory, {recursive: true, force: true}));

test('what the first frame waits for, holds none of the packages that come behind it', () => {
	const first = chunks.filter(
		({fileName, moduleIds}) => fileName === 'app.js' || moduleIds.some(id => id.endsWith('/src/commands/chat.ts')),
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
		'string-width',
		'strip-ansi',
		'zustand',
	]);
	// With the launcher, the files that are read before it: the entry, what others share with it, the chat.
	expect(loaded.size).toBeLessThanOrEqual(5);
});

test('the pieces of the pod, told to the chat in their order: each imports only what is loaded before it, and holds the pod once', async () => {
	const pieces = chunks
		.filter(({name}) => name.startsWith('pod-'))
		.toSorted((left, right) => Number(left.name.slice(4)) - Number(right.name.slice(4)));
	const names = pieces.map(({fileName}) => path.basename(fileName));
	const chat = chunks.find(({name, moduleIds}) => name === 'chat' && moduleIds.length > 1)!;
	expect(await readFile(path.join(directory, chat.fileName), 'utf8')).toContain(names.join(' '));
	expect(
		pieces
			.flatMap(({moduleIds}) => moduleIds)
			.filter(id => /\/src\/(?:pod\/pod|worker\/worker|pod\/protocol|pod\/start\/open-planned)\.ts$/.test(id)),
	).toHaveLength(4);
	const later = pieces.map(({imports}, at) =>
		imports.filter(name => pieces.slice(at).some(({fileName}) => fileName === name)),
	);
	expect(later).toEqual(pieces.map(() => []));
	// A key waits for one of them at most.
	expect(pieces.length).toBeGreaterThan(5);
	expect(Math.max(...pieces.map(({code}) => code.length))).toBeLessThan(120_000);
});

test('the chunks of the program, none imports itself by way of others', () => {
	const importsOf = (fileName: string) => chunks.find(chunk => chunk.fileName === fileName)?.imports ?? [];
	const circles = chunks.filter(({fileName, imports}) => {
		const reached = new Set(imports);
		for (const name of reached) for (const next of importsOf(name)) reached.add(next);
		return reached.has(fileName);
	});
	expect(circles.map(({name}) => name)).toEqual([]);
});

describe('gathering modules', () => {
	const chunk = (fileName: string, imports: string[], moduleIds: string[]) => ({
		fileName,
		imports,
		moduleIds,
		modules: Object.fromEntries(moduleIds.map(id => [id, {renderedLength: 10}])),
	});
	const scattered = [
		chunk('app.js', ['a.js'], ['/p/src/main.tsx']),
		chunk('a.js', [], ['/p/src/a.ts']),
		chunk('b.js', ['a.js'], ['/p/src/commands/chat.ts', '/p/src/b.ts']),
		chunk('c.js', ['a.js', 'd.js'], ['/p/src/c.ts', '/p/src/pod/start/open-planned.ts']),
		chunk('d.js', ['b.js'], ['/p/src/d1.ts', '/p/src/d2.ts']),
	];

	test('what the chat waits for in one chunk, what the pod waits for besides in pieces behind each other', () => {
		const {name} = gather(scattered, {most: 20});
		expect(scattered.flatMap(({moduleIds}) => moduleIds).map(id => name(id))).toEqual([
			null,
			null,
			'chat',
			'chat',
			'pod-2',
			'pod-2',
			'pod-1',
			'pod-1',
		]);
	});

	test('a module that is longer than a piece, alone in its own', () => {
		const {name} = gather(scattered, {most: 5});
		expect(scattered.at(-1)!.moduleIds.map(id => name(id))).toEqual(['pod-1', 'pod-2']);
	});

	test('a package that fits into a piece, not divided: its modules may import each other in a circle', () => {
		const modules = ['/p/src/d.ts', ...['a', 'b'].map(name => `/p/node_modules/@x/toml/dist/${name}.js`)];
		const chunks = [...scattered.slice(0, 4), chunk('d.js', ['b.js'], modules)];
		const {name} = gather(chunks, {most: 20});
		expect(modules.map(id => name(id))).toEqual(['pod-1', 'pod-2', 'pod-2']);
	});

	test.each(['src/commands/chat.ts', 'src/pod/start/open-planned.ts'])(
		'a source that is gathered and no longer there, the build fails: %s',
		source => {
			expect(() => gather(scattered.filter(({moduleIds}) => !moduleIds.includes(`/p/${source}`)))).toThrow(
				`${source} is not in the bundle`,
			);
		},
	);
});
