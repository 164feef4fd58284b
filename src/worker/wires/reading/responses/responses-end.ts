import {en} from '../../../../language/index.ts';
import type {Stop, Usage} from '../../../history/item.ts';
import {storableUsage} from '../../events.ts';
import {fieldOf} from '../../values.ts';
import type {AnswerEvent} from '../answer-event.ts';
import type {AnswerNotes} from '../answer-notes.ts';
import {faultOf, isErrorWord} from '../error-words.ts';
import {countOf, isObject, textIn} from '../fields.ts';
import {errorIn, type StreamError} from '../stream-error.ts';
import type {ResponseCounts} from './responses-items.ts';

/** Returns the last event of a response. `event`: the event that the server sent, or `undefined` if it sent none. */
export function endOfResponse(event: unknown, {counts, refusal, notes, usage}: ResponseFacts): AnswerEvent {
	const response = responseIn(event);
	const error = errorOfResponse(event, response);
	if (error !== undefined) return errorEvent({...error, type: 'response.failed'});
	const reason = incompleteReason(event, response);
	const details = fieldOf(response, 'incomplete_details');
	const {stop, explanation} = endOf({reason, details, counts, refusal});
	if (explanation !== undefined) notes.setEnd({explanation});
	return {type: 'finish', stop, usage};
}

type ResponseFacts = {
	readonly counts: ResponseCounts;
	readonly refusal: string;
	readonly notes: AnswerNotes;
	readonly usage: Usage;
};

/** Returns the token counts in an event. */
export function usageIn(event: unknown): Usage {
	return usageOf(fieldOf(responseIn(event), 'usage') ?? fieldOf(event, 'usage'));
}

/** Returns the last event of a response if the response is incomplete because the server failed. */
export function faultIn(event: unknown, usage: Usage): AnswerEvent | undefined {
	const reason = textIn(fieldOf(responseIn(event), 'incomplete_details'), 'reason');
	return isErrorWord(reason) ? faultOf(reason, usage) : undefined;
}

/**
Returns the event for an error. The server sent the error with status 200, so the error's code or type determines the
status in the event.
*/
export function errorEvent({type = 'error', code, message}: StreamError): AnswerEvent {
	const own = code === undefined ? undefined : String(code);
	const error = {message, type, ...(own !== undefined && {code: own}), statusCode: statusOf(own, type)};
	return {type: 'error', error};
}

/** Returns the response in an event, or the event itself if the server left out the envelope. */
export function responseIn(event: unknown): unknown {
	const response = fieldOf(event, 'response');
	return isObject(response) ? response : event;
}

function statusOf(code: string | undefined, type: string): number {
	if (code !== undefined && /^[45]\d\d$/.test(code)) return Number(code);
	const words = `${code ?? ''} ${type}`.toLowerCase();
	return statuses.find(([found]) => found.test(words))?.[1] ?? 500;
}

/** The HTTP statuses for OpenAI's codes and types (developers.openai.com/api/docs/guides/error-codes). */
const statuses: ReadonlyArray<readonly [RegExp, number]> = [
	[/insufficient_quota|rate_limit/, 429],
	[/authentication/, 401],
	[/permission/, 403],
	[/not_found/, 404],
	[/invalid|bad_request|context_length/, 400],
	[/overload/, 503],
	[/timeout/, 504],
];

function errorOfResponse(event: unknown, response: unknown): StreamError | undefined {
	const error = errorIn({error: fieldOf(response, 'error')});
	const isFailed = fieldOf(event, 'type') === 'response.failed' || fieldOf(response, 'status') === 'failed';
	const hasReason = textIn(fieldOf(response, 'incomplete_details'), 'reason') !== undefined;
	if (error !== undefined) return error;
	return isFailed && !hasReason ? {message: failedWithoutError} : undefined;
}

const failedWithoutError = en`The server reported a failed response without giving a reason.`;

/** Returns why the response is incomplete. Returns `undefined` if the response is complete. */
function incompleteReason(event: unknown, response: unknown): string | undefined {
	const reason = textIn(fieldOf(response, 'incomplete_details'), 'reason');
	if (reason !== undefined) return reason;
	const isIncomplete = fieldOf(event, 'type') === 'response.incomplete';
	const status = isIncomplete ? 'incomplete' : textIn(response, 'status');
	const isCancelled = fieldOf(event, 'type') === 'response.cancelled';
	if (isCancelled) return 'cancelled';
	return status === 'incomplete' || status === 'cancelled' ? status : undefined;
}

type EndFacts = {
	readonly reason: string | undefined;
	readonly details: unknown;
	readonly counts: ResponseCounts;
	readonly refusal: string;
};

type End = {readonly stop: Stop; readonly explanation?: string | undefined};

/** Returns why the answer ended, with the server's own explanation. */
function endOf({reason, details, counts: {calls, namelessCalls}, refusal}: EndFacts): End {
	const explanation = textIn(details, 'message', 'explanation') ?? reason;
	if (reason === 'content_filter') return {stop: 'blocked', explanation};
	if (calls === 0 && namelessCalls > 0) return {stop: 'unread_call', explanation: namelessCall};
	if (reason !== undefined && reason !== 'max_output_tokens') return {stop: 'other', explanation};
	if (calls === 0 && refusal !== '') return {stop: 'refused', explanation: refusal};
	if (reason !== undefined) return {stop: 'length'};
	return {stop: calls > 0 ? 'tool_calls' : 'end'};
}

const namelessCall = en`The server sent a call without its name.`;

/**
Returns the usage. If the server sent any counts but left out the counts of cached and reasoning tokens, those counts
are zero.
*/
function usageOf(usage: unknown): Usage {
	const input = countIn(usage, 'input_tokens', 'prompt_tokens');
	const output = countIn(usage, 'output_tokens', 'completion_tokens');
	if (input === undefined && output === undefined) return {};
	const inputDetails = fieldOf(usage, 'input_tokens_details') ?? fieldOf(usage, 'prompt_tokens_details');
	const outputDetails = fieldOf(usage, 'output_tokens_details') ?? fieldOf(usage, 'completion_tokens_details');
	return storableUsage({
		input,
		output,
		cacheRead: countIn(inputDetails, 'cached_tokens') ?? 0,
		cacheWrite: countIn(inputDetails, 'cache_write_tokens'),
		reasoning: countIn(outputDetails, 'reasoning_tokens') ?? 0,
	});
}

function countIn(value: unknown, ...names: readonly string[]): number | undefined {
	return names.map(name => countOf(fieldOf(value, name))).find(count => count !== undefined);
}
