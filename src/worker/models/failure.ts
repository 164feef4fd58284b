import type {ModelFailure, ModelFailureReason} from '../model.ts';
import {refusalIn, type AnswerRefused} from '../http/refusal.ts';
import {shownUrl} from '../http/shown-url.ts';
import {describeError, type ErrorFacts} from './error-facts.ts';
import * as texts from './texts.ts';

/** The server and model of a request. */
export type FailureContext = texts.ServerNames & {
	readonly loopback: boolean;
	/** Keys and header values that must not appear in any sentence. */
	readonly secrets: readonly string[];
};

/**
The failure for an error that a provider package threw or streamed. `began`: the server had begun to answer.
*/
export function failureOf(error: unknown, context: FailureContext, began: boolean): ModelFailure {
	const refusal = refusalIn(error);
	if (refusal !== undefined) return refused(refusal, context);
	const facts = describeError(error, context.secrets);
	const failure =
		facts.status === undefined || facts.network !== undefined
			? failureWithoutStatus(facts, context, began || facts.status !== undefined)
			: failureOfStatus(facts.status, facts, context);
	return {
		...failure,
		...(facts.retryAfterMs === undefined || !failure.retryable ? {} : {retryAfterMs: facts.retryAfterMs}),
		cause: facts.cause,
	};
}

export function aborted(): ModelFailure {
	return {reason: 'aborted', message: texts.requestStopped, retryable: false};
}

export function stalled(context: FailureContext, ms: number): ModelFailure {
	return {reason: 'stalled', message: texts.silentFor(context, ms), retryable: true};
}

export function cut(context: FailureContext): ModelFailure {
	return {reason: 'cut', message: texts.answerCut(context), retryable: true};
}

export function tooManyParts(context: FailureContext, max: number): ModelFailure {
	return {reason: 'too_large', message: texts.answerHasTooManyParts(context, max), retryable: false};
}

export function answerTooLong(context: FailureContext, maxBytes: number): ModelFailure {
	return {reason: 'too_large', message: texts.answerTooLarge(context, maxBytes), retryable: false};
}

export function missingKey(context: FailureContext): ModelFailure {
	return {reason: 'unauthorized', message: texts.noKey(context), retryable: false};
}

export function badBaseURL(provider: string, baseURL: string | undefined): ModelFailure {
	const message =
		baseURL === undefined ? texts.noBaseURL(provider) : texts.badBaseURLText(provider, shownUrl(baseURL));
	return {reason: 'unreachable', message, retryable: false};
}

/** Never retried, because the same answer would be paid for twice. */
function refused({reason, predicate}: AnswerRefused, context: FailureContext): ModelFailure {
	const isTooLarge = reason === 'answer_too_large' || reason === 'event_too_large';
	return {
		reason: isTooLarge ? 'too_large' : 'bad_response',
		message: texts.answerRefused(context, predicate),
		retryable: false,
	};
}

function failureWithoutStatus(
	{network, text, invalid, unfinished}: ErrorFacts,
	context: FailureContext,
	began: boolean,
): ModelFailure {
	if (unfinished || (network !== undefined && began)) return cut(context);
	if (network !== undefined) return unreachable(network, context);
	const what = invalid ? texts.answerNotUnderstood(context) : texts.requestFailed(context);
	return {reason: invalid ? 'bad_response' : 'other', message: `${what}: ${text}`, retryable: false};
}

const certificateCodes = /^(CERT_|ERR_TLS|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/;

function unreachable(code: string, context: FailureContext): ModelFailure {
	const {host, loopback} = context;
	const failure = (message: string, retryable: boolean): ModelFailure => ({
		reason: 'unreachable',
		message,
		retryable,
	});
	if (certificateCodes.test(code)) return failure(texts.certificateRefused(host, code), false);
	if (code === 'ECONNREFUSED') return failure(texts.connectionRefused(context, loopback), !loopback);
	if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return failure(texts.hostNotFound(host), true);
	return failure(texts.notReachable(host, code), true);
}

type Rule = {
	readonly matches: (status: number, text: string) => boolean;
	readonly reason: ModelFailureReason;
	readonly retryable: boolean;
	readonly textOf: (context: FailureContext, status: number, facts: ErrorFacts) => texts.FailureText;
};

/** The first rule that matches applies. */
const rules: readonly Rule[] = [
	{
		matches: status => status < 300,
		reason: 'bad_response',
		retryable: false,
		textOf: context => ({what: texts.answerNotUnderstood(context)}),
	},
	{
		matches: status => status < 400,
		reason: 'bad_response',
		retryable: false,
		textOf: (context, status, {location}) =>
			location === undefined ? texts.noContent(context, status) : texts.redirected(context, status, location),
	},
	{
		matches: (status, text) => [401, 403].includes(status) || (status === 400 && keyRefused.test(text)),
		reason: 'unauthorized',
		retryable: false,
		textOf: texts.invalidKey,
	},
	{
		matches: (status, text) => status === 413 || ([400, 422, 500].includes(status) && tooLong.test(text)),
		reason: 'too_long',
		retryable: false,
		textOf: texts.requestTooLong,
	},
	{matches: status => status === 404, reason: 'not_found', retryable: false, textOf: texts.modelNotFound},
	{matches: status => status === 402, reason: 'other', retryable: false, textOf: texts.paymentRequired},
	{
		matches: (status, text) => status === 429 && quotaUsedUp.test(text),
		reason: 'rate_limited',
		retryable: false,
		textOf: texts.quotaUsedUp,
	},
	{matches: status => status === 429, reason: 'rate_limited', retryable: true, textOf: texts.rateLimited},
	{
		matches: status => [408, 409, 425].includes(status),
		reason: 'overloaded',
		retryable: true,
		textOf: texts.temporarilyRefused,
	},
	{matches: status => status >= 500, reason: 'overloaded', retryable: true, textOf: texts.serverError},
];

/** For a status without a rule. */
const otherStatus: Omit<Rule, 'matches'> = {reason: 'bad_request', retryable: false, textOf: texts.requestRefused};

// Providers say these things in words only.
const keyRefused = /API[ _]key not valid|API_KEY_INVALID/i;
const quotaUsedUp = /insufficient_quota|exceeded your current quota, please check your plan/i;
const tooLong = new RegExp(
	[
		'context[ _](length|window|size)',
		'maximum context',
		'prompt is too long',
		'input is too long',
		'too many (input )?tokens',
		'input token count',
		'reduce the length',
		'exceed_context_size',
		'string_above_max_length',
	].join('|'),
	'i',
);

function failureOfStatus(status: number, facts: ErrorFacts, context: FailureContext): ModelFailure {
	const serverText = `${facts.text} ${facts.code ?? ''}`;
	const {reason, retryable, textOf} = rules.find(({matches}) => matches(status, serverText)) ?? otherStatus;
	const message = texts.failureMessage(textOf(context, status, facts), context.host, facts.text);
	return {reason, message, retryable};
}
