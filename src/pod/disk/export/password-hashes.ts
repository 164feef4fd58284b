import type {Finding} from './finding.ts';
import {looksRandom} from './plain-values.ts';

/** Returns the hashes of passwords, in the formats of crypt(5), databases, LDAP and web frameworks. */
export function findPasswordHashes(text: string): readonly Finding[] {
	const found: Finding[] = [];
	for (const {quick, pattern, isRandom = false} of forms) {
		if (!quick.test(text)) continue;
		for (const {0: match, 1: value = match, index} of text.matchAll(pattern)) {
			const start = index + match.length - value.length;
			if (isRandom && !looksRandom(value.replaceAll(',', '.'))) continue;
			found.push({name: 'password hash', start, end: start + value.length, value});
		}
	}
	return found;
}

type Form = {
	/** A pattern for a quick search. Each match of `pattern` contains a match of `quick`. */
	readonly quick: RegExp;
	/**
	If the pattern has a group, the group is the hash, and is at the end of the match. Otherwise the whole match is the
	hash.
	*/
	readonly pattern: RegExp;
	/** Whether a value counts only if it looks random. */
	readonly isRandom?: boolean;
};

/** A dollar sign. In Compose files it is doubled, and in shells a backslash comes before it. */
const dollar = String.raw`(?:\\{1,8}\$|\$\$?)`;

const escape = String.raw`\\{1,8}(?=\$)`;

/** A salt or a hash in the alphabet of crypt(5). */
const crypted = (least: number, most: number) => `[./A-Za-z0-9]{${least},${most}}`;

/** A part of a hash between two dollar signs, in base64 or hex. */
const part = (least: number, most: number) => `[\\w./+-]{${least},${most}}={0,2}`;

/** The hashes of crypt(5), of Passlib and the PHC format (Argon2, scrypt, PBKDF2), of Apache, PHP, Drupal and Cisco. */
const afterDollar = [
	`(?:apr1|[15689])${dollar}(?:rounds=\\d{1,9}${dollar})?${crypted(1, 16)}${dollar}${crypted(16, 100)}`,
	`2[abxy]?${dollar}\\d\\d${dollar}${crypted(22, 60)}`,
	`(?:g?y|7)${dollar}${crypted(1, 64)}${dollar}(?:${crypted(1, 100)}${dollar})?${crypted(20, 100)}`,
	`(?:sha1|md5)(?:[\\w=,$]|${escape}){2,40}${dollar}${crypted(20, 40)}`,
	`[PHS]${dollar}${crypted(31, 60)}`,
	`(?:argon2(?:id|i|d)|scrypt|pbkdf2[\\w-]{0,10})${dollar}(?:[\\w./+=,$-]|${escape}){20,300}`,
	`(?:wp|sm3|s0|SHA|bcrypt-sha256)${dollar}(?:[\\w./+=,-]{1,60}${dollar}){1,4}${crypted(20, 128)}={0,2}`,
	// The formats that password crackers use.
	`(?:krb5\\w{2,8}|DCC2|NT|ml|bitcoin|ethereum|keepass|sshng)${dollar}[\\w.@*#/:$-]{32,4000}`,
].join('|');

/** Hashes of Django, Werkzeug and similar frameworks begin with a word. `bcrypt$$2b$` contains another hash. */
const afterWord = [
	`(?:pbkdf2|scrypt)[\\w:-]{0,40}${dollar}(?:[\\w./+=-]{1,100}${dollar}){1,5}${part(20, 200)}`,
	`argon2${dollar}argon2(?:id|i|d)${dollar}(?:[\\w./+=,$-]|${escape}){20,300}`,
	`(?:md5|sha(?:1|224|256|384|512))${dollar}${crypted(1, 64)}${dollar}[0-9a-f]{32,128}`,
	`SCRAM-SHA-\\d{1,3}${dollar}\\d{1,9}:${part(8, 100)}${dollar}${part(20, 100)}:${part(20, 100)}`,
].join('|');

const scheme =
	String.raw`(?:[\w-]{1,12}-)?(?:md5|sha|ssha|smd5)(?:-?\d{3})?|(?:[\w-]{1,12}-)?crypt` +
	String.raw`|s?crypt|bcrypt|pkcs5s2|x-is\w{3,10},\s?\d{1,6}`;

const forms: readonly Form[] = [
	{quick: /\$/, pattern: new RegExp(`(?<![A-Za-z0-9_])${dollar}(?:${afterDollar})`, 'g')},
	{quick: /\$/, pattern: new RegExp(`(?<![A-Za-z0-9_$])(?:${afterWord})`, 'g')},
	{
		quick: /[{][\w-]{2,30}[.,}]/,
		pattern: new RegExp(
			`\\{(?:${scheme}|pbkdf2[\\w@-]{0,20}|argon2(?:id|i|d)?|nt|ntlm|lanman)(?:\\.(?:b64|hex))?\\}` +
				`([A-Za-z0-9+/.$=,_-]{16,400})`,
			'gi',
		),
		isRandom: true,
	},
	{quick: /\{crypt\}/i, pattern: /\{crypt\}([./A-Za-z0-9]{13})(?![./\w$])/gi},
	{quick: /\*[0-9A-F]{40}/, pattern: /(?<![\w*])\*[0-9A-F]{40}(?![A-Za-z0-9_])/g},
	{
		quick: /\*[0-9a-f]{40}/,
		pattern: /(?:identified\s|authentication_string|password)[^\n*]{0,80}(\*[0-9a-f]{40})(?![A-Za-z0-9_])/gi,
	},
	{
		quick: /\$A\$|0x24412430/,
		pattern: /\$A\$\d{3}\$[^]{20}[./A-Za-z0-9]{43}|0x24412430[0-9A-F]{60,200}/gi,
	},
	{quick: /grub\.pbkdf2/, pattern: /grub\.pbkdf2\.sha\d{1,3}\.\d{1,9}\.[0-9A-Fa-f]{32,300}\.[0-9A-Fa-f]{32,300}/g},
	{quick: /AQAAAA/, pattern: /(?<![A-Za-z0-9+/])AQAAAA[EI]AA[A-Za-z0-9+/]{3}AAAAE[A-Za-z0-9+/]{60,70}={0,2}/g},
	{quick: /:::/, pattern: /:\d{3,10}:([0-9a-fA-F]{32}:[0-9a-fA-F]{32})(?=:::)/g},
	{quick: /"md5[0-9a-f]/, pattern: /(?<=["'])md5[0-9a-f]{32}(?=["'])/g},
	{quick: /aad3b435/i, pattern: /aad3b435b51404eeaad3b435b51404ee:[0-9a-f]{32}/gi},
	{
		quick: /::[\w.-]{0,60}:[0-9a-f]{16}/i,
		pattern: /::[\w.-]{0,60}:([0-9a-f]{16}:[0-9a-f]{32}:[0-9a-f]{32,2000})/gi,
	},
	{quick: /:\d{4,6}:/, pattern: /\b[a-z_][\w-]{0,31}:([./A-Za-z0-9]{13})(?=:\d{4,6}:\d{0,6}:)/g},
	{quick: /0x0[12]00/, pattern: /0x0[12]00[0-9A-Fa-f]{48,136}(?![0-9A-Za-z])/g},
];
