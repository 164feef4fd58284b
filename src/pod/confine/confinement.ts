import type {Env} from '../env/env.ts';
import type {Scope} from '../scope/scope.ts';
import {bwrapArguments, bwrapDescriptors, type Descriptor, type Walls} from './bwrap-arguments.ts';
import {closingShell, inheritedDescriptors} from './inherited.ts';
import {whatCreated, type Created, type RunLater} from './created.ts';
import {passedVariables} from './passed-variables.ts';
import {presentRunLater} from './places.ts';
import {probeConfinement, tryWalls, type Available, type Availability} from './probe.ts';
import {sandboxProfile} from './sandbox-profile.ts';
import type {ConfineMode, ConfineSettings, Network} from './settings.ts';
import {confineTexts, unconfinableTexts} from './texts.ts';
import {wallsFor} from './walls.ts';

/** How a command is started, and what the record says about it. */
export type Launch = {
	readonly file: string;
	readonly args: readonly string[];
	readonly env: Env;
	/** What the program reads from descriptors above 2. */
	readonly descriptors?: readonly Descriptor[];
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

export function createConfinement(options: ConfinementOptions): Confinement {
	const {settings, scope, env, git, probe} = options;
	const {mode} = settings;
	let known: Promise<Availability> | undefined;
	const available = async () => (known ??= probe?.() ?? findConfinement(options));
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
			const {walls, present} = await builtWalls(options, network, found);
			const inside = closingShell(shell, command, inheritedDescriptors());
			return {
				ok: true,
				launch: {
					...confinedBy(found, walls, inside),
					env: passedVariables(given, settings.env),
					confined: network,
					present,
				},
			};
		},
		createdSince: async present => whatCreated(present, await presentRunLater(scope.pwd, env, git)),
	};
}

/** Finds out whether commands can be confined: it tries the walls of the project with an empty command. */
export async function findConfinement(options: Omit<ConfinementOptions, 'probe'>): Promise<Availability> {
	const {settings, scope, env} = options;
	const found = await probeConfinement(env, scope.pwd, {isDefault: settings.isDefault === true});
	if (!found.ok) return found;
	const tryWith = async (way: Available) => {
		const {walls} = await builtWalls(options, 'none', way);
		return tryWalls(way, confinedBy(way, walls, ['/bin/sh', '-c', ':']), env);
	};
	const tried = await tryWith(found);
	// In a user namespace, root cannot enter another user's private folder.
	if (tried.ok || found.kind !== 'bwrap' || process.geteuid?.() !== 0) return tried;
	const without = await tryWith({...found, hasUserNamespace: false});
	return without.ok ? without : tried;
}

async function builtWalls({settings, scope, env, git}: ConfinementOptions, network: Network, found: Available) {
	const isBwrap = found.kind === 'bwrap';
	const hasUserNamespace = isBwrap && found.hasUserNamespace;
	return wallsFor({settings, scope, env, git, network, hasUserNamespace, isTmpShared: !isBwrap});
}

/** Returns the program and the arguments that run a command within walls. */
function confinedBy(
	{kind, program}: Available,
	walls: Walls,
	inside: readonly string[],
): Pick<Launch, 'file' | 'args' | 'descriptors'> {
	return kind === 'bwrap'
		? {file: program, args: [...bwrapArguments(walls), ...inside], descriptors: bwrapDescriptors(walls)}
		: {file: program, args: ['-p', sandboxProfile(walls), ...inside]};
}
