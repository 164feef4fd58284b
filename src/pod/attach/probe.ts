import {readdir, rm} from 'node:fs/promises';
import {createConnection} from 'node:net';
import {join} from 'node:path';
import {errorCode} from '../files/fs-error.ts';
import {createLineReader} from './lines.ts';
import {checkFolder, checkSocket, sessionOfSocket} from './socket-path.ts';
import {systemTimer} from './timer.ts';
import {maxGreetingBytes, parseServerMessage, type Hello} from './wire.ts';

/** Whether somebody listens on a socket. */
export async function isListening(path: string): Promise<boolean> {
	return new Promise(resolve => {
		const socket = createConnection(path);
		socket.unref();
		socket.on('connect', () => {
			socket.destroy();
			resolve(true);
		});
		socket.on('error', () => resolve(false));
	});
}

/** Who listens on a socket, without attaching. Nothing when nobody does, or when somebody else could have made it. */
export async function probe(path: string): Promise<Hello | undefined> {
	return new Promise(resolve => {
		if (!checkSocket(path).ok) {
			resolve(undefined);
			return;
		}
		const socket = createConnection(path);
		// In all: a server that sends byte by byte gets no more time.
		const giveUp = systemTimer(timeoutMs, () => settle());
		const settle = (hello?: Hello) => {
			giveUp();
			socket.destroy();
			resolve(hello);
		};
		const reader = createLineReader(maxGreetingBytes, line => {
			const said = parseServerMessage(line);
			settle(said !== undefined && 'inkpod' in said ? said : undefined);
			return false;
		});
		socket.on('data', (bytes: Buffer) => {
			if (reader.push(bytes) !== undefined) settle();
		});
		socket.on('error', () => settle());
		socket.on('close', () => settle());
	});
}

export type Found = {readonly path: string; readonly hello: Hello};

/** All that listen in a folder of sockets, in the order of their ids. None in a folder that others could have made. */
export async function probeAll(folder: string): Promise<Found[]> {
	if (!checkFolder(folder, {make: false}).ok) return [];
	const sockets = (await readdir(folder)).filter(name => sessionOfSocket(name) !== undefined);
	const names = sockets.toSorted().slice(-maxGreeted);
	const found = await Promise.all(
		names.map(async (name): Promise<Found[]> => {
			const path = join(folder, name);
			const hello = await probe(path);
			return hello !== undefined && hello.session === sessionOfSocket(name) ? [{path, hello}] : [];
		}),
	);
	return found.flat();
}

/** Removes the sockets that killed processes left in a folder, as many as one start may look at. */
export async function removeDeadSockets(folder: string): Promise<void> {
	if (!checkFolder(folder, {make: false}).ok) return;
	const names = (await readdir(folder)).filter(name => sessionOfSocket(name) !== undefined).slice(0, maxSwept);
	await Promise.all(
		names.map(async name => {
			const path = join(folder, name);
			if (checkSocket(path).ok && (await isDead(path))) await rm(path, {force: true}).catch(() => {});
		}),
	);
}

/** Refused is what a socket answers whose process is gone; one that is slow or full answers otherwise. */
async function isDead(path: string): Promise<boolean> {
	return new Promise(resolve => {
		const socket = createConnection(path);
		socket.unref();
		socket.setTimeout(timeoutMs, () => socket.destroy());
		socket.on('connect', () => socket.destroy());
		socket.on('error', error => resolve(errorCode(error) === 'ECONNREFUSED'));
		socket.on('close', () => resolve(false));
	});
}

const maxSwept = 100;
/** The latest ids: each is a connection. */
const maxGreeted = 256;
const timeoutMs = 1000;
