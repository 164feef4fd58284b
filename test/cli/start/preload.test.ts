import {describe, expect, it, vi} from 'vitest';
import {createPreload} from '../../../src/cli/start/preload.ts';

const spec = {provider: 'offline', model: 'guide'} as const;

/** Modules that report when they are loaded. */
function modules() {
	const loaded: string[] = [];
	const load =
		(name: string, fails = false) =>
		async () => {
			loaded.push(name);
			if (fails) throw new Error('no such file');
		};
	return {
		loaded,
		prepare: async () => loaded.push('session'),
		all: async () => [load('a', true), load('b'), load('c')],
	};
}

describe('createPreload', () => {
	it('prepares the session and loads one module after another when you pause, and nothing while you type', async () => {
		vi.useFakeTimers();
		const {loaded, prepare, all} = modules();
		const preload = createPreload(spec, prepare, all);
		for (let key = 0; key < 10; key++) {
			preload.typed();
			await vi.advanceTimersByTimeAsync(100);
		}
		expect(loaded).toEqual([]);
		await vi.advanceTimersByTimeAsync(20);
		expect(loaded).toEqual(['session']);
		await vi.advanceTimersByTimeAsync(120);
		expect(loaded).toEqual(['session', 'session', 'a']);
		preload.typed();
		await vi.advanceTimersByTimeAsync(119);
		expect(loaded).toHaveLength(3);
		await vi.advanceTimersByTimeAsync(1000);
		expect(loaded.filter(name => name !== 'session')).toEqual(['a', 'b', 'c']);
		expect(vi.getTimerCount()).toBe(0);
		preload.typed();
		expect(vi.getTimerCount()).toBe(0);
		vi.useRealTimers();
	});

	it('loads nothing after the screen is closed', async () => {
		vi.useFakeTimers();
		const {loaded, prepare, all} = modules();
		const preload = createPreload(spec, prepare, all);
		preload.typed();
		preload.stop();
		await vi.advanceTimersByTimeAsync(1000);
		expect([loaded, vi.getTimerCount()]).toEqual([[], 0]);
		vi.useRealTimers();
	});
});
