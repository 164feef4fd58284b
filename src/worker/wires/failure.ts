import {en} from '../../language/index.ts';
import type {ModelFailure} from '../history/model.ts';
import {causeIn} from './http/cause.ts';
import {ConnectionProblem} from './http/connection-problem.ts';
import {IgnoredPlaces} from './http/ignored-places.ts';
import {proxyErrorIn} from './http/proxy-error.ts';
import {refusalIn, type AnswerRefused} from './http/refusal.ts';
import {shownUrl} from './http/shown-url.ts';
import {CredentialsRefused} from './credentials-refused.ts';
import {describeError, tidy, type ErrorFacts} from './error-facts.ts';
import {ruleFor} from './errors/rules.ts';
import {formsNamedIn} from './forms.ts';
import * as texts from './texts.ts';

/** The server and model of a request. */
export type FailureContext = texts.ServerNames & {
	readonly loopback: boolean;
	/** Whether the server is on this machine or in a private network, by its address in the configuration. */
	readonly isLocal: boolean;
	/** Sentences about the user's certificates that could not be used. */
	readonly ignored?: string;
	/** The keys and header values that must not appear in any sentence. */
	readonly secrets: readonly string[];
};

/**
Returns the failure for an error that was thrown, or that a server sent inside its answer. `began`: whether the server
had begun to answer. `headers`: the headers of an answer that contained an error.
*/
export function failureOf(
	error: unknown,
	context: FailureContext,
	began: boolean,
	headers?: Readonly<Record<string, string>>,
): ModelFailure {
	const refusal = refusalIn(error);
	if (refusal !== undefined) return refused(refusal, context);
	const proxy = proxyErrorIn(error);
	if (proxy !== undefined) return {reason: 'unreachable', message: proxy.message, retryable: proxy.isRetryable};
	const problem = causeIn(error, ConnectionProblem);
	if (problem !== undefined) return {reason: 'unreachable', message: en`${problem.message}.`, retryable: false};
	const credentials = causeIn(error, CredentialsRefused);
	if (credentials !== undefined) return {reason: 'unauthorized', message: credentials.message, retryable: false};
	const facts = describeError(error, context.secrets, headers);
	const ignored = causeIn(error, IgnoredPlaces)?.message;
	const failure =
		brokenConnection(facts, {...context, ...(ignored !== undefined && {ignored})}, began) ??
		failureOfReport(facts, context);
	return {
		...failure,
		...(facts.retryAfterMs === undefined || !failure.retryable ? {} : {retryAfterMs: facts.retryAfterMs}),
		cause: facts.cause,
	};
}

export function aborted(): ModelFailure {
	return {reason: 'aborted', message: texts.requestStopped, retryable: false};
}

/**
A request that was sent is not repeated automatically, because the server may already have charged for the answer.
*/
export function stalled(context: FailureContext, silence: texts.SilenceFacts): ModelFailure {
	return {reason: 'stalled', message: texts.silentFor(context, silence), retryable: !silence.isSent};
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

/** Returns the failure for a key that an HTTP header cannot contain. No provider issues such keys. */
export function unusableKey(context: FailureContext): ModelFailure {
	return {reason: 'unauthorized', message: texts.unusableKey(context), retryable: false};
}

export function badBaseURL(provider: string, baseURL: string | undefined): ModelFailure {
	const message =
		baseURL === undefined ? texts.noBaseURL(provider) : texts.badBaseURLText(provider, shownUrl(baseURL));
	return {reason: 'unreachable', message, retryable: false};
}

/**
A refused answer is not requested again, because the user would pay for the same answer twice. The exception is an
answer without any event, which a gateway may send when the server behind the gateway fails.
*/
function refused({reason, predicate}: AnswerRefused, context: FailureContext): ModelFailure {
	if (reason === 'empty') {
		const message = texts.failureMessage(texts.noContent(context), context.host, '');
		return {reason: 'bad_response', message, retryable: true};
	}
	return {
		reason: tooLarge.has(reason) ? 'too_large' : 'bad_response',
		message: texts.answerRefused(context, tidy(predicate, context.secrets), foreign.has(reason)),
		retryable: false,
	};
}

const tooLarge: ReadonlySet<AnswerRefused['reason']> = new Set([
	'answer_too_large',
	'event_too_large',
	'too_many_parts',
]);

/** The reasons to refuse an answer that came from a login page, a proxy or another server than the API. */
const foreign: ReadonlySet<AnswerRefused['reason']> = new Set(['page', 'text', 'not_an_answer']);

/** Returns the failure if the connection broke or was never established. */
function brokenConnection(
	{network, certificateNames, status}: ErrorFacts,
	context: FailureContext,
	began: boolean,
): ModelFailure | undefined {
	if (network === undefined) return undefined;
	return began || status !== undefined ? cut(context) : unreachable(network, context, certificateNames);
}

function unreachable(code: string, context: FailureContext, names?: string): ModelFailure {
	const {host, loopback, ignored} = context;
	const failure = (message: string, retryable: boolean): ModelFailure => ({
		reason: 'unreachable',
		message,
		retryable,
	});
	if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return failure(texts.certificateOfOther(host, names), false);
	if (certificateCodes.test(code)) return failure(texts.certificateRefused(host, code, ignored), false);
	if (clientCertificateCodes.test(code)) return failure(texts.clientCertificateRefused(context, code), false);
	if (code === 'ECONNREFUSED') return failure(texts.connectionRefused(context, loopback), !loopback);
	if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return failure(texts.hostNotFound(host), true);
	return failure(texts.notReachable(host, code), true);
}

const certificateCodes = /^(CERT_|ERR_TLS|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/;

/** The codes if the server refused the client certificate or got none. */
const clientCertificateCodes = /^ERR_SSL_.*ALERT_(?:(?:BAD|UNSUPPORTED)_CERTIFICATE|CERTIFICATE_|UNKNOWN_CA)/;

function failureOfReport(facts: ErrorFacts, context: FailureContext): ModelFailure {
	const {status, text, code = '', isWebPage, location, retryAfterMs} = facts;
	const saysWait = retryAfterMs !== undefined;
	const report = {status, words: `${text} ${code}`, isWebPage, saysWait, ...(location !== undefined && {location})};
	const {reason, retryable, isUnreadCall, textOf} = ruleFor(report);
	const message = texts.failureMessage(textOf(context, report), context.host, text);
	const forms = reason === 'bad_request' ? formsNamedIn(report) : [];
	return {reason, message, retryable, ...(forms.length > 0 && {forms}), ...(isUnreadCall && {unreadCall: text})};
}
