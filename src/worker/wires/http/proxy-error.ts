import {en} from '../../../language/index.ts';
import {causeIn} from './cause.ts';

/** The reasons why a proxy did not connect inkpod to a server. */
type ProxyProblem =
	| {readonly reason: 'not_an_address'}
	| {readonly reason: 'unknown_scheme'; readonly scheme: string}
	| {readonly reason: 'unreachable'; readonly proxy: string; readonly code: string; readonly isLocal: boolean}
	| {readonly reason: 'login'; readonly proxy: string; readonly hasLogin: boolean}
	| {readonly reason: 'refused'; readonly proxy: string; readonly target: string; readonly status: number};

/**
The error of a proxy that refused, or that cannot be used. The message is a sentence for the user, without any password.
*/
export class ProxyError extends Error {
	readonly problem: ProxyProblem;
	/** `variable`: the environment variable that names the proxy. */
	constructor(problem: ProxyProblem, variable: string) {
		super(sentenceOf(problem, variable));
		this.name = 'ProxyError';
		this.problem = problem;
	}

	/** Whether the same request may succeed later. */
	get isRetryable(): boolean {
		if (this.problem.reason === 'unreachable') return !this.problem.isLocal;
		return this.problem.reason === 'refused' && this.problem.status >= 500;
	}
}

/** Searches an error and its causes for the error of a proxy, because libraries wrap errors in other errors. */
export function proxyErrorIn(error: unknown): ProxyError | undefined {
	return causeIn(error, ProxyError);
}

function sentenceOf(problem: ProxyProblem, variable: string): string {
	if (problem.reason === 'not_an_address')
		return en`${variable} is not the address of a proxy. Set it to http://host:port, or unset it.`;
	if (problem.reason === 'unknown_scheme')
		return en`${variable} names a proxy with the scheme ${problem.scheme}, but inkpod supports only http and https.
			Set it to http://host:port, or unset it.`;
	if (problem.reason === 'unreachable')
		return en`The proxy ${problem.proxy} cannot be reached (${problem.code}). Check ${variable}.`;
	return problem.reason === 'login' ? loginText(problem, variable) : refusedText(problem, variable);
}

function loginText({proxy, hasLogin}: ProxyProblem & {reason: 'login'}, variable: string): string {
	if (hasLogin) return en`The proxy ${proxy} refused the user name or password (407). Check ${variable}.`;
	return en`The proxy ${proxy} requires a user name and a password (407). Set ${variable} to
		http://user:password@host:port.`;
}

function refusedText({proxy, target, status}: ProxyProblem & {reason: 'refused'}, variable: string): string {
	if (status >= 500)
		return en`The proxy ${proxy} cannot reach ${target} (${status}). Check the network, and ${variable}.`;
	return en`The proxy ${proxy} refuses connections to ${target} (${status}).
			Check ${variable}, or add the host to NO_PROXY.`;
}
