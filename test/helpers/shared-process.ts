import assert from 'node:assert/strict';
import {afterAll, vi} from 'vitest';

// Runs before and after each test file of a project without isolation: the next file in the process finds it as this
// one did. Only a listener of `exit` may stay: src/pod/platform/at-exit.ts adds one for the whole process. A listener
// that an earlier file added may go away late, while this file runs.
const before = stateOfProcess();
const listenersBefore = countListeners();

// A program that a test stopped may end a moment later.
afterAll(async () => vi.waitFor(assertAsBefore, {timeout: 10_000, interval: 10}));

function assertAsBefore() {
	assert.deepEqual(stateOfProcess(), before);
	const added = [...countListeners()].filter(([name, count]) => count > (listenersBefore.get(name) ?? 0));
	assert.deepEqual(added, []);
}

function stateOfProcess() {
	const {Date, clearInterval, clearTimeout, fetch, performance, setImmediate, setInterval, setTimeout} = globalThis;
	return {
		directory: process.cwd(),
		environment: {...process.env},
		platform: process.platform,
		globals: {Date, clearInterval, clearTimeout, fetch, setImmediate, setInterval, setTimeout},
		now: Reflect.get(performance, 'now') as unknown,
	};
}

function countListeners(): ReadonlyMap<string | symbol, number> {
	const names = process.eventNames().filter(name => name !== 'exit');
	return new Map(names.map(name => [name, process.listenerCount(name)]));
}
