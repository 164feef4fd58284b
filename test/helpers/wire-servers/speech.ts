import type {IncomingHttpHeaders} from 'node:http';
import type {Answer, Step, StepOf} from '../../../src/worker/models/script.ts';
import type {Ledger} from './ledger.ts';

/** The wire of a provider, on the server's side. */
export type Speech = {
	/** Where requests are posted, below the server's root. */
	readonly path: RegExp;
	/** Why the real service would refuse this request, in a sentence; `undefined` if it accepts it. */
	refuse(
		request: {readonly body: Json; readonly headers: IncomingHttpHeaders; readonly url: string},
		ledger: Ledger,
		options: StrictOptions,
	): string | undefined;
	/**
	The answer, frame by frame; what is signed goes into the ledger as it is said. Errors, cuts and stalls are the
	server's.
	*/
	frames(answer: Answer, n: number, ledger: Ledger): Iterable<Frame>;
	/** An error as an HTTP body. */
	errorBody(status: number, message: string): Json;
	/** An error in the midst of a stream. */
	errorFrame(status: number, message: string): string;
};

export type StrictOptions = {
	/** Refuses neighbouring user messages, as some chat templates do. */
	readonly alternate: boolean;
};

/** A piece of the stream, or a step that the server must act on. */
export type Frame =
	| {readonly sse: string; readonly delayMs?: number}
	| {readonly step: StepOf<'error' | 'cut' | 'stall'>};

// oxlint-disable-next-line typescript/no-explicit-any -- a request of unknown shape, inspected for refusals
export type Json = any;

/** The end of an answer as the script says it. */
export function stopOf(answer: Answer): StepOf<'stop'>['stop'] {
	const said = answer.findLast(step => step.type === 'stop');
	return said?.stop ?? (answer.some(step => step.type === 'tool_call') ? 'tool_calls' : 'end');
}

/** The tokens of the script, or small ones. `input` counts cached tokens too. */
export function usageOf(answer: Answer): {
	readonly input: number;
	readonly output: number;
	readonly cacheRead: number;
	readonly cacheWrite: number;
	readonly reasoning: number;
} {
	const said = answer.findLast(step => step.type === 'usage');
	return {
		input: said?.input ?? 10,
		output: said?.output ?? 5,
		cacheRead: said?.cacheRead ?? 0,
		cacheWrite: said?.cacheWrite ?? 0,
		reasoning: said?.reasoning ?? 0,
	};
}

/** The call's own id, or the same one that the scripted model would give. */
export function callIdOf(step: StepOf<'tool_call'>, n: number, index: number): string {
	return step.callId ?? `call_${n + 1}_${index + 1}`;
}

export function isInterruption(step: Step): step is StepOf<'error' | 'cut' | 'stall'> {
	return step.type === 'error' || step.type === 'cut' || step.type === 'stall';
}

export function paced(sse: string, step: {readonly delayMs?: number | undefined}): Frame {
	return step.delayMs === undefined ? {sse} : {sse, delayMs: step.delayMs};
}
