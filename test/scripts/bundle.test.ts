import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {bundle, gather, threadPlugin} from '../../scripts/bundle.mjs';

const threads = [{source: 'src/room/echo-worker.ts', file: 'chunks/echo-worker.js'}];
const starter = `const file = new URL('./echo-worker.ts', import.meta.url);`;

test('the source that starts a thread, led to its file from wherever the chunk lies', () => {
	const plugin = threadPlugin(threads);
	const {code} = plugin.transform(starter, '/project/src/room/start.ts')!;
	expect(plugin.renderChunk(code, {fileName: 'chunks/start-1.js'})?.code).toBe(`const file = new URL('./echo-worker.js', import.meta.url);`);
	expect(plugin.renderChunk(code, {fileName: 'app.js'})?.code).toBe(`const file = new URL('./chunks/echo-worker.js', import.meta.url);`);
	expect(() => plugin.buildEnd(undefined)).not.toThrow();
});

test('a source of another room, left alone; a thread that nothing starts, the build fails', () => {
	const plugin = threadPlugin(threads);
	expect(plugin.transform(starter, '/project/src/other/start.ts')).toBeNull();
	expect(plugin.renderChunk('const a = 1;', {fileName: 'app.js'})).toBeNull();
	expect(() => plugin.buildEnd(undefined)).toThrow('nothing in the bundle starts src/room/echo-worker.ts');
});

test('what the first frame waits for, holds none of the packages that come behind it', async () => {
	const directory = await mkdtemp(path.join(tmpdir(), 'inkpod-bundle-'));
	onTestFinished(async () => rm(directory, {recursive: true, force: true}));
	const chunks = await bundle({directory, minify: false, sourcemap: false});
	const first = chunks.filter(({fileName, moduleIds}) => fileName === 'app.js' || moduleIds.some(id => id.endsWith('/src/commands/chat.ts')));
	expect(first).toHaveLength(2);
	const loaded = new Set(first);
	for (const {imports} of loaded) for (const name of imports) for (const chunk of chunks) if (chunk.fileName === name) loaded.add(chunk);
	const packages = [...loaded].flatMap(({moduleIds}) => moduleIds).flatMap(id => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(id)?.[1] ?? []);
	expect([...new Set(packages)].toSorted()).toEqual(['ansi-regex', 'chalk', 'get-east-asian-width', 'string-width', 'strip-ansi']);
	// With the launcher, the files that are read before it: the entry, what others share with it, the chat.
	expect(loaded.size).toBeLessThanOrEqual(5);
});

test('a source that is gathered and no longer there, the build fails', () => {
	const chunks = [{fileName: 'app.js', imports: ['a.js'], moduleIds: ['/p/src/main.tsx']}, {fileName: 'a.js', imports: [], moduleIds: ['/p/src/a.ts']}, {fileName: 'b.js', imports: ['a.js'], moduleIds: ['/p/src/commands/chat.ts', '/p/src/b.ts']}];
	const {name} = gather(chunks);
	expect(chunks.flatMap(({moduleIds}) => moduleIds).map(id => name(id))).toEqual([null, null, 'chat', 'chat']);
	expect(() => gather(chunks.slice(0, 2))).toThrow('src/commands/chat.ts is not in the bundle');
});
