import assert from 'node:assert/strict';
import {afterAll, vi} from 'vitest';

// Runs before and after each test file of a project without isolation: the next file in the process finds it as this
// one did. Only a listener of `exit` may stay: src/pod/platform/at-exit.ts adds one for the whole process.
const before = stateOfProcess();

// A program that a test stopped may end a moment later.
afterAll(async () => vi.waitFor(() => assert.deepEqual(stateOfProcess(), before), {timeout: 10_000, interval: 10}));

function stateOfProcess() {
	const {Date, clearInterval, clearTimeout, fetch, performance, setImmediate, setInterval, setTimeout} = globalThis;
	return {
		directory: process.cwd(),
		environment: {...process.env},
		platform: process.platform,
		listeners: process
			.eventNames()
			.filter(name => name !== 'exit')
			.map(name => `${process.listenerCount(name)} of ${String(name)}`),
		globals: {Date, clearInterval, clearTimeout, fetch, setImmediate, setInterval, setTimeout},
		now: Reflect.get(performance, 'now') as unknown,
	};
}
