import {en, t, type Tag} from '../../../language/index.ts';
import {randomUUID} from 'node:crypto';
import {join} from 'node:path';
import {bashOf} from '../../ground/env/child-env.ts';
import {homeOf, type Env} from '../../ground/env/env.ts';
import type {DescriptorContents} from '../../platform/process-identity.ts';
import {effectiveIds} from '../../platform/system.ts';
import type {Scope} from '../../scope/scope.ts';
import {stateHome} from '../../disk/paths.ts';
import {bwrapArguments, bwrapDescriptors, type Walls} from './bwrap-arguments.ts';
import type {Inside, OpenCell} from './cells.ts';
import {findCells, type FoundCells} from './find-cells.ts';
import {removeCell} from './journal.ts';
import {firstProcess} from './first-process.ts';
import {findNewExecutables, type NewExecutables} from './new-executables.ts';
import type {RunLater} from './folder-list.ts';
import {partVariables, passedVariables} from './passed-variables.ts';
import {afterClosing} from './own-devices.ts';
import {realHome} from './own-places.ts';
import {findProgram} from '../../platform/programs.ts';
import {probeConfinement, tryWalls, type Available, type Availability} from './probe.ts';
import {gitStepRunner} from './run-git-steps.ts';
import {sandboxProfile} from './sandbox-profile.ts';
import type {ConfineMode, ConfineSettings, Network} from './settings.ts';
import {confineTexts, unconfinableTexts, type NoCells} from './texts.ts';
import {indexAround} from './surroundings.ts';
import {seenPlaces, wallsFor} from './walls.ts';
import {copyFileSync, symlinkSync, readdirSync, readFileSync} from 'node:fs';
import {lstat, mkdir, mkdtemp, readdir, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {withOwnGit} from '../../scope/git/own-git.ts';
import {bytesOf} from './effects.ts';
import {recordsReads, secretsIn} from './hidden-secrets.ts';
import type {IndexPack} from './git-objects.ts';

/** How a command is started, and the facts about it for the record. */
export type Launch = {
	readonly file: string;
	readonly args: readonly string[];
	readonly env: Env;
	/** What the program reads from descriptors above 2. */
	readonly descriptors?: readonly DescriptorContents[];
	/** The network of a confined command. Absent if it is not confined. */
	readonly confined?: Network;
	/**
	The files in the project that other programs run, as found before the command starts. Absent in a cell or without
	confinement.
	*/
	readonly present?: RunLater;
	/** The cell if the command works on a layer. The changes stay in the layer until they are applied. */
	readonly cell?: OpenCell;
};

/** `layered`: a command works on a layer where that is possible. `trial`: the command is tried on a layer. */
export type Way = 'direct' | 'layered' | 'trial';

type Launched = {readonly ok: true; readonly launch: Launch} | {readonly ok: false; readonly sentence: string};

/** Confines the commands of a session. */
export type Confinement = {
	readonly mode: ConfineMode;
	/**
	Returns why commands are not confined, or `undefined` if they are. The test runs only once. `t` is `en` by default.
	*/
	missing(t?: Tag): Promise<string | undefined>;
	/** Returns the network that a command gets. `isAsked`: the user approved exactly this call. */
	networkFor(isAsked: boolean): Network;
	/** Returns what a command can reach, as a sentence for the card. */
	describe(network: Network): Promise<string>;
	/** Returns why commands do not work on a layer, or `undefined` if they do or are not confined. */
	noCells(): Promise<NoCells | undefined>;
	/**
	Tells whether a command can be tried on a layer that shows no secrets of the project. A command that is tried changes
	nothing until the user has approved its changes.
	*/
	canTry(): Promise<boolean>;
	/** Returns how a command starts, or the reason why it is not allowed to start. */
	launch(shell: string, command: string, env: Env, network: Network, way?: Way): Promise<Launched>;
	/** Returns the files that a command created and that other programs run. Renames files that would mislead git. */
	createdSince(present: RunLater): Promise<NewExecutables>;
};

type ConfinementOptions = {
	readonly settings: ConfineSettings;
	readonly scope: Pick<Scope, 'pwd' | 'writable' | 'readRoots'>;
	readonly env: Env;
	/**
	The git folders of a worktree, which are outside of the worktree. Commands may write there, except to hooks and
	configurations.
	*/
	readonly git?: {readonly common: string; readonly own: string} | undefined;
	/** The folder for the layers of a session. If it is absent, commands do not work on layers. */
	readonly cells?: string | undefined;
	/** Finds out whether commands can be confined. Tests replace this function. */
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
		async canTry() {
			const found = mode === 'off' ? undefined : await available();
			if (found?.cells?.ok !== true || options.cells === undefined) return false;
			const secrets = await secretsFor(options);
			return secrets !== undefined && (secrets.length === 0 || (await canTellReads(options.cells)));
		},
		async launch(shell, command, given, network, way = 'direct') {
			const plain = {file: shell, args: ['-c', command], env: given};
			const found = mode === 'off' ? undefined : await available();
			if (found?.ok !== true) {
				if (mode !== 'require' || found === undefined) return {ok: true, launch: plain};
				return {ok: false, sentence: confineTexts.required(unconfinableTexts[found.reason](en, found.detail))};
			}
			const cells = way !== 'direct' && found.cells?.ok === true ? found.cells.cells : undefined;
			const secrets = way === 'trial' ? await secretsFor(options) : [];
			if (secrets === undefined || (way === 'trial' && cells === undefined)) return noTrial;
			const {pwd} = options.scope;
			const index = cells && (await indexAround(pwd, realHome(options.env)));
			const secretsNow = async () => secretsFor(options);
			const trial = way === 'trial' ? {secrets, secretsNow, index} : undefined;
			const {around, inside: passed} = partVariables(passedVariables(given, settings.env, network));
			const {walls: built, ...started} = await builtWalls(options, network, found, cells !== undefined);
			// git does not look for a repository above a mount, and a layer is a mount.
			const isBelowTop = index !== undefined && index.tree !== pwd;
			const variables = {...passed, ...(isBelowTop && {GIT_DISCOVERY_ACROSS_FILESYSTEM: '1'})};
			const walls = {...built, variables};
			const limits = way === 'trial' ? trialLimits : [];
			const inside: Inside = first => closingShell(shell, command, inheritedDescriptors(), [...first, ...limits]);
			const how =
				cells === undefined ? confinedBy(found, walls, inside) : await cells.launch(walls, inside, trial);
			if (how === undefined) return noTrial;
			// The arguments of bubblewrap contain the other variables.
			const own = found.kind === 'bwrap' ? around : {...around, ...variables};
			return {ok: true, launch: {...how, env: own, confined: network, ...started}};
		},
		createdSince: async present => findNewExecutables(scope.pwd, present),
	};
}

const noTrial: Launched = {ok: false, sentence: confineTexts.noTrial};

/** Returns the secrets that a command must not find, or `undefined` if inkpod cannot hide all of them. */
async function secretsFor(options: ConfinementOptions): Promise<readonly string[] | undefined> {
	return secretsIn(await seenPlaces(options), homeOf(options.env));
}

async function canTellReads(cells: string): Promise<boolean> {
	await mkdir(cells, {recursive: true, mode: 0o700});
	const dir = await mkdtemp(join(cells, 'reads-'));
	try {
		return recordsReads(dir);
	} finally {
		await rm(dir, {recursive: true, force: true});
	}
}

/**
Nobody has approved a command that is tried, so it can use at most 2 GB of memory in each process, and start at most
1,000 processes. dash and bash have different options for processes.
*/
const trialLimits = [
	'/bin/sh',
	'-c',
	'ulimit -d 2097152; { ulimit -u 1000 || ulimit -p 1000; } 2>/dev/null; exec "$@"',
	'inkpod',
];

/** Finds out whether commands can be confined. Runs an empty command within the walls of the project. */
export async function findConfinement(options: Omit<ConfinementOptions, 'probe'>): Promise<Found> {
	const {settings, scope, env} = options;
	const found = await probeConfinement(env, scope.pwd, {isDefault: settings.isDefault === true});
	if (!found.ok) return found;
	const layers = await findLayers(options, found);
	// If a command ran in a cell, the walls work, because a cell has the same walls.
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
	// In a user namespace, root cannot enter another user's private folder, so inkpod also tries without a namespace.
	if (tried.ok || found.kind !== 'bwrap' || effectiveIds().uid !== 0) return tried;
	const without = await tryWith({...found, hasUserNamespace: false});
	return without.ok ? without : tried;
}

/** Finds out why confined commands cannot work on a layer. Does not change the project. */
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
	const trials = join(stateHome(env), 'cells-trial');
	await removeOldTrials(stateHome(env), trials);
	const trial = join(trials, randomUUID());
	const git = {runGitStep: gitStepRunner(env), indexPack: packIndexer(env)};
	return findCells(walls, {dir, trial, bwrap: found.program, env, ...git});
}

/**
Removes the trial folders that killed processes left, also those of versions that created them directly in the state
folder. A trial takes a few seconds, so a folder that is an hour old belongs to no process.
*/
async function removeOldTrials(home: string, trials: string): Promise<void> {
	const old = (await readdir(home).catch(() => [])).filter(name => name.startsWith('cells-trial-'));
	const left = (await readdir(trials).catch(() => [])).map(name => join(trials, name));
	for (const path of [...old.map(name => join(home, name)), ...left]) {
		const changed = (await lstat(path).catch(() => undefined))?.mtimeMs ?? Infinity;
		if (Date.now() - changed > trialAgeMs) await removeCell(path).catch(() => {});
	}
}

const trialAgeMs = 3_600_000;

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

/**
Returns a function that creates the index of a pack. The function uses a new repository without any other objects.
*/
export function packIndexer(env: Env): IndexPack {
	return async (pack, index, hashBytes) => {
		const dir = await mkdtemp(join(tmpdir(), 'inkpod-pack-'));
		try {
			await Promise.all(['objects', 'refs'].map(async name => mkdir(join(dir, name))));
			// The path of a pack may contain bytes that are not UTF-8, so git gets a link. git does not have inkpod's
			// descriptors, so the link names inkpod's process.
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

/** Indexing the pack of a large repository takes minutes. */
const maxMs = 600_000;

/**
Returns the descriptors above 2 without FD_CLOEXEC. This process inherited them, and its children would inherit them,
too. Node sets FD_CLOEXEC on the descriptors that it opens. Returns none if /proc is missing.
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
Returns the arguments with which bash closes descriptors and then becomes the shell of the command. If `first` is given,
bash becomes this program, which starts the shell. Other shells cannot close descriptors above 9.
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
