import {spawn, type ChildProcessByStdio} from 'node:child_process';
import {Duplex, type Readable, type Writable} from 'node:stream';
import type {Env} from '../../ground/env/env.ts';
import {connectOver, type Connected, type ConnectOptions} from './client.ts';
import type {RemoteName} from './remote-name.ts';
import {sshTexts, texts} from './texts.ts';

export type SshOptions = {
	/** The path of the program ssh. */
	readonly program: string;
	/** The environment of ssh. It has no keys of models. */
	readonly env: Env;
	/** Set while a screen has the terminal: ssh asks for no password then. */
	readonly isQuiet?: boolean;
	/** Gets what ssh and the other machine print. It is untrusted text. */
	readonly onText?: (text: string) => void;
	readonly signal?: AbortSignal;
};

/**
Attaches to a session on another machine. ssh runs `inkpod attach --stdio ID` there, and its pipes carry the wire of the
socket. No shell of this machine takes part, and ssh alone decides who may connect.
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
		// You may have to type a password first. ssh has its own time limit for the connection.
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

/** How ssh ended. `lastLine` is untrusted text. */
type SshEnd = {readonly code: number | null; readonly lastLine: string; readonly problem?: string};

async function endOf(ssh: ChildProcessByStdio<Writable, Readable, Readable>, printed: Printed): Promise<SshEnd> {
	ssh.stderr.setEncoding('utf8').on('data', (text: string) => printed.add(text));
	ssh.stdin.on('error', () => {});
	return new Promise(resolve => {
		ssh.on('error', error => resolve({code: null, lastLine: '', problem: error.message}));
		ssh.on('close', code => resolve({code, lastLine: printed.end()}));
	});
}

/** What ssh prints. */
type Printed = {
	add(text: string): void;
	/** Passes on everything, because a screen opens now. Later text is dropped. */
	pass(): void;
	/** Returns the last line if it was not passed on. */
	end(): string;
};

/**
Passes on lines, but holds the last one for a moment. If ssh then ends, that line is the reason, and a sentence will
contain it.
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

/** Ends an ssh that has not ended by itself. */
async function settled(ssh: ChildProcessByStdio<Writable, Readable, Readable>): Promise<SshEnd> {
	return new Promise(resolve => {
		const timer = setTimeout(() => {
			ssh.kill();
			resolve({code: null, lastLine: ''});
		}, settleMs);
		ssh.on('close', () => clearTimeout(timer));
	});
}

/** ssh exits with 255 for its own failures, and shells with 127 for a command that they do not find. */
function sentenceOf(host: string, {code, lastLine, problem}: SshEnd): string {
	if (problem !== undefined) return sshTexts.failed(host, problem);
	if (code === 127) return sshTexts.missing(host);
	if (code === 255) return sshTexts.failed(host, lastLine);
	if (code === null || code === 0 || lastLine === '') return `${host}: ${texts.lost}`;
	return `${host}: ${lastLine.replace(/^inkpod: /, '')}`;
}

const maxKept = 8192;
/** The lines that a login shell may print before the wire begins. */
const maxStray = 100;
const holdMs = 500;
const passwordMs = 120_000;
const settleMs = 2000;
