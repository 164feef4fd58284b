import {en, enCount, endSentence, t} from '../../language/index.ts';

/**
This file contains the sentences for the user about requests to models. Texts that a model reads are in other files.
*/

/** The server that the sentences describe. */
export type ServerNames = {
	readonly provider: string;
	readonly model: string;
	/** The host and port of the server. */
	readonly host: string;
	readonly keyVariable?: string;
};

/** A sentence without its full stop (`what`), and a sentence that says what to do (`hint`). */
export type FailureText = {readonly what: string; readonly hint?: string};

/** Returns the sentences about a failure, with the server's own words if there are any. */
export function failureMessage({what, hint}: FailureText, host: string, serverText: string): string {
	const said = /[.!?…。！？]$/.test(serverText) ? serverText : `${serverText}.`;
	if (hint === undefined) return serverText === '' ? en`${what}.` : en`${what}: ${said}`;
	return serverText === '' ? en`${what}. ${hint}.` : en`${what}. ${hint}. ${host} says: ${said}`;
}

export const requestStopped = en`The request was stopped.`;

/** How long a server sent no content. `isSent`: whether the server may have received the request. */
export type SilenceFacts = {readonly ms: number; readonly hasContent: boolean; readonly isSent: boolean};

export function silentFor({provider, host}: ServerNames, {ms, hasContent, isSent}: SilenceFacts): string {
	const time = ms < 1000 ? `${ms} ms` : `${Math.round(ms / 1000)} s`;
	const what = hasContent
		? en`${provider} at ${host} sent nothing more for ${time}, so the request was ended.`
		: en`${provider} at ${host} sent no answer for ${time}, so the request was ended.`;
	const why = en`inkpod does not repeat the request by itself, because each request may cost money.`;
	const setting = hasContent ? 'model.stall_timeout' : 'model.first_token_timeout';
	const next = en`Continue to try again, or set ${setting} to more seconds.`;
	return isSent ? `${what} ${why} ${next}` : `${what} ${next}`;
}

export function answerCut({provider, host}: ServerNames): string {
	return en`The answer from ${provider} was cut off: the connection to ${host} ended early.`;
}

export function answerHasTooManyParts({provider, host}: ServerNames, max: number): string {
	return en`The answer from ${provider} at ${host} has more than ${max} parts. inkpod stopped reading it.`;
}

/** The part of the answer before the limit is kept. */
export function answerTooLarge({provider, host}: ServerNames, maxBytes: number): string {
	const size = `${maxBytes / 1024 ** 2} MB`;
	return en`The answer from ${provider} at ${host} is longer than ${size}. inkpod kept that much and stopped
		reading.`;
}

/**
`predicate` completes the sentence about what the server did. `isForeign`: whether another program may have answered.
*/
export function answerRefused({provider, host}: ServerNames, predicate: string, isForeign: boolean): string {
	const what = en`${provider} at ${host} ${predicate}. inkpod stopped reading it.`;
	return isForeign ? en`${what} Check the base URL, and whether a proxy or a login page answers instead.` : what;
}

export function endedWithError(raw: string | undefined): string {
	return raw === undefined ? en`the answer ended with an error` : en`the answer ended with an error (${raw})`;
}

export function noKey({provider, keyVariable}: ServerNames): string {
	return keyVariable === undefined
		? en`No API key for ${provider}.`
		: en`No API key for ${provider}. Set ${keyVariable}.`;
}

export function unusableKey({provider, keyVariable}: ServerNames): string {
	const what = en`The API key for ${provider} contains a space, a line break or another invalid character.`;
	return keyVariable === undefined ? what : en`${what} Set ${keyVariable} again.`;
}

export function noBaseURL(provider: string): string {
	return en`No base URL for ${provider}. Set base_url.`;
}

export function badBaseURLText(provider: string, shown: string): string {
	return en`The base URL of ${provider} is not an http or https address: ${shown}. Write http:// or https:// in
		front.`;
}

export function answerNotUnderstood({provider, host}: ServerNames): string {
	return en`${provider} at ${host} sent an answer that could not be understood`;
}

export function requestFailed({provider}: ServerNames): string {
	return en`The request to ${provider} failed`;
}

/** `ignored`: sentences about the user's certificates that could not be used. */
export function certificateRefused(host: string, code: string, ignored?: string): string {
	const hint =
		ignored ??
		en`If your network has its own certificate authority, set NODE_EXTRA_CA_CERTS or SSL_CERT_FILE to its file.`;
	return en`The certificate of ${host} was not accepted (${code}). ${hint}`;
}

/** `names`: the names in the certificate. */
export function certificateOfOther(host: string, names?: string): string {
	const what =
		names === undefined
			? en`The certificate of ${host} is for another name.`
			: en`The certificate of ${host} is for other names (${names}).`;
	return en`${what} Check the base URL, and whether a proxy or a login page answers instead.`;
}

export function clientCertificateRefused({provider, host}: ServerNames, code: string): string {
	return code.endsWith('CERTIFICATE_REQUIRED')
		? en`${host} requires a client certificate (${code}). Set cert and key under [providers.${provider}].`
		: en`${host} refused the client certificate (${code}). Check cert and key under [providers.${provider}].`;
}

/** `isLocal`: whether the server runs on the user's machine. */
export function connectionRefused({provider, host}: ServerNames, isLocal: boolean): string {
	return isLocal
		? en`Connection refused by ${host}. Is the ${provider} server running?`
		: en`Connection refused by ${host}.`;
}

export function hostNotFound(host: string): string {
	return en`Host ${host} not found. Check the network and the base URL.`;
}

export function notReachable(host: string, code: string): string {
	return en`${host} cannot be reached (${code}).`;
}

/** `status`: absent for the status 200. */
export function noContent({host}: ServerNames, status?: number): FailureText {
	return {
		what: withStatus(en`${host} answered without content`, status),
		hint: en`Check the base URL, and whether a proxy answers instead`,
	};
}

export function redirected({host}: ServerNames, status: number, location: string): FailureText {
	return {
		what: en`${host} redirects to ${location} (${status})`,
		hint: en`Set the base URL to that address`,
	};
}

/** `status`: absent if the error came inside a stream. */
type Status = number | undefined;

function withStatus(what: string, status: Status): string {
	return status === undefined ? what : en`${what} (${status})`;
}

export function invalidKey({host, keyVariable}: ServerNames, status: Status): FailureText {
	const what =
		status === undefined ? en`Invalid API key (from ${host})` : en`Invalid API key (${status} from ${host})`;
	return keyVariable === undefined ? {what} : {what, hint: en`Check ${keyVariable}`};
}

/** The text for a check of the key, not for a request to a model. */
export function keyRefused(host: string, status: number, serverText: string): string {
	const what = t`${host} refused the key (${status})`;
	return endSentence(serverText === '' ? what : t`${what}: ${serverText}`);
}

export function noKeyCheck(provider: string): string {
	return t`inkpod cannot check a key for ${provider}.`;
}

export function noAnswerWithin({host}: ServerNames, ms: number): string {
	return t`${host} sent no answer within ${ms / 1000} s.`;
}

export function accessDenied({host, keyVariable}: ServerNames, status: Status): FailureText {
	const key = keyVariable === undefined ? en`Check your access` : en`Check your access, and ${keyVariable}`;
	return {what: withStatus(en`Access denied by ${host}`, status), hint: key};
}

/** The text for an answer that came from a login page, a proxy or a gateway instead of the API. */
export function webPage({host}: ServerNames, status: Status): FailureText {
	return {
		what: withStatus(en`${host} answered with a web page instead of the API`, status),
		hint: en`Check the base URL, and whether a proxy or a login page answers instead`,
	};
}

/** The text for a network, such as the network of a hotel, that requires a login first (a captive portal). */
export function networkLogin({host}: ServerNames, status: Status): FailureText {
	return {
		what: withStatus(en`${host} was not reached, because the network requires a login first`, status),
		hint: en`Open any page in a browser, log in there, and try again`,
	};
}

export function regionBlocked({provider}: ServerNames, status: Status): FailureText {
	return {
		what: withStatus(en`${provider} does not serve your region`, status),
		hint: en`See the list of regions that ${provider} supports`,
	};
}

export function noToolSupport({provider, model}: ServerNames, status: Status): FailureText {
	const table = `[models."${provider}/${model}"]`;
	return {
		what: withStatus(en`Model "${model}" cannot use tools`, status),
		hint: en`Choose another model, start with --option tools=false, or set tools = false under ${table}`,
	};
}

export function againstDataPolicy({model, host}: ServerNames, status: Status): FailureText {
	return {
		what: withStatus(en`Your privacy settings at ${host} allow no provider of "${model}"`, status),
		hint: en`Change these settings there, or choose another model`,
	};
}

export function noModelLoaded({model, host}: ServerNames, status: Status): FailureText {
	return {
		what: withStatus(en`${host} has no model loaded`, status),
		hint: en`Load it in the server's program, or with: lms load ${model}`,
	};
}

export function modelNotPulled({model, host}: ServerNames, status: Status): FailureText {
	return {
		what: withStatus(en`Model "${model}" is not installed at ${host}`, status),
		hint: en`Install it with: ollama pull ${model}`,
	};
}

export function outputLimitTooLarge({model}: ServerNames, status: Status): FailureText {
	return {
		what: withStatus(en`The output limit is too large for ${model}`, status),
		hint: en`Set max_output_tokens in the options of the model`,
	};
}

export function requestTooLong({model}: ServerNames): FailureText {
	return {what: en`The request is too long for ${model}`};
}

export function modelNotFound({model, host}: ServerNames, status: Status): FailureText {
	return {
		what: withStatus(en`Model "${model}" not found at ${host}`, status),
		hint: en`Check the model name and the base URL`,
	};
}

export function noCredit({host}: ServerNames, status: Status): FailureText {
	return {
		what: withStatus(en`No credit left at ${host}`, status),
		hint: en`Add credit there, or choose another model`,
	};
}

export function rateLimited({host}: ServerNames, status: Status): FailureText {
	return {what: withStatus(en`Rate limited by ${host}`, status)};
}

export function temporarilyRefused({host}: ServerNames, status: Status): FailureText {
	return {what: withStatus(en`${host} could not accept the request now`, status)};
}

export function serverError({host}: ServerNames, status: Status): FailureText {
	return {what: withStatus(en`Server error from ${host}`, status)};
}

export function requestRefused({host}: ServerNames, status: Status): FailureText {
	return {what: withStatus(en`${host} refused the request`, status)};
}

export function scriptNotJSON(why: string): string {
	return en`The script is not valid JSON: ${why}.`;
}

/** `place`: the path of a value in the script, or an empty text for the whole script. */
export function scriptInvalid(place: string, why: string): string {
	return place === ''
		? en`The script is invalid at the top level: ${why}.`
		: en`The script is invalid at ${place}: ${why}.`;
}

export function scriptFailed(why: string): string {
	return en`The script failed: ${why}`;
}

export function scriptEnded(answers: number, request: number): string {
	return en`The script has ${enCount(answers, 'answer')}, and this is request ${request}.`;
}

export const scriptedCut = en`The answer was cut off.`;

/** `model`: the full name of the model. */
export function unknownModel(model: string): string {
	return en`This version of inkpod has no provider for the model ${model}.`;
}
