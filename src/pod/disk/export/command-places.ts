import type {Finding} from './finding.ts';
import {findAt, lineStart, of, passwordName, quotes, word, type Place} from './place.ts';

/** Returns the secrets at known places of commands. Each command must be on one line. */
export function findInCommands(text: string): readonly Finding[] {
	return findAt(commandPlaces, text);
}

/** A place in a command. */
function at(quick: string, source: string, needs?: Place['needs']): Place {
	return of(passwordName, quick.split('|'), source, {needs});
}

/** Sources of regular expressions: words of a command, its options, the name of a secret, and its value. */
const words = (most: number) => String.raw`(?:\S{1,200}[ \t]{1,5}){0,${most}}?`;
const flags = String.raw`(?:--?[\w-]{1,40}[ \t]{1,5}){0,4}`;
const name = String.raw`\S{1,200}[ \t]{1,5}`;
const value = `(?!-)${word}`;

/** Programs whose input is a secret. */
const takers =
	String.raw`(?:password[-_]stdin|passwd\s--stdin|sudo\s-S|with-token|--stdin|passphrase-fd` +
	String.raw`|\bgh\s{1,5}secret\s{1,5}set` +
	String.raw`|gcloud\s{1,5}secrets\s[^\n|]{0,200}--data-file[= ]-|(?:docker|podman)\s{1,5}secret\s{1,5}create` +
	String.raw`|wrangler\s{1,5}(?:\w{1,20}\s{1,5})?secret\s{1,5}put` +
	String.raw`|secret-tool\s{1,5}store|\b(?:go)?pass\s{1,5}insert|keepassxc-cli\s` +
	String.raw`|functions:secrets:set|(?<![/.\w])(?:smb)?passwd\b|\bkinit\b|\bvncpasswd\b|htpasswd\s{1,5}-\w{0,6}i` +
	String.raw`|\brealm\s{1,5}join|\bcryptsetup\s|openssl\s{1,5}passwd\s[^\n|]{0,60}-stdin` +
	String.raw`|\bvault\s{1,5}login\s(?:[^\n|<]{0,60}\s)?-(?=["'\s]|$)` +
	String.raw`|\b(?:docker|podman|nerdctl|helm|oras|crane|gh|az)\s{1,5}(?:\w{1,10}\s{1,5})?login\b)`;

/** Programs that read a secret from their input. A user name may come before the secret. */
const readers = `(?:chpasswd|${takers})`;

/** The input of a command: `<<< x`, or the output of another command. */
const input = String.raw`(?:<<<\s{0,5}|<[ \t]{1,3}<\((?:echo|printf)\s{1,5}(?:-\w{1,3}\s{1,3})?)`;

/** The start of a here-document, and its first line. */
const document = String.raw`<<-?[ \t]{0,3}\\?["']?\w{1,40}["']?`;
const firstLine = `[^\\n]{0,200}\\r?\\n${lineStart}([^\\s"'\`\\\\]{3,400})(?=[ \\t]{0,20}(?:$|["'\`\\\\]))`;

const writers = 'echo |printf ';

/** The start of a command that writes a secret: the program, its options, and the format of `printf`. */
const writer =
	String.raw`\b(?:echo|printf)\s{1,5}(?:-\w{1,3}\s{1,3})?` +
	String.raw`(?:(?:${quotes})?%s(?:\\{1,8}n)?(?:${quotes})?\s{1,5})?`;

const into = String.raw`(?:\\{1,8}n[^\s"'|]{0,200})?(?:${quotes})?\s{0,5}\|[^\n|]{0,200}?${readers}`;

const commandPlaces: readonly Place[] = [
	at('pass:', String.raw`-pass(?:in|out|)\s{1,5}(?:${quotes})?pass:([^\s"'\`\\]{3,400})`),
	at(
		'chpasswd',
		`\\becho\\s{1,5}(?:-\\w{1,3}\\s{1,3})?(?:${quotes})?[\\w.-]{1,60}:` +
			`([^\\s"'\`\\\\|]{3,200})(?:${quotes})?\\s{0,5}\\|[^\\n]{0,60}chpasswd`,
	),
	at(writers, `${writer}${word}${into}`),
	at(
		writers,
		`${writer}${word}(?:${quotes})?\\s{0,3}(?:;|&&)\\s{0,3}echo\\s[^|\\n]{1,200}\\)\\s{0,5}\\|[^\\n|]{0,200}?${readers}`,
	),
	at('yes ', `\\byes\\s{1,5}${word}\\s{0,5}\\|[^\\n|]{0,200}?${readers}`),
	at('<<<|<(', `(?:${takers}|\\bsu\\s)[^\\n|<]{0,200}${input}${word}`),
	of(
		passwordName,
		['| '],
		`(?:^${lineStart}|[;&(][ \\t]{0,3})${quotes}([^"'\`\\n\\\\]{4,400})${quotes}[ \\t]{0,3}\\|[^\\n|]{0,200}?${takers}`,
		{flags: 'gm'},
	),
	at('<<<|<(', `${input}${word}[^\\n|]{0,200}?${takers}`),
	of(passwordName, ['<<'], `${takers}[^\\n|<]{0,200}${document}${firstLine}`, {flags: 'gm'}),
	of(passwordName, ['<<'], `${document}[^\\n|]{0,100}\\|[^\\n|]{0,100}?${takers}${firstLine}`, {flags: 'gm'}),
	at('<<<', `chpasswd[^\\n|<]{0,200}<<<\\s{0,5}(?:${quotes})?[\\w.-]{1,60}:([^\\s"'\`\\\\]{3,200})`),
	at('/p:|-p:|word:', `\\b(?:[xw]l?freerdp\\d?|winrs)[^\\n|]{0,300}\\s[/-]p(?:assword)?:${word}`),
	at(
		'vault ',
		String.raw`\bvault\s{1,5}(?:login|unwrap|operator\s{1,5}unseal)\s{1,5}([\w.+/-]{16,200}={0,2})`,
		'random',
	),
	at(
		'sqlplus|rman ',
		String.raw`\b(?:sqlplus|rman\s{1,5}target)\s{1,5}${flags}[\w.-]{1,60}/([^\s@"'\`\\;|/]{3,200})(?=@|\s|$|["'])`,
	),
	of(
		passwordName,
		['CONN', 'onn'],
		`(?:\\bCONN(?:ECT)?|(?:^${lineStart}|SQL> ?)conn(?:ect)?)[ \\t]{1,5}[\\w$#.]{1,60}/([^\\s@"'\`\\\\;|/]{3,200})` +
			String.raw`(?=@(?!sha256)[\w/]|\s{1,3}(?:as|AS)\s{1,3}\w)`,
		{flags: 'gm'},
	),
	at(
		'exp |imp |expdp |impdp ',
		String.raw`\b(?:exp|imp|expdp|impdp)\s{1,5}[\w.-]{1,60}/([^\s@"'\`\\;|/]{3,200})(?:@\w|\s{1,5}\w{4,20}=)`,
	),
	of(passwordName, ['net user', 'NET USER'], `\\bnet\\s{1,3}user\\s{1,3}\\S{1,60}\\s{1,3}(?!/)${word}`, {
		flags: 'gi',
	}),
	at('net use ', `\\bnet\\s{1,3}use\\s[^\\n|]{0,300}/user:\\S{1,100}\\s{1,3}(?!/|\\*)${word}`),
	at('net use ', `\\bnet\\s{1,3}use\\s{1,3}(?:\\S{1,3}\\s{1,3})?\\\\\\\\\\S{1,200}\\s{1,3}(?!/|\\*)${word}`),
	at('schtasks', `\\bschtasks\\s[^\\n|]{0,400}/rp[ \\t]{1,3}(?!\\*)${word}`),
	of(
		passwordName,
		['SecureString', 'securestring'],
		`\\bConvertTo-SecureString\\s{1,5}(?:-String\\s{1,5})?(?!-)${word}`,
		{flags: 'gi'},
	),
	at(
		'SecureString',
		`\\baws\\s[^\\n|]{0,100}put-parameter(?=[^\\n|]{0,400}SecureString)[^\\n|]{0,400}?--value(?:=|\\s{1,5})${word}`,
	),
	at(
		'user-secrets',
		`\\buser-secrets\\s{1,5}set\\s{1,5}(?:${quotes}[^"'\\n]{1,200}${quotes}[ \\t]{1,5}|${name})${value}`,
	),
	at(
		'-oauth.|-token.|bearer.',
		String.raw`\b(?:composer|poetry)\s{1,5}${words(3)}config\s{1,5}${flags}` +
			String.raw`(?:(?:github|gitlab)-oauth|(?:gitlab|pypi)-token|bearer)\.${name}(?:--[ \t])?${value}`,
	),
	at(
		'http-basic.|bitbucket-oauth.|forgejo-token.',
		String.raw`\b(?:composer|poetry)\s{1,5}${words(3)}config\s{1,5}${flags}` +
			String.raw`(?:http-basic|bitbucket-oauth|forgejo-token)\.${name}${name}${value}`,
	),
	at(
		'bundle config',
		String.raw`\bbundle\s{1,5}config\s{1,5}(?:set\s{1,5})?${flags}${name}` +
			String.raw`(?:${quotes})?[^\s:"']{1,100}:(?!//)([^\s"'\`\\]{4,200})`,
	),
	at(
		'BUNDLE_',
		String.raw`\bBUNDLE_\w{1,80}__\w{2,40}["']?\s{0,3}[:=]\s{0,3}["']?[\w.-]{1,80}:(?!//)([^\s"'\`\\]{4,200})`,
	),
	at(
		'rabbitmqctl',
		`\\brabbitmqctl\\s{1,5}${words(3)}(?:add_user|change_password|authenticate_user)\\s{1,5}${name}${value}`,
	),
	at(
		'ejabberdctl|prosodyctl',
		`\\b(?:ejabberdctl|prosodyctl)\\s{1,5}(?:register|change_password)\\s{1,5}${name}${name}${value}`,
	),
	at('mosquitto_passwd', `\\bmosquitto_passwd\\s{1,5}${flags}-\\w{0,3}b\\s{1,5}${name}${name}${value}`),
	at('wpa_passphrase', `\\bwpa_passphrase\\s{1,5}(?:${quotes}[^"'\\n]{1,64}${quotes}[ \\t]{1,5}|${name})${value}`),
	at(
		'openssl passwd',
		String.raw`\bopenssl\s{1,5}passwd\s{1,5}(?:-(?:salt\s{1,5}\S{1,40}|(?!salt)\w{1,12})\s{1,5}){0,5}${value}`,
	),
	at(
		'encrypt_string',
		String.raw`\bencrypt_string\s{1,5}` +
			String.raw`(?:(?:--[\w-]{4,30}[= ]|-n[ ])\S{1,200}\s{1,5}|--ask-vault-pass\s{1,5}){0,5}${value}`,
	),
	at(
		'vault kv|vault write',
		`(?<=\\bvault\\s(?:kv\\s(?:put|patch)|write)\\s[^\\n|;]{1,200})(?<=\\s)[A-Za-z_][\\w.]{0,60}=(?!@|-)${word}`,
		'token',
	),
	at(
		'--from-literal',
		`(?<=\\bsecret\\s[^\\n|;]{1,300})--from-literal(?:=|\\s{1,3})(?:${quotes})?[\\w.-]{1,100}=${word}`,
		'token',
	),
	at(
		'secrets set',
		`(?<=\\b(?:flyctl|fly|supabase|doppler|infisical)\\ssecrets\\sset\\s[^\\n|;]{0,200})` +
			`(?<=\\s)[A-Za-z_]\\w{0,60}=${word}`,
		'token',
	),
	at(
		'secrets set',
		`\\b(?:doppler|chamber|phase)\\s{1,5}secrets\\s{1,5}set\\s{1,5}\\w{1,80}\\s{1,5}${value}`,
		'token',
	),
	at(
		'pulumi config',
		`\\bpulumi\\s{1,5}config\\s{1,5}set\\s(?=[^\\n]{0,300}--secret)\\s{0,5}${flags}[\\w:.-]{1,100}\\s{1,5}${value}`,
	),
	at(
		'alias set|config host add',
		`\\bmc(?:li)?\\s{1,5}(?:alias\\s{1,3}set|config\\s{1,3}host\\s{1,3}add)\\s{1,5}${name}${name}${name}${value}`,
	),
	at('authorize', `\\bb2\\s{1,5}(?:authorize-account|account\\s{1,5}authorize)\\s{1,5}${name}${value}`),
	at(
		'cloudflared service',
		String.raw`\bcloudflared(?:\.exe)?\s{1,5}service\s{1,5}install\s{1,5}(eyJ[\w=-]{40,2000})`,
	),
	at('rclone obscure', `\\brclone\\s{1,5}obscure\\s{1,5}${value}`),
	at('--encrypt ', `\\bqpdf\\s[^\\n|]{0,200}?--encrypt\\s{1,5}${word}\\s{1,5}${word}\\s{1,5}(?:40|128|256)\\b`),
	at('snyk config', `\\bsnyk\\s{1,5}config\\s{1,5}set\\s{1,5}api=${word}`),
	at('db2 connect', `\\bdb2\\s{1,5}(?:${quotes})?connect\\s[^\\n|]{0,200}\\susing\\s{1,5}${word}`),
	at('.logon ', `\\.logon\\s{1,5}[\\w./-]{1,100},${word}`),
	at('sshpass', `\\bsshpass\\s{1,5}-f\\s{0,3}<\\((?:echo|printf)\\s{1,5}${word}`),
	at(
		'curlftpfs|impacket-|.py',
		String.raw`\b(?:curlftpfs|impacket-\w{2,20}|(?:secretsdump|psexec|wmiexec|smbexec)\.py)\s{1,5}` +
			String.raw`(?:[\w.-]{1,60}/)?[\w.-]{1,60}:([^\s"'\`\\@]{3,200})@`,
	),
	at('smbclient', `\\bsmbclient\\s{1,5}(?://|\\\\\\\\)\\S{1,200}\\s{1,5}${value}`),
	at('bw ', `\\bbw\\s{1,5}(?:login\\s{1,5}(?!-)${name}|unlock\\s{1,5})${value}`),
	at('etcdctl', `\\betcdctl\\s[^\\n|]{0,200}\\buser\\s{1,5}add\\s{1,5}[\\w.-]{1,60}:${word}`),
	at('addauth', `\\baddauth\\s{1,5}digest\\s{1,5}[\\w.-]{1,60}:${word}`),
	at('uci set', `\\buci\\s{1,5}set\\s{1,5}wireless\\.\\S{1,80}\\.key=${word}`),
	at(
		'patch secret',
		`(?<=\\bpatch\\s{1,5}secret\\s[^\\n|]{0,200}"(?:stringData|data)":\\s?\\{[^{}\\n]{0,400})` +
			`"[^"\\n]{1,253}":\\s?"([^"\\\\\\n]{4,400})"`,
	),
	at('isql ', `\\bisql\\s{1,5}(?!-)${name}(?!-)${name}${value}`, 'mixed'),
	at('IDENTIFY ', `\\bNickServ\\s{1,3}IDENTIFY\\s{1,3}(?:[^\\s"']{1,60}[ \\t]{1,3}(?=\\S))?${word}`),
];
