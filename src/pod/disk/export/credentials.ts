import type {Finding} from './finding.ts';
import {isPlainValue, looksRandom} from './plain-values.ts';

/** A pattern for secrets that do not follow a name such as `password`. The groups of `pattern` are the secrets. */
type Place = {
	readonly name: string;
	/** Texts for a quick search. Each match of the pattern contains one of these texts. */
	readonly quick: readonly string[];
	readonly pattern: RegExp;
	/** Whether a value counts only if it looks random. */
	readonly isRandom?: boolean;
};

const quotes = String.raw`\\{0,8}["'\`]`;

/** A word of a command. The first group is a quoted word, the second group is a word without quotes. */
const word = `(?:${quotes}([^"'\\n\\\\]{1,400})|([^\\s"'\`\\\\|;&]{1,400}))`;

function of(name: string, quick: readonly string[], source: string, flags = 'g', isRandom = false): Place {
	return {name, quick, pattern: new RegExp(source, flags), isRandom};
}

/**
The source of a regular expression for the text that diffs, searches, listings and quotations add before a line: a line
number, a path with a line number, the sign of a diff, and indentation. The match has a limited length, and may be
empty.
*/
export const lineStart =
	String.raw`(?:[^\s:]{1,300}[:-]\d{1,9}[:-](?:\d{1,9}:)?|[ \t]{0,12}\d{1,9}[ \t]?[:|→\t-])?` +
	String.raw`[ \t]?(?:[+\-<>|#*]|//){0,2}[ \t]{0,80}`;

const gap = `(?:[ \\t]{1,20}|[ \\t]{0,20}\\r?\\n${lineStart})`;

const headerName = 'authorization header';

const addressName = 'password in an address';

const passwordName = 'password or token';

const places: readonly Place[] = [
	of(
		headerName,
		['uthorization', 'AUTHORIZATION'],
		String.raw`authorization(?:${quotes})?\]?\s{0,5}(?:[:=,]|=>)\s{0,5}(?:${quotes})?` +
			String.raw`(?:(?:[a-z][\w-]{1,30})\s{1,5})?([^\s"'\`\\<>$\{][^"'\`\\\n<>]{5,4000})`,
		'gi',
	),
	of(headerName, ['earer', 'BEARER'], String.raw`\bbearer\s{1,3}([\w.~+/-]{12,4000}={0,2})`, 'gi', true),
	of(headerName, ['Basic '], String.raw`\bBasic\s([A-Za-z0-9+/]{12,1000}={0,2})`, 'g', true),
	of(
		'cookie',
		['et-cookie', 'et-Cookie', 'SET-COOKIE', 'et_cookie'],
		String.raw`set-cookie2?(?:${quotes})?\s{0,5}[:=]\s{0,5}(?:${quotes})?[\w.-]{1,100}=([^\s;,"'\`\\]{6,4000})`,
		'gi',
	),
	of(
		'cookie',
		['ookie', 'COOKIE'],
		String.raw`(?<![\w-])cookie(?:${quotes})?\s{0,3}(?:[:=]|,\s{0,8}(?:${quotes})value(?:${quotes})\s{0,3}:)` +
			String.raw`\s{0,3}(?:${quotes})?([\w.-]{1,100}=[^\n"'\`\\]{4,4000})`,
		'gi',
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
		String.raw`(?:^|[\s:+"'-])[\w.*-]{1,200}:(?:\d{4,5}|\*):[\w.*-]{1,100}:[\w.*@-]{1,100}:` +
			String.raw`([^\s:"'\`\\]{4,400})(?=$|[\s"'\`\\])`,
		'gm',
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
		'gi',
	),
	of(passwordName, ['SSWS '], String.raw`\bSSWS ([\w-]{30,50})`),
	of(passwordName, ['AUTH '], String.raw`\bAUTH (?:PLAIN|LOGIN) ([A-Za-z0-9+/]{8,400}={0,2})`),
	of(
		passwordName,
		['mnemonic', 'phrase', 'MNEMONIC', 'PHRASE', 'Mnemonic', 'Phrase'],
		String.raw`(?:mnemonic|(?:seed|recovery|secret|backup)[ _-]?phrase)\W{1,6}(?:is )?((?:[a-z]{3,8} ){11,23}[a-z]{3,8})`,
		'gi',
	),
	of(passwordName, [';pwd=', ';Pwd=', ';PWD=', '; Pwd='], String.raw`;\s?pwd=([^\s;"'\`\\]{3,400})`, 'gi'),
	of(
		passwordName,
		['dentified ', 'IDENTIFIED '],
		String.raw`\bidentified\s{1,5}(?:with\s{1,5}\S{1,40}\s{1,5})?(?:by|as)\s{1,5}` +
			String.raw`(?:(?:password|values)\s{1,5})?(?=${quotes}|\S{0,200}\d)${word}`,
		'gi',
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
	of('signature of an address', ['sig='], String.raw`[?&]sig=([\w%+/=-]{20,200})`, 'g', true),
	of(addressName, ['://'], String.raw`:\/\/([A-Za-z0-9_-]{20,200})(?::[\w-]{0,40})?@`, 'g', true),
];

/** The patterns for secrets in shell commands. */
const commandPlaces: readonly Place[] = [
	of(passwordName, ['pass:'], String.raw`-pass(?:in|out|)\s{1,5}(?:${quotes})?pass:([^\s"'\`\\]{3,400})`),
	of(
		passwordName,
		['chpasswd'],
		`\\becho\\s{1,5}(?:-\\w{1,3}\\s{1,3})?(?:${quotes})?[\\w.-]{1,60}:` +
			`([^\\s"'\`\\\\|]{3,200})(?:${quotes})?\\s{0,5}\\|[^\\n]{0,60}chpasswd`,
	),
	of(
		passwordName,
		['password-stdin', 'sudo -S', '--stdin', '--with-token', 'passphrase-fd'],
		`\\b(?:echo|printf)\\s{1,5}(?:-\\w{1,3}\\s{1,3})?${word}(?:${quotes})?\\s{0,5}\\|` +
			`[^\\n|]{0,200}?(?:password-stdin|sudo\\s-S|with-token|--stdin|passphrase-fd)`,
	),
	of(
		passwordName,
		['<<<'],
		'(?:sudo\\s-S|chpasswd|passw(?:or)?d\\s--stdin|--password-stdin|--passphrase-fd\\s0)' +
			`[^\\n|<]{0,200}<<<\\s{0,5}${word}`,
	),
	of(passwordName, ['/p:'], `\\b[xw]l?freerdp\\d?[^\\n|]{0,300}\\s/p:${word}`),
	of(
		passwordName,
		['vault '],
		String.raw`\bvault\s{1,5}(?:login|unwrap|operator\s{1,5}unseal)\s{1,5}([\w.+/-]{16,200}={0,2})`,
		'g',
		true,
	),
	of(
		passwordName,
		['sqlplus'],
		String.raw`\bsqlplus\s{1,5}(?:-\w{1,3}\s{1,3}){0,3}[\w.-]{1,60}/([^\s@"'\`\\]{3,200})@`,
	),
	of(passwordName, ['net user', 'NET USER'], `\\bnet\\s{1,3}user\\s{1,3}\\S{1,60}\\s{1,3}(?!/)${word}`, 'gi'),
	of(
		passwordName,
		['SecureString', 'securestring'],
		`\\bConvertTo-SecureString\\s{1,5}(?:-String\\s{1,5})?(?!-)${word}`,
		'gi',
	),
];

/** Returns the secrets at known places, such as headers and addresses, that do not need a name. */
export function findCredentials(text: string): readonly Finding[] {
	return [...findAddresses(text), ...findAt(places, text)];
}

/** Returns the secrets at known places in commands. Each command must be on one line. */
export function findInCommands(text: string): readonly Finding[] {
	return findAt(commandPlaces, text);
}

function findAt(wanted: readonly Place[], text: string): readonly Finding[] {
	const found: Finding[] = [];
	for (const {name, quick, pattern, isRandom = false} of wanted) {
		if (!quick.some(part => text.includes(part))) continue;
		for (const match of text.matchAll(pattern)) {
			const value = match.slice(1).find(group => group !== undefined) ?? '';
			const start = match.index + match[0].lastIndexOf(value);
			const isPlain = name === 'cookie' ? isPlainCookie : isPlainSecret;
			if (isRandom ? !looksRandom(value) : isPlain(value)) continue;
			if (name === headerName && isPlainHeader(value)) continue;
			found.push({name, start, end: start + value.length, value, also: partsOf(name, value)});
		}
	}
	return found;
}

/** Tells whether the value of a header contains no secret: only a scheme, a placeholder after a scheme, or code. */
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
	return value.split(/;\s{0,5}/).map(pair => pair.slice(pair.indexOf('=') + 1));
}

function isPlainSecret(value: string): boolean {
	return isPlainValue(value, {name: 'PASSWORD', kind: 'password', style: 'quoted', endsLine: true});
}

/**
Returns the secrets inside a value: the random values of a cookie, or the password of a user name and password in
base64.
*/
function partsOf(name: string, value: string): readonly string[] {
	if (name === 'cookie') return pairsOf(value).filter(looksRandom);
	const [, password] =
		/^[\w.@+-]{0,200}:([\x20-\x7e]{6,400})$/.exec(Buffer.from(value, 'base64').toString('latin1')) ?? [];
	return password === undefined ? [] : [password];
}

/**
Returns the passwords in addresses. A password may contain `/` and `@`, so it ends at the last `@` before a host. If a
number and a `/` follow the colon, the number is a port, and there is no password.
*/
function findAddresses(text: string): readonly Finding[] {
	const found: Finding[] = [];
	for (const {0: whole, 1: address = '', index} of text.matchAll(/:\/\/([^\s"'<>`\\|]{3,600})/g)) {
		const colon = address.indexOf(':');
		const last = lastHost(address);
		if (colon < 0 || address.startsWith('[') || last <= colon + 1 || /^[^@]*[/?#]/.test(address.slice(0, colon)))
			continue;
		const value = address.slice(colon + 1, last);
		if (/^\d{1,5}(?:[/?#]|$)/.test(value) || isPlainAddress(value)) continue;
		const start = index + whole.length - address.length + colon + 1;
		const first = value.split('@', 1)[0] ?? '';
		const also = [decoded(value), ...(first.length >= 6 && first !== value ? [first] : [])];
		found.push({
			name: addressName,
			start,
			end: start + value.length,
			value,
			also: also.filter(one => one !== value),
		});
	}
	return found;
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
