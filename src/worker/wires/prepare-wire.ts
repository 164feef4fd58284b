import type {ModelFailure} from '../history/model.ts';
import {isLocalAddress, isLoopback} from './http/loopback.ts';
import {authorizationOf, secretsOf} from './http/shown-url.ts';
import {cloudSecrets} from './cloud-access.ts';
import {badBaseURL, missingKey, unusableKey, type FailureContext} from './failure.ts';
import {versionedURL, type Wire} from './wire.ts';

/** How requests to one model are sent, and which values must stay secret. */
export type PreparedWire = {
	/**
	The address without user name, password and query. User name and password are sent in a header, and the query is
	added to each URL.
	*/
	readonly baseURL: string;
	readonly query: URLSearchParams;
	readonly headers: Readonly<Record<string, string>>;
	readonly context: FailureContext;
	/** The secrets that must not appear in an answer. */
	readonly keys: readonly string[];
};

/** Checks the address and the key. If either is invalid or missing, returns the failure of every request. */
export function prepareWire({
	provider,
	facts,
	options,
	version,
}: Pick<Wire, 'provider' | 'facts' | 'options' | 'version'>): PreparedWire | ModelFailure {
	const baseURL = options.baseURL ?? facts.baseURL;
	const url = baseURL === undefined ? undefined : versionedURL(baseURL, version);
	if (url === undefined) return badBaseURL(provider, baseURL);
	const loopback = isLoopback(url);
	const {keyVariable} = facts;
	const authorization = authorizationOf(url);
	const headers = {...(authorization === undefined ? {} : {authorization}), ...options.headers};
	const keys = [
		options.apiKey ?? '',
		...cloudSecrets(options.cloud),
		...secretsOf(url),
		authorization?.replace(/^Basic /, '') ?? '',
		...headerKeys(options.headers ?? {}),
	];
	const secrets = [...keys, ...Object.values(headers), ...(options.network?.secrets ?? [])];
	const context = {
		provider,
		model: options.model,
		host: url.host,
		loopback,
		isLocal: isLocalAddress(url.hostname),
		secrets,
		...(keyVariable === undefined ? {} : {keyVariable}),
	};
	if (keyVariable !== undefined && options.baseURL === undefined && (options.apiKey ?? '') === '')
		return missingKey(context);
	if (!/^[\x21-\x7e]*$/.test(options.apiKey ?? '')) return unusableKey(context);
	return {
		baseURL: url.origin + url.pathname,
		query: url.searchParams,
		headers,
		context,
		keys,
	};
}

/**
Returns the values of configured headers that may be keys, including the parts after a word such as `Bearer`. Leaves out
headers that are never secret, because an answer may contain a value such as `application/json`, which must stay
readable.
*/
function headerKeys(headers: Readonly<Record<string, string>>): readonly string[] {
	return Object.entries(headers)
		.filter(([name]) => !publicHeader.test(name))
		.flatMap(([, value]) => [value, ...value.split(/\s+/).slice(1)]);
}

const publicHeader =
	/^(?:accept|content-type|user-agent|referer|http-referer|origin|x-title|anthropic-(?:beta|version))$/i;
