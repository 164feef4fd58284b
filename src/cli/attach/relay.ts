import {findLive, idOf, knock, socketFolder, socketPath, type Env} from '../../pod/index.ts';
import {sanitizeLine} from '../../text/sanitize.ts';
import type {Output} from '../sessions.ts';
import {noSocketFolder} from '../texts.ts';

type RelayOptions = {
	/** A session id or a unique prefix. */
	readonly id: string;
	readonly env: Env;
	readonly stdin: NodeJS.ReadableStream;
	readonly stdout: NodeJS.WritableStream;
	readonly stderr: Output;
	/** Aborts when the program has to exit. */
	readonly signal: AbortSignal;
};

/**
Implements `inkpod attach --stdio ID`: connects stdin and stdout with the socket of a session, for
`inkpod attach HOST:ID` on another machine. The exit code is 2 if the session is not open.
*/
export async function relay({id, env, stdin, stdout, stderr, signal}: RelayOptions): Promise<number> {
	const refuse = (sentence: string) => {
		stderr.write(`inkpod: ${sanitizeLine(sentence)}\n`);
		return 2;
	};
	const folder = socketFolder(env);
	if (folder === undefined) return refuse(noSocketFolder);
	const found = await findLive({attach: {id}}, env);
	if (!found.ok) return refuse(found.sentence);
	const knocked = knock(socketPath(folder, idOf(found.dir)));
	if (!knocked.ok) return refuse(knocked.sentence);
	const {socket} = knocked;
	return new Promise(resolve => {
		socket.on('error', error => resolve(refuse(error.message)));
		socket.on('close', () => resolve(0));
		stdin.on('error', () => socket.destroy());
		signal.addEventListener('abort', () => socket.destroy());
		stdin.pipe(socket).pipe(stdout);
	});
}
