import type {Finding} from './finding.ts';
import {isPlainValue} from './plain-values.ts';
import {createCommands} from './commands.ts';

/**
Returns the secrets in short options of known programs: `mysql -px`, `curl -u me:x`, `gem push -k x`. Each command must
be on one line.
*/
export function findArguments(text: string): readonly Finding[] {
	const found: Finding[] = [];
	const commands = createCommands(text);
	for (const {0: dash, index} of text.matchAll(/[ \t](?:\\{0,8}["'`])?-(?=[-a-zA-Z])/g)) {
		const at = index + dash.length;
		for (const {programs, value, kind} of options) {
			value.lastIndex = at;
			const match = value.exec(text);
			if (match === null || !commands.has(programs, index + 1)) continue;
			const secret = match.slice(1).find(group => group !== undefined) ?? '';
			const from = value.lastIndex - secret.length;
			if (isPlainValue(secret, {name: 'PASSWORD', kind, style: 'assigned', endsLine: true})) continue;
			found.push({name: 'password or token', start: from, end: from + secret.length, value: secret});
		}
	}
	return found;
}

/**
An option that contains a secret, and the programs that have this option. The value of a `token` is ignored if it is
only a word, such as the name of a key.
*/
type Option = {readonly programs: RegExp; readonly value: RegExp; readonly kind: 'password' | 'token'};

const quotes = String.raw`\\{0,8}["'\`]`;

const word = `(?:${quotes}([^"'\\n\\\\]{1,400})|([^\\s"'\`\\\\|;&]{1,400}))`;

/** The end of the name of a program or of its command. */
const programEnd = `(?:\\.exe|\\.cmd)?(?:${quotes})?\\s`;

function option(programs: string, form: string, kind: Option['kind'] = 'password'): Option {
	return {
		programs: new RegExp(`(?:^|[\\s/\\\\"'\`([{$;|&+:>-])(?:${programs})${programEnd}`, 'i'),
		value: new RegExp(form, 'my'),
		kind,
	};
}

/** The value follows after blanks or `=`. */
const apart = `(?:(?:${quotes})?\\s{1,5}|=)${word}`;

/** The value follows directly after the option. */
const glued = `(?=\\S)${word}`;

const either = `(?:(?:${quotes})?\\s{1,5}|=|(?=\\S))${word}`;

/**
The value follows in either way. If it follows directly, it must be in quotes or contain a digit, and must not begin
with `name=`.
*/
const eitherWithDigit = `(?:(?:${quotes})?\\s{1,5}|=|(?=${quotes}\\S|(?![\\w-]{1,40}=)\\S{0,400}\\d))${word}`;

/** A word after a blank, but not in a sentence: only an option, an address or nothing may follow the word. */
const beforeOthers = `\\s{1,5}(?=\\S{4,100}[ \\t]{0,5}(?:$|["'\\\\|;&>-]|\\S{0,100}[./@]))${word}`;

/** A user name, or the file of a certificate, and the password after it. */
const afterUser = `(?:${quotes})?[\\s=]{0,5}(?:${quotes})?[^\\s:"'%,\\\\]{1,200}[:%,]([^\\s"'\`\\\\]{3,400})`;

/**
Returns the source of a regular expression for one of these commands of a program. Options may come before the command.
*/
function command(program: string, commands: string): string {
	return `(?:${program})${programEnd}(?:[^\\n]{0,80}[\\s"'\`])?(?:${commands})`;
}

const options: readonly Option[] = [
	option('sshpass', `p${either}`),
	option('mysql\\w{0,12}|mariadb(?:-\\w{1,12})?|mycli|7z[ar]?|rar|unrar', `h?p${glued}`),
	option(
		`${command('docker|podman|nerdctl|buildah|skopeo|helm|crane|oras|regctl|ibmcloud', 'login')}|oc|az|mycli` +
			'|mongo(?:sh|dump|restore|import|export|stat|top|files)?|cqlsh|influx|clickhouse-client|rabbitmqadmin' +
			'|mosquitto_(?:pub|sub)|wp|smbclient|twine|cf|hdbsql|jf|jfrog|vsphere|rclone|expect|tsh|bw|xfreerdp' +
			'|rdesktop|snowsql|useradd|usermod|beeline|cypher-shell|couchbase-cli|cbq|ncftp(?:put|get|ls)?|psexec' +
			`|evil-winrm|crackmapexec|nxc|netexec|hydra|${command('uv|poetry', 'publish')}|${command('nuget', 'sources?')}`,
		`p${eitherWithDigit}`,
	),
	option('sqlcmd|bcp|tsql|zip|unzip|ipmitool|mosquitto_(?:pub|sub)', `P${either}`),
	option('ssh-keygen', `[NP]${apart}`),
	option(command('security', 'add-(?:generic|internet)-password'), `w${apart}`),
	option(command('security', '(?:unlock|create|set)-keychain\\S{0,20}'), `p${apart}`),
	option(command('security', 'import|export'), `P${apart}`),
	option(command('security', 'set-key-partition-list'), `k${apart}`),
	option(command('openssl', 'enc|(?:aes|des|camellia|aria|chacha)[\\w-]{0,20}'), `[kK]${apart}`),
	option('yt-dlp|youtube-dl|veracrypt|altool', `p${apart}`),
	option(`${command('xcrun', 'altool')}|${command('airflow', 'users\\s{1,5}create')}`, `p${apart}`),
	option('p4|isql|osql', `P${apart}`),
	option('kadmin(?:\\.local)?', `p?w${apart}`),
	option('plink|pscp|psftp|putty|nzsql', `pw${apart}`),
	option(command('az', 'keyvault\\s{1,5}secret\\s{1,5}set'), `-value${apart}`),
	option(command('eas', '(?:secret|env):create'), `-value${apart}`),
	option(command('gh', 'secret\\s{1,5}set'), `(?:-body${apart}|b${either})`),
	option(command('cypress', 'run'), `-key${apart}`, 'token'),
	option(
		command('choco', 'push|(?:set)?apikeys?'),
		`(?:k|-key|-api-key)[\\s=]{1,5}(?:${quotes}){0,2}([^\\s"'\\\\]{8,200})`,
		'token',
	),
	option(
		`mysql\\w{0,12}|mariadb(?:-\\w{1,12})?|svn|gpg2?|qpdf|veracrypt|wget|` +
			command('docker|podman|helm|argocd', 'login'),
		`-(?:password|passphrase)${beforeOthers}`,
	),
	option('snmp\\w{2,10}', `[AX]${apart}`),
	option('(?:redis|valkey|keydb)-(?:cli|benchmark)', `a${apart}`),
	option('ldap\\w{3,12}|oathtool|vsql|ds(?:conf|idm|ctl)|ipa-\\w{2,12}-(?:install|manage|prepare)', `w${either}`),
	option('ldappasswd|slappasswd', `s${either}`),
	option('swaks', `ap${apart}`),
	option('sendemail|sendEmail', `xp${apart}`),
	option(`${command('gem|nuget', 'push')}|ossutil(?:64)?|obsutil`, `k${apart}`, 'token'),
	option(
		`${command('uv', 'publish')}|${command('glab|rancher', 'login')}|anaconda|fly(?:ctl)?|vercel|doctl|influx|codecov`,
		`t${apart}`,
		'token',
	),
	option(command('hatch', 'publish'), `a${apart}`, 'token'),
	option(command('gitlab-runner', 'register'), `r${apart}`, 'token'),
	option(
		'curl|https?|xh|wget|smbclient|rpcclient|net|ab|hey|lftp',
		`(?:[a-zA-Z]{0,6}[uUa]|-(?:proxy-)?user|-auth)${afterUser}`,
	),
	option('etcdctl', `(?:u|-user(?:name)?)${afterUser}`),
	option('curl', `(?:E|-(?:proxy-)?cert)${afterUser}`),
	option('docker|podman|buildah|skopeo', `-(?:src-|dest-)?creds${afterUser}`),
	option('curl', `(?:b|-cookie)[\\s=]{0,5}${quotes}[\\w.-]{1,100}=([^\\n"'\`\\\\]{4,4000})`),
	option('htpasswd', `(?:nb|bn)\\w{0,6}\\s{1,5}\\S{1,100}\\s{1,5}${word}`),
	option('htpasswd', `(?!\\w{0,6}n)\\w{0,6}b\\w{0,6}\\s{1,5}\\S{1,200}\\s{1,5}\\S{1,100}\\s{1,5}${word}`),
];
