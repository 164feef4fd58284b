import type {Socket} from 'node:net';
import {wireShape} from '../../ground/text/json-shape.ts';
import {createLineReader, lineOf} from '../../ground/text/lines.ts';
import {knock} from '../../platform/local-door.ts';
import {systemTimer} from '../../ground/values/timer.ts';
import type {Env} from '../../ground/env/env.ts';
import {
	controlVersion,
	greetingSchema,
	maxControlBytes,
	replySchema,
	serverSocket,
	type ControlReply,
	type ControlRequest,
} from './control-wire.ts';
import {serveTexts} from './texts.ts';

export type Asked =
	| {readonly ok: true; /** The id of the opened session. */ readonly session?: string}
	/** `absent`: no server is running. */
	| {readonly ok: false; readonly reason: 'absent' | 'untrusted' | 'refused' | 'lost'; readonly sentence: string};

/** Asks the server of this user. It waits as long as the server needs, but at most `timeoutMs` for its greeting. */
export async function askServer(env: Env, request: ControlRequest, timeoutMs = 5000): Promise<Asked> {
	const path = serverSocket(env);
	if (path === undefined) return failed('absent', serveTexts.noFolder);
	const knocked = knock(path);
	if (knocked.ok) return ask(knocked.socket, request, timeoutMs);
	return knocked.reason === 'absent' ? failed('absent', serveTexts.absent) : failed('untrusted', knocked.sentence);
}

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
