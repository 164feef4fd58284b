import {basename} from 'node:path';
import {looksSecret} from '../../scope/secret.ts';

/**
Tells whether a trial of a command on a layer would have another result than a real run. This is so if the command names
a secret, which is hidden there, or runs a program that talks to other processes of the machine. Only the words of the
command count. If the command reads a secret that it does not name, the trial detects this.
*/
export function needsRealRun(command: string): boolean {
	if (command.split(/[\s;|&<>()"'`=,:]+/).some(looksSecret)) return true;
	return command.split(/[\n;&|()`]+/).some(part => asksOthers.has(programOf(part)));
}

/** Programs that list or stop other processes, or that connect to a server on a socket of the machine. */
const asksOthers: ReadonlySet<string> = new Set([
	...['ps', 'top', 'htop', 'pgrep', 'pkill', 'pidof', 'kill', 'killall', 'pstree', 'lsof', 'fuser', 'w', 'who'],
	...['ss', 'netstat', 'ip', 'ifconfig', 'iptables', 'nft'],
	...['systemctl', 'journalctl', 'loginctl', 'service', 'busctl', 'dbus-send', 'gdbus', 'crontab', 'at', 'atq'],
	...['docker', 'docker-compose', 'podman', 'nerdctl', 'buildah', 'minikube', 'kind', 'vagrant', 'virsh'],
	...['sudo', 'su', 'doas', 'pkexec', 'tmux', 'screen', 'xdg-open', 'open', 'notify-send', 'code', 'adb'],
	...['ssh-add', 'gpg', 'gpg-agent', 'pass', 'op', 'secret-tool'],
]);

/** Programs that run the words after them as a command. */
const wrappers = /^(?:time|nohup|env|exec|command|builtin|xargs|nice|setsid|stdbuf|timeout|watch|if|then|while|do|!)$/;

function programOf(part: string): string {
	const words = part.trim().split(/\s+/);
	const first = words.find(word => !/^(?:\w+=|-|\d)/.test(word) && !wrappers.test(word));
	return basename((first ?? '').replaceAll(/["'\\]/g, ''));
}
