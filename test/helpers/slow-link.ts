import {chmodSync} from 'node:fs';
import {createConnection, createServer, type Socket} from 'node:net';
import {join} from 'node:path';
import {onTestFinished} from 'vitest';
import {socketDir} from './socket-pod.ts';

/**
Passes bytes between two sockets in both directions, in pieces of random size at random moments. `random` returns
numbers from 0 to 1.
*/
export async function slowLink(to: string, random: () => number): Promise<string> {
	const path = join(await socketDir(), 'link.sock');
	const server = createServer(near => {
		const far = createConnection(to);
		pass(near, far, random);
		pass(far, near, random);
	});
	await new Promise<void>(resolve => server.listen(path, resolve));
	chmodSync(path, 0o600);
	onTestFinished(() => void server.close());
	return path;
}

function pass(from: Socket, to: Socket, random: () => number): void {
	let held = Buffer.alloc(0);
	let isOver = false;
	let isPlanned = false;
	const step = () => {
		isPlanned = false;
		const size = Math.min(held.length, 1 + Math.floor(random() ** 4 * 20_000));
		if (size > 0 && random() < 0.8) {
			to.write(held.subarray(0, size));
			held = held.subarray(size);
		}
		plan();
	};
	const plan = () => {
		if (isPlanned) return;
		if (held.length > 0) {
			isPlanned = true;
			setImmediate(step);
		} else if (isOver) to.end();
	};
	from.on('data', (bytes: Buffer) => {
		held = Buffer.concat([held, bytes]);
		plan();
	});
	from.on('error', () => {});
	from.on('close', () => {
		isOver = true;
		plan();
	});
}
