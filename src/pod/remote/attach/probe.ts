import {readdir, rm} from 'node:fs/promises';
import {join} from 'node:path';
import {createLineReader} from '../../ground/text/lines.ts';
import {checkFolder, checkSocket, isDead, knock} from '../../platform/local-door.ts';
import {sessionOfSocket} from './socket-path.ts';
import {systemTimer} from '../../ground/values/is-record.ts';
import {maxGreetingBytes, parseServerMessage, type Hello} from './wire.ts';

/**
Reads the greeting of a socket's server, without attaching. Returns `undefined` if no server listens or if the socket is
untrusted.
*/
export async function probe(path: string): Promise<Hello | undefined> {
	const knocked = knock(path);
	if (!knocked.ok) return undefined;
	const {socket} = knocked;
	return new Promise(resolve => {
		// One time limit covers the whole greeting, so a server that sends it slowly gets no extra time.
		const stopTimer = systemTimer(timeoutMs, () => settle());
		const settle = (hello?: Hello) => {
			stopTimer();
			socket.destroy();
			resolve(hello);
		};
		const reader = createLineReader(maxGreetingBytes, line => {
			const message = parseServerMessage(line);
			settle(message !== undefined && 'inkpod' in message ? message : undefined);
			return false;
		});
		socket.on('data', (bytes: Buffer) => {
			if (reader.push(bytes) !== undefined) settle();
		});
		socket.on('error', () => settle());
		socket.on('close', () => settle());
	});
}

type Found = {readonly path: string; readonly hello: Hello};

/**
Probes the sockets of a folder. Returns the found servers in the order of their ids, and none for an untrusted folder.
*/
export async function probeAll(folder: string): Promise<Found[]> {
	if (!checkFolder(folder, {make: false}).ok) return [];
	const sockets = (await readdir(folder)).filter(name => sessionOfSocket(name) !== undefined);
	const names = sockets.toSorted().slice(-maxProbed);
	const found = await Promise.all(
		names.map(async (name): Promise<Found[]> => {
			const path = join(folder, name);
			const hello = await probe(path);
			return hello !== undefined && hello.session === sessionOfSocket(name) ? [{path, hello}] : [];
		}),
	);
	return found.flat();
}

/** Removes the sockets of killed processes from a folder. Checks at most `maxChecked` sockets. */
export async function removeDeadSockets(folder: string): Promise<void> {
	if (!checkFolder(folder, {make: false}).ok) return;
	const names = (await readdir(folder)).filter(name => sessionOfSocket(name) !== undefined).slice(0, maxChecked);
	await Promise.all(
		names.map(async name => {
			const path = join(folder, name);
			if (checkSocket(path).ok && (await isDead(path))) await rm(path, {force: true}).catch(() => {});
		}),
	);
}

const maxChecked = 100;
/** The maximum number of sockets to probe, because each probe opens a connection. The latest ids have priority. */
const maxProbed = 256;
const timeoutMs = 1000;
