import {stamp, type Clock} from './clock.ts';
import type {Outcome, RequestItem, Stop, ToolCall, ToolResult} from './item.ts';
import {cutCallsCause, isUnusual, stopCause} from './texts.ts';

/** How a run ends. */
export type End = {readonly outcome: Outcome; readonly cause?: string};

/** An answer, the calls of it that can run, and the call that the output limit cut, which has its result already. */
export type Answered = {
	readonly request: RequestItem;
	readonly calls: readonly ToolCall[];
	readonly cutCall?: ToolCall;
};

/** What follows an answer: its calls are run, then the next request is sent, or the run ends. */
export type NextStep = {readonly calls: readonly ToolCall[]; readonly end?: End};

/**
Returns what follows each answer of a run. `undefined`: the model is done.

- After a cut call the model can make it again. After two such answers in a row the run ends, because a third would be
  cut, too.
- A call that the provider could not read is asked for again once.
- A paused answer is not continued: what the provider wants back are parts that inkpod does not store, and `repairs`
  never lets a request end with an answer.
*/
export function createContinuation(): (answer: Answered) => NextStep | undefined {
	let cutInARow = 0;
	let unreadInARow = 0;
	return ({request, calls, cutCall}) => {
		cutInARow = cutCall === undefined ? 0 : cutInARow + 1;
		unreadInARow = request.stop === 'unread_call' ? unreadInARow + 1 : 0;
		if (cutInARow === maxCutInARow)
			return {calls, end: {outcome: 'limit', cause: cutCallsCause(request.usage.output)}};
		const goesOn = calls.length > 0 || cutCall !== undefined || unreadInARow === 1;
		return goesOn ? {calls} : undefined;
	};
}

/** How a run ends after this answer. An answer that is not whole says why. */
export function endAfter({stop, explanation}: RequestItem): End {
	if (!isUnusual(stop)) return {outcome: 'finished'};
	return {outcome: failures.has(stop) ? 'error' : 'finished', cause: stopCause(stop, explanation)};
}

/** The stop of an answer that ended by itself but has neither text nor a call. */
export function stopOfEmpty(stop: Stop): Stop {
	return endedByItself.has(stop) ? 'empty' : stop;
}

/** Whether the output limit cut these arguments. `isWritten`: the model wrote some of them. */
export function isCutCall(text: string, isWritten: boolean): boolean {
	// Some packages replace missing arguments by an empty object.
	return !isObjectText(text) || (!isWritten && text.trim() === '{}');
}

/** The result of a cut call. The text is for the model. `output`: the tokens of the answer, if the provider counted. */
export function cutCallResult({callId}: ToolCall, output: number | undefined, clock: Clock): ToolResult {
	const where = output === undefined ? '' : ` at ${output} output tokens`;
	const advice = 'It was not run. Make it again with shorter arguments, or split it into several calls.';
	return stamp(clock, {
		type: 'tool_result',
		callId,
		summary: `not run: the answer was cut${where === '' ? ' at the output limit' : where}`,
		content: `The answer was cut${where} before this call was complete. ${advice}`,
		isError: true,
		ms: 0,
	});
}

const maxCutInARow = 2;

/** A run that ends so can be resumed, like one whose request failed. */
const failures: ReadonlySet<Stop> = new Set(['aborted', 'cut', 'error']);

const endedByItself: ReadonlySet<Stop> = new Set(['end', 'tool_calls', 'other']);

function isObjectText(text: string): boolean {
	try {
		const value: unknown = JSON.parse(text);
		return typeof value === 'object' && value !== null;
	} catch {
		return false;
	}
}
