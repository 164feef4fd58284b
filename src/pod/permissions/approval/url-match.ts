import {checkUrl, hostOf, plainHost} from '../../ground/text/web-url.ts';
import {compileTextGlobs} from './text-glob.ts';
import {ruleProblems} from './texts.ts';

/**
The patterns of rules about web addresses, compiled once. A pattern has a scheme, a host, and maybe a port and a path:
`https://docs.*`, `*://*.example.com:*`, `https://example.com/docs/*`. In the host `*` matches one or more whole labels,
and in the path any text. Scheme, host, port and path are compared separately, so a path never counts as a host.
*/
export type UrlMatches = {
	/**
	Returns the indexes of the patterns that certainly cover an address. A pattern without a port covers only the
	scheme's default port.
	*/
	surely(url: string): readonly number[];
	/** Returns the indexes of the patterns that could cover an address, however a server reads its path. */
	possibly(url: string): readonly number[];
};

export function compileUrlMatches(patterns: readonly string[]): UrlMatches {
	const parts = patterns.map(partsOf);
	const hosts = compileTextGlobs(parts.map(part => part?.host ?? '\0'));
	const sure = compileTextGlobs(parts.map(part => part?.path ?? '\0'));
	const wide = parts.flatMap((part, number) => (part === undefined ? [] : widePaths(part.path, number)));
	const possible = compileTextGlobs(wide.map(({path}) => path));
	const named = (url: URL) =>
		hosts.matching(hostOf(url)).filter(number => {
			const scheme = parts[number]?.scheme;
			return scheme === '*' || `${scheme}:` === url.protocol;
		});
	return {
		surely(text) {
			const checked = checkUrl(text);
			if (!checked.ok) return [];
			const {url} = checked;
			const paths = new Set(sure.matching(pathOf(url)));
			return named(url).filter(number => {
				const part = parts[number];
				if (part === undefined || !paths.has(number)) return false;
				const isPort = part.port === '*' || usualPort(part.port, url) === url.port;
				return isPort && (part.path === '*' || isPlainPath(url));
			});
		},
		possibly(text) {
			const checked = checkUrl(text);
			if (!checked.ok) return parts.flatMap((part, number) => (part === undefined ? [] : [number]));
			const {url} = checked;
			const readings = readingsOf(pathOf(url));
			const paths = new Set(readings.flatMap(path => possible.matching(path)).map(at => wide[at]?.number));
			return named(url).filter(number => {
				const port = parts[number]?.port;
				const isPort = port === undefined || port === '*' || usualPort(port, url) === url.port;
				return isPort && paths.has(number);
			});
		},
	};
}

/**
Returns why a pattern could never match an address, or could be misread, as the end of a sentence. Returns `undefined`
for a good pattern.
*/
export function urlGlobProblem(match: string): string | undefined {
	if (partsOf(match) !== undefined) return undefined;
	return ruleProblems.notAnAddress(match);
}

/** Returns the pattern for all pages of a site, as a card offers it. */
export function siteOf(text: string): string {
	const checked = checkUrl(text);
	return checked.ok ? `${checked.url.origin}/*` : text;
}

/**
Tells whether a pattern names an IP address or this machine, so that it may allow a private address. A pattern for many
names may not, because anyone can register a name that resolves to a private address.
*/
export function namesAddress(match: string): boolean {
	const host = partsOf(match)?.host ?? '';
	return /^(?:\d{1,3}\..*|[\da-f:]*:[\da-f:.]*|(?:[a-z\d-]+\.)*localhost)$/.test(host);
}

type Parts = {
	readonly scheme: string;
	readonly host: string;
	readonly port: string | undefined;
	readonly path: string;
};

function partsOf(match: string): Parts | undefined {
	if (match === '*') return {scheme: '*', host: '*', port: '*', path: '*'};
	const found = /^(\*|https?):\/\/(\[[\da-f:.]+\]|[^\s/:@[\]\\?#]+)(?::(\d{1,5}|\*))?(\/[^#]*)?$/iu.exec(match);
	if (found === null || hiddenCharacters.test(match)) return undefined;
	const [, scheme = '', written = '', writtenPort, path] = found;
	const host = hostGlob(written);
	const port = writtenPort === undefined || writtenPort === '*' ? writtenPort : String(Number(writtenPort));
	if (host === undefined || Number(port) > maxPort) return undefined;
	return {scheme: scheme.toLowerCase(), host, port, path: path === undefined ? '*' : pathGlob(path)};
}

const maxPort = 65_535;
const hiddenCharacters = /[\p{C}\p{Z}]/u;

/** Returns a host in the form that the URL parser gives it. A `*` must be a whole label. */
function hostGlob(written: string): string | undefined {
	const labels = written.replace(/\.$/, '').split('.');
	if (labels.some(label => label === '' || (label.includes('*') && label !== '*'))) return undefined;
	if (labels.every(label => label === '*')) return '*';
	const url = URL.parse(`http://${labels.map(label => (label === '*' ? anyLabel : label)).join('.')}/`);
	if (url === null) return undefined;
	url.hostname = plainHost(url.hostname);
	return hostOf(url).replaceAll(anyLabel, '*');
}

const anyLabel = 'x--any--x';

/** Returns a path with its query in the form that the URL parser gives it. In the result only `*` is a wildcard. */
function pathGlob(path: string): string {
	const url = URL.parse(`http://host${path}`);
	const plain = url === null ? path : pathOf(url);
	return plain === '/*' ? '*' : plain.replaceAll(/[\\?]/g, String.raw`\$&`);
}

/**
Returns the paths that a rule for a page covers if it asks or denies: also the pages below it, and the page with any
query. Many servers treat a path with and without a final slash in the same way.
*/
function widePaths(path: string, number: number): ReadonlyArray<{readonly path: string; readonly number: number}> {
	const plain =
		path === '/'
			? '*'
			: lowerDecoded(path)
					.replaceAll(/\/{2,}/g, '/')
					.replace(/\/$/, '');
	return [plain, `${plain}/*`, String.raw`${plain}\?*`].map(each => ({path: each, number}));
}

function pathOf({pathname, search}: URL): string {
	return pathname + search;
}

function usualPort(port: string | undefined, {protocol}: URL): string {
	return port === undefined || port === (protocol === 'https:' ? '443' : '80') ? '' : port;
}

/**
Tells whether every server reads a path in the same way. Such a path is UTF-8. It contains no encoded separator, and no
encoded character that some servers treat as a separator.
*/
function isPlainPath({pathname}: URL): boolean {
	if (/%(?:00|25|2e|2f|3b|5c)|\/\/|[\\;]/i.test(pathname)) return false;
	try {
		const decoded = decodeURIComponent(pathname);
		return decoded.split(/[./;\\]/).length === decoded.normalize('NFKC').split(/[./;\\]/).length;
	} catch {
		return false;
	}
}

/** Returns the forms in which a server may read a path. A server may decode it more than once. */
function readingsOf(path: string): readonly string[] {
	const readings = new Set<string>();
	let next = path.toLowerCase();
	for (let times = 0; times <= maxDecodings; times++) {
		for (const form of [next, next.replaceAll(/;[^/?]*/g, '')]) {
			const slashes = form.replaceAll('\\', '/').replaceAll(/\/{2,}/g, '/');
			readings.add(form).add(slashes).add(withoutDots(slashes));
		}
		next = lowerDecoded(next);
	}
	return [...readings];
}

const maxDecodings = 3;

function lowerDecoded(text: string): string {
	const bytes = text.replaceAll(/(?:%[\da-f]{2})+/gi, found =>
		Buffer.from(found.replaceAll('%', ''), 'hex').toString('utf8'),
	);
	return bytes.toLowerCase();
}

function withoutDots(path: string): string {
	const url = URL.parse(`http://host${path}`);
	return url === null ? path : lowerDecoded(pathOf(url));
}
