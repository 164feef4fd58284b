import {attachRemote, planStart, findLive, idOf, knock, socketFolder, socketPath, type Env} from '../../pod/index.ts';
import type {ChatLaunch} from '../start/launch.ts';
import {sanitize, sanitizeLine} from '../../text/sanitize.ts';
import type {ChatIo} from '../chat/session-screen.ts';
import type {SessionScreen} from '../chat/session-screen.ts';
import type {Output} from '../sessions.ts';
import {noSocketFolder} from '../texts.ts';

type RemoteScreen =
	| {readonly ok: true; readonly screen: SessionScreen}
	| {readonly ok: false; readonly sentence: string};

/**
Connects to a session on another machine before any screen opens, because ssh may ask for a password or show the key of
the host. The plan gives the screen its settings. The plan needs no model, because the session runs on the other
machine.
*/
export async function remoteScreen(launch: ChatLaunch, {env, stderr}: ChatIo): Promise<RemoteScreen> {
	const remote = launch.attach?.remote;
	if (remote === undefined) throw new Error('no remote session was named');
	const planned = await planStart({...launch, session: {kind: 'new'}, model: 'offline'}, env);
	if (!planned.ok) return planned;
	const {plan} = planned;
	const onText = (text: string) => void stderr.write(sanitize(text));
	const opened = await attachRemote(remote, {env, cwd: plan.scope.pwd, onText});
	if (!opened.ok) return opened;
	const {open} = opened;
	const session = {kind: 'stored', dir: open.session.dir} as const;
	return {ok: true, screen: {plan: {...plan, session}, open, prompt: '', draft: [], warnings: plan.warnings}};
}

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
