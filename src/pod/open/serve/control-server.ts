import type {Socket} from 'node:net';
import {endWithLine} from '../../remote/attach/connection.ts';
import {wireShape} from '../../ground/text/json-shape.ts';
import {createLineReader, lineOf} from '../../ground/text/lines.ts';
import {openDoor, type Opened, socketFolder, knock} from '../../platform/local-door.ts';
import {systemTimer, messageOf} from '../../ground/values/is-record.ts';
import {errorCode} from '../../ground/files/fs-error.ts';
import type {BackgroundHost} from './background-host.ts';
import {serveTexts} from './texts.ts';
import {createHash} from 'node:crypto';
import {join} from 'node:path';
import {z} from 'zod';
import type {Env} from '../../ground/env/env.ts';
import {sentence} from '../../protocol/refusals.ts';
import {stateHome} from '../../disk/paths.ts';
import {transferSchema} from './transfer.ts';

/**
Listens on a socket, so that this user's terminals can open sessions in this process. The same safety rules apply as to
the sockets of sessions.
*/
export async function listenForTerminals(path: string, host: BackgroundHost): Promise<Opened> {
	const onConnection = (socket: Socket) => serveTerminal(socket, host);
	return openDoor(path, {onConnection, maxConnections, inUse: serveTexts.running(path)});
}

/**
Returns the path of the server's socket. The socket is in the same folder as the sockets of sessions. Each state folder
(INKPOD_HOME) has its own server. Returns `undefined` if there is no folder for sockets.
*/
export function serverSocket(env: Env): string | undefined {
	const folder = socketFolder(env);
	const home = createHash('sha256').update(stateHome(env)).digest('hex').slice(0, 12);
	return folder === undefined ? undefined : join(folder, `serve-${home}.sock`);
}

export type Asked =
	| {readonly ok: true; /** The id of the opened session. */ readonly session?: string}
	/** `absent`: no server is running. */
	| {readonly ok: false; readonly reason: 'absent' | 'untrusted' | 'refused' | 'lost'; readonly sentence: string};

/**
Sends a request to the server of this user. Waits at most `timeoutMs` for the greeting of the server, and without a
limit for the reply.
*/
export async function askServer(env: Env, request: ControlRequest, timeoutMs = 5000): Promise<Asked> {
	const path = serverSocket(env);
	if (path === undefined) return failed('absent', serveTexts.noFolder);
	const knocked = knock(path);
	if (knocked.ok) return ask(knocked.socket, request, timeoutMs);
	return knocked.reason === 'absent' ? failed('absent', serveTexts.absent) : failed('untrusted', knocked.sentence);
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

/**
Returns the sentence for an error. A module can be missing after an update replaced the files of the program, because a
running server loads some modules on demand.
*/
function problemOf(error: unknown): string {
	return errorCode(error) === 'ERR_MODULE_NOT_FOUND' ? serveTexts.replaced : messageOf(error);
}

const maxConnections = 64;

/** The number of milliseconds within which a client must send its line. */
const silenceMs = 2000;

/** The version of the protocol between a terminal and the server. */
const controlVersion = 1;

/** The maximum length of a line in bytes. The longest lines contain a prompt. */
const maxControlBytes = 4 * 1024 * 1024;

/** The first line that the server sends. */
const greetingSchema = z.object({serve: z.number(), pid: z.number().int().positive()});

/** The only line that a client sends. `check` asks whether `open` would succeed now, without opening a session. */
type ControlRequest = z.infer<typeof requestSchema>;

const requestSchema = z.union([z.object({open: transferSchema}), z.object({check: transferSchema})]);

/** The answer of the server. After this answer, the server closes the connection. */
type ControlReply = z.infer<typeof replySchema>;

const replySchema = z.union([
	z.object({session: z.string().max(26)}),
	z.object({checked: z.literal(true)}),
	z.object({problem: sentence}),
]);

async function ask(socket: Socket, request: ControlRequest, timeoutMs: number): Promise<Asked> {
	const {promise, resolve} = Promise.withResolvers<Asked>();
	const stopTimer = systemTimer(timeoutMs, () => end(failed('lost', serveTexts.silent)));
	let isGreeted = false;

	function end(asked: Asked): void {
		stopTimer();
		socket.destroy();
		resolve(asked);
	}

	function greet(line: unknown): void {
		stopTimer();
		isGreeted = true;
		const greeting = greetingSchema.safeParse(line).data;
		if (greeting?.serve === controlVersion) socket.write(lineOf(request));
		else end(failed('refused', serveTexts.version));
	}

	function take(line: unknown): boolean {
		if (!isGreeted) greet(line);
		else end(askedOf(replySchema.safeParse(line).data));
		return true;
	}

	const reader = createLineReader(maxControlBytes, take, {shape: wireShape});
	socket.on('data', (bytes: Buffer) => {
		if (reader.push(bytes) !== undefined) end(failed('refused', serveTexts.version));
	});
	socket.on('error', error => {
		const isAbsent = 'syscall' in error && error.syscall === 'connect';
		end(isAbsent ? failed('absent', serveTexts.absent) : failed('lost', serveTexts.lost));
	});
	socket.on('close', () => end(failed('lost', serveTexts.lost)));
	return promise;
}

function askedOf(reply: ControlReply | undefined): Asked {
	if (reply === undefined) return failed('refused', serveTexts.version);
	if ('problem' in reply) return failed('refused', reply.problem);
	return {ok: true, ...('session' in reply && {session: reply.session})};
}

function failed(reason: Extract<Asked, {ok: false}>['reason'], sentence: string): Asked {
	return {ok: false, reason, sentence};
}
