import type {Finding} from './finding.ts';
import {isPlainValue} from './plain-values.ts';

/** An option with a password, and the programs of which it is. `glued`: the value follows without a blank. */
type Option = {readonly programs: RegExp; readonly value: RegExp};

const quotes = String.raw`\\{0,8}["'\`]`;
const word = `(?:${quotes}([^"'\\n\\\\]{1,400})|([^\\s"'\`\\\\|;&]{1,400}))`;

function option(programs: string, form: string): Option {
	return {
		programs: new RegExp(`(?:^|[\\s/"'\`($;|&+:>-])(?:${programs})(?:\\.exe)?\\s`),
		value: new RegExp(form, 'y'),
	};
}

const apart = `(?:\\s{1,5}|=)${word}`;
const glued = `(?=\\S)${word}`;
const options: readonly Option[] = [
	option('sshpass', `p\\s{0,5}${word}`),
	option('mysql\\w{0,12}|mariadb(?:-\\w{1,12})?|7z[ar]?|rar|unrar', `h?p${glued}`),
	option(
		'(?:docker|podman|nerdctl|buildah|skopeo|helm)\\s(?:[^\\n]{0,80}\\s)?login|oc|az' +
			'|mongo(?:sh|dump|restore)?|cqlsh|influx|clickhouse-client|rabbitmqadmin' +
			'|mosquitto_(?:pub|sub)|wp|smbclient|twine|cf|hdbsql|jf|jfrog|vsphere|rclone|expect|tsh|bw|xfreerdp|rdesktop' +
			'|snowsql|useradd|usermod',
		`p${apart}`,
	),
	option('sqlcmd|bcp|zip|unzip|ipmitool|mosquitto_(?:pub|sub)', `P(?:\\s{1,5}|=|(?=\\S))${word}`),
	option('snmp\\w{2,10}', `[AX]${apart}`),
	option('redis-(?:cli|benchmark)', `a${apart}`),
	option('ldap\\w{3,12}|oathtool', `w(?:\\s{1,5}|=|(?=\\S))${word}`),
	option(
		'curl|https?|xh|wget|smbclient|rpcclient|ab|hey|lftp',
		`(?:[a-zA-Z]{0,6}[uUa]|-(?:proxy-)?user|-auth)[\\s=]{0,5}(?:${quotes})?` +
			`[^\\s:"'%,\\\\]{1,200}[:%,]([^\\s"'\`\\\\]{3,400})`,
	),
	option('curl', `(?:b|-cookie)[\\s=]{0,5}${quotes}[\\w.-]{1,100}=([^\\n"'\`\\\\]{4,4000})`),
	option('htpasswd', `(?:nb|bn)\\w{0,6}\\s{1,5}\\S{1,100}\\s{1,5}${word}`),
	option('htpasswd', `(?!\\w{0,6}n)\\w{0,6}b\\w{0,6}\\s{1,5}\\S{1,200}\\s{1,5}\\S{1,100}\\s{1,5}${word}`),
];

/** Returns the passwords in the short options of programs that take one: `mysql -px`, `curl -u me:x`. */
export function findArguments(text: string): readonly Finding[] {
	const found: Finding[] = [];
	let [last, count] = [0, 0];
	for (const {index} of text.matchAll(/[ \t]-(?=[-a-zA-Z])/g)) {
		count = text.slice(last, index).includes('\n') ? 1 : count + 1;
		last = index;
		if (count > maxOptions) continue;
		const near = text.slice(Math.max(0, index - maxCommandLength), index + 1);
		const command = near.slice(near.lastIndexOf('\n') + 1);
		const at = index + 2;
		for (const {programs, value} of options) {
			value.lastIndex = at;
			const match = value.exec(text);
			if (match === null || !programs.test(lastCommand(command))) continue;
			const secret = match.slice(1).find(group => group !== undefined) ?? '';
			const from = value.lastIndex - secret.length;
			if (isPlainValue(secret, {name: 'PASSWORD', kind: 'password', style: 'assigned', endsLine: true})) continue;
			found.push({name: 'password or token', start: from, end: from + secret.length, value: secret});
		}
	}
	return found;
}

function lastCommand(command: string): string {
	return command.slice(Math.max(...['|', ';', '&&', '$('].map(sign => command.lastIndexOf(sign))) + 1);
}

const maxCommandLength = 400;
/** The most options of a line that are looked at. */
const maxOptions = 50;
