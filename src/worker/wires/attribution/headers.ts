import type {RewriteRule} from '../../history/rewrites.ts';

/** A header and where it comes from. The value is absent if it may be secret. */
export type HeaderSource = {
	readonly name: string;
	readonly value?: string;
	readonly source: 'key' | 'form' | 'program' | 'beta_header' | 'http' | 'configured' | 'unknown';
};

/**
Attributes the headers of a request. `configured`: the names of the user's own headers. The source `http` means that
every HTTP client sends the header.
*/
export function attributeHeaders(
	headers: ReadonlyArray<readonly [string, string]>,
	follows: (rule: RewriteRule) => boolean,
	configured: readonly string[] = [],
): readonly HeaderSource[] {
	const own = new Set(configured.map(name => name.toLowerCase()));
	return headers.map(([written, value]): HeaderSource => {
		const name = written.toLowerCase();
		if (own.has(name)) return {name, source: 'configured'};
		if (keyHeaders.has(name)) return {name, source: 'key'};
		if (name === 'anthropic-beta') return {name, value, source: follows('beta_header') ? 'beta_header' : 'unknown'};
		const known = knownHeaders[name];
		return {name, value, source: known?.pattern.test(value) === true ? known.source : 'unknown'};
	});
}

/** The headers whose values are keys or belong to a signature. */
const keyHeaders: ReadonlySet<string> = new Set([
	'authorization',
	'x-api-key',
	'api-key',
	'x-goog-api-key',
	'x-amz-date',
	'x-amz-security-token',
	'x-amz-content-sha256',
]);

type Known = {readonly pattern: RegExp; readonly source: HeaderSource['source']};

const knownHeaders: Readonly<Record<string, Known>> = {
	'content-type': {pattern: /^application\/json$/, source: 'form'},
	'anthropic-version': {pattern: /^\d{4}-\d{2}-\d{2}$/, source: 'form'},
	'user-agent': {pattern: /^inkpod$/, source: 'program'},
	host: {pattern: /^[\w.:[\]-]+$/, source: 'http'},
	connection: {pattern: /^(?:keep-alive|close)$/, source: 'http'},
	'content-length': {pattern: /^\d+$/, source: 'http'},
	'transfer-encoding': {pattern: /^chunked$/, source: 'http'},
	accept: {pattern: /^[\w*/., ]+$/, source: 'http'},
	'accept-language': {pattern: /^\*$/, source: 'http'},
	'accept-encoding': {pattern: /^[\w, ]+$/, source: 'http'},
	'sec-fetch-mode': {pattern: /^cors$/, source: 'http'},
};
