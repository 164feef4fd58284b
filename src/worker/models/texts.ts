/** Sentences for the user about a request to a model. Text that a model reads is elsewhere. */

/** The server that the sentences are about. */
export type ServerNames = {
	readonly provider: string;
	readonly model: string;
	/** Host and port. */
	readonly host: string;
	readonly keyVariable?: string;
};

/** A sentence without its full stop, and what to do about it. */
export type FailureText = {readonly what: string; readonly hint?: string};

/** A sentence about a failure, with the server's own words if there are any. */
export function failureMessage({what, hint}: FailureText, host: string, serverText: string): string {
	if (hint === undefined) return serverText === '' ? `${what}.` : `${what}: ${serverText}`;
	return serverText === '' ? `${what}. ${hint}.` : `${what}. ${hint}. ${host} says: ${serverText}`;
}

export const requestStopped = 'The request was stopped.';

export function silentFor({provider, host}: ServerNames, ms: number): string {
	const time = ms < 1000 ? `${ms} ms` : `${Math.round(ms / 1000)} s`;
	return `${provider} at ${host} sent nothing for ${time}, so the request was ended (model.stall_timeout).`;
}

export function answerCut({provider, host}: ServerNames): string {
	return `The answer from ${provider} was cut off: the connection to ${host} ended early.`;
}

export function answerHasTooManyParts({provider, host}: ServerNames, max: number): string {
	return `The answer from ${provider} at ${host} has more than ${max} parts. inkpod stopped reading it.`;
}

/** The part of the answer before the limit is kept. */
export function answerTooLarge({provider, host}: ServerNames, maxBytes: number): string {
	const size = `${maxBytes / 1024 ** 2} MB`;
	return `The answer from ${provider} at ${host} is longer than ${size}. inkpod kept that much and stopped reading.`;
}

/** `predicate` says what the server did. */
export function answerRefused({provider, host}: ServerNames, predicate: string): string {
	return `${provider} at ${host} ${predicate}. inkpod stopped reading it.`;
}

export function endedWithError(raw: string | undefined): string {
	return `the answer ended with an error${raw === undefined ? '' : ` (${raw})`}`;
}

export function noKey({provider, keyVariable}: ServerNames): string {
	return keyVariable === undefined
		? `No API key for ${provider}.`
		: `No API key for ${provider}. Set ${keyVariable}.`;
}

export function noBaseURL(provider: string): string {
	return `No base URL for ${provider}. Set base_url.`;
}

export function badBaseURLText(provider: string, shown: string): string {
	return `The base URL of ${provider} is not an http or https address: ${shown}.`;
}

export function answerNotUnderstood({provider, host}: ServerNames): string {
	return `${provider} at ${host} sent an answer that could not be understood`;
}

export function requestFailed({provider}: ServerNames): string {
	return `The request to ${provider} failed`;
}

export function certificateRefused(host: string, code: string): string {
	return `The certificate of ${host} was not accepted (${code}).`;
}

/** `isLocal`: the server runs on the user's machine. */
export function connectionRefused({provider, host}: ServerNames, isLocal: boolean): string {
	return `Connection refused by ${host}.${isLocal ? ` Is the ${provider} server running?` : ''}`;
}

export function hostNotFound(host: string): string {
	return `Host ${host} not found. Check the network and the base URL.`;
}

export function notReachable(host: string, code: string): string {
	return `${host} cannot be reached (${code}).`;
}

export function noContent({host}: ServerNames, status: number): FailureText {
	return {what: `${host} answered without content (${status})`};
}

export function redirected({host}: ServerNames, status: number, location: string): FailureText {
	return {
		what: `${host} redirects to ${location} (${status})`,
		hint: 'Set the base URL to the address that answers',
	};
}

export function invalidKey({host, keyVariable}: ServerNames, status: number): FailureText {
	const what = `Invalid API key (${status} from ${host})`;
	return keyVariable === undefined ? {what} : {what, hint: `Check ${keyVariable}`};
}

export function requestTooLong({model}: ServerNames): FailureText {
	return {what: `The request is too long for ${model}`};
}

export function modelNotFound({model, host}: ServerNames): FailureText {
	return {what: `Model "${model}" not found at ${host} (404)`, hint: 'Check the model name and the base URL'};
}

export function paymentRequired({host}: ServerNames): FailureText {
	return {what: `Payment required by ${host} (402)`};
}

export function quotaUsedUp({host}: ServerNames): FailureText {
	return {what: `Quota used up at ${host} (429)`};
}

export function rateLimited({host}: ServerNames): FailureText {
	return {what: `Rate limited by ${host} (429)`};
}

export function temporarilyRefused({host}: ServerNames, status: number): FailureText {
	return {what: `${host} could not accept the request now (${status})`};
}

export function serverError({host}: ServerNames, status: number): FailureText {
	return {what: `Server error from ${host} (${status})`};
}

export function requestRefused({host}: ServerNames, status: number): FailureText {
	return {what: `${host} refused the request (${status})`};
}

export const offlineFailed = 'The offline guide failed on this request.';

export function scriptNotJSON(why: string): string {
	return `The script is not valid JSON: ${why}.`;
}

/** `place`: the path of a value, empty for the whole script. */
export function scriptInvalid(place: string, why: string): string {
	return `The script is invalid at ${place === '' ? 'the top level' : place}: ${why}.`;
}

export function scriptFailed(why: string): string {
	return `The script failed: ${why}`;
}

export function scriptEnded(answers: number, request: number): string {
	return `The script has ${answers} ${answers === 1 ? 'answer' : 'answers'}, and this is request ${request}.`;
}

export const scriptedCut = 'The answer was cut off.';

/** `model`: its full name. */
export function unknownModel(model: string): string {
	return `This version knows no provider for the model ${model}.`;
}
