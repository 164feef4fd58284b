import {connectPod, findLive, idOf, socketFolder, socketPath, type Env, type ProjectOptions} from '../pod/index.ts';
import {sanitizeLine} from '../tui/text/sanitize.ts';
import type {Output} from './sessions.ts';

export type NotifyOptions = ProjectOptions & {
	/** A session id or a unique prefix. */
	readonly id: string;
	readonly text: string;
	/** An idle session begins a run for it. */
	readonly run: boolean;
	readonly env: Env;
	readonly stderr: Output;
};

/**
`inkpod notify <id> "text"`: tells a session that is open in a terminal something. Ends when that is in its history:
while an answer is under way that is at the next request. Exit code 0, 1 when nobody listens or it is refused, 2 for bad
configuration.
*/
export async function notify({id, text, run, env, stderr, ...where}: NotifyOptions): Promise<number> {
	const refuse = (sentence: string, code = 1) => {
		stderr.write(`inkpod: ${sanitizeLine(sentence)}\n`);
		return code;
	};
	const folder = socketFolder(env);
	const found = await findLive({...where, attach: {id}}, env);
	if (!found.ok) return refuse(found.sentence, found.isUsage === true ? 2 : 1);
	if (folder === undefined) return refuse('There is no folder for sockets, so no terminal can be reached.');
	const connected = await connectPod(socketPath(folder, idOf(found.dir)));
	if (!connected.ok) return refuse(connected.sentence);
	const {pod} = connected;
	const receipt = await pod.send({method: 'notify', text, ...(run && {run})});
	await pod.send({method: 'shutdown'});
	return receipt.accepted ? 0 : refuse(receipt.sentence);
}
