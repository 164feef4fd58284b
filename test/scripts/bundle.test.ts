import {expect, test} from 'vitest';
import {threadPlugin} from '../../scripts/bundle.mjs';

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
