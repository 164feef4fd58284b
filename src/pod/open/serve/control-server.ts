import type {Socket} from 'node:net';
import {endWithLine} from '../../remote/attach/connection.ts';
import {wireShape} from '../../ground/text/json-shape.ts';
import {createLineReader, lineOf} from '../../ground/text/lines.ts';
import {openDoor, type Opened} from '../../platform/local-door.ts';
import {systemTimer} from '../../ground/values/timer.ts';
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

/** Lets terminals of this user open sessions in this process. The socket has the same rules as those of sessions. */
export async function listenForTerminals(path: string, host: BackgroundHost): Promise<Opened> {
	const onConnection = (socket: Socket) => serveTerminal(socket, host);
	return openDoor(path, {onConnection, maxConnections, inUse: serveTexts.running(path)});
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
