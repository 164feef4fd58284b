import {
	createBackgroundHost,
	homeProblem,
	listenForTerminals,
	serverSocket,
	serveTexts,
	type Env,
	askServer,
	type Transfer,
} from '../../pod/index.ts';
import {sanitizeLine} from '../../text/sanitize.ts';
import type {Output} from '../sessions.ts';
import {askLine} from '../output/ask-line.ts';
import {findService} from './service.ts';
import {serviceTexts, serving, bgNeedsId, bgNeedsPrompt, started, startedHint} from './texts.ts';
import {ownProgram, serviceUnit} from './unit.ts';
import {resolve} from 'node:path';
import type {Start} from '../start/launch.ts';

type ServeOptions = {
	/** Whether to print the file for the system's service manager instead of serving. */
	readonly unit: boolean;
	/** The number of minutes after which an idle session closes. */
	readonly idle?: number;
	readonly env: Env;
	readonly stdout: Output;
	readonly stderr: Output;
	/** Aborts when the program has to exit. */
	readonly signal: AbortSignal;
};

/**
Implements `inkpod serve`: keeps sessions open without a screen until a signal ends it. It never moves itself to the
background, because the system's service manager does that. After a signal the exit code is 0, because a signal is the
normal way to end the server.
*/
export async function serve({unit, idle = defaultIdle, env, stdout, stderr, signal}: ServeOptions): Promise<number> {
	if (unit) {
		stdout.write(serviceUnit({program: ownProgram(), env}));
		return 0;
	}
	const refuse = (sentence: string) => {
		stderr.write(`inkpod: ${sanitizeLine(sentence)}\n`);
		return 2;
	};
	const path = serverSocket(env);
	if (path === undefined) return refuse(serveTexts.noFolder);
	const problem = await homeProblem(env);
	if (problem !== undefined) return refuse(problem);
	const onLog = (line: string) => void stdout.write(`${sanitizeLine(line)}\n`);
	const host = createBackgroundHost({env, idleMs: idle * 60_000, onLog});
	const controlled = await listenForTerminals(path, host);
	if (!controlled.ok) return refuse(controlled.sentence);
	onLog(serving(path));
	// A terminal can already use the server at this point.
	const restored = host.restore();
	await aborted(signal);
	controlled.close();
	await host.close();
	await restored;
	return 0;
}

/**
Implements `inkpod --bg TASK`: the server opens a session and begins the task. Prints the id of the session. If no
server is running, asks on the terminal whether to start it. The exit code is 2 if no server is running, or if it
refuses.
*/
export async function background({prompt, ...options}: BackgroundOptions): Promise<number> {
	const {env, stdin, stdout, stderr, ...start} = options;
	const say = (sentence: string) => void stderr.write(`inkpod: ${sanitizeLine(sentence)}\n`);
	const order = orderOf(start, prompt);
	if (typeof order === 'string') {
		say(order);
		return 2;
	}
	let asked = await askServer(env, {open: order});
	if (!asked.ok && asked.reason === 'absent') {
		const offered = await offerService({env, stdin, stderr}, order.cwd);
		if (offered.isUp) asked = await askServer(env, {open: order});
		else if (offered.problem !== undefined) asked = {...asked, sentence: offered.problem};
	}
	if (!asked.ok) {
		say(asked.sentence);
		return 2;
	}
	const {session = ''} = asked;
	stdout.write(started(session));
	say(startedHint(session));
	return 0;
}

/** `problem`: a sentence if the start failed. Absent if nobody can be asked, or the answer is no. */
type Offered = {readonly isUp: true} | {readonly isUp: false; readonly problem?: string};

/** Asks on the terminal whether to start the server as a service. */
async function offerService(
	{env, stdin, stderr}: Pick<BackgroundOptions, 'env' | 'stdin' | 'stderr'>,
	cwd: string,
): Promise<Offered> {
	if (!stdin.isTTY || !stderr.isTTY) return {isUp: false};
	const service = await findService({env, cwd});
	if (service === undefined) return {isUp: false};
	const lines = [serviceTexts.title, ...service.steps.map(step => `  ${sanitizeLine(step)}`), serviceTexts.facts];
	stderr.write(`${lines.join('\n')}\n`);
	const answer = await askLine(serviceTexts.prompt, {input: stdin, output: stderr});
	if (!/^y(?:es)?$/i.test(answer)) return {isUp: false};
	const problem = await service.start();
	return problem === undefined ? {isUp: true} : {isUp: false, problem};
}

async function aborted(signal: AbortSignal): Promise<void> {
	return new Promise(resolve => {
		if (signal.aborted) resolve();
		else signal.addEventListener('abort', () => resolve());
	});
}

const defaultIdle = 30;

type BackgroundOptions = Start & {
	readonly prompt: string;
	readonly env: Env;
	readonly stdin: NodeJS.ReadStream;
	readonly stdout: Output;
	readonly stderr: NodeJS.WriteStream;
};

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
