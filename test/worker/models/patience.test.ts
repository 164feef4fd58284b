import {once} from 'node:events';
import {createConnection, createServer, type AddressInfo, type Socket} from 'node:net';
import {expect, onTestFinished, test} from 'vitest';
import {createPatience} from '../../../src/worker/models/patience.ts';

const never = new AbortController().signal;

/** Lets this process do nothing at all, as a shell's Ctrl+Z does. */
function standStill(ms: number): void {
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

test('a silence that is longer than the patience, is a stall', async () => {
	const patience = createPatience(never, 20);
	expect(await patience.wait(new Promise(() => {}))).toEqual({type: 'halt', why: 'stalled'});
	expect(patience.signal.aborted).toBe(true);
	patience.end();
});

test('what came while the process was stopped for longer than the patience, is heard', async () => {
	const {near, far} = await connected();
	const patience = createPatience(never, 20);
	const waited = patience.wait(once(near, 'data'));
	far.write('a sign of life');
	standStill(100);
	expect(await waited).toMatchObject({type: 'value'});
	patience.end();
});
