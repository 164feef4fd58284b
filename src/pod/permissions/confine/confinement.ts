import {en, t, type Tag} from '../../../language/index.ts';
import {randomUUID} from 'node:crypto';
import {join} from 'node:path';
import {bashOf} from '../../ground/env/child-env.ts';
import type {Env} from '../../ground/env/env.ts';
import type {DescriptorContents} from '../../platform/process-identity.ts';
import {effectiveIds} from '../../platform/system.ts';
import type {Scope} from '../../scope/scope.ts';
import {stateHome} from '../../disk/paths.ts';
import {bwrapArguments, bwrapDescriptors, type Walls} from './bwrap-arguments.ts';
import type {Inside, OpenCell} from './cells.ts';
import {findCells, type FoundCells} from './find-cells.ts';
import {firstProcess} from './first-process.ts';
import {findNewExecutables, type NewExecutables} from './new-executables.ts';
import type {RunLater} from './folder-list.ts';
import {partVariables, passedVariables} from './passed-variables.ts';
import {afterClosing} from './own-devices.ts';
import {findProgram} from '../../platform/programs.ts';
import {probeConfinement, tryWalls, type Available, type Availability} from './probe.ts';
import {gitStepRunner} from './run-git-steps.ts';
import {sandboxProfile} from './sandbox-profile.ts';
import type {ConfineMode, ConfineSettings, Network} from './settings.ts';
import {confineTexts, unconfinableTexts, type NoCells} from './texts.ts';
import {wallsFor} from './walls.ts';
import {copyFileSync, symlinkSync, readdirSync, readFileSync} from 'node:fs';
import {mkdir, mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {withOwnGit} from '../../scope/git/own-git.ts';
import {bytesOf} from './effects.ts';
import type {IndexPack} from './git-objects.ts';

/** How a command is started, and what the record says about it. */
export type Launch = {
	readonly file: string;
	readonly args: readonly string[];
	readonly env: Env;
	/** What the program reads from descriptors above 2. */
	readonly descriptors?: readonly DescriptorContents[];
	/** The network of a confined command. Absent if it is not confined. */
	readonly confined?: Network;
	/** What other programs run in the project before the command starts. Absent in a cell, and if it is not confined. */
	readonly present?: RunLater;
	/** The command works on a layer, and its changes wait there. */
	readonly cell?: OpenCell;
};

type Launched = {readonly ok: true; readonly launch: Launch} | {readonly ok: false; readonly sentence: string};

/** Confines the commands of a session. */
export type Confinement = {
	readonly mode: ConfineMode;
	/** Returns why commands are not confined, or `undefined` if they are. It is found out once. The default is `en`. */
	missing(t?: Tag): Promise<string | undefined>;
	/** Returns the network that a command gets. `isAsked`: the user approved exactly this call. */
	networkFor(isAsked: boolean): Network;
	/** Returns what a command can reach, as a sentence for the card. */
	describe(network: Network): Promise<string>;
	/** Returns why commands do not work on a layer, or `undefined` if they do or are not confined. */
	noCells(): Promise<NoCells | undefined>;
	/** Returns how a command starts, or why it may not start. `isLayered`: it works on a layer where that is possible. */
	launch(shell: string, command: string, env: Env, network: Network, isLayered?: boolean): Promise<Launched>;
	/** Returns what a command created that other programs run. What leads git astray gets another name. */
	createdSince(present: RunLater): Promise<NewExecutables>;
};

type ConfinementOptions = {
	readonly settings: ConfineSettings;
	readonly scope: Pick<Scope, 'pwd' | 'writable' | 'readRoots'>;
	readonly env: Env;
	/** The git folders of a worktree, which are outside of it. Commands write them, except hooks and configurations. */
	readonly git?: {readonly common: string; readonly own: string} | undefined;
	/** The folder for the layers of a session. Without it commands do not work on layers. */
	readonly cells?: string | undefined;
	/** Finds out whether commands can be confined. Tests replace it. */
	readonly probe?: () => Promise<Availability>;
};

type Found = Availability & {readonly cells?: FoundCells | undefined};

export function createConfinement(options: ConfinementOptions): Confinement {
	const {settings, scope, probe} = options;
	const {mode} = settings;
	let known: Promise<Found> | undefined;
	const available = async (): Promise<Found> => (known ??= probe?.() ?? findConfinement(options));
	const missing = async (t: Tag = en): Promise<string | undefined> => {
		if (mode === 'off') return confineTexts.off(t);
		const found = await available();
		return found.ok ? undefined : unconfinableTexts[found.reason](t, found.detail);
	};
	return {
		mode,
		missing,
		networkFor: isAsked => settings.network ?? (isAsked ? 'open' : 'none'),
		async describe(network) {
			const why = await missing(t);
			if (why !== undefined) return mode === 'off' ? why : confineTexts.unconfined(why);
			const reach = confineTexts[network];
			return scope.writable ? confineTexts.confined(reach) : confineTexts.confinedRead(reach);
		},
		async noCells() {
			const found = mode === 'off' ? undefined : await available();
			return found?.cells?.ok === false ? found.cells.reason : undefined;
		},
		async launch(shell, command, given, network, isLayered = false) {
			const plain = {file: shell, args: ['-c', command], env: given};
			const found = mode === 'off' ? undefined : await available();
			if (found?.ok !== true) {
				if (mode !== 'require' || found === undefined) return {ok: true, launch: plain};
				return {ok: false, sentence: confineTexts.required(unconfinableTexts[found.reason](en, found.detail))};
			}
			const cells = isLayered && found.cells?.ok === true ? found.cells.cells : undefined;
			const {around, inside: variables} = partVariables(passedVariables(given, settings.env, network));
			const {walls: built, ...started} = await builtWalls(options, network, found, cells !== undefined);
			const walls = {...built, variables};
			const inside: Inside = first => closingShell(shell, command, inheritedDescriptors(), first);
			const how = cells === undefined ? confinedBy(found, walls, inside) : await cells.launch(walls, inside);
			// The arguments of bubblewrap contain the others.
			const own = found.kind === 'bwrap' ? around : {...around, ...variables};
			return {ok: true, launch: {...how, env: own, confined: network, ...started}};
		},
		createdSince: async present => findNewExecutables(scope.pwd, present),
	};
}

/** Finds out whether commands can be confined: it tries the walls of the project with an empty command. */
export async function findConfinement(options: Omit<ConfinementOptions, 'probe'>): Promise<Found> {
	const {settings, scope, env} = options;
	const found = await probeConfinement(env, scope.pwd, {isDefault: settings.isDefault === true});
	if (!found.ok) return found;
	const layers = await findLayers(options, found);
	// What runs in a cell runs within the walls.
	if (layers?.ok === true) return {...found, cells: layers};
	const tryWith = async (way: Available): Promise<Found> => {
		const {walls} = await builtWalls(options, 'none', way);
		return {
			...(await tryWalls(
				way,
				confinedBy(way, walls, first => [...first, '/bin/sh', '-c', ':']),
				env,
			)),
			cells: layers,
		};
	};
	const tried = await tryWith(found);
	// In a user namespace, root cannot enter another user's private folder.
	if (tried.ok || found.kind !== 'bwrap' || effectiveIds().uid !== 0) return tried;
	const without = await tryWith({...found, hasUserNamespace: false});
	return without.ok ? without : tried;
}

/** Finds out why commands cannot work on a layer where they are confined. The project stays as it is. */
export async function whyNoCells(
	options: Omit<ConfinementOptions, 'probe'>,
	found: Available,
): Promise<NoCells | undefined> {
	const layers = await findLayers(options, found);
	return layers?.ok === false ? layers.reason : undefined;
}

async function findLayers(options: ConfinementOptions, found: Available): Promise<FoundCells | undefined> {
	const {cells: dir, env} = options;
	if (dir === undefined || found.kind !== 'bwrap') return undefined;
	const {walls} = await builtWalls(options, 'none', found, true);
	const trial = join(stateHome(env), `cells-trial-${randomUUID()}`);
	const git = {runGitStep: gitStepRunner(env), indexPack: packIndexer(env)};
	return findCells(walls, {dir, trial, bwrap: found.program, env, ...git});
}

async function builtWalls(options: ConfinementOptions, network: Network, found: Available, isLayered = false) {
	const {settings, scope, env, git} = options;
	const isBwrap = found.kind === 'bwrap';
	const hasUserNamespace = isBwrap && found.hasUserNamespace;
	return wallsFor({settings, scope, env, git, network, hasUserNamespace, isTmpShared: !isBwrap, isLayered});
}

/** Returns the program and the arguments that run a command within walls. */
function confinedBy(found: Available, walls: Walls, inside: Inside): Pick<Launch, 'file' | 'args' | 'descriptors'> {
	const {kind, program} = found;
	if (kind !== 'bwrap') return {file: program, args: ['-p', sandboxProfile(walls), ...inside([])]};
	const closing = found.hasUserNamespace ? afterClosing(findProgram('mount', '/usr/bin:/bin', walls.pwd)) : [];
	const own = [...bwrapArguments(walls), ...inside(firstProcess(walls))];
	const args = closing.length === 0 ? own : [...closing, program, ...own];
	return {file: program, args, descriptors: bwrapDescriptors(walls)};
}

/** Returns what makes the index of a pack, in a repository of inkpod's without any other objects. */
export function packIndexer(env: Env): IndexPack {
	return async (pack, index, hashBytes) => {
		const dir = await mkdtemp(join(tmpdir(), 'inkpod-pack-'));
		try {
			await Promise.all(['objects', 'refs'].map(async name => mkdir(join(dir, name))));
			// The path of a pack may not be UTF-8, and git does not share the descriptors of inkpod.
			const target = pack.replace(/^\/proc\/self\//, `/proc/${process.pid}/`);
			symlinkSync(bytesOf(target), join(dir, 'made.pack'));
			const settings = {words: [], excludesFile: '/dev/null'};
			const repository = {folder: dir, common: dir, isSha256: hashBytes === 32, settings};
			const used = await withOwnGit(repository, {env, isHeadless: true}, async git =>
				git(['index-pack', '-o', join(dir, 'made.idx'), join(dir, 'made.pack')], {maxMs}),
			);
			if (!used.ok || used.value.type !== 'done') return false;
			copyFileSync(join(dir, 'made.idx'), bytesOf(index));
			return true;
		} finally {
			await rm(dir, {recursive: true, force: true});
		}
	};
}

/** The pack of a large repository takes minutes. */
const maxMs = 600_000;

/**
Returns the descriptors above 2 that this process inherited, and that its children would inherit, too: those without
FD_CLOEXEC. Node opens its own with it. There are none where /proc is missing.
*/
function inheritedDescriptors(): readonly number[] {
	const folder = '/proc/self/fdinfo';
	try {
		return readdirSync(folder)
			.map(Number)
			.filter(fd => fd > 2 && isInherited(`${folder}/${fd}`));
	} catch {
		return [];
	}
}

/** The flag is 02000000 on Linux, and fdinfo shows flags in octal (proc(5)). */
const closeOnExec = 0o2000000;

function isInherited(path: string): boolean {
	try {
		const [, flags = ''] = /^flags:\s*([0-7]+)$/m.exec(readFileSync(path, 'utf8')) ?? [];
		return flags !== '' && (Number.parseInt(flags, 8) & closeOnExec) === 0;
	} catch {
		return false;
	}
}

/**
Returns the arguments that let bash close descriptors before it becomes the shell of the command, or the program that
starts this shell: `first` with its arguments. Other shells cannot close descriptors above 9.
*/
export function closingShell(
	shell: string,
	command: string,
	descriptors: readonly number[],
	first: readonly string[] = [],
): readonly string[] {
	const plain = [...first, shell, '-c', command];
	const bash = bashOf({SHELL: shell});
	if (descriptors.length === 0 || !/(?:^|\/)bash$/.test(bash)) return plain;
	const closings = descriptors.map(fd => `${fd}>&-`).join(' ');
	return [bash, '-c', `exec ${closings}; exec "$@"`, bash, ...plain];
}
