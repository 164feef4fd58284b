import type {ModelFailure, ModelFailureReason} from '../model.ts';
import {refusalIn, type AnswerRefused} from '../http/refusal.ts';
import {shownUrl} from '../http/shown-url.ts';
import {describeError, type ErrorFacts} from './error-facts.ts';

/** Whom the sentences speak of. */
export type FailureContext = {
	readonly provider: string;
	readonly model: string;
	/** Host and port. */
	readonly host: string;
	readonly loopback: boolean;
	readonly keyVariable?: string;
	/** Keys and header values that must appear in no sentence. */
	readonly secrets: readonly string[];
};

/**
Whatever a provider package threw or streamed, as a failure with one sentence. `began`: the server had begun to answer.
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
	return {reason: 'aborted', message: 'The request was stopped.', retryable: false};
}

export function stalled(context: FailureContext, ms: number): ModelFailure {
	return {
		reason: 'stalled',
		message: `${context.provider} at ${context.host} was silent for ${duration(ms)}, so the request was ended (model.stall_timeout).`,
		retryable: true,
	};
}

export function cut(context: FailureContext): ModelFailure {
	return {
		reason: 'cut',
		message: `The answer of ${context.provider} was cut off: the connection to ${context.host} ended before the answer did.`,
		retryable: true,
	};
}

export function tooManyParts({provider, host}: FailureContext, max: number): ModelFailure {
	return {
		reason: 'too_large',
		message: `The answer of ${provider} at ${host} has more than ${max} parts. inkpod stopped reading it.`,
		retryable: false,
	};
}

/** What came of the answer is kept. */
export function answerTooLong({provider, host}: FailureContext, maxBytes: number): ModelFailure {
	const size = `${maxBytes / 1024 ** 2} MB`;
	const message = `The answer of ${provider} at ${host} is longer than ${size}. inkpod kept what came and stopped reading it.`;
	return {reason: 'too_large', message, retryable: false};
}

export function missingKey({provider, keyVariable}: FailureContext): ModelFailure {
	return {
		reason: 'unauthorized',
		message: `There is no key for ${provider}${keyVariable === undefined ? '.' : `: set ${keyVariable}.`}`,
		retryable: false,
	};
}

export function badBaseURL(provider: string, baseURL: string | undefined): ModelFailure {
	const message =
		baseURL === undefined
			? `There is no base URL for ${provider}: set base_url.`
			: `The base URL of ${provider} is not an http or https address: ${shownUrl(baseURL)}.`;
	return {reason: 'unreachable', message, retryable: false};
}

/** Never tried again: the same answer would be paid for twice. */
function refused({reason, message}: AnswerRefused, {provider, host}: FailureContext): ModelFailure {
	const isTooLarge = reason === 'answer_too_large' || reason === 'event_too_large';
	const what = message.replace(/^it /, `${provider} at ${host} `);
	return {
		reason: isTooLarge ? 'too_large' : 'bad_response',
		message: `${what}. inkpod stopped reading it.`,
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
	if (invalid)
		return {
			reason: 'bad_response',
			message: `${context.provider} at ${context.host} sent an answer that could not be understood: ${text}`,
			retryable: false,
		};
	return {reason: 'other', message: `The request to ${context.provider} failed: ${text}`, retryable: false};
}

const certificateCodes = /^(CERT_|ERR_TLS|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/;

function unreachable(code: string, {provider, host, loopback}: FailureContext): ModelFailure {
	if (certificateCodes.test(code))
		return {
			reason: 'unreachable',
			message: `The certificate of ${host} was not accepted (${code}).`,
			retryable: false,
		};
	if (code === 'ECONNREFUSED')
		return {
			reason: 'unreachable',
			message: `Nothing answers at ${host}: the connection was refused.${loopback ? ` Is the server of ${provider} running?` : ''}`,
			retryable: !loopback,
		};
	if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
		return {
			reason: 'unreachable',
			message: `The host ${host} was not found: no network, or a wrong base URL.`,
			retryable: true,
		};
	return {reason: 'unreachable', message: `${host} cannot be reached (${code}).`, retryable: true};
}

type Rule = {
	readonly fits: (status: number, text: string) => boolean;
	readonly reason: ModelFailureReason;
	readonly retryable: boolean;
	readonly say: (context: FailureContext, status: number, facts: ErrorFacts) => string;
};

/** The first rule that fits counts. */
const rules: readonly Rule[] = [
	{
		fits: status => status < 300,
		reason: 'bad_response',
		retryable: false,
		say: ({provider, host}) => `${provider} at ${host} sent an answer that could not be understood`,
	},
	{
		fits: status => status < 400,
		reason: 'bad_response',
		retryable: false,
		say: ({host}, status, {location}) =>
			location === undefined
				? `${host} answered without content (${status})`
				: `${host} redirects to ${location} (${status}): set the base URL to the address that answers`,
	},
	{
		fits: (status, text) =>
			status === 401 || status === 403 || (status === 400 && /API[ _]key not valid|API_KEY_INVALID/i.test(text)),
		reason: 'unauthorized',
		retryable: false,
		say: ({host, keyVariable}, status) =>
			`${host} refused the key (${status})${keyVariable === undefined ? '' : `; inkpod takes it from ${keyVariable}`}`,
	},
	{
		fits: (status, text) => status === 413 || ([400, 422, 500].includes(status) && tooLong.test(text)),
		reason: 'too_long',
		retryable: false,
		say: ({model}) => `The request is too long for ${model}`,
	},
	{
		fits: status => status === 404,
		reason: 'not_found',
		retryable: false,
		say: ({model, host}) => `${host} knows no model "${model}", or the base URL is wrong (404)`,
	},
	{
		fits: status => status === 402,
		reason: 'other',
		retryable: false,
		say: ({host}) => `${host} asks for payment (402)`,
	},
	{
		fits: (status, text) =>
			status === 429 && /insufficient_quota|exceeded your current quota, please check your plan/i.test(text),
		reason: 'rate_limited',
		retryable: false,
		say: ({host}) => `The quota at ${host} is used up (429)`,
	},
	{
		fits: status => status === 429,
		reason: 'rate_limited',
		retryable: true,
		say: ({host}) => `${host} limits the rate of requests (429)`,
	},
	{
		fits: status => [408, 409, 425].includes(status),
		reason: 'overloaded',
		retryable: true,
		say: ({host}, status) => `${host} could not take the request now (${status})`,
	},
	{
		fits: status => status >= 500,
		reason: 'overloaded',
		retryable: true,
		say: ({host}, status) => `${host} is overloaded or broken (${status})`,
	},
	{
		fits: () => true,
		reason: 'bad_request',
		retryable: false,
		say: ({host}, status) => `${host} refused the request (${status})`,
	},
];

const tooLong =
	/context[ _](length|window|size)|maximum context|prompt is too long|input is too long|too many (input )?tokens|input token count|reduce the length|exceed_context_size|string_above_max_length/i;

function failureOfStatus(status: number, facts: ErrorFacts, context: FailureContext): ModelFailure {
	const rule = rules.find(({fits}) => fits(status, `${facts.text} ${facts.code ?? ''}`))!;
	const sentence = rule.say(context, status, facts);
	return {
		reason: rule.reason,
		message: facts.text === '' ? `${sentence}.` : `${sentence}: ${facts.text}`,
		retryable: rule.retryable,
	};
}

function duration(ms: number): string {
	return ms < 1000 ? `${ms} ms` : `${Math.round(ms / 1000)} s`;
}
