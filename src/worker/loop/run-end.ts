import {en} from '../../language/index.ts';
import {stamp, type Clock} from '../history/clock.ts';
import type {Outcome, RequestEnd, Stop, ToolCall, ToolResult} from '../history/item.ts';
import {cutCallsCause, isUnusual, stopCause} from './texts.ts';

export type End = {readonly outcome: Outcome; readonly cause?: string; readonly keyRefused?: true};

/**
An answer, its calls that can run, and the call that the output limit cut off. The cut call already has its result.
*/
export type Answered = {
	readonly ending: RequestEnd;
	readonly calls: readonly ToolCall[];
	readonly cutCall?: ToolCall;
};

/** The step after an answer: run its calls and send the next request, or end the run. */
export type NextStep = {readonly calls: readonly ToolCall[]; readonly end?: End};

/**
Returns a function that returns the step after each answer of a run, or `undefined` when the model is done.

- After a call that was cut, the model can make the call again. After two such answers in a row the run ends, because a
  third would also be cut.
- If the provider could not read a call, inkpod sends one more request, so that the model can write the call again.
- A paused answer is not continued: the provider would need parts that inkpod does not store, and `repairs` never lets a
  request end with an answer.
*/
export function createContinuation(): (answer: Answered) => NextStep | undefined {
	let cutInARow = 0;
	let unreadInARow = 0;
	return ({ending, calls, cutCall}) => {
		cutInARow = cutCall === undefined ? 0 : cutInARow + 1;
		unreadInARow = ending.stop === 'unread_call' ? unreadInARow + 1 : 0;
		if (cutInARow === maxCutInARow)
			return {calls, end: {outcome: 'limit', cause: cutCallsCause(ending.usage.output)}};
		const goesOn = calls.length > 0 || cutCall !== undefined || unreadInARow === 1;
		return goesOn ? {calls} : undefined;
	};
}

/** Returns how a run ends after this answer, with the reason if the answer is not complete. */
export function endAfter({stop, explanation}: RequestEnd): End {
	if (!isUnusual(stop)) return {outcome: 'finished'};
	return {outcome: failures.has(stop) ? 'error' : 'finished', cause: stopCause(stop, explanation)};
}

/**
Returns the stop reason of an answer without text and calls. The reason is `empty` if the model ended the answer
normally.
*/
export function stopOfEmpty(stop: Stop): Stop {
	return endedByItself.has(stop) ? 'empty' : stop;
}

/** Tells whether the output limit cut these arguments. `isWritten`: whether the model wrote some of the arguments. */
export function isCutCall(text: string, isWritten: boolean): boolean {
	// Some servers replace missing arguments with an empty object.
	return !isObjectText(text) || (!isWritten && text.trim() === '{}');
}

/**
Returns the result of a cut call. The text is for the model. `output`: the number of tokens in the answer, if the
provider counted them.
*/
export function cutCallResult({callId}: ToolCall, output: number | undefined, clock: Clock): ToolResult {
	const where = output === undefined ? undefined : String(output);
	const advice = en`The call was not run. Make it again with shorter arguments, or split it into several calls.`;
	return stamp(clock, {
		type: 'tool_result',
		callId,
		summary:
			where === undefined
				? en`not run: the answer was cut at the output limit`
				: en`not run: the answer was cut at ${where} output tokens`,
		content: `${
			where === undefined
				? en`The answer was cut before this call was complete.`
				: en`The answer was cut at ${where} output tokens before this call was complete.`
		} ${advice}`,
		isError: true,
		ms: 0,
	});
}

const maxCutInARow = 2;

/** A run that ends in one of these ways can be resumed, like a run whose request failed. */
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
