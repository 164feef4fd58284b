import {execFile} from 'node:child_process';
import {constants} from 'node:fs';
import {link, lstat, mkdir, open, rename, rm, writeFile} from 'node:fs/promises';
import {dirname} from 'node:path';
import {setTimeout as wait} from 'node:timers/promises';
import {
	childEnv,
	errorCode,
	findProgram,
	homeOf,
	isListening,
	serverSocket,
	systemOf,
	type Env,
} from '../../pod/index.ts';
import type {Remedy} from '../../screen/control/app.ts';
import {sanitizeLine} from '../../text/sanitize.ts';
import {serviceTexts} from './texts.ts';
import {isUnchanged, markedUnit, ownProgram, unitFile, type UnitFile} from './unit.ts';

type ServiceOptions = {
	readonly env: Env;
	/** The directory of the session. inkpod uses no program from it. */
	readonly cwd: string;
	readonly platform?: NodeJS.Platform;
	/** Node and the script that the service runs. */
	readonly program?: readonly string[];
	/** The number of milliseconds in which the server must answer after its start. */
	readonly patienceMs?: number;
};

/** A service that the system's service manager can run now. */
export type Service = {
	/** Texts about what `start` does: one about the file, and one for each command. */
	readonly steps: readonly string[];
	/** Starts the server and waits until it listens. Resolves with a sentence if it does not. */
	readonly start: () => Promise<string | undefined>;
};

/**
Finds the service manager of this user, and what is necessary to start the server with it. Returns `undefined` if there
is no service manager, for example in a container, or no folder for sockets.
*/
export async function findService(options: ServiceOptions): Promise<Service | undefined> {
	const {env, cwd, platform, program = ownProgram(), patienceMs = usualPatienceMs} = options;
	const socket = serverSocket(env);
	const manager = managers[systemOf(platform).supervisor];
	const path = findProgram(manager.program, env['PATH'], cwd);
	if (socket === undefined || path === undefined) return undefined;
	const run = async (args: readonly string[]) => runManager(path, args, env);
	if (!(await manager.isRunning(run))) return undefined;
	const file = unitFile(env, platform);
	const content = markedUnit({name: file.name, program, env, platform});
	const state = await stateOf(file.path, content);
	const commands = manager.commands(file, state);
	const writes = state === 'absent' || state === 'old';
	return {
		steps: [
			serviceTexts.files[state](shortPath(file.path, env)),
			...commands.map(args => [manager.program, ...args].join(' ')),
		],
		async start() {
			const problem = writes ? await write(file.path, content, state) : undefined;
			if (problem !== undefined) return problem;
			for (const args of commands) {
				const failed = await run(args);
				if (!failed.ok) return serviceTexts.failed([manager.program, ...args].join(' '), failed.sentence);
			}
			const isUp = await listens(socket, patienceMs);
			return isUp ? undefined : serviceTexts.silent(manager.inspect(file));
		},
	};
}

/** Returns the question of a chat whether to start the server, or nothing if inkpod cannot start it. */
export async function serviceRemedy(options: ServiceOptions): Promise<{readonly remedy?: Remedy}> {
	const service = await findService(options);
	if (service === undefined) return {};
	const ask = {
		title: serviceTexts.title,
		detail: service.steps.join('\n'),
		note: serviceTexts.facts,
		choices: [
			{choice: 'allow', label: serviceTexts.accept},
			{choice: 'deny', label: serviceTexts.decline, refuses: true},
		],
	};
	return {remedy: {ask, starting: serviceTexts.starting, start: service.start}};
}

const usualPatienceMs = 15_000;

/**
`absent`: the file does not exist. `old`: inkpod wrote the file, but with other content. `yours`: the user wrote or
changed the file.
*/
type FileState = 'absent' | 'same' | 'old' | 'yours';

type Ran = {readonly ok: true; readonly stdout: string} | {readonly ok: false; readonly sentence: string};

type Manager = {
	readonly program: string;
	readonly isRunning: (run: (args: readonly string[]) => Promise<Ran>) => Promise<boolean>;
	readonly commands: (file: UnitFile, state: FileState) => ReadonlyArray<readonly string[]>;
	/** Returns the command that says why a service does not run. */
	readonly inspect: (file: UnitFile) => string;
};

const managers: {readonly [Each in 'systemd' | 'launchd']: Manager} = {
	systemd: {
		program: 'systemctl',
		// Outside of a system that systemd runs, some commands succeed without doing anything.
		async isRunning(run) {
			const ran = await run(['--user', 'show', '--property=Version']);
			return ran.ok && ran.stdout.startsWith('Version=');
		},
		// inkpod does not change a file of the user, and does not enable its service.
		commands: ({name}, state) => [
			['--user', 'daemon-reload'],
			state === 'yours' ? ['--user', 'start', name] : ['--user', 'enable', '--now', name],
		],
		inspect: ({name}) => `systemctl --user status ${name}`,
	},
	launchd: {
		program: 'launchctl',
		isRunning: async () => true,
		commands: ({name, path}, state) => [
			...(state === 'old' ? [['unload', path]] : []),
			['load', '-w', path],
			['start', name],
		],
		inspect: ({name}) => `launchctl list ${name}`,
	},
};

async function stateOf(path: string, content: string): Promise<FileState> {
	const stats = await lstat(path).catch((error: unknown) => (isMissing(errorCode(error)) ? undefined : 'unknown'));
	if (stats === undefined) return 'absent';
	if (typeof stats === 'string' || !stats.isFile() || stats.size > maxUnit) return 'yours';
	const found = await readWhole(path);
	if (found === content) return 'same';
	return found !== undefined && isUnchanged(found) ? 'old' : 'yours';
}

/**
Tells whether an error means that the file is absent. If something other than a folder is above the file, the write
later reports the error.
*/
function isMissing(code: string): boolean {
	return code === 'ENOENT' || code === 'ENOTDIR';
}

const maxUnit = 64 * 1024;

async function readWhole(path: string): Promise<string | undefined> {
	try {
		const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
		try {
			return await handle.readFile('utf8');
		} finally {
			await handle.close();
		}
	} catch {
		return undefined;
	}
}

/** Writes the file whole, or not at all. It replaces only a file that is still as inkpod wrote it. */
async function write(path: string, content: string, state: FileState): Promise<string | undefined> {
	const draft = `${path}.${crypto.randomUUID()}`;
	try {
		await mkdir(dirname(path), {recursive: true});
		await writeFile(draft, content, {flag: 'wx', mode: 0o600});
		if (state === 'absent') await link(draft, path);
		else if ((await stateOf(path, content)) === 'yours') return serviceTexts.notWritten(path, 'EEXIST');
		else await rename(draft, path);
		return undefined;
	} catch (error) {
		// Another terminal may have written the same file.
		return (await stateOf(path, content)) === 'same' ? undefined : serviceTexts.notWritten(path, errorCode(error));
	} finally {
		await rm(draft, {force: true}).catch(() => {});
	}
}

/** Runs the service manager without API keys, and with a limit for its time and its output. */
async function runManager(path: string, args: readonly string[], env: Env): Promise<Ran> {
	const {promise, resolve} = Promise.withResolvers<Ran>();
	const limits = {timeout: 30_000, killSignal: 'SIGKILL' as const, maxBuffer: maxUnit};
	execFile(path, args, {...limits, cwd: '/', env: childEnv(env)}, (error, stdout, stderr) => {
		if (error === null) return resolve({ok: true, stdout});
		const [line = ''] = stderr.trim().split('\n', 1);
		const reason = error.killed === true ? serviceTexts.tooLong : line === '' ? `exit ${error.code}` : line;
		return resolve({ok: false, sentence: sanitizeLine(reason.slice(0, 300))});
	});
	return promise;
}

async function listens(socket: string, patienceMs: number): Promise<boolean> {
	const end = performance.now() + patienceMs;
	while (!(await isListening(socket))) {
		if (performance.now() > end) return false;
		await wait(50);
	}
	return true;
}

function shortPath(path: string, env: Env): string {
	const home = homeOf(env);
	return path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
}
