import {resolve} from 'node:path';
import type {Start} from '../start/launch.ts';
import {askServer, type Env, type Transfer} from '../../pod/index.ts';
import {sanitizeLine} from '../../text/sanitize.ts';
import type {Output} from '../sessions.ts';
import {bgNeedsId, bgNeedsPrompt, started, startedHint} from './texts.ts';

type BackgroundOptions = Start & {
	readonly prompt: string;
	readonly env: Env;
	readonly stdout: Output;
	readonly stderr: Output;
};

/**
Implements `inkpod --bg TASK`: the server opens a session and begins the task. Prints the id of the session. The exit
code is 2 if no server is running, or if it refuses.
*/
export async function background({prompt, env, stdout, stderr, ...start}: BackgroundOptions): Promise<number> {
	const say = (sentence: string) => void stderr.write(`inkpod: ${sanitizeLine(sentence)}\n`);
	const order = orderOf(start, prompt);
	if (typeof order === 'string') {
		say(order);
		return 2;
	}
	const asked = await askServer(env, {open: order});
	if (!asked.ok) {
		say(asked.sentence);
		return 2;
	}
	const {session = ''} = asked;
	stdout.write(started(session));
	say(startedHint(session));
	return 0;
}

/** Returns the order for the server, or a sentence about a mistake in the arguments. */
function orderOf({session, fork: _fork, ...start}: Start, prompt: string): Transfer | string {
	if (prompt.trim() === '') return bgNeedsPrompt;
	if (session.kind === 'pick') return bgNeedsId;
	const {manifest, addDirs, options, ...rest} = start;
	return {
		...rest,
		session,
		cwd: resolve(start.cwd ?? '.'),
		...(manifest !== undefined && {manifest: resolve(manifest)}),
		...(options !== undefined && {options: [...options]}),
		addDirs: addDirs.map(dir => resolve(dir)),
		prompt,
	};
}
