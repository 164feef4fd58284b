import {execFileSync} from 'node:child_process';
import {randomUUID} from 'node:crypto';
import {mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile} from 'node:fs/promises';
import {createServer, type Server} from 'node:net';
import {homedir, tmpdir} from 'node:os';
import {join} from 'node:path';
import {onTestFinished} from 'vitest';
import {createConfinement} from '../../src/pod/permissions/confine/confinement.ts';
import type {ConfineSettings, Network} from '../../src/pod/permissions/confine/settings.ts';
import type {Env} from '../../src/pod/ground/env/env.ts';
import {openScratch} from '../../src/pod/tools/processes/output-file.ts';
import {startCommand} from '../../src/pod/tools/processes/start-command.ts';

/** What a confined command must not learn. Each secret is in another place. */
export const secret = `TOP-${randomUUID()}`;

/** A project with everything around it that a command could attack. */
export type ConfinedPlace = {
	readonly project: string;
	readonly home: string;
	readonly outside: string;
	readonly port: number;
	/** The connections that the servers got, by name. */
	readonly connected: string[];
	/** Runs a command and returns its output. */
	readonly run: (command: string, network?: Network) => Promise<string>;
	/** Returns what differs from before: files outside of the project, and files that other programs run. */
	readonly damage: () => Promise<readonly string[]>;
};

/** `inPath`: a folder of the project that is the first one of PATH. */
type PlaceOptions = Pick<ConfineSettings, 'mode'> & {readonly inPath?: string};

/** Creates the place. It is not in /tmp, which is hidden as a whole. */
export async function confinedPlace({mode, inPath}: PlaceOptions = {mode: 'require'}): Promise<ConfinedPlace> {
	const root = await realpath(await mkdtemp(join(process.getuid?.() === 0 ? '/srv' : homedir(), 'inkpod-c-')));
	const hidden = await mkdtemp(join(tmpdir(), 'inkpod-c-'));
	onTestFinished(async () => {
		for (const path of [root, hidden]) await rm(path, {recursive: true, force: true});
	});
	const [project, home, outside] = [join(root, 'project'), join(root, 'home'), join(root, 'outside')];
	const state = join(home, '.local/state/inkpod');
	const files: Readonly<Record<string, string>> = {
		[join(home, '.ssh/id_ed25519')]: secret,
		[join(home, '.aws/credentials')]: secret,
		[join(home, '.gnupg/secring.gpg')]: secret,
		[join(home, '.netrc')]: secret,
		[join(home, '.config/gh/hosts.yml')]: secret,
		[join(home, '.config/inkpod/credentials.json')]: secret,
		[join(home, '.bash_history')]: secret,
		[join(state, 'sessions/p/s/history.json')]: secret,
		[join(state, 'trust.json')]: secret,
		[join(outside, 'file.txt')]: 'outside\n',
		[join(hidden, 'secret.txt')]: secret,
		[join(project, 'a.txt')]: 'a\n',
		[join(project, '.envrc')]: 'true\n',
		[join(project, '.vscode/tasks.json')]: '{}\n',
		[join(project, 'inkpod.toml')]: '',
	};
	for (const [path, text] of Object.entries(files)) {
		await mkdir(join(path, '..'), {recursive: true});
		await writeFile(path, text);
	}
	await symlink(outside, join(project, 'out-link'));
	await symlink(join(home, '.ssh'), join(project, 'ssh-link'));
	execFileSync('git', ['init', '-q', project]);
	await writeFile(join(project, '.git/hooks/pre-commit'), '#!/bin/sh\n', {mode: 0o755});
	const connected: string[] = [];
	const port = await serve(connected, 'tcp', {port: 0, host: '127.0.0.1'});
	await serve(connected, 'abstract', {path: `\0inkpod-${process.pid}`});
	await serve(connected, 'tmp', {path: join(hidden, 's.sock')});
	await serve(connected, 'agent', {path: join(home, 'agent.sock')});
	const env = {
		PATH: `${inPath === undefined ? '' : `${join(project, inPath)}:`}${process.env['PATH'] ?? ''}`,
		HOME: home,
		INKPOD_HOME: state,
		SSH_AUTH_SOCK: join(home, 'agent.sock'),
		TMUX: `${join(hidden, 's.sock')},1,0`,
		ABSTRACT: `inkpod-${process.pid}`,
		OUTSIDE: outside,
		HIDDEN: hidden,
		STATE: state,
		PORT: String(port),
		PARENT: String(process.pid),
	};
	const run = runnerOf(project, env, mode);
	const watched = [
		...Object.keys(files).filter(
			path => path.startsWith(outside) || path.includes('/.envrc') || path.includes('.toml'),
		),
		join(project, '.vscode/tasks.json'),
		join(project, '.git/hooks/pre-commit'),
		join(project, '.git/config'),
	];
	const before = new Map(await Promise.all(watched.map(async path => [path, await contents(path)] as const)));
	return {
		project,
		home,
		outside,
		port,
		connected,
		run,
		async damage() {
			const now = await Promise.all(watched.map(async path => [path, await contents(path)] as const));
			return now.flatMap(([path, text]) => (text === before.get(path) ? [] : [path]));
		},
	};
}

/** Returns a function that runs a command in the walls. */
function runnerOf(project: string, env: Env, mode: ConfineSettings['mode']): ConfinedPlace['run'] {
	const scope = {pwd: project, writable: true, readRoots: []};
	const confinement = createConfinement({settings: {mode, env: Object.keys(env)}, scope, env});
	return async (command, network = 'none') => {
		const opened = await openScratch();
		if (!opened.ok) throw new Error(opened.sentence);
		const {output} = opened;
		try {
			const started = await startCommand(command, {
				shell: '/bin/bash',
				launch: async (...given) => confinement.launch(...given, network),
				cwd: project,
				env,
				output,
				signal: AbortSignal.timeout(20_000),
				timeoutMs: 15_000,
			});
			if (!started.ok) throw new Error(started.sentence);
			await started.ended;
			return (await output.read(0, 65_536)).toString();
		} finally {
			await output.close();
		}
	};
}

async function contents(path: string): Promise<string> {
	return readFile(path, 'utf8').catch(() => '(missing)');
}

async function serve(
	connected: string[],
	name: string,
	at: {path: string} | {port: number; host: string},
): Promise<number> {
	const server: Server = createServer(socket => {
		connected.push(name);
		socket.on('error', () => {});
		socket.end(secret);
	});
	await new Promise<void>(resolve => {
		server.listen(at, resolve);
	});
	onTestFinished(async () => new Promise(resolve => void server.close(() => resolve())));
	const address = server.address();
	return typeof address === 'object' && address !== null ? address.port : 0;
}
