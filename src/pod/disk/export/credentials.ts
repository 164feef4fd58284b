import type {Finding} from './finding.ts';
import {findAt, isPlainSecret, lineStart, matchAt, of, passwordName, quotes, word, type Place} from './place.ts';
import {looksRandom} from './plain-values.ts';

const gap = `(?:[ \\t]{1,20}|[ \\t]{0,20}\\r?\\n${lineStart})`;

/** A value of a cookie in quotes. The quotes of the whole header are not before a semicolon. */
const quotedCookie = String.raw`"[^\n"\\]{0,4000}"(?=[ \t\r]{0,3}(?:;|$))`;

/** A part of a line of `.pgpass`, in which a backslash comes before a colon. */
const field = String.raw`(?:[\w.*@-]|\\[:\\]){1,100}`;
const fieldPassword = String.raw`((?:[^\s:"'\`\\]|\\[:\\]){4,400})`;
const socket = String.raw`/[\w/-]{1,200}`;

const headerName = 'authorization header';

const addressName = 'password in an address';

const places: readonly Place[] = [
	of(
		headerName,
		['uthorization', 'AUTHORIZATION'],
		String.raw`authorization(?:${quotes})?\]?\s{0,5}(?:[:=,]|=>)\s{0,5}(?:${quotes})?` +
			String.raw`(?:(?:[a-z][\w-]{1,30})\s{1,5})?([^\s"'\`\\<>$\{][^"'\`\\\n<>]{5,4000})`,
		{flags: 'gi', isPlain: isPlainHeader, rest: /[^"'`\\\n<>]{1,4000}/y},
	),
	of(headerName, ['earer', 'BEARER'], String.raw`\bbearer\s{1,3}([\w.~+/-]{12,4000}={0,2})`, {
		flags: 'gi',
		needs: 'random',
		isPlain: isPlainHeader,
		rest: /[\w.~+/-]{1,4000}={0,2}/y,
	}),
	of(headerName, ['Basic '], String.raw`\bBasic\s([A-Za-z0-9+/]{12,1000}={0,2})`, {
		needs: 'random',
		isPlain: isPlainHeader,
		rest: /[A-Za-z0-9+/]{1,4000}={0,2}/y,
	}),
	of(
		'cookie',
		['et-cookie', 'et-Cookie', 'SET-COOKIE', 'et_cookie'],
		String.raw`set-cookie2?(?:${quotes})?\s{0,5}[:=]\s{0,5}(?:${quotes})?[\w.-]{1,100}="?([^\s;,"'\`\\]{6,4000})`,
		{flags: 'gi', isPlain: isPlainCookie, parts: partsOfCookie, rest: /[^\s;,"'`\\]{1,4000}/y},
	),
	of(
		'cookie',
		['ookie', 'COOKIE'],
		String.raw`(?<![\w-])cookie(?:${quotes})?\s{0,3}(?:[:=]|,\s{0,8}(?:${quotes})value(?:${quotes})\s{0,3}:)` +
			String.raw`\s{0,3}(?:${quotes})?([\w.-]{1,100}=(?:${quotedCookie}|[^\n"'\`\\]{4,4000}))`,
		{
			flags: 'gim',
			isPlain: isPlainCookie,
			parts: partsOfCookie,
			rest: new RegExp(`[^\\n"'\`\\\\]{1,4000}|(?<==)${quotedCookie}`, 'my'),
		},
	),
	of(
		passwordName,
		['machine ', 'default ', 'default\n'],
		`\\b(?:machine[ \\t]{1,20}\\S{1,200}|default)${gap}` +
			`(?:(?:login|account)[ \\t]{1,20}\\S{1,200}${gap}){0,2}password[ \\t]{1,20}${word}`,
	),
	of(
		passwordName,
		[':*:', ':5432:', ':5433:', ':6432:'],
		String.raw`(?:^|[\s:+"'-])(?:${socket}|[\w.*-]{1,200}):(?:\d{4,5}|\*):${field}:${field}:${fieldPassword}` +
			String.raw`(?=$|[\s"'\`\\])`,
		{flags: 'gm', parts: unescaped},
	),
	of(
		passwordName,
		[':'],
		`(?:^${lineStart}|(?<=["'\`])[ \\t]{0,20})(?:${socket}|[\\w.*-]{1,200}):\\d{4,5}:` +
			String.raw`(?!\d+:)${field}:(?!\d+:)${field}:${fieldPassword}` +
			String.raw`(?=[ \t]{0,20}(?:$|["'\`\\]))`,
		{flags: 'gm', needs: 'mixed', parts: unescaped},
	),
	of(
		passwordName,
		['auth=', 'auth ='],
		`\\bauth\\s?=\\s?\\(\\s?${quotes}[^"'\\n]{0,100}?${quotes},\\s{0,4}${quotes}([^"'\\n\\\\]{3,200})`,
	),
	of(passwordName, ['password '], String.raw`\bpassword [0-9] (\S{4,100})`),
	of(
		passwordName,
		['assword for', 'ASSWORD FOR'],
		`\\bpassword\\s{1,3}for\\s{1,3}\\S{1,100}(?:\\s\\S{1,60})?\\s{0,3}[=:]\\s{1,3}${word}`,
		{flags: 'gi'},
	),
	of(passwordName, ['SSWS '], String.raw`\bSSWS ([\w-]{30,50})`),
	of(passwordName, ['AUTH '], String.raw`\bAUTH (?:PLAIN|LOGIN) ([A-Za-z0-9+/]{8,400}={0,2})`),
	of(
		passwordName,
		['mnemonic', 'phrase', 'MNEMONIC', 'PHRASE', 'Mnemonic', 'Phrase'],
		String.raw`(?:mnemonic|(?:seed|recovery|secret|backup)[ _-]?phrase)\W{1,6}(?:is )?((?:[a-z]{3,8} ){11,23}[a-z]{3,8})`,
		{flags: 'gi'},
	),
	of(
		passwordName,
		[';pwd=', ';Pwd=', ';PWD=', '; Pwd=', 'Password='],
		String.raw`;\s?(?:pwd|(?-i:Password))=([^\s;"'\`\\]{3,400})`,
		{flags: 'gi'},
	),
	of(
		passwordName,
		['dentified ', 'IDENTIFIED '],
		String.raw`\bidentified\s{1,5}(?:with\s{1,5}\S{1,40}\s{1,5})?(?:by|as)\s{1,5}` +
			String.raw`(?:(?:password|values)\s{1,5})?(?=${quotes}|\S{0,200}\d)${word}`,
		{flags: 'gi'},
	),
	of(passwordName, ['assword:: '], String.raw`assword:: ([A-Za-z0-9+/]{8,400}={0,2})`),
	of(
		passwordName,
		['{noop}', '{PLAIN}', '{CLEAR'],
		String.raw`\{(?:noop|PLAIN|CLEAR(?:TEXT)?)\}([^\s"'\`\\,;]{4,200})`,
	),
	of(
		passwordName,
		['user ', 'SETUSER ', 'setuser '],
		String.raw`\b(?:user|SETUSER|setuser) \S{1,60} (?:(?:on|off|reset|[~+&%-]\S{1,40}) ){1,8}[>#]([^\s"'\`\\]{4,200})`,
	),
	of(passwordName, ['requirepass', 'masterauth'], `\\b(?:requirepass|masterauth)\\s{1,20}${word}`),
	of(passwordName, ['kty'], String.raw`["'](?:d|p|q|dp|dq|qi|k)["']\s{0,5}:\s{0,5}["']([\w-]{16,2000})["']`),
	of(passwordName, ['RSAKeyValue'], '<(?:D|P|Q|DP|DQ|InverseQ)>([A-Za-z0-9+/=\\s]{16,4000})</'),
	of(passwordName, ['"auth"'], String.raw`"auth"\s{0,5}:\s{0,5}"([A-Za-z0-9+/]{6,2000}={0,2})"`),
	of(addressName, ['jdbc:'], String.raw`\bjdbc:[\w:]{1,60}:[\w.-]{1,60}/([^\s@"'\`\\]{3,200})@`),
	of(addressName, ['@tcp(', '@unix(', '@udp('], String.raw`\b[\w.-]{1,60}:([^\s"'\`\\]{3,200})@(?:tcp|unix|udp)\(`),
	of('signature of an address', ['sig='], String.raw`[?&]sig=([\w%+/=-]{20,200})`, {needs: 'random'}),
	of(addressName, ['://'], String.raw`:\/\/([A-Za-z0-9_-]{20,200})(?::[\w-]{0,40})?@`, {needs: 'random'}),
];

/** Returns the secrets at known places, such as headers and addresses, that do not need a name. */
export function findCredentials(text: string): readonly Finding[] {
	return [...findAddresses(text), ...findAt(places, text)];
}

/** A scheme without a secret, a placeholder after a scheme, or code. */
function isPlainHeader(value: string): boolean {
	const credentials = value.replace(/^[A-Za-z][\w-]{1,30}\s+/, '');
	return isPlainSecret(credentials) || !/\d/.test(credentials) || /^\w{1,20}\.\w{1,20}\b/.test(credentials);
}

/**
Tells whether no value of a cookie is a secret. Names in a cookie are ignored, because they are not words of a sentence.
*/
function isPlainCookie(value: string): boolean {
	return pairsOf(value).every(isPlainSecret);
}

/** Returns the values of cookies. For a cookie without a name, the whole text is the value. */
function pairsOf(value: string): readonly string[] {
	return value.split(/;\s{0,5}/).map(pair => pair.slice(pair.indexOf('=') + 1).replace(/^"([^"]*)"\s*$/, '$1'));
}

/** Returns the values inside of cookies. */
function partsOfCookie(value: string): readonly string[] {
	return pairsOf(value).filter(looksRandom);
}

/** Returns a password of `.pgpass` without the backslashes before its colons. */
function unescaped(value: string): readonly string[] {
	return value.includes('\\') ? [value.replaceAll(/\\([:\\])/g, '$1')] : [];
}

/** Returns the passwords in addresses, also in those that are inside another address or follow another one. */
function findAddresses(text: string): readonly Finding[] {
	const found: Finding[] = [];
	for (let at = text.indexOf('://'), next = 0; at >= 0; at = text.indexOf('://', next)) {
		next = at + 3;
		const address = matchAt(addressText, text, next)?.[0] ?? '';
		const own = ownPart(address);
		const password = passwordIn(own) ?? (isUserStart(own) ? passwordIn(address) : undefined);
		if (password === undefined) continue;
		const start = next + password.at;
		const {value} = password;
		const first = value.split('@', 1)[0] ?? '';
		const also = [decoded(value), ...(first.length >= 6 && first !== value ? [first] : [])];
		next = start + value.length;
		found.push({name: addressName, start, end: next, value, also: also.filter(one => one !== value)});
	}
	return found;
}

const addressText = /[^\s"'<>`\\|]{3,600}/y;

/** Returns an address up to the next one. */
function ownPart(address: string): string {
	const end = address.indexOf('://');
	if (end < 0) return address;
	const last = Math.max(0, end - 32);
	return address.slice(0, last) + address.slice(last, end).replace(/[^\w:@]?[A-Za-z][\w+.-]{0,30}$/, '');
}

/** Tells whether the start of an address is a user and the start of a password, which may contain `://`. */
function isUserStart(start: string): boolean {
	return /^[^/?#@:[]{1,200}:(?!\d{1,5}$)[^/?#@]*$/.test(start);
}

/**
Returns the password in an address. A password may contain `/` and `@`, so it ends at the last `@` before a host. If a
number and a `/` follow the colon, the number is a port, and there is no password.
*/
function passwordIn(address: string): {readonly at: number; readonly value: string} | undefined {
	const colon = address.indexOf(':');
	const last = lastHost(address);
	if (colon < 0 || address.startsWith('[') || last <= colon + 1 || /^[^@]*[/?#]/.test(address.slice(0, colon)))
		return undefined;
	const value = address.slice(colon + 1, last);
	return /^\d{1,5}(?:[/?#]|$)/.test(value) || isPlainAddress(value) ? undefined : {at: colon + 1, value};
}

function isPlainAddress(value: string): boolean {
	return (
		value.length < 3 || value === 'x-oauth-basic' || isPlainSecret(value.padEnd(4, value)) || /^\/\//.test(value)
	);
}

/** Returns the index of the last `@` that comes before a host, or -1. */
function lastHost(address: string): number {
	let last = -1;
	for (const {index} of address.matchAll(/@(?=[\w.[-]{1,255}\]?(?::\d{1,5}|:\$?\{?\w{1,40}\}?)?(?:[/?#,;)]|$))/g))
		last = index;
	return last;
}

function decoded(value: string): string {
	try {
		return decodeURIComponent(value);
	} catch {
		return value;
	}
}
