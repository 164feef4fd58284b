import {HttpError} from './http/http-error.ts';
import {shownUrl, withoutCredentials} from './http/shown-url.ts';
import {tlsCode} from './http/tls-code.ts';
import {wordsOfBody, wordsOfValue, type ServerWords} from './errors/server-words.ts';
import {requestedWait} from './errors/wait-hint.ts';
import {fieldOf, isRecord} from './values.ts';

/** The facts about an error, for any provider. All texts are limited in length, on one line and without secrets. */
export type ErrorFacts = {
	readonly status?: number;
	/** The provider's own words, possibly empty. */
	readonly text: string;
	/** Whether the server sent a web page instead of an answer. In this case, `text` is the title of the page. */
	readonly isWebPage: boolean;
	/** The provider's own error code, which `text` does not contain. */
	readonly code?: string;
	/** The system's code if the connection failed. */
	readonly network?: string;
	/** The names in the server's certificate if the host's name is not one of them. */
	readonly certificateNames?: string;
	readonly location?: string;
	readonly retryAfterMs?: number;
	/** A small copy of the error. The original includes the whole conversation. */
	readonly cause: {readonly name: string; readonly status?: number; readonly text: string};
};

const textLimit = 500;

/** Reads the facts of an error that was thrown, or that a provider sent inside its stream. */
export function describeError(
	error: unknown,
	secrets: readonly string[],
	answerHeaders: Readonly<Record<string, string>> = {},
): ErrorFacts {
	const answer = error instanceof HttpError ? error : undefined;
	const field = (name: string) => fieldOf(error, name);
	const status =
		answer?.status ?? httpStatus(field('statusCode')) ?? httpStatus(field('code')) ?? httpStatus(field('status'));
	const words = wordsOf(error, answer);
	const text = tidy(words.text, secrets);
	const name = error instanceof Error ? error.name : typeof error;
	const codes = [field('code'), field('type'), ...words.codes].filter(value => typeof value === 'string');
	const code = tidy([...new Set(codes)].join(' '), secrets);
	const {headers = answerHeaders, body = ''} = answer ?? {};
	const retryAfterMs = requestedWait({headers, body, text: words.text, status}, Date.now());
	return {
		...(status === undefined ? {} : {status}),
		...(code === '' ? {} : {code}),
		...connectionFacts(error),
		...(headers['location'] === undefined ? {} : {location: tidy(shownLocation(headers['location']), secrets)}),
		...(retryAfterMs === undefined ? {} : {retryAfterMs}),
		text,
		isWebPage: words.isWebPage,
		cause: {name, ...(status === undefined ? {} : {status}), text},
	};
}

/**
Returns a provider's text for use in a sentence: on one line, with at most 500 characters. Secrets are removed before
the text is cut.
*/
export function tidy(text: string, secrets: readonly string[]): string {
	const scrubbed = secrets
		.filter(secret => secret.length >= 4)
		.reduce((rest, secret) => rest.replaceAll(secret, '[key]'), text);
	return clip(
		withoutCredentials(withoutParts(scrubbed.slice(0, 20_000), secrets))
			.replaceAll(/[\s\p{Cc}]+/gu, ' ')
			.trim(),
		textLimit,
	);
}

/**
The maximum length of a part of a key that may be shown. A server may repeat part of a key, so each longer part is
removed too.
*/
const maxKeyPart = 11;

function withoutParts(text: string, secrets: readonly string[]): string {
	const length = maxKeyPart + 1;
	const parts = new Set(secrets.flatMap(secret => partsOf(secret, length)));
	if (parts.size === 0) return text;
	let kept = '';
	let from = 0;
	for (let at = 0; at + length <= text.length; at++) {
		if (!parts.has(text.slice(at, at + length))) continue;
		let end = at + length;
		while (end < text.length && parts.has(text.slice(end + 1 - length, end + 1))) end++;
		kept += `${text.slice(from, at)}[key]`;
		from = end;
		at = end - 1;
	}
	return kept + text.slice(from);
}

function partsOf(secret: string, length: number): string[] {
	return Array.from({length: Math.max(0, secret.length + 1 - length)}, (_, at) => secret.slice(at, at + length));
}

/** Returns the target of a redirect as it is shown. A relative target is shown as its path. */
function shownLocation(location: string): string {
	return URL.canParse(location) ? shownUrl(location) : location.replace(/[?#].*$/s, '');
}

/** Returns at most `limit` UTF-16 units of a text, cut between characters. */
function clip(text: string, limit: number): string {
	if (text.length <= limit) return text;
	const end = limit - 1;
	const inside = /[\uD800-\uDBFF]/.test(text.charAt(end - 1));
	return `${text.slice(0, inside ? end - 1 : end)}…`;
}

/** Returns the provider's own words. If a body has no words, returns the status text. */
function wordsOf(error: unknown, answer: HttpError | undefined): ServerWords {
	if (answer === undefined) {
		const words = wordsOfValue(error);
		return words.text !== '' || error instanceof Error
			? words
			: {...words, text: JSON.stringify(error) ?? typeof error};
	}
	const words = wordsOfBody(answer.body);
	return words.text === '' ? {...words, text: answer.statusText} : words;
}

/** Returns the first system code in the chain of causes that says what is wrong with the connection. */
function connectionFacts(error: unknown): Pick<ErrorFacts, 'network' | 'certificateNames'> {
	const seen = new Set<unknown>();
	for (let current = error; isRecord(current) && !seen.has(current); current = current['cause']) {
		seen.add(current);
		const code = current['code'];
		if (!(current instanceof Error) || typeof code !== 'string') continue;
		if (/^HPE_(?!HEADER_OVERFLOW)/.test(code)) return {network: 'no HTTP'};
		if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return {network: code, ...certificateNames(current)};
		if (/^(E(?!RR_)[A-Z]+|HPE_|UND_ERR_|CERT_|ERR_(TLS|SSL)|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/.test(code))
			return {network: tlsCode(current) ?? code};
	}
	return {};
}

/** Returns the first few names for which the certificate was signed. */
function certificateNames(error: object): Pick<ErrorFacts, 'certificateNames'> {
	const written = fieldOf(fieldOf(error, 'cert'), 'subjectaltname');
	if (typeof written !== 'string') return {};
	const names = written.split(', ').map(name => name.replace(/^[A-Za-z ]+:/, ''));
	return {certificateNames: tidy(names.slice(0, 3).join(', '), [])};
}

function httpStatus(value: unknown): number | undefined {
	const number = typeof value === 'string' && /^\d{3}$/.test(value) ? Number(value) : value;
	return typeof number === 'number' && number >= 400 && number <= 599 ? number : undefined;
}
