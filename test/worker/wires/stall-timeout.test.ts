import {once} from 'node:events';
import {createConnection, createServer, type AddressInfo, type Socket} from 'node:net';
import {afterEach, beforeEach, describe, expect, it, onTestFinished, vi} from 'vitest';
import {createStallTimeout} from '../../../src/worker/wires/stall-timeout.ts';

const never = new AbortController().signal;

/** Blocks this process, as a shell's Ctrl+Z does. */
function suspend(ms: number): void {
	Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

async function connected(): Promise<{readonly near: Socket; readonly far: Socket}> {
	const server = createServer().listen(0, '127.0.0.1');
	await once(server, 'listening');
	const near = createConnection((server.address() as AddressInfo).port, '127.0.0.1');
	const [far] = (await once(server, 'connection')) as [Socket];
	onTestFinished(() => {
		near.destroy();
		server.close();
	});
	return {near, far};
}

describe('a stall timeout', () => {
	it('reports a stall after a silence that is too long', async () => {
		const stall = createStallTimeout(never, 20);
		expect(await stall.wait(new Promise(() => {}))).toEqual({type: 'halt', why: 'stalled'});
		expect(stall.signal.aborted).toBe(true);
		stall.end();
	});

	it('receives data that arrived while the process was suspended', async () => {
		const {near, far} = await connected();
		const stall = createStallTimeout(never, 20);
		const waited = stall.wait(once(near, 'data'));
		far.write('data');
		suspend(100);
		expect(await waited).toMatchObject({type: 'value'});
		stall.end();
	});
});

describe('a stall timeout on a fake clock', () => {
	beforeEach(() => void vi.useFakeTimers({toFake: ['setTimeout', 'clearTimeout', 'performance']}));
	afterEach(() => void vi.useRealTimers());

	it('needs few timers for a thousand short waits, and still reports a stall in time', async () => {
		const timers = vi.spyOn(globalThis, 'setTimeout');
		const stall = createStallTimeout(new AbortController().signal, 1000);
		for (let at = 0; at < 1000; at++) {
			await vi.advanceTimersByTimeAsync(10);
			expect(await stall.wait(Promise.resolve(at))).toEqual({type: 'value', value: at});
			expect(vi.getTimerCount()).toBeLessThan(2);
		}
		expect(timers.mock.calls.length).toBeLessThan(25);
		const silent = stall.wait(new Promise(() => {}));
		await vi.advanceTimersByTimeAsync(999);
		expect(stall.signal.aborted).toBe(false);
		await vi.advanceTimersByTimeAsync(2);
		expect(await silent).toEqual({type: 'halt', why: 'stalled'});
		stall.end();
		expect(vi.getTimerCount()).toBe(0);
	});

	it('uses the new limit after a restart', async () => {
		for (const [first, then] of [
			[600, 90],
			[90, 600],
		] as const) {
			const stall = createStallTimeout(new AbortController().signal, first);
			const silent = stall.wait(new Promise(() => {}));
			await vi.advanceTimersByTimeAsync(50);
			stall.restart(then);
			await vi.advanceTimersByTimeAsync(then - 1);
			expect(stall.signal.aborted).toBe(false);
			await vi.advanceTimersByTimeAsync(2);
			expect(await silent).toEqual({type: 'halt', why: 'stalled'});
			stall.end();
		}
	});

	it('does not count the time between two waits', async () => {
		const stall = createStallTimeout(new AbortController().signal, 100);
		await stall.wait(Promise.resolve());
		await vi.advanceTimersByTimeAsync(1000);
		expect(stall.signal.aborted).toBe(false);
		expect(await stall.wait(Promise.resolve('here'))).toEqual({type: 'value', value: 'here'});
		stall.end();
	});
});
