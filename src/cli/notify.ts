import {connectPod, findLive, idOf, socketFolder, socketPath, type Env, type ProjectOptions} from '../pod/index.ts';
import {sanitizeLine} from '../text/sanitize.ts';
import type {Output} from './sessions.ts';
import {noSocketFolder} from './texts.ts';

type NotifyOptions = ProjectOptions & {
	/** A session id or a unique prefix. */
	readonly id: string;
	readonly text: string;
	/** Whether to start a run if the session is idle. */
	readonly run: boolean;
	readonly env: Env;
	readonly stderr: Output;
};

/**
Implements `inkpod notify <id> "text"`: sends a notification to a running session. If a turn is running, its next
request includes the notification. Resolves when the notification is in the session's history. The exit code is 0, 1
when the session is not running or refuses, or 2 for bad configuration.
*/
export async function notify({id, text, run, env, stderr, ...where}: NotifyOptions): Promise<number> {
	const refuse = (sentence: string, code = 1) => {
		stderr.write(`inkpod: ${sanitizeLine(sentence)}\n`);
		return code;
	};
	const folder = socketFolder(env);
	const found = await findLive({...where, attach: {id}}, env);
	if (!found.ok) return refuse(found.sentence, found.isUsage === true ? 2 : 1);
	if (folder === undefined) return refuse(noSocketFolder);
	const {child} = found;
	const connected = await connectPod(socketPath(folder, idOf(found.dir)), {child});
	if (!connected.ok) return refuse(connected.sentence);
	const {pod} = connected;
	const receipt = await pod.send({method: 'notify', text, ...(run && {run})});
	await pod.send({method: 'shutdown'});
	return receipt.accepted ? 0 : refuse(receipt.sentence);
}
