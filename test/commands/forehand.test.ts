import {expect, test, vi} from 'vitest';
import {createForehand} from '../../src/commands/forehand.ts';
import type {App} from '../../src/tui/state/app.ts';

const app = {} as App;
const spec = {provider: 'offline', model: 'guide'} as const;

/** Pieces that say when they are loaded. */
function pieces() {
	const loaded: string[] = [];
	const piece = (name: string, fails = false) => async () => {
		loaded.push(name);
		if (fails) throw new Error('no such file');
	};
	return {loaded, all: async () => [piece('a', true), piece('b'), piece('c')]};
}

test('while the person writes, nothing is loaded; when they pause, one piece after another, also behind one that fails', async () => {
	vi.useFakeTimers();
	const {loaded, all} = pieces();
	const part = createForehand(spec, all);
	for (let key = 0; key < 10; key++) {
		part.edited?.(app, false);
		await vi.advanceTimersByTimeAsync(100);
	}
	expect(loaded).toEqual([]);
	await vi.advanceTimersByTimeAsync(140);
	expect(loaded).toEqual(['a']);
	part.edited?.(app, false);
	await vi.advanceTimersByTimeAsync(119);
	expect(loaded).toEqual(['a']);
	await vi.advanceTimersByTimeAsync(1000);
	expect([loaded, vi.getTimerCount()]).toEqual([['a', 'b', 'c'], 0]);
	part.edited?.(app, false);
	expect(vi.getTimerCount()).toBe(0);
	vi.useRealTimers();
});

test('of a draft that nobody writes, and of a screen that was left, nothing is loaded', async () => {
	vi.useFakeTimers();
	const {loaded, all} = pieces();
	const part = createForehand(spec, all);
	part.edited?.(app, true);
	expect(vi.getTimerCount()).toBe(0);
	part.edited?.(app, false);
	part.leave?.(app);
	await vi.advanceTimersByTimeAsync(1000);
	expect(loaded).toEqual([]);
	vi.useRealTimers();
});
