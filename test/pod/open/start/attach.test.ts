import {mkdir, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {describe, expect, it, onTestFinished} from 'vitest';
import {realFiles} from '../../../../src/pod/disk/files.ts';
import {takeLock} from '../../../../src/pod/disk/log/lock.ts';
import {historyFile} from '../../../../src/pod/disk/paths.ts';
import {connectOwner} from '../../../../src/pod/open/start/attach.ts';
import {handPod, served, sessionId, socketDir} from '../../../helpers/socket-pod.ts';

/** Starts a server for the session, and returns the folder of its socket and a folder of the session. */
async function open(): Promise<{readonly sockets: string; readonly dir: string}> {
	const sockets = await socketDir();
	await served(handPod().client, {folder: sockets});
	return {sockets, dir: join(await socketDir(), sessionId)};
}

async function withHistory(dir: string): Promise<void> {
	await mkdir(dirname(historyFile(dir)), {recursive: true});
	await writeFile(historyFile(dir), '');
}

async function outcomeOf({sockets, dir}: {readonly sockets: string; readonly dir: string}): Promise<string> {
	const connected = await connectOwner(sockets, dir);
	if (!connected.ok) return connected.sentence;
	await connected.pod.send({method: 'shutdown'});
	return 'attached';
}

describe('attaching to the owner of a folder', () => {
	it('works when the process that answers holds the lock', async () => {
		const place = await open();
		await withHistory(place.dir);
		const locked = await takeLock(place.dir, realFiles);
		if (!locked.ok) throw new Error(locked.sentence);
		onTestFinished(async () => locked.lock.release());
		expect(await outcomeOf(place)).toBe('attached');
	});

	it('works before the first message, when no folder exists', async () => {
		expect(await outcomeOf(await open())).toBe('attached');
	});

	it('is refused when the process that answers does not own this folder', async () => {
		const place = await open();
		await withHistory(place.dir);
		expect(await outcomeOf(place)).toMatch(/^A copy of this session is open in another terminal/);
	});
});
