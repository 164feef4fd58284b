import type {IncomingHttpHeaders} from 'node:http';
import type {Answer, Step, StepOf} from '../../../src/worker/wires/script.ts';
import type {Ledger} from './ledger.ts';

/** The protocol of a provider, on the server's side. */
export type Speech = {
	/** The path of requests, relative to the server's root. */
	readonly path: RegExp;
	/** The status of a refusal. Absent: 400. */
	readonly refusalStatus?: number;
	/** Returns in a sentence why the real service would refuse this request, or `undefined` if it accepts it. */
	refuse(
		request: {readonly body: Json; readonly headers: IncomingHttpHeaders; readonly url: string},
		ledger: Ledger,
		options: StrictOptions,
	): string | undefined;
	/**
	Returns the answer frame by frame, and records each signature in the ledger. The server itself handles errors, cuts
	and stalls.
	*/
	frames(answer: Answer, n: number, ledger: Ledger): Iterable<Frame>;
	/** Returns an error as an HTTP body. */
	errorBody(status: number, message: string): Json;
	/** Returns an error within a stream. */
	errorFrame(status: number, message: string): string;
};

export type StrictOptions = {
	/** Whether to refuse consecutive user messages, as some chat templates do. */
	readonly alternate: boolean;
};

/** A piece of the stream, or a step that the server must perform. */
export type Frame =
	| {readonly sse: string; readonly delayMs?: number}
	| {readonly step: StepOf<'error' | 'cut' | 'stall'>};

// oxlint-disable-next-line typescript/no-explicit-any -- a request of unknown shape, inspected for refusals
export type Json = any;

/** Returns how an answer of the script ends. */
export function stopOf(answer: Answer): StepOf<'stop'>['stop'] {
	const said = answer.findLast(step => step.type === 'stop');
	return said?.stop ?? (answer.some(step => step.type === 'tool_call') ? 'tool_calls' : 'end');
}

/** Returns the script's token counts, or small ones. `input` includes cached tokens. */
export function usageOf(answer: Answer): {
	readonly input: number;
	readonly output: number;
	readonly cacheRead: number;
	readonly cacheWrite: number;
	readonly cacheWriteHour: number;
	readonly reasoning: number;
} {
	const said = answer.findLast(step => step.type === 'usage');
	return {
		input: said?.input ?? 10,
		output: said?.output ?? 5,
		cacheRead: said?.cacheRead ?? 0,
		cacheWrite: said?.cacheWrite ?? 0,
		cacheWriteHour: said?.cacheWriteHour ?? 0,
		reasoning: said?.reasoning ?? 0,
	};
}

/**
Returns a frame with the name of the model, as a provider reports it: with the date of a snapshot on the wires of OpenAI
and Anthropic. A step `answered` of the script names another model. The speeches write `served` in its place.
*/
export function withModelName(
	sse: string,
	answer: Answer,
	{url, json}: {readonly url: string; readonly json: Json},
): string {
	const said = answer.findLast(step => step.type === 'answered')?.model;
	const [, inPath] = /\/models?\/([^/:?]+)/.exec(url) ?? [];
	const asked = String(json.model ?? inPath ?? 'served');
	const isDated = /\d{8}$|\d\d-\d\d$/.test(asked);
	const date = /\/messages\b/.test(url) ? '-20260305' : /\/responses\b/.test(url) ? '-2026-03-05' : '';
	const name = said ?? (isDated ? asked : `${asked}${date}`);
	return sse.replace(/"(model|modelVersion)":"served"/, (_, field: string) => `"${field}":${JSON.stringify(name)}`);
}

/** Returns the call's own id, or the id that the scripted model would give it. */
export function callIdOf(step: StepOf<'tool_call'>, n: number, index: number): string {
	return step.callId ?? `call_${n + 1}_${index + 1}`;
}

export function isInterruption(step: Step): step is StepOf<'error' | 'cut' | 'stall'> {
	return step.type === 'error' || step.type === 'cut' || step.type === 'stall';
}

export function paced(sse: string, step: {readonly delayMs?: number | undefined}): Frame {
	return step.delayMs === undefined ? {sse} : {sse, delayMs: step.delayMs};
}
