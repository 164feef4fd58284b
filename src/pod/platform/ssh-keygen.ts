import {stripVTControlCharacters} from 'node:util';
import {childEnv} from '../ground/env/child-env.ts';
import type {Env} from '../ground/env/env.ts';
import {findProgram} from './programs.ts';
import {runProgram} from './run-program.ts';

/** The end of ssh-keygen. `said` is the last line of its stderr, without control characters. */
export type KeygenEnd =
	| {readonly ok: true; readonly output: string}
	| {readonly ok: false; readonly reason: 'failed' | 'timed_out'; readonly said: string};

/** Runs ssh-keygen with arguments and the bytes of its stdin. It cannot ask the user for anything. */
export type Keygen = (args: readonly string[], input: string | Buffer) => Promise<KeygenEnd>;

type KeygenOptions = {
	readonly env: Env;
	/** The project, whose programs are never used. */
	readonly pwd: string;
	readonly timeoutMs: number;
};

/** Finds ssh-keygen. Returns `undefined` if there is no such program outside of the project. */
export function findKeygen({env, pwd, timeoutMs}: KeygenOptions): Keygen | undefined {
	const path = findProgram('ssh-keygen', env['PATH'], pwd);
	if (path === undefined) return undefined;
	const ownEnv = {...childEnv(env), ...neverAsk};
	return async (args, input) => {
		const end = await runProgram(path, args, {input, env: ownEnv, timeoutMs});
		if (end.kind !== 'ended') return {ok: false, reason: end.kind, said: ''};
		if (end.code !== 0) return {ok: false, reason: 'failed', said: lastLine(end.said)};
		return {ok: true, output: end.output.toString('utf8')};
	};
}

/** The program that would ask for a passphrase fails at once. */
const neverAsk = {SSH_ASKPASS: '/bin/false', SSH_ASKPASS_REQUIRE: 'force', DISPLAY: '', WAYLAND_DISPLAY: ''};

function lastLine(said: Buffer): string {
	const lines = stripVTControlCharacters(said.toString('utf8'))
		.split(/[\n\r\u2028\u2029]/u)
		.map(line => line.replaceAll(/[\p{Cc}\p{Bidi_Control}]/gu, ' ').trim());
	return (lines.findLast(line => line !== '') ?? '').slice(0, maxSaid);
}

const maxSaid = 300;
