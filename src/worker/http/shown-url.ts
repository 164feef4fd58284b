import {announcesKey, decodedText, looksLikeKey} from './key-forms.ts';

/**
A URL as people are shown it: without name, password, query and fragment, and with `[key]` for each part of its path
that looks like one. What is not a URL is not shown.
*/
export function shownUrl(text: string): string {
	const url = URL.parse(text);
	if (url === null) return '(not a URL)';
	return url.host === ''
		? `${url.protocol}…`
		: `${url.protocol}//${url.host}${url.pathname === '/' ? '' : shownPath(url.pathname)}`;
}

/**
A text without the names and passwords of the URLs in it, and without what looks like a key in the paths of web
addresses.
*/
export function withoutCredentials(text: string): string {
	const anonymous = text.replaceAll(/\b([a-z][a-z\d+.-]{0,31}:\/\/)[^\s/"'<>`]*@/gi, '$1');
	return anonymous.replaceAll(webAddress, (_, start: string, path: string) => start + shownPath(path));
}

/** Its host, and its path. */
const webAddress = /\b((?:http|ws)s?:\/\/[^\s/"'<>`?#]*)(\/[^\s"'<>`?#]*)/gi;

/** The parts of a URL's path that look like keys, as they are written. */
export function keysInPath({pathname}: URL): readonly string[] {
	return pathname.split('/').filter(isKeyAmong);
}

/**
What of a URL must appear in no text: a password (or a name without one, which is a token then), the longer values of
its query, and keys in its path.
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

/** The header that a URL's name and password stand for, which fetch does not take as part of a URL. */
export function authorizationOf({username, password}: URL): string | undefined {
	if (username === '' && password === '') return undefined;
	return `Basic ${Buffer.from(`${decodedText(username)}:${decodedText(password)}`).toString('base64')}`;
}

/** Shorter ones are words like `true` or a version. */
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
	return looksLikeKey(part) || (part.length >= minQuerySecret && index > 0 && announcesKey(parts[index - 1]!));
}

/** A URL in a sentence may be followed by its end. */
function withoutPunctuation(text: string): string {
	let end = text.length;
	while (end > 0 && ').,:;]}!'.includes(text[end - 1]!)) end--;
	return text.slice(0, end);
}
