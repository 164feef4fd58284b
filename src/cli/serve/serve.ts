import {
	createBackgroundHost,
	homeProblem,
	listenForTerminals,
	serverSocket,
	serveTexts,
	type Env,
} from '../../pod/index.ts';
import {sanitizeLine} from '../../text/sanitize.ts';
import type {Output} from '../sessions.ts';
import {serviceUnit} from './service-unit.ts';
import {serving} from './texts.ts';

type ServeOptions = {
	/** Print the file for the system's supervisor instead of serving. */
	readonly unit: boolean;
	/** Minutes after which a session closes in which nothing happens. */
	readonly idle?: number;
	readonly env: Env;
	readonly stdout: Output;
	readonly stderr: Output;
	/** Aborts when the program has to exit. */
	readonly signal: AbortSignal;
};

/**
Implements `inkpod serve`: keeps sessions open without a screen until a signal ends it. It never moves itself to the
background: the system's supervisor does that. The exit code is 0 after a signal, because that is its regular end.
*/
export async function serve({unit, idle = defaultIdle, env, stdout, stderr, signal}: ServeOptions): Promise<number> {
	if (unit) {
		stdout.write(serviceUnit({platform: process.platform, program: [process.execPath, ...script()], env}));
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
	// A terminal can use the server meanwhile.
	const restored = host.restore();
	await aborted(signal);
	controlled.close();
	await host.close();
	await restored;
	return 0;
}

async function aborted(signal: AbortSignal): Promise<void> {
	return new Promise(resolve => {
		if (signal.aborted) resolve();
		else signal.addEventListener('abort', () => resolve());
	});
}

/** Returns the path of the program's script. */
function script(): readonly string[] {
	const [, path] = process.argv;
	return path === undefined ? [] : [path];
}

const defaultIdle = 30;
