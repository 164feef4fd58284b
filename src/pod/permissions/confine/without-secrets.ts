import {secretsOf} from '../../../worker/index.ts';
import {looksRandom} from '../../disk/export/plain-values.ts';
import {findSecrets} from '../../disk/export/redact.ts';

/**
Returns the value of a setting without the user names and passwords of its addresses. Returns `undefined` if another
part looks like a secret. `name`: the name of the setting. In the setting of a proxy, an address may lack `http://`. A
value with credentials in any other address without a scheme is left out.
*/
export function addressWithoutSecrets(name: string, value: string): string | undefined {
	const isProxy = /(?<!non?[_-]?)proxy/i.test(name);
	const plain = isProxy ? withoutProxyLogin(value) : withoutLogin(value);
	if (isProxy && !plain.includes('://') && plain.includes('@')) return undefined;
	if (hasLogin(plain) || (ofHosts.test(name) && /[^\s/]@/.test(plain))) return undefined;
	const hasSecret = findSecrets(plain).length > 0 || plain.split(/\s+/).some(hasSecretAddress);
	return hasSecret ? undefined : plain;
}

/**
Returns the flags of a compiler without flags whose value looks like a secret. The words after a flag belong to the
flag. The result is `undefined` if no flag is left, or if a quote is not closed.
*/
export function flagsWithoutSecrets(value: string): string | undefined {
	if (!/^(?:\s|[^\s"'\\]|\\.|"(?:[^"\\]|\\.)*"|'[^']*')*$/s.test(value)) return undefined;
	const flags: string[] = [];
	for (const [word] of value.matchAll(/(?:[^\s"'\\]|\\.|"(?:[^"\\]|\\.)*"|'[^']*')+/gs)) {
		const last = flags.at(-1);
		if (last === undefined || /^["']?-/.test(word)) flags.push(word);
		else flags[flags.length - 1] = `${last} ${word}`;
	}
	const plain = flags.filter(flag => !isSecretFlag(flag)).join(' ');
	return plain === '' ? undefined : plain;
}

/**
Returns only the harmless flags of Java: memory sizes, `-XX:+Use…` switches such as garbage collectors, and the file
encoding.
*/
export function javaFlags(value: string): string | undefined {
	const flags = value
		.split(/\s+/)
		.filter(word => javaFlag.test(word))
		.join(' ');
	return flags === '' ? undefined : flags;
}

/** Removes user names and passwords from addresses with a scheme. */
export function withoutLogin(text: string): string {
	return text.replaceAll(loginOfAddress, '');
}

const javaFlag = new RegExp(
	String.raw`^-(?:X(?:mx|ms|ss)\d{1,12}[kmgt]?|XX:[+-]Use[A-Za-z\d]{1,40}|XX:MaxMetaspaceSize=\d{1,12}[kmgt]?|` +
		String.raw`Dfile\.encoding=[\w-]{1,20})$`,
	'i',
);

/** The names of settings that contain hosts. A host has no user name, so an `@` looks like credentials. */
const ofHosts = /no[_-]?proxy|nonproxy|trusted[_-]host|goprivate|gonosumdb|goinsecure/i;

/**
Tells whether a text contains an address with a user and a password, or with a user after `//`, even if they are
escaped.
*/
function hasLogin(text: string): boolean {
	const words = text.replaceAll(escapedAt, '@').replaceAll(escapedColon, ':').split(/\s+/);
	return words.some(word => word.split('@').slice(0, -1).some(isUser));
}

const escapedAt = /%40|&#(?:0*64|x0*40);|\\u0040/gi;

const escapedColon = /%3a|&#(?:0*58|x0*3a);|\\u003a/gi;

/**
Tells whether the text before an `@` looks like a user. After a port and a path, an `@` right after a `/` only begins a
part of the path.
*/
function isUser(before: string): boolean {
	if (/:(?!\/\/|\d*\/)|(?<!:)\/\/[^/]*$/.test(before)) return true;
	return (!before.endsWith('/') && /:\d*\/(?!\/)/.test(before)) || isRandom(before.split(/[/,|;="']/).at(-1) ?? '');
}

function withoutProxyLogin(text: string): string {
	return withoutLogin(text).replace(/^\S*@(?=[^\s/@]+\/?$)/, '');
}

/**
Matches the credentials of an address. A password may contain a slash that should be encoded. Such a password is
recognized because the text after the colon is not a port.
*/
const loginOfAddress = /(?<=:\/\/)(?:[^\s/?#]*@|[^\s:/?#]*:(?!\d*(?:[\s/?#]|$))\S*@)/g;

/**
Tells whether a word contains an address with a secret. Go separates addresses with `,` and `|`, and uv adds names:
`name=https://…`.
*/
function hasSecretAddress(word: string): boolean {
	if (!word.includes('://')) return false;
	const parts = word.replace(/^["']?[\w-]{1,100}=/, '').split(/[,|]/);
	return parts.some(part => (part.includes('://') ? isSecretAddress(part) : looksRandom(part)));
}

/**
Tells whether an address contains a secret. An `@` in the path may be the end of a password that contains a slash.
*/
function isSecretAddress(text: string): boolean {
	const url = URL.parse(text.replaceAll(/["']/g, ''));
	return url === null || url.hash !== '' || /:\/\/.*[^/]@/.test(text) || secretsOf(url).length > 0;
}

function isSecretFlag(flag: string): boolean {
	// `-DTOKEN=x` defines TOKEN.
	const defined = flag.replaceAll(/(^|[\s"'=])-[DX](?=\w)/g, '$1');
	if (hasLogin(flag) || [flag, defined].some(text => findSecrets(text).length > 0)) return true;
	const words = flag.split(/[\s"'=,]+/);
	return flag.split(/[\s"']+/).some(hasSecretAddressIn) || words.some(word => !isPath.test(word) && isRandom(word));
}

function hasSecretAddressIn(word: string): boolean {
	return hasSecretAddress(word.replace(/^-.*?=/, ''));
}

/** Matches a path. The name of a folder may be a hash, so a path does not count as random text. */
const isPath = /^(?:-[A-Z])?\/[\w.@+-]{1,100}\//;

function isRandom(word: string): boolean {
	return looksRandom(word.replace(/^-[A-Za-z]/, ''));
}
