import {afterEach, beforeEach, expect, it, vi} from 'vitest';
import {createPace} from '../../../src/screen/mount/full-screen.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('a frame that can wait comes a pace later or with the next key, and streamed text at once', async () => {
	let frames = 0;
	const pace = createPace(
		() => frames++,
		() => undefined,
		{writableLength: 0, write: () => true},
	);
	pace.ask('now');
	await vi.advanceTimersByTimeAsync(0);
	expect(frames).toBe(1);
	pace.ask('later');
	await vi.advanceTimersByTimeAsync(40);
	expect(frames).toBe(1);
	await vi.advanceTimersByTimeAsync(8);
	expect(frames).toBe(2);
	pace.ask('later');
	pace.ask('now');
	await vi.advanceTimersByTimeAsync(200);
	expect(frames).toBe(3);
	pace.ask('soon');
	await vi.advanceTimersByTimeAsync(0);
	expect(frames).toBe(4);
});
