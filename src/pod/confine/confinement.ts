import {realpath} from 'node:fs/promises';
import type {Env} from '../env/env.ts';
import {contains, type Scope} from '../scope/scope.ts';
import {bwrapArguments, type Walls} from './bwrap-arguments.ts';
import {closingShell, inheritedDescriptors} from './inherited.ts';
import {whatCreated, type Created, type RunLater} from './created.ts';
import {
	hiddenPlaces,
	isWithheld,
	namedSockets,
	presentRunLater,
	protectedPlaces,
	socketFolders,
	type Place,
} from './places.ts';
import {probeConfinement, type Availability} from './probe.ts';
import {sandboxProfile} from './sandbox-profile.ts';
import type {ConfineMode, ConfineSettings, Network} from './settings.ts';
import {confineTexts, unconfinableTexts} from './texts.ts';

/** How a command is started, and what the record says about it. */
export type Launch = {
	readonly file: string;
	readonly args: readonly string[];
	readonly env: Env;
	/** The network of a confined command. Absent if it is not confined. */
	readonly confined?: Network;
	/** What other programs run in the project before the command starts. Absent if it is not confined. */
	readonly present?: RunLater;
};

export type Launched = {readonly ok: true; readonly launch: Launch} | {readonly ok: false; readonly sentence: string};

/** Confines the commands of a session. */
export type Confinement = {
	readonly mode: ConfineMode;
	/** Returns why commands are not confined, or `undefined` if they are. It is found out once. */
	missing(): Promise<string | undefined>;
	/** Returns the network that a command gets. `isAsked`: the user approved exactly this call. */
	networkFor(isAsked: boolean): Network;
	/** Returns what a command can reach, as a sentence for the card. */
	describe(network: Network): Promise<string>;
	/** Returns how a command starts, or why it may not start. */
	launch(shell: string, command: string, env: Env, network: Network): Promise<Launched>;
	/** Returns what a command created that other programs run. What leads git astray gets another name. */
	createdSince(present: RunLater): Promise<Created>;
};

export type ConfinementOptions = {
	readonly settings: ConfineSettings;
	readonly scope: Pick<Scope, 'pwd' | 'writable' | 'readRoots'>;
	readonly env: Env;
	/** The git folders of a worktree, which are outside of it. Commands write them, except hooks and configurations. */
	readonly git?: {readonly common: string; readonly own: string} | undefined;
	/** Finds out whether commands can be confined. Tests replace it. */
	readonly probe?: () => Promise<Availability>;
};

export function createConfinement({settings, scope, env, git, probe}: ConfinementOptions): Confinement {
	const {mode} = settings;
	let known: Promise<Availability> | undefined;
	const available = async () => (known ??= probe?.() ?? probeConfinement(env, scope.pwd));
	const missing = async (): Promise<string | undefined> => {
		if (mode === 'off') return confineTexts.off;
		const found = await available();
		return found.ok ? undefined : unconfinableTexts[found.reason](found.detail);
	};
	return {
		mode,
		missing,
		networkFor: isAsked => settings.network ?? (isAsked ? 'open' : 'none'),
		async describe(network) {
			const why = await missing();
			if (why !== undefined) return mode === 'off' ? why : confineTexts.unconfined(why);
			const reach = confineTexts[network];
			return scope.writable ? confineTexts.confined(reach) : confineTexts.confinedRead(reach);
		},
		async launch(shell, command, given, network) {
			const plain = {file: shell, args: ['-c', command], env: given};
			const found = mode === 'off' ? undefined : await available();
			if (found?.ok !== true) {
				if (mode !== 'require' || found === undefined) return {ok: true, launch: plain};
				return {ok: false, sentence: confineTexts.required(unconfinableTexts[found.reason](found.detail))};
			}
			const {walls, present} = await wallsFor({settings, scope, env, git}, network, found);
			const inner = withoutSockets(given);
			const inside = closingShell(shell, command, inheritedDescriptors());
			const args = found.kind === 'bwrap' ? bwrapArguments(walls) : ['-p', sandboxProfile(walls)];
			return {
				ok: true,
				launch: {file: found.program, args: [...args, ...inside], env: inner, confined: network, present},
			};
		},
		createdSince: async present => whatCreated(present, await presentRunLater(scope.pwd, env, git)),
	};
}

/** Looks at the disk right before the command starts, because an earlier command may have changed it. */
async function wallsFor(
	{settings, scope: {pwd, writable: isWritable, readRoots}, env, git}: ConfinementOptions,
	network: Network,
	found: Extract<Availability, {ok: true}>,
): Promise<{readonly walls: Walls; readonly present: RunLater}> {
	const [{readOnly, held, present}, hidden, folders, sockets, resolver, writable] = await Promise.all([
		protectedPlaces(pwd, env, git),
		hiddenPlaces(pwd, env),
		socketFolders(env),
		namedSockets(env),
		resolverFiles(),
		writableFolders(settings.caches ?? []),
	]);
	const inSockets = (path: string) => folders.some(folder => contains(folder.path, path));
	// The project is mounted after the folders of sockets, so its own sockets are hidden after it.
	const ownSockets = sockets.filter(({path}) => contains(pwd, path));
	const walls: Walls = {
		pwd,
		isWritable,
		readRoots: readRoots.filter(inSockets),
		writable: git === undefined || !isWritable ? writable : [...writable, {path: git.common, isFolder: true}],
		readOnly,
		held,
		hidden: [...hidden, ...ownSockets],
		sockets: [...folders, ...sockets.filter(({path}) => !inSockets(path) && !contains(pwd, path))],
		resolver: resolver.filter(({path}) => inSockets(path)),
		network,
		hasUserNamespace: found.kind === 'bwrap' && found.hasUserNamespace,
	};
	return {walls, present};
}

async function resolverFiles(): Promise<readonly Place[]> {
	const paths = await Promise.all(
		['/etc/resolv.conf', '/etc/hosts'].map(async path => realpath(path).catch(() => '')),
	);
	return paths.filter(path => path !== '').map(path => ({path, isFolder: false}));
}

async function writableFolders(caches: readonly string[]): Promise<readonly Place[]> {
	const paths = await Promise.all(caches.map(async path => realpath(path).catch(() => '')));
	return paths.filter(path => path !== '').map(path => ({path, isFolder: true}));
}

function withoutSockets(env: Env): Env {
	return {...Object.fromEntries(Object.entries(env).filter(([name]) => !isWithheld(name))), TMPDIR: '/tmp'};
}
