import {setTimeout as wait} from 'node:timers/promises';
import {connectPod, type AttachedPod, type Connected, type ConnectOptions} from '../../remote/attach/client.ts';
import {socketPath} from '../../remote/attach/socket-path.ts';
import {pathExists} from '../../ground/files/path-exists.ts';
import {realFiles} from '../../disk/files.ts';
import {lockOwner} from '../../disk/log/lock.ts';
import {historyFile, idOf} from '../../disk/paths.ts';
import {attachTexts} from './texts.ts';

/**
Attaches to the process that owns a session's folder. Sockets are named by session ids, so the process of a copied
folder listens under the same name. It is refused: what you type would go to the other copy.
*/
export async function connectOwner(sockets: string, dir: string, options?: ConnectOptions): Promise<Connected> {
	const connected = await connectPod(socketPath(sockets, idOf(dir)), options);
	if (!connected.ok || (await isOwner(connected.pod.hello.pid, dir))) return connected;
	if (await ends(connected.pod)) return connected;
	// For an attached pod this only ends the connection.
	await connected.pod.send({method: 'shutdown'});
	return {ok: false, reason: 'refused', sentence: attachTexts.otherCopy(idOf(dir))};
}

/** An owner that is about to end has released its lock already. The caller handles the end of the connection. */
async function ends({closed}: AttachedPod): Promise<boolean> {
	return Promise.race([closed.then(() => true), wait(endMs, false)]);
}

const endMs = 500;

/** A session without a history has no lock yet. */
async function isOwner(pid: number, dir: string): Promise<boolean> {
	if (!(await pathExists(historyFile(dir)))) return true;
	return (await lockOwner(dir, realFiles))?.pid === pid;
}
