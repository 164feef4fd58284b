import {announcesKey, decodedText, looksLikeKey} from './key-forms.ts';

/**
A URL for the screen: without name, password, query and fragment, and with `[key]` for each part of its path that looks
like a key. A text that is not a URL is not shown.
*/
export function shownUrl(text: string): string {
	const url = URL.parse(text);
	if (url === null) return '(not a URL)';
	return url.host === ''
		? `${url.protocol}…`
		: `${url.protocol}//${url.host}${url.pathname === '/' ? '' : shownPath(url.pathname)}`;
}

/**
A text without the names and passwords of its URLs, and without parts of web addresses that look like keys.
*/
export function withoutCredentials(text: string): string {
	const anonymous = text.replaceAll(/\b([a-z][a-z\d+.-]{0,31}:\/\/)[^\s/"'<>`]*@/gi, '$1');
	return anonymous.replaceAll(webAddress, (_, start: string, path: string) => start + shownPath(path));
}

/** The groups are the scheme with the host, and the path. */
const webAddress = /\b((?:http|ws)s?:\/\/[^\s/"'<>`?#]*)(\/[^\s"'<>`?#]*)/gi;

/** The parts of a URL's path that look like keys, unchanged. */
export function keysInPath({pathname}: URL): readonly string[] {
	return pathname.split('/').filter(isKeyAmong);
}

/**
The secrets of a URL: its password (or its name, which is a token if there is no password), the longer values of its
query, and the keys in its path.
*/
export function secretsOf(url: URL): readonly string[] {
	const credential = url.password === '' ? url.username : url.password;
	const values = url.search
		.slice(1)
		.split('&')
		.map(pair => pair.slice(pair.indexOf('=') + 1))
		.filter(value => value.length >= minQuerySecret);
	return [credential, ...values, ...keysInPath(url)]
		.flatMap(written => [written, decodedText(written)])
		.filter(text => text !== '');
}

/** The header for a URL's name and password, which fetch refuses inside a URL. */
export function authorizationOf({username, password}: URL): string | undefined {
	if (username === '' && password === '') return undefined;
	return `Basic ${Buffer.from(`${decodedText(username)}:${decodedText(password)}`).toString('base64')}`;
}

/** Shorter values are words like `true`, or versions. */
const minQuerySecret = 8;

function shownPath(path: string): string {
	return path
		.split('/')
		.map((part, index, parts) => {
			const key = withoutPunctuation(part);
			return isKeyAmong(key, index, parts) ? `[key]${part.slice(key.length)}` : part;
		})
		.join('/');
}

function isKeyAmong(part: string, index: number, parts: readonly string[]): boolean {
	return looksLikeKey(part) || (part.length >= minQuerySecret && announcesKey(parts[index - 1] ?? ''));
}

/** A URL in a sentence may be followed by punctuation. */
function withoutPunctuation(text: string): string {
	let end = text.length;
	while (end > 0 && ').,:;]}!'.includes(text.charAt(end - 1))) end--;
	return text.slice(0, end);
}
