import type {Finding} from './finding.ts';
import {findAt, lineStart, of, passwordName, quotes, word, type Place} from './place.ts';

/** Returns the secrets in texts that programs and services write or read: their files, prompts and messages. */
export function findInServiceTexts(text: string): readonly Finding[] {
	return findAt(places, text);
}

function at(
	quick: string,
	source: string,
	{needs, flags = 'gm'}: {needs?: Place['needs']; flags?: string} = {},
): Place {
	return of(passwordName, quick.split('|'), source, {flags, needs});
}

const random = {needs: 'random'} as const;
const mixed = {needs: 'mixed'} as const;
const token = {needs: 'token'} as const;

const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';

/** A text in quotes. The group is the text. */
const quoted = `${quotes}([^"'\`\\n\\\\]{3,200})${quotes}`;

/** A character of a value without quotes. */
const bare = `[^\\s"'\`\\\\]`;

/** The start of a line, or of text in quotes. */
const line = `(?:^${lineStart}|(?<=["'\`])[ \\t]{0,20})`;

const lineEnd = `(?=[ \\t]{0,20}(?:$|["'\`\\\\]))`;

/** Blanks, and maybe the next line. */
const blanks = `(?:\\s{0,40}|[ \\t]{0,20}\\r?\\n${lineStart})`;
/** The start of the next line with a text, if there may be empty lines. */
const next = `\\r?\\n${lineStart}(?:\\r?\\n${lineStart})?`;
/** A level of encryption in the configuration of a router. */
const level = '(?:\\d{1,2} )?';

const files: readonly Place[] = [
	// Postfix
	at(
		'@',
		`${line}(?:\\[[\\w.-]{1,100}\\](?::\\w{1,10})?|[\\w-]{1,60}(?:\\.[\\w-]{1,60}){1,5}(?::\\d{1,5})?)[ \\t]{1,20}` +
			`[\\w.+-]{1,80}@[\\w.-]{1,80}:([^\\s:/"'\`\\\\]{4,200})${lineEnd}`,
	),
	// strongSwan, pppd
	at(': PSK|: EAP|: XAUTH', `: (?:PSK|EAP|XAUTH|NTLM|PIN)[ \\t]{1,20}${quoted}`),
	at(
		'" *|"  *|"\t*',
		`${line}"?[\\w.@-]{1,80}"?[ \\t]{1,20}(?:\\*|"?[\\w.-]{1,60}"?)[ \\t]{1,20}"([^"\\s]{4,200})"[ \\t]{1,20}` +
			`\\*${lineEnd}`,
	),
	// Cisco IOS, SNMP
	at('username ', `\\busername \\S{1,60} privilege \\d{1,2} (?:secret|password) ${level}(${bare}{4,200})`),
	at('username ', `\\busername \\S{1,60} (?:secret|password) \\d{1,2} (${bare}{4,200})`),
	at('username ', `\\busername \\S{1,60} (?:secret|password) (${bare}{4,200})`, mixed),
	at('nmp-server', `\\bsnmp-server community (${bare}{4,60}) R[OW]\\b`, token),
	at('server key|server host', `\\b(?:tacacs|radius)-server (?:host \\S{1,60} )?key ${level}(${bare}{4,200})`),
	at('isakmp key', `\\bcrypto isakmp key ${level}(${bare}{4,200}) (?:address|hostname)`),
	at('wpa-psk', `\\bwpa-psk (?:ascii|hex) ${level}(${bare}{8,200})`),
	at('key-string', `\\bkey-string ${level}(${bare}{4,200})`, mixed),
	at('community', `${line}r[ow]community6? (${bare}{8,60})`, token),
	at('createUser', `\\bcreateUser \\S{1,60} (?:MD5|SHA\\S{0,8}) ${word}(?: (?:DES|AES\\S{0,8}) ${word})?`),
	// OpenLDAP, kickstart
	at('rootpw', `${line}rootpw[ \\t]{1,20}(?:--plaintext[ \\t]{1,5})?(?!--|\\{)(${bare}{4,200})${lineEnd}`),
	at('cache_peer', `\\bcache_peer\\s[^\\n]{0,300}\\slogin=[\\w.-]{1,60}:(${bare}{4,200})`),
	at(':pserver:', ':pserver:[\\w.-]{1,60}:([^\\s@:/]{3,200})@'),
	at(
		'password ',
		`${line}(?:user|login|username)[ \\t]{1,20}\\S{1,100}\\r?\\n${lineStart}password[ \\t]{1,20}(${bare}{4,200})`,
	),
	at(' pass', '\\bwith\\s{1,3}pass(?:word)?\\s{1,3}"([^"\\n]{4,200})"'),
	at('ed25519 a_', `${line}ed25519 a_\\w{1,10} ([A-Za-z0-9+/]{43})${lineEnd}`),
	// libpq, fstab
	at('user=', `\\buser=[^\\s,()]{1,60} (?:\\w{1,20}=[^\\s,()]{1,100} ){0,4}password=${word}`),
	at('user', `\\s(?:-o|cifs|smb3)\\s{1,20}(?:[\\w=.-]{1,60},){0,8}pass(?:word)?=([^\\s,"'\`\\\\]{4,200})`),
	at('assword=', `--set(?:-string)?[ =](?:${quotes})?\\S{0,200}?[pP]assword=([^\\s,"'\`\\\\]{4,200})`),
	at('assword"', `<property\\s{1,5}name="[\\w.]{0,80}[pP]assword">([^<\\n]{4,200})<`),
	at('</name>', `<name>[\\w.-]{0,100}(?:[pP]assword|secret\\.key)</name>${blanks}<value>([^<\\s]{4,400})</value>`),
	at('_hex>', '<password_(?:double_)?sha(?:1|256)_hex>([0-9a-f]{40,64})<'),
	at('option key', `\\boption key ${quoted}`),
	at('<auth-user-pass>', `<auth-user-pass>\\r?\\n${lineStart}\\S{1,100}\\r?\\n${lineStart}(${bare}{4,200})`),
	at(
		'variable "',
		`\\bvariable "\\w{0,60}(?:password|secret|token|api_key)" \\{[^{}]{0,600}?\\bdefault\\s{0,20}=\\s{0,5}${quoted}`,
	),
	at('orePassword|eyPassword', `\\b(?:store|key)Password[ \\t]{1,5}${quoted}`),
	at('_password', `${line}(?:rcon|sv)_password[ \\t]{1,10}${quoted}`),
	// Apple's and Google's passwords for programs
	at(
		'ass',
		`pass(?:word|wd)?(?:${quotes})?\\s{0,3}[:=]\\s{0,3}(?:${quotes})?([a-z]{4}(?: [a-z]{4}){3})(?=${quotes}|\\s{0,3}$)`,
		{flags: 'gim'},
	),
];

const code: readonly Place[] = [
	at('define', `\\bdefine\\(\\s{0,5}["']\\w{0,40}_(?:PASSWORD|PASSWD|PASS|PWD)["']\\s{0,5},\\s{0,5}${quoted}`),
	at('_KEY|_SALT', `\\bdefine\\(\\s{0,5}["']\\w{2,20}_(?:KEY|SALT)["']\\s{0,20},\\s{0,20}'([^'\\n]{32,200})'`),
	at(
		'#define',
		'#\\s{0,3}define\\s{1,5}(?:\\w{0,20}(?:WIFI|WLAN|SSID|SECRET|MQTT|OTA|DB)\\w{0,20}(?:PASS|PASSWORD|PSK|PWD|PW)' +
			`|(?:AP|STA)_?(?:PSK|PASS|PASSWORD|PWD))\\s{1,20}${quoted}`,
	),
	at(
		'EnvironmentVariable',
		`SetEnvironmentVariable\\(\\s{0,3}${quotes}\\w{0,60}(?:PASSWORD|PASSWD|PWD)${quotes}\\s{0,3},\\s{0,3}${quoted}`,
	),
	at('pepper', `\\bpepper\\s{0,3}=\\s{0,3}["']([0-9a-f]{32,200})["']`),
	at('crypt', `["']crypt["']\\s{0,3}=>\\s{0,3}(?:\\[|array\\()${blanks}["']key["']\\s{0,3}=>\\s{0,3}${quoted}`),
	at('pwd', `\\bpwd["']?\\s{0,3}:\\s{0,3}["'](?!\\.{0,2}[/~]|[A-Za-z]:)([^"'\\n\\\\]{6,200})["']`, mixed),
	at(
		'Auth(|auth(|Credential|PasswordAuthentication(|basic_auth|Credentials',
		'(?:\\bHTTP(?:Basic|Digest|Proxy)Auth|\\bBasicAuth|\\b[sS]etBasicAuth|\\bbasic_auth|\\bNetworkCredential' +
			'|PSCredential\\]?(?:::new)?|\\bPasswordAuthentication|\\bUsernamePasswordCredentials|\\.auth' +
			'|\\b(?:Basic|Basic Session )?(?:AWS|Aws)(?:Basic)?Credentials(?:\\.create)?|\\bCredentials\\.basic)' +
			`[ (]\\s{0,5}${quotes}[^"'\\n\\\\]{1,100}${quotes}\\s{0,3},\\s{0,5}${quoted}`,
	),
	at('WiFi', `\\bWiFi(?:Multi)?\\.(?:begin|softAP|addAP)\\(\\s{0,3}"[^"\\n]{1,64}"\\s{0,3},\\s{0,3}${quoted}`),
	at('AC', `\\bAC[0-9a-f]{32}["'],\\s{0,5}["']([0-9a-f]{32})["']`),
	at('ass', `\\bpass(?:word|wd)?\\s{0,3}=>?\\s{0,3}qq?[{(\\[/|!]([^\\n{}()\\[\\]/|!]{4,200})[})\\]/|!]`),
	at(
		'sql|SQL|USER|ROLE|LOGIN|user|role',
		`\\b(?:USER|ROLE|LOGIN)\\b[^\\n;]{0,160}?\\bPASSWORD\\s{0,3}=?\\s{0,3}'([^'\\n]{3,200})'`,
		{flags: 'gim'},
	),
	at(
		'pgp_sym_|AES_|aes_',
		`\\b(?:pgp_sym_|aes_)(?:en|de)crypt\\((?:[^()'"\\n]{1,100}|'[^'\\n]{0,200}'),\\s{0,5}${quoted}`,
		{flags: 'gim'},
	),
	at('PASSWORD FROM|password from', `\\bSET PASSWORD FROM '([^'\\n]{3,200})' TO '([^'\\n]{3,200})'`, {flags: 'gim'}),
	at('random_password', `"type":\\s{0,3}"random_password"[^]{0,2000}?"result":\\s{0,3}"([^"\\n]{4,400})"`),
	at(
		'outing|ntegration|ervice',
		`\\b(?:routing|integration|service)_?[kK]ey["']?\\s{0,3}[:=]\\s{0,3}["']?([0-9a-f]{32})\\b`,
	),
];

const messages: readonly Place[] = [
	at('Secret Access Key [', `Secret Access Key \\[[^\\]\\n]{0,40}\\]: (${bare}{30,60})`),
	at('ACCESSKEY', '\\bACCESSKEY\\s{1,5}A[A-Z0-9]{15,30}\\s{1,5}\\S{10,40}\\s{1,5}([A-Za-z0-9/+]{40})\\b'),
	at('Key Content', `Key Content[ \\t]{1,30}: (${bare}{4,100})`),
	at('Unseal Key|Recovery Key', '(?:Unseal|Recovery) Key \\d{1,2}: ([\\w+/=]{20,100})'),
	at('ecret', `\\b[sS]ecret[_ ]?[iI][dD]\\s{0,20}[:=]?\\s{1,40}(${uuid})`),
	at('generated password', `generated password for [^\\n]{1,100} is ?:(?:[ \\t]{1,4}|${next})(${bare}{4,200})`),
	at('New value: ', `successfully reset\\.${next}New value: (${bare}{4,200})`),
	at('Password for the elastic', `Password for the elastic user[^\\n]{0,160}:${next}(${bare}{6,200})`),
	at('proceed to installation', `password to proceed to installation:${next}([0-9a-f]{32})`),
	at(
		'send ',
		`ass(?:word|phrase)[^\\n"]{0,20}"\\s{0,3}\\{?(?:[ \\t]{0,8}|${next})` +
			`(?:exp_)?send\\s{1,3}(?:--\\s{1,3})?"([^"\\\\\\r\\n]{4,200})`,
	),
	at(
		'user ',
		`\\bl?ftp\\s[^\\n]{0,200}<<[^\\n]{0,30}\\n(?:[^\\n]{0,200}\\n){0,4}?` +
			`${lineStart}user[ \\t]{1,5}\\S{1,80}[ \\t]{1,5}(${bare}{4,200})${lineEnd}`,
	),
	at(
		'chpasswd',
		`(?<=chpasswd(?:[^\\n]{0,60}<<[^\\n<]{0,30}|:\\s{1,20}list:[^\\n]{0,10})\\n[^]{0,300})` +
			`${line}[\\w.-]{1,40}:([^\\s:]{4,200})${lineEnd}`,
	),
	at('response="', `\\bDigest\\s[^\\n]{0,600}?response=\\\\?"([0-9a-f]{32,64})`),
	at('LOGIN ', `${line}(?:[CS]: |> )?[A-Za-z]?\\d{1,6} LOGIN (?:${quotes})?[\\w.@+-]{1,80}(?:${quotes})? ${word}`),
	at('UGFzc3dvcmQ6', `UGFzc3dvcmQ6${next}(?:C: )?([A-Za-z0-9+/]{4,200}={0,2})`),
	at('AUTH ', `\\bAUTH (?!PLAIN|LOGIN)[\\w.-]{1,60} (${bare}{6,200})${lineEnd}`, mixed),
	at(
		'ssword|oken|ecret',
		`\\b(?:passw(?:or|)[dt]|token|secret):?\\s{0,3}</(?:b|strong|td|th|dt|span|label|p)>:?` +
			`${blanks}(?:<\\w{1,8}>\\s{0,8}){0,2}([^\\s<"'\`\\\\]{6,200})`,
		{needs: 'mixed', flags: 'gim'},
	),
	at('secret-set-value', `\\bsecret-set-value\\s{1,5}(?:--\\w{1,10}\\s{1,5})?\\S{1,100}\\s{1,5}(?!-)${word}`),
	at('sonar.login', `sonar\\.login["']?\\s{0,3}[=:]\\s{0,3}${word}`, token),
	at('npmAuthToken', `\\bnpmAuthToken["']?\\s{1,5}["']?([\\w.-]{16,400})`, random),
	at('hmac-', `-y[ \\t]{0,3}(?:${quotes})?hmac-\\w{3,10}:[\\w.-]{1,100}:([A-Za-z0-9+/]{16,200}={0,2})`),
	at('appid=|key=', `[?&](?:appid|key)=([\\w-]{20,200})`, random),
	at('api.render.com', '\\bapi\\.render\\.com/deploy/srv-\\w{1,40}\\?key=([\\w-]{6,60})'),
	at(
		'azurewebsites.net',
		'\\.azurewebsites\\.net/[^\\s"\'?]{1,200}\\?(?:[^\\s"\']{0,200}&)?code=([\\w/+%=-]{20,200})',
	),
];

const places: readonly Place[] = [...files, ...code, ...messages];
