/** The address of a page. Its text has passed the checks. Its host can still resolve to any IP address. */
type CheckedUrl = {readonly ok: true; readonly url: URL} | {readonly ok: false; readonly reason: UrlProblem};

const urlProblems = ['not_a_url', 'scheme', 'credentials', 'port', 'too_long'] as const;
export type UrlProblem = (typeof urlProblems)[number];

/** The maximum length of an address. Servers accept less. */
export const maxUrlLength = 8192;

/**
Reads a web address. Numbers in any notation become IP addresses, IPv4 inside IPv6 becomes IPv4, names become ASCII, and
the fragment and a final dot of the name are removed. So all forms of an address become the same text.
*/
export function checkUrl(text: string, base?: URL): CheckedUrl {
	if (text.length > maxUrlLength) return {ok: false, reason: 'too_long'};
	const url = hidden.test(text) ? null : URL.parse(text, base);
	if (url === null) return {ok: false, reason: 'not_a_url'};
	if (url.protocol !== 'http:' && url.protocol !== 'https:') return {ok: false, reason: 'scheme'};
	if (base === undefined && !/^https?:\/\/[^/\\]/i.test(text)) return {ok: false, reason: 'not_a_url'};
	if (url.username !== '' || url.password !== '') return {ok: false, reason: 'credentials'};
	url.hash = '';
	const host = plainHost(url.hostname);
	if (host !== url.hostname) url.hostname = host;
	if (url.hostname === '' || url.hostname.endsWith('.')) return {ok: false, reason: 'not_a_url'};
	if (url.href.length > maxUrlLength) return {ok: false, reason: 'too_long'};
	return url.port !== '' && blockedPorts.has(Number(url.port)) ? {ok: false, reason: 'port'} : {ok: true, url};
}

/** Tells whether a redirect stays on its site: the same scheme, host and port, or from HTTP to HTTPS. */
export function isSameSite(from: URL, to: URL): boolean {
	if (from.origin === to.origin) return true;
	const isUpgrade = from.protocol === 'http:' && to.protocol === 'https:';
	return isUpgrade && from.hostname === to.hostname && from.port === '' && to.port === '';
}

/** Returns the host of a URL without a final dot. An IPv4-mapped IPv6 address becomes the IPv4 address. */
export function plainHost(hostname: string): string {
	const [found, high = '', low = ''] = /^\[::ffff:([\da-f]{1,4}):([\da-f]{1,4})\]$/.exec(hostname) ?? [];
	if (found === undefined) return hostname.replace(/\.$/, '');
	return [high, low].flatMap(part => [Number.parseInt(part, 16) >> 8, Number.parseInt(part, 16) & 255]).join('.');
}

/** Returns the host of a URL without brackets. */
export function hostOf({hostname}: URL): string {
	return hostname.replace(/^\[(.*)\]$/, '$1');
}

/** The URL parser silently removes some of these characters, so the shown text would differ from the real address. */
// oxlint-disable-next-line no-control-regex -- These are the characters to refuse.
const hidden = /[\u0000-\u0020\u007F-\u00A0\u00AD\u200B-\u200F\u2028-\u202F\u2060-\u206F\uFEFF]/;

/** The ports that browsers refuse, because other protocols use them (fetch standard, "bad ports"). */
const blockedPorts: ReadonlySet<number> = new Set([
	0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109,
	110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531,
	532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060,
	5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
]);
