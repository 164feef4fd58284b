import {
	createLineReader,
	maxClientLineBytes,
	parseClientMessage,
	wireShape,
	type ClientMessage,
} from '../../pod/index.ts';
import type {Method, PodClient, Receipt, Status} from '../../pod/protocol.ts';
import {streamTexts} from './texts.ts';

/** The input that a program writes to stdin: lines, each with one method or question. */
export type StreamInput = AsyncIterable<Buffer | string>;

type StreamOptions = {
	readonly pod: PodClient;
	readonly input: StreamInput;
	/** Writes one object as a line of stdout. */
	readonly write: (line: object) => void;
	/** Aborts when the program has to exit. */
	readonly signal: AbortSignal;
};

/** How the input ended. `isBad`: a line could not be parsed, and the lines after it were not read. */
type StreamEnd = {readonly isBad: boolean};

/**
Carries out the methods of an input until its end, and answers each method on a separate line. At the end, it denies all
open questions. Resolves when nothing runs and nothing is queued.
*/
export async function serveStream({pod, input, write, signal}: StreamOptions): Promise<StreamEnd> {
	const status = follow(pod);
	const pending = new Set<Promise<void>>();
	let isBad = false;
	const reader = createLineReader(
		maxClientLineBytes,
		value => {
			const message = parseClientMessage(value);
			const done = message === undefined ? undefined : carryOut(pod, message, write);
			if (done === undefined) isBad = true;
			else pending.add(done);
			return done !== undefined;
		},
		{shape: wireShape},
	);
	const isOver = () => isBad || signal.aborted;
	try {
		for await (const chunk of input) {
			if (isOver() || reader.push(Buffer.from(chunk)) !== undefined) isBad ||= !signal.aborted;
			if (isOver()) break;
		}
		// The last line may have no newline.
		if (!isOver() && reader.bufferedBytes() > 0 && reader.push(Buffer.from('\n')) !== undefined) isBad = true;
	} finally {
		reader.stop();
	}
	if (isBad) write({type: 'error', sentence: streamTexts.badLine});
	status.denyAsks();
	await Promise.all(pending);
	if (!signal.aborted) await status.rest();
	status.stop();
	return {isBad};
}

/** Carries out a message. Returns `undefined` for a message that is not allowed in this input. */
function carryOut(pod: PodClient, message: ClientMessage, write: (line: object) => void): Promise<void> | undefined {
	if ('method' in message) {
		const {id} = message;
		const method = asProgram(message.method);
		if (!isAllowed(method)) return undefined;
		return pod.send(method).then((receipt: Receipt) => write({type: 'receipt', id, receipt}));
	}
	if (!('ask' in message)) return undefined;
	const {id, ask} = message;
	return ask(pod, new AbortController().signal).then(
		answer => write({type: 'answer', id, answer: answer ?? null}),
		(error: unknown) =>
			write({type: 'answer', id, problem: error instanceof Error ? error.message : String(error)}),
	);
}

/**
Tells whether a method is allowed. Methods that leave or close a session are not, because the end of the input ends the
session.
*/
function isAllowed({method}: Method): boolean {
	return !['shutdown', 'leave', 'rest', 'task'].includes(method);
}

/** Marks an answer on a card as the answer of the program that writes the input. */
function asProgram(method: Method): Method {
	return method.method === 'answer' ? {...method, from: 'program'} : method;
}

function follow(pod: PodClient) {
	let status: Status = {kind: 'idle', asks: [], queue: []};
	let denies = false;
	let resting: (() => void) | undefined;
	const isAtRest = () => status.kind !== 'running' && !status.queue.some(({state}) => state !== 'refused');
	const deny = () => {
		for (const {id, choices} of status.asks) {
			const choice = choices.find(({refuses}) => refuses === true)?.choice ?? '';
			void pod.send(asProgram({method: 'answer', askId: id, choice}));
		}
	};
	const stop = pod.subscribe(event => {
		if (!('status' in event)) return;
		({status} = event);
		if (denies) deny();
		if (isAtRest()) resting?.();
	});
	return {
		denyAsks() {
			denies = true;
			deny();
		},
		async rest() {
			if (!isAtRest()) await new Promise<void>(resolve => (resting = resolve));
		},
		stop,
	};
}
