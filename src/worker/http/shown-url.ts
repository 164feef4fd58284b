/** A URL as people are shown it: without name, password, query and fragment. What is not a URL is not shown. */
export function shownUrl(text: string): string {
	const url = URL.parse(text);
	if (url === null) return '(not a URL)';
	return url.host === '' ? `${url.protocol}…` : `${url.protocol}//${url.host}${url.pathname === '/' ? '' : url.pathname}`;
}

/** A text without the names and passwords of the URLs in it. */
export function withoutCredentials(text: string): string {
	return text.replaceAll(/\b([a-z][a-z\d+.-]{0,31}:\/\/)[^\s/"'<>`]*@/gi, '$1');
}

/** What of a URL must appear in no text: a password (or a name without one, which is a token then) and the longer values of its query. */
export function secretsOf(url: URL): readonly string[] {
	const credential = url.password === '' ? url.username : url.password;
	const values = url.search.slice(1).split('&').map(pair => pair.slice(pair.indexOf('=') + 1)).filter(value => value.length >= minQuerySecret);
	return [credential, ...values].flatMap(written => [written, decodedText(written)]).filter(text => text !== '');
}

/** The header that a URL's name and password stand for, which fetch does not take as part of a URL. */
export function authorizationOf({username, password}: URL): string | undefined {
	if (username === '' && password === '') return undefined;
	return `Basic ${Buffer.from(`${decodedText(username)}:${decodedText(password)}`).toString('base64')}`;
}

/** Shorter ones are words like `true` or a version. */
const minQuerySecret = 8;

function decodedText(text: string): string {
	try {
		return decodeURIComponent(text);
	} catch {
		return text;
	}
}
