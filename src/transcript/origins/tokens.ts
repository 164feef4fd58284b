/**
A part of a text that tells what a call reaches: a web address, a host, a path outside of the project, or a long word
with digits.
*/
export type Token =
	| {readonly kind: 'address'; readonly text: string; readonly host: string}
	| {readonly kind: 'host' | 'path' | 'word'; readonly text: string};

/** Finds the tokens of a text, in order. The time is linear, and hostile text cannot make a token longer than 400. */
export function tokensIn(text: string): readonly Token[] {
	const tokens: Token[] = [];
	for (const [chunk] of text.matchAll(chunkForm)) for (const part of partsOf(chunk)) addTokens(part, tokens);
	return tokens;
}

/** Returns a chunk, and the value in it if it is an assignment or an option: `--url=x`, `KEY=x`. */
function partsOf(chunk: string): readonly string[] {
	const at = chunk.indexOf('=');
	const hasValue = at > 0 && /^[-\w.]+$/.test(chunk.slice(0, at));
	return hasValue && !chunk.slice(0, at).includes('://') ? [chunk.slice(at + 1)] : [chunk];
}

function addTokens(part: string, tokens: Token[]): void {
	const text = part.replace(/^[*_@#~+=-]*(?=[\w/.~])(?<![~.])/, '').replace(/[.:,!?*_…]+$/, '');
	if (text.length > maxToken || text.length < 4) return;
	const address = /[a-z][a-z\d+.-]*:\/\/[^\s]+$/i.exec(text)?.[0];
	if (address !== undefined) {
		const host = hostIn(address);
		if (host === undefined) return;
		tokens.push({text: address, kind: 'address', host});
		return;
	}
	const host = bareHost(text);
	if (host !== undefined) tokens.push({text: host, kind: 'host'});
	else if (isOutsidePath(text)) tokens.push({text, kind: 'path'});
	else if (isLongWord(text)) tokens.push({text, kind: 'word'});
}

/** Returns the host of an address, unless it is this machine. */
function hostIn(address: string): string | undefined {
	const [, authority = ''] = /^[^:]+:\/\/(?:[^/@\s]*@)?([^/?#\s]*)/.exec(address) ?? [];
	const host = authority.replace(/:\d*$/, '').toLowerCase();
	return host === '' || ownHosts.test(host) ? undefined : host;
}

/**
Returns the host of a text without a scheme, as in `x.example/y` and `git@x.example:y`. File names such as `a.ts` look
like hosts, so only some top-level domains count.
*/
function bareHost(text: string): string | undefined {
	const [, host = ''] = /^(?:[\w.-]+@)?((?:[a-z\d-]+\.)+[a-z\d-]+)(?::[\w/~.-]*)?(?:[/?#]\S*)?$/i.exec(text) ?? [];
	const name = host.toLowerCase();
	if (name === '' || ownHosts.test(name)) return undefined;
	return topLevels.test(name) || /^\d{1,3}(?:\.\d{1,3}){3}$/.test(name) ? name : undefined;
}

function isOutsidePath(text: string): boolean {
	return /^(?:\/|~\/|(?:\.\.\/)+)[^/].*$/.test(text) && !systemPath.test(text);
}

function isLongWord(text: string): boolean {
	return /^[\w+=-]{12,}$/.test(text) && /\d/.test(text) && /[a-z]/i.test(text) && !/^\d{4}-\d\d-\d\d/.test(text);
}

/** A run of characters that no shell, Markdown or JSON uses as a border. */
const chunkForm = /[^\s"'`<>()[\]{}|;,\\&]{4,}/g;
const maxToken = 400;
const ownHosts = /^(?:localhost|127(?:\.\d+){3}|0\.0\.0\.0|\[?::1?\]?)$/;
const names = [
	...[
		'com',
		'org',
		'net',
		'edu',
		'gov',
		'io',
		'dev',
		'app',
		'ai',
		'co',
		'me',
		'info',
		'biz',
		'xyz',
		'site',
		'online',
	],
	...['top', 'cloud', 'example', 'test', 'onion', String.raw`[a-z]{2}\.[a-z]{2}`, 'de', 'uk', 'fr', 'nl', 'eu', 'ch'],
	...[
		'at',
		'se',
		'no',
		'fi',
		'it',
		'es',
		'pl',
		'cz',
		'jp',
		'cn',
		'kr',
		'in',
		'br',
		'au',
		'ca',
		'us',
		'ru',
		'ua',
		'tv',
	],
];
const topLevels = new RegExp(String.raw`\.(?:${names.join('|')})$`);
/** Paths of the system that stand in many commands and reach nothing of interest. */
const systemPath = /^\/(?:dev\/(?:null|std(?:in|out|err)|tty)|(?:usr\/)?s?bin\/[\w-]+|tmp)$/;
