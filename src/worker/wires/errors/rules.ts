import type {ModelFailureReason} from '../../history/model.ts';
import {formsNamedIn} from '../forms.ts';
import * as texts from '../texts.ts';

/** The facts about an error that determine its reason. */
type ErrorReport = {
	/** Absent if the error came inside a stream without a status. */
	readonly status: number | undefined;
	/** The server's words and codes. */
	readonly words: string;
	readonly isWebPage: boolean;
	readonly location?: string;
	/**
	Whether the server says how long to wait. In this case, status 429 is a rate limit, even if the server's words
	mention credit.
	*/
	readonly saysWait: boolean;
};

type ErrorRule = {
	readonly matches: (report: ErrorReport) => boolean;
	readonly reason: ModelFailureReason;
	/** Whether the same request may succeed later. */
	readonly retryable: boolean;
	/** Set if the server could not parse a call that the model wrote. */
	readonly isUnreadCall?: true;
	readonly textOf: (names: texts.ServerNames, report: ErrorReport) => texts.FailureText;
};

/** Returns the rule for an error, which is the first rule that matches. */
export function ruleFor(report: ErrorReport): ErrorRule {
	return rules.find(({matches}) => matches(report)) ?? (report.status === undefined ? failed : refused);
}

const isClientError = ({status}: ErrorReport): boolean => status === undefined || (status >= 400 && status < 500);

const rules: readonly ErrorRule[] = [
	{
		matches: ({status}) => status === 511,
		reason: 'bad_response',
		retryable: false,
		textOf: (names, {status}) => texts.networkLogin(names, status),
	},
	{
		// A web page with status 413 comes from a gateway that limits the size of requests.
		matches: ({status = 0, isWebPage}) => isWebPage && status < 500 && status !== 404 && status !== 413,
		reason: 'bad_response',
		retryable: false,
		textOf: (names, {status}) => texts.webPage(names, status),
	},
	{
		matches: ({status = 400}) => status < 300,
		reason: 'bad_response',
		retryable: false,
		textOf: (names, {status}) =>
			status === 204 || status === 205
				? texts.noContent(names, status)
				: {what: texts.answerNotUnderstood(names)},
	},
	{
		matches: ({status = 400}) => status < 400,
		reason: 'bad_response',
		retryable: false,
		textOf: (names, {status = 300, location}) =>
			location === undefined ? texts.noContent(names, status) : texts.redirected(names, status, location),
	},
	{
		matches: report => isClientError(report) && regionBlocked.test(report.words),
		reason: 'other',
		retryable: false,
		textOf: (names, {status}) => texts.regionBlocked(names, status),
	},
	{
		matches: ({status, words, saysWait}) => status === 429 && !saysWait && noCredit.test(words),
		reason: 'rate_limited',
		retryable: false,
		textOf: (names, {status}) => texts.noCredit(names, status),
	},
	{
		matches: report =>
			report.status === 402 || (report.status !== 429 && isClientError(report) && noCredit.test(report.words)),
		reason: 'other',
		retryable: false,
		textOf: (names, {status}) => texts.noCredit(names, status),
	},
	{
		matches: ({status, words}) =>
			status === 401 || ((status === 400 || status === undefined) && keyRefused.test(words)),
		reason: 'unauthorized',
		retryable: false,
		textOf: (names, {status}) => texts.invalidKey(names, status),
	},
	{
		matches: report => report.status === 413 || (report.status !== 429 && saysTooLong(report.words)),
		reason: 'too_long',
		retryable: false,
		textOf: names => texts.requestTooLong(names),
	},
	{
		matches: ({status, words}) => (status === undefined || unreadStatuses.has(status)) && unreadCall.test(words),
		reason: 'bad_response',
		retryable: false,
		isUnreadCall: true,
		textOf: names => ({what: texts.answerNotUnderstood(names)}),
	},
	{
		matches: report => formsNamedIn(report).length > 0,
		reason: 'bad_request',
		retryable: false,
		textOf: (names, {status}) => texts.requestRefused(names, status),
	},
	{
		matches: report => isClientError(report) && noTools.test(report.words),
		reason: 'bad_request',
		retryable: false,
		textOf: (names, {status}) => texts.noToolSupport(names, status),
	},
	{
		matches: report => isClientError(report) && dataPolicy.test(report.words),
		reason: 'other',
		retryable: false,
		textOf: (names, {status}) => texts.againstDataPolicy(names, status),
	},
	{
		matches: report => isClientError(report) && noModelLoaded.test(report.words),
		reason: 'not_found',
		retryable: false,
		textOf: (names, {status}) => texts.noModelLoaded(names, status),
	},
	{
		matches: report => isClientError(report) && notPulled.test(report.words),
		reason: 'not_found',
		retryable: false,
		textOf: (names, {status}) => texts.modelNotPulled(names, status),
	},
	{
		matches: report => report.status === 404 || (isClientError(report) && unknownModel.test(report.words)),
		reason: 'not_found',
		retryable: false,
		textOf: (names, {status}) => texts.modelNotFound(names, status),
	},
	{
		matches: ({status}) => status === 403,
		reason: 'unauthorized',
		retryable: false,
		textOf: (names, {status}) => texts.accessDenied(names, status),
	},
	{
		matches: report => isClientError(report) && outputLimit.test(report.words),
		reason: 'bad_request',
		retryable: false,
		textOf: (names, {status}) => texts.outputLimitTooLarge(names, status),
	},
	{
		matches: ({status, words}) => status === 429 || (status === undefined && rateLimited.test(words)),
		reason: 'rate_limited',
		retryable: true,
		textOf: (names, {status}) => texts.rateLimited(names, status),
	},
	{
		// Google sends 499 if its own server cancelled the request.
		matches: ({status = 0}) => [408, 409, 425, 499].includes(status),
		reason: 'overloaded',
		retryable: true,
		textOf: (names, {status}) => texts.temporarilyRefused(names, status),
	},
	{
		matches: ({status = 0, words}) => status >= 500 || (status === 0 && overloaded.test(words)),
		reason: 'overloaded',
		retryable: true,
		textOf: (names, {status}) => texts.serverError(names, status),
	},
];

const refused: ErrorRule = {
	matches: () => true,
	reason: 'bad_request',
	retryable: false,
	textOf: (names, {status}) => texts.requestRefused(names, status),
};

/** The rule for an error inside a stream whose words match no other rule. */
const failed: ErrorRule = {
	matches: () => true,
	reason: 'other',
	retryable: false,
	textOf: names => ({what: texts.requestFailed(names)}),
};

// Servers report these failures only in words and codes. Each comment names the servers that sent such words.
/** Sent by OpenAI, Google and Anthropic. */
const regionBlocked = anyOf([
	'unsupported_country',
	'country, region, or territory not supported',
	'user location is not supported',
	'not available in your (?:country|region)',
]);
/** Sent by OpenAI, Anthropic, DeepSeek, Kimi, xAI, OpenRouter and Qwen. */
const noCredit = anyOf([
	'insufficient[_ ](?:quota|balance|credits?|funds)',
	'exceeded your current quota, please check your plan',
	'exceeded_current_quota',
	'credit balance is too low',
	'(?:requires more|out of|run out of|no remaining|not enough) credits?',
	'billing_hard_limit_reached|billing_not_active',
	'arrearage',
]);
/** Google and gateways refuse a key with status 400. An error inside a stream has no status. */
const keyRefused =
	/api[_ ]key (?:not valid|is invalid|invalid)|API_KEY_INVALID|invalid[_ ]api[_ ]key|authentication_error/i;
const unreadStatuses: ReadonlySet<number> = new Set([400, 422, 500, 502]);
/** Sent by Groq, Gemini behind gateways, Ollama and llama.cpp. */
const unreadCall = anyOf([
	'tool_use_failed|output_parse_failed|failed to call a function',
	'malformed[_ ](?:function|tool)[_ ]call',
	'error parsing tool call',
	'produced output that does not match the expected',
]);
/** Sent by Ollama, OpenRouter, Groq, vLLM and llama.cpp. */
const noTools = anyOf([
	'does not support (?:tools|tool use|tool calling|function calling)',
	'endpoints found that support tool use',
	'tools? (?:use |calling )?(?:is|are) not supported',
	'`?tool[_ ]?(?:choice|calling)`? (?:is )?not supported',
	'enable-auto-tool-choice',
	'tools param requires --jinja',
]);
/** Sent by OpenRouter if the user's privacy settings allow no provider of the model. */
const dataPolicy = /endpoints? .{0,40}(?:matching|fits?) your .{0,60}(?:data policy|privacy|guardrail)/i;
/** Sent by LM Studio. */
const noModelLoaded = /no models? (?:is |are |has been )?(?:currently )?loaded|\blms load\b/i;
/** Sent by Ollama. */
const notPulled = /try pulling it first/i;
const unknownModel = anyOf([
	'model_not_found|invalid_model|unknown_model|model_not_exist',
	'model .{0,120}(?:not found|does not exist|not exist|is not a valid model)',
	'(?:unknown|no such|invalid) model\\b',
	'is not a valid model',
]);
/** Sent by OpenAI, Anthropic, Groq and DeepSeek. */
const outputLimit = anyOf([
	'max_(?:completion_|output_|new_)?tokens.{0,80}(?:too large|exceed|at most|must be|less than|maximum|>)',
	'maximum allowed number of output tokens',
]);
const rateLimited = /rate[_ ]limit|too[_ ]many[_ ]requests|RESOURCE_EXHAUSTED/i;
/** `insufficient_system_resource` is sent by DeepSeek. */
const overloaded = anyOf([
	'overloaded',
	'server_error',
	'internal[_ ](?:server[_ ])?error',
	'insufficient_system_resource',
	'unavailable',
	'timed? ?out',
	'try again later',
]);

function anyOf(wordings: readonly string[]): RegExp {
	return new RegExp(wordings.join('|'), 'i');
}

/**
The wordings with which servers say that a request is longer than the model's window. Servers use no common status or
code for this. `source`: the place where the wording was seen. All such wordings are in this file only.
*/
type Wording = {readonly source: string; readonly pattern: RegExp};

export const overflowWordings: readonly Wording[] = [
	{source: 'OpenAI, Groq, Azure: error code', pattern: /context_length_exceeded/},
	{source: 'OpenAI Responses', pattern: /exceeds the context window/i},
	{
		source: 'OpenAI, vLLM, DeepSeek, OpenRouter, Fireworks',
		pattern: /maximum (?:context|model) length|model's maximum (?:input|context)/i,
	},
	{source: 'OpenAI: one text', pattern: /string_above_max_length/},
	{source: 'Anthropic, Fireworks', pattern: /prompt is too long/i},
	{source: 'Anthropic', pattern: /input length and `?max_tokens`? exceed/i},
	{source: 'Google', pattern: /input token count.{0,40}exceeds/i},
	{source: 'Bedrock', pattern: /input is too long/i},
	{source: 'xAI', pattern: /maximum prompt length is/i},
	{source: 'Kimi', pattern: /exceeded model token limit/i},
	{source: 'GitHub Copilot', pattern: /model_max_prompt_tokens_exceeded|prompt token count of \d+ exceeds/i},
	{source: 'Together', pattern: /`?inputs`? tokens \+ `?max_new_tokens`? must be/i},
	{source: 'Mistral', pattern: /too large for model with \d+ maximum context/i},
	{source: 'Groq, Cerebras', pattern: /reduce the length of the (?:messages|prompt|input)/i},
	{source: 'Qwen', pattern: /range of input length should be/i},
	{source: 'MiniMax', pattern: /context window exceeds limit/i},
	{source: 'LM Studio', pattern: /tokens to keep from the initial prompt is greater than the context/i},
	{
		source: 'LM Studio, inside the stream',
		pattern: /trying to keep the first \d+ tokens when context|reached context length of \d+/i,
	},
	{source: 'llama.cpp', pattern: /exceed_context_size|exceeds the available context size/i},
	{source: 'vLLM', pattern: /prompt.{0,60}(?:is too long to fit into|is longer than) the (?:maximum )?model/i},
	{source: 'Ollama', pattern: /exceed(?:s|ed) (?:the |max )?context length/i},
	{source: 'several gateways', pattern: /context (?:length|window|size) (?:exceeded|is exceeded|overflow)/i},
	{source: 'several gateways', pattern: /too many (?:input|prompt) tokens|reduce the length of/i},
];

/** Tells whether a server's words or codes say that the request is longer than the window. */
export function saysTooLong(serverText: string): boolean {
	return overflowWordings.some(({pattern}) => pattern.test(serverText));
}
