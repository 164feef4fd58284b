import {announcesKey, decodedText, looksLikeKey} from './key-forms.ts';

/**
Returns a URL for the screen, without its user name, password, query and fragment. `[key]` replaces each part of the
path that looks like a key. Returns a fixed text if the input is not a URL.
*/
export function shownUrl(text: string): string {
	const url = URL.parse(text);
	if (url === null) return '(not a URL)';
	return url.host === ''
		? `${url.protocol}…`
		: `${url.protocol}//${url.host}${url.pathname === '/' ? '' : shownPath(url.pathname)}`;
}

/**
Removes user names and passwords from the URLs in a text, and also the parts of web addresses that look like keys.
*/
export function withoutCredentials(text: string): string {
	const anonymous = text.replaceAll(/\b([a-z][a-z\d+.-]{0,31}:\/\/)[^\s/"'<>`]*@/gi, '$1');
	return anonymous.replaceAll(webAddress, (_, start: string, path: string) => start + shownPath(path));
}

/** The groups of the pattern are the scheme with the host, and the path. */
const webAddress = /\b((?:http|ws)s?:\/\/[^\s/"'<>`?#]*)(\/[^\s"'<>`?#]*)/gi;

/** Returns the parts of a URL's path that look like keys, unchanged. */
export function keysInPath({pathname}: URL): readonly string[] {
	return pathname.split('/').filter(isKeyAmong);
}

/**
Returns the secrets of a URL: its password, the longer values of its query, and the keys in its path. If the URL has no
password, its user name may be a token and counts as a secret.
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

/** Returns the authorization header for a URL's user name and password, because fetch refuses them inside a URL. */
export function authorizationOf({username, password}: URL): string | undefined {
	if (username === '' && password === '') return undefined;
	return `Basic ${Buffer.from(`${decodedText(username)}:${decodedText(password)}`).toString('base64')}`;
}

/** Reads the address of a proxy, which may lack its scheme. Returns `null` if the value is not an address. */
export function proxyURL(value: string): URL | null {
	return URL.parse(/^[a-z][a-z\d+.-]*:\/\//i.test(value) ? value : `http://${value}`);
}

/** The minimum length of a secret in a query. Shorter values are words like `true`, or versions. */
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

/** Removes punctuation that may follow a URL in a sentence. */
function withoutPunctuation(text: string): string {
	let end = text.length;
	while (end > 0 && ').,:;]}!'.includes(text.charAt(end - 1))) end--;
	return text.slice(0, end);
}
