import {spawn, type ChildProcessByStdio} from 'node:child_process';
import {Duplex, type Readable, type Writable} from 'node:stream';
import type {Env} from '../../ground/env/env.ts';
import {connectOver, type Connected, type ConnectOptions} from './client.ts';
import type {RemoteName} from './remote-name.ts';
import {sshTexts, texts} from './texts.ts';

export type SshOptions = {
	/** The path of the ssh program. */
	readonly program: string;
	/** The environment of ssh, without model API keys. */
	readonly env: Env;
	/** Whether ssh must not ask for a password. Set while a screen uses the terminal. */
	readonly isQuiet?: boolean;
	/** Called with the text that ssh and the other machine print. The text is untrusted. */
	readonly onText?: (text: string) => void;
	readonly signal?: AbortSignal;
};

/**
Attaches to a session on another machine. ssh runs `inkpod attach --stdio ID` there, and its pipes carry the same
protocol as a socket. No shell runs on this machine, and only ssh decides who may connect.
*/
export async function connectOverSsh(remote: RemoteName, options: SshOptions, child?: string): Promise<Connected> {
	const {program, env, isQuiet = false, onText, signal} = options;
	const quiet = isQuiet ? ['-o', 'BatchMode=yes'] : [];
	const command = `inkpod attach --stdio ${remote.id}`;
	const ssh = spawn(program, ['-T', ...quiet, '--', remote.host, command], {
		env: {...env},
		stdio: ['pipe', 'pipe', 'pipe'],
	});
	const printed = holdLastLine(onText);
	const end = endOf(ssh, printed);
	const stream = Duplex.from({readable: ssh.stdout, writable: ssh.stdin});
	const more: ConnectOptions = {
		session: remote.id,
		// The user may have to type a password first. ssh has its own time limit for the connection.
		...(!isQuiet && {greetingMs: passwordMs}),
		signal,
		child,
	};
	const openChild = async (id: string) => connectOverSsh(remote, {...options, isQuiet: true}, id);
	const connected = await connectOver(stream, {...more, maxStray, openChild});
	if (connected.ok) {
		printed.pass();
		void connected.pod.closed.then(() => ssh.kill());
		return connected;
	}
	stream.destroy();
	if (connected.sentence !== texts.lost) {
		ssh.kill();
		return {...connected, sentence: `${remote.host}: ${connected.sentence}`};
	}
	const reason = await Promise.race([end, settled(ssh)]);
	return {...connected, sentence: sentenceOf(remote.host, reason)};
}

/** The result of ssh. `lastLine` is untrusted text. */
type SshEnd = {readonly code: number | null; readonly lastLine: string; readonly problem?: string};

async function endOf(ssh: ChildProcessByStdio<Writable, Readable, Readable>, printed: Printed): Promise<SshEnd> {
	ssh.stderr.setEncoding('utf8').on('data', (text: string) => printed.add(text));
	ssh.stdin.on('error', () => {});
	return new Promise(resolve => {
		ssh.on('error', error => resolve({code: null, lastLine: '', problem: error.message}));
		ssh.on('close', code => resolve({code, lastLine: printed.end()}));
	});
}

/** The text that ssh prints. */
type Printed = {
	add(text: string): void;
	/** Passes the remaining text to `onText`, because a screen opens now. Drops later text. */
	pass(): void;
	/** Returns the last line if `onText` has not received it. */
	end(): string;
};

/**
Passes lines to `onText`, but delays the last line for a moment. If ssh ends in this time, the line is the reason of the
failure, and becomes a part of the error message.
*/
function holdLastLine(onText: SshOptions['onText']): Printed {
	let kept = '';
	let timer: NodeJS.Timeout | undefined;
	let isOver = false;
	const pass = (text: string) => text !== '' && !isOver && onText?.(text);
	return {
		add(text) {
			clearTimeout(timer);
			kept = (kept + text.replaceAll('\r', '')).slice(-maxKept);
			const last = kept.trimEnd().lastIndexOf('\n') + 1;
			pass(kept.slice(0, last));
			kept = kept.slice(last);
			timer = setTimeout(() => {
				pass(kept);
				kept = '';
			}, holdMs);
		},
		pass() {
			clearTimeout(timer);
			pass(kept);
			isOver = true;
		},
		end() {
			clearTimeout(timer);
			return kept.trim();
		},
	};
}

/** Kills ssh if it does not end within `settleMs`. */
async function settled(ssh: ChildProcessByStdio<Writable, Readable, Readable>): Promise<SshEnd> {
	return new Promise(resolve => {
		const timer = setTimeout(() => {
			ssh.kill();
			resolve({code: null, lastLine: ''});
		}, settleMs);
		ssh.on('close', () => clearTimeout(timer));
	});
}

/**
Returns the reason why the connection failed. ssh exits with 255 for its own failures. A shell exits with 127 if it does
not find the command.
*/
function sentenceOf(host: string, {code, lastLine, problem}: SshEnd): string {
	if (problem !== undefined) return sshTexts.failed(host, problem);
	if (code === 127) return sshTexts.missing(host);
	if (code === 255) return sshTexts.failed(host, lastLine);
	if (code === null || code === 0 || lastLine === '') return `${host}: ${texts.lost}`;
	return `${host}: ${lastLine.replace(/^inkpod: /, '')}`;
}

const maxKept = 8192;
/** The maximum number of lines that a login shell may print before the greeting. */
const maxStray = 100;
const holdMs = 500;
const passwordMs = 120_000;
const settleMs = 2000;
