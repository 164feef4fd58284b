import {dirname} from 'node:path';
import {createServer, type Socket} from 'node:net';
import {endWithLine} from '../../remote/attach/connection.ts';
import {wireShape} from '../../ground/text/json-shape.ts';
import {createLineReader, lineOf} from '../../ground/text/lines.ts';
import {bindSocket, checkFolder, checkSocket, isListening, removeOwn} from '../../platform/local-door.ts';
import {systemTimer} from '../../ground/values/timer.ts';
import {atExit} from '../../platform/at-exit.ts';
import {errorCode} from '../../ground/files/fs-error.ts';
import {messageOf} from '../../ground/values/message-of.ts';
import {
	controlVersion,
	maxControlBytes,
	requestSchema,
	type ControlReply,
	type ControlRequest,
} from './control-wire.ts';
import type {BackgroundHost} from './background-host.ts';
import {serveTexts} from './texts.ts';

type Controlled =
	/** `close` removes the socket, synchronously. */
	{readonly ok: true; readonly close: () => void} | {readonly ok: false; readonly sentence: string};

/** Lets terminals of this user open sessions in this process. The socket has the same rules as those of sessions. */
export async function listenForTerminals(path: string, host: BackgroundHost): Promise<Controlled> {
	const problem = await pathProblem(path);
	if (problem !== undefined) return {ok: false, sentence: problem};
	const server = createServer({allowHalfOpen: false}, socket => serveTerminal(socket, host));
	server.maxConnections = maxConnections;
	const bound = await bindSocket(server, path);
	if (!bound.ok) return bound;
	const cancelExit = atExit(() => removeOwn(path, bound.inode));
	return {
		ok: true,
		close() {
			cancelExit();
			removeOwn(path, bound.inode);
			server.close();
		},
	};
}

async function pathProblem(path: string): Promise<string | undefined> {
	const folder = checkFolder(dirname(path), {make: true});
	if (!folder.ok) return folder.sentence;
	const socket = checkSocket(path);
	if (!socket.ok) return socket.reason === 'absent' ? undefined : socket.sentence;
	return (await isListening(path)) ? serveTexts.running(path) : undefined;
}

/** Serves one connection: one request, one reply. */
function serveTerminal(socket: Socket, host: BackgroundHost): void {
	let isTaken = false;
	const stopTimer = systemTimer(silenceMs, () => socket.destroy());
	const end = (reply: ControlReply) => endWithLine(socket, systemTimer, lineOf(reply));
	const refuse = () => end({problem: serveTexts.unknown});

	function take(line: unknown): boolean {
		stopTimer();
		if (isTaken) return false;
		isTaken = true;
		const request = requestSchema.safeParse(line).data;
		if (request === undefined) refuse();
		else void replyTo(request, host).then(end, (error: unknown) => end({problem: problemOf(error)}));
		return true;
	}

	const reader = createLineReader(maxControlBytes, take, {shape: wireShape});
	socket.on('data', (bytes: Buffer) => {
		if (reader.push(bytes) !== undefined && !isTaken) refuse();
	});
	socket.on('error', () => {});
	socket.on('close', () => {
		stopTimer();
		reader.stop();
	});
	socket.write(lineOf({serve: controlVersion, pid: process.pid}));
}

async function replyTo(request: ControlRequest, host: BackgroundHost): Promise<ControlReply> {
	if ('check' in request) {
		const problem = await host.check(request.check);
		return problem === undefined ? {checked: true} : {problem};
	}
	const opened = await host.open(request.open);
	return opened.ok ? {session: opened.id} : {problem: opened.sentence};
}

/** An update replaces the files of the program, of which a running server loads some only when it needs them. */
function problemOf(error: unknown): string {
	return errorCode(error) === 'ERR_MODULE_NOT_FOUND' ? serveTexts.replaced : messageOf(error);
}

const maxConnections = 64;
/** Milliseconds that a client has for its line. */
const silenceMs = 2000;
