import {
	createBackgroundHost,
	homeProblem,
	listenForTerminals,
	serverSocket,
	serveTexts,
	systemOf,
	type Env,
	askServer,
	type Transfer,
} from '../../pod/index.ts';
import {sanitizeLine} from '../../text/sanitize.ts';
import type {Output} from '../sessions.ts';
import {serving, unitDescription, unitHeads, bgNeedsId, bgNeedsPrompt, started, startedHint} from './texts.ts';
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
background, because the system's service manager does that. After a signal the exit code is 0, because this is the
normal end.
*/
export async function serve({unit, idle = defaultIdle, env, stdout, stderr, signal}: ServeOptions): Promise<number> {
	if (unit) {
		stdout.write(serviceUnit({program: [process.execPath, ...script()], env}));
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
Returns a launchd agent on macOS, and otherwise a systemd user unit (systemd.service(5), launchd.plist(5)). It contains
the search path and the folders of inkpod, but no key.
*/
export function serviceUnit(options: UnitOptions): string {
	return systemOf(options.platform).supervisor === 'launchd' ? launchdAgent(options) : systemdUnit(options);
}

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

type UnitOptions = {
	readonly platform?: NodeJS.Platform;
	/** Node and the script of this program. */
	readonly program: readonly string[];
	readonly env: Env;
};

function systemdUnit({program, env}: UnitOptions): string {
	const lines = [
		...unitHeads.systemd.map(line => `# ${line}`),
		'[Unit]',
		`Description=${unitDescription}`,
		'',
		'[Service]',
		`ExecStart=${[...program, 'serve'].map(systemdWord).join(' ')}`,
		...kept(env).map(([name, value]) => `Environment=${systemdWord(`${name}=${value}`)}`),
		'Restart=on-failure',
		'',
		'[Install]',
		'WantedBy=default.target',
	];
	return `${lines.join('\n')}\n`;
}

/** Quotes a word. In a unit, `%` begins a specifier and `$` a variable (systemd.unit(5)). */
function systemdWord(word: string): string {
	const escaped = word
		.replaceAll(/[\\"]/g, String.raw`\$&`)
		.replaceAll('%', '%%')
		.replaceAll('$', () => '$$')
		.replaceAll('\n', String.raw`\n`);
	return `"${escaped}"`;
}

function launchdAgent({program, env}: UnitOptions): string {
	const strings = (words: readonly string[], indent: string) =>
		words.map(word => `${indent}<string>${xml(word)}</string>`).join('\n');
	const variables = kept(env).map(
		([name, value]) => `\t\t<key>${xml(name)}</key>\n\t\t<string>${xml(value)}</string>`,
	);
	return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<!--
${unitHeads.launchd.join('\n')}
-->
<plist version="1.0">
<dict>
	<key>Label</key>
	<string>inkpod.serve</string>
	<key>ProgramArguments</key>
	<array>
${strings([...program, 'serve'], '\t\t')}
	</array>
	<key>EnvironmentVariables</key>
	<dict>
${variables.join('\n')}
	</dict>
	<key>RunAtLoad</key>
	<true/>
	<key>KeepAlive</key>
	<dict>
		<key>SuccessfulExit</key>
		<false/>
	</dict>
</dict>
</plist>
`;
}

function xml(text: string): string {
	return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function kept(env: Env): ReadonlyArray<readonly [name: string, value: string]> {
	return keptVariables.flatMap(name => {
		const value = env[name];
		return value === undefined || value === '' ? [] : [[name, value] as const];
	});
}

const keptVariables = ['PATH', 'LANG', 'INKPOD_HOME', 'XDG_CONFIG_HOME', 'XDG_STATE_HOME'];

type BackgroundOptions = Start & {
	readonly prompt: string;
	readonly env: Env;
	readonly stdout: Output;
	readonly stderr: Output;
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
