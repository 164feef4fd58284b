import {en} from '../../../../language/index.ts';
import type {AnswerNotes} from '../answer-notes.ts';
import {countOf, isObject, textIn, unknownCount} from '../fields.ts';
import {errorIn, type StreamError} from '../stream-error.ts';
import {fieldOf} from '../../values.ts';
import type {ResponseCounts} from './responses-items.ts';

/** Returns the last event of a response. `event`: the event that the server sent, or `undefined` if it sent none. */
export function endOfResponse(
	event: unknown,
	{counts, refusal, notes}: {readonly counts: ResponseCounts; readonly refusal: string; readonly notes: AnswerNotes},
): readonly unknown[] {
	const response = responseIn(event);
	const usage = usageOf(fieldOf(response, 'usage') ?? fieldOf(event, 'usage'));
	const error = errorOfResponse(event, response);
	if (error !== undefined) return [failedEvent(error, usage)];
	const reason = incompleteReason(event, response);
	noteEnd(notes, {reason, details: fieldOf(response, 'incomplete_details'), counts, refusal});
	const type = reason === undefined ? 'response.completed' : 'response.incomplete';
	const details = reason === undefined ? null : {reason};
	return [{type, response: {incomplete_details: details, ...(usage !== undefined && {usage})}}];
}

/** Returns the event for an error in the middle of the stream. */
export function errorEvent({type = 'error', code, message}: StreamError): unknown {
	const error = {type, message, ...(code !== undefined && {code: String(code)})};
	return {type: 'error', sequence_number: 0, error};
}

/** Returns the response in an event, or the event itself if the server left out the envelope. */
export function responseIn(event: unknown): unknown {
	const response = fieldOf(event, 'response');
	return isObject(response) ? response : event;
}

function failedEvent({code, message}: StreamError, usage: unknown): unknown {
	const error = {message, ...(code !== undefined && {code: String(code)})};
	const response = {error, ...(usage !== undefined && {usage})};
	return {type: 'response.failed', sequence_number: 0, response};
}

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

type End = {
	readonly reason: string | undefined;
	readonly details: unknown;
	readonly counts: ResponseCounts;
	readonly refusal: string;
};

/** Records the facts about the end that the package does not report. */
function noteEnd(notes: AnswerNotes, {reason, details, counts: {calls, namelessCalls}, refusal}: End): void {
	const explanation = textIn(details, 'message', 'explanation') ?? reason;
	if (reason === 'content_filter') notes.setEnd({stop: 'blocked', ...(explanation !== undefined && {explanation})});
	else if (calls === 0 && namelessCalls > 0) notes.setEnd({stop: 'unread_call', explanation: namelessCall});
	else if (reason !== undefined && reason !== 'max_output_tokens')
		notes.setEnd({stop: 'other', ...(explanation !== undefined && {explanation})});
	else if (calls === 0 && refusal !== '') notes.setEnd({stop: 'refused', explanation: refusal});
}

const namelessCall = en`The server sent a call without its name.`;

/** Returns the counts in the form that the package requires. Returns `undefined` if there are no counts. */
function usageOf(usage: unknown): Record<string, unknown> | undefined {
	const input = countIn(usage, 'input_tokens', 'prompt_tokens');
	const output = countIn(usage, 'output_tokens', 'completion_tokens');
	if (input === undefined && output === undefined) return undefined;
	const inputDetails = fieldOf(usage, 'input_tokens_details') ?? fieldOf(usage, 'prompt_tokens_details');
	const outputDetails = fieldOf(usage, 'output_tokens_details') ?? fieldOf(usage, 'completion_tokens_details');
	const [cached, written] = [countIn(inputDetails, 'cached_tokens'), countIn(inputDetails, 'cache_write_tokens')];
	const reasoning = countIn(outputDetails, 'reasoning_tokens');
	return {
		input_tokens: input ?? unknownCount,
		input_tokens_details: {
			...(cached !== undefined && {cached_tokens: cached}),
			...(written !== undefined && {cache_write_tokens: written}),
		},
		output_tokens: output ?? unknownCount,
		output_tokens_details: reasoning === undefined ? {} : {reasoning_tokens: reasoning},
	};
}

function countIn(value: unknown, ...names: readonly string[]): number | undefined {
	return names.map(name => countOf(fieldOf(value, name))).find(count => count !== undefined);
}
