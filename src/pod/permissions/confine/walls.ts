import {basename, dirname, join, relative} from 'node:path';
import type {Env} from '../../ground/env/env.ts';
import {contains} from '../../ground/files/contains.ts';
import {effectiveIds} from '../../platform/system.ts';
import type {Scope} from '../../scope/scope.ts';
import type {Walls} from './bwrap-arguments.ts';
import {cachesFor} from './caches.ts';
import type {RunLater} from './folder-list.ts';
import {generatedAccounts, generatedConfig, type ConfinedFile} from './generated-files.ts';
import {foldersBetween, type SharedGit} from './git-places.ts';
import {listeningSockets} from './listening-sockets.ts';
import {ownPlaces, realHome, showableIn, type OwnPlaces} from './own-places.ts';
import {protectedPlaces, type TopOf} from './protected-places.ts';
import {systemCallFilter} from './seccomp.ts';
import type {ConfineSettings, Network} from './settings.ts';
import {isFolder, realApart, realOf, type Shown} from './shown.ts';
import {surroundings} from './surroundings.ts';
import {systemPlaces} from './system-places.ts';
import {outermost, toolChains} from './tool-chains.ts';
import {lstatSync, type Stats} from 'node:fs';
import {folderNames} from './folder-names.ts';

type WallsOptions = {
	readonly settings: Pick<ConfineSettings, 'show' | 'write'>;
	readonly scope: Pick<Scope, 'pwd' | 'writable' | 'readRoots'>;
	readonly env: Env;
	/**
	The git folders of a worktree, which are outside of the worktree. Commands may write there, except to hooks and
	configurations.
	*/
	readonly git?: SharedGit | undefined;
	readonly network: Network;
	readonly hasUserNamespace: boolean;
	/** Whether the command sees the machine's temporary folder, as on macOS. inkpod's sockets may be in it. */
	readonly isTmpShared?: boolean;
	/**
	Whether the command works on a layer. In this case, its changes to files that other programs run are judged after it
	has ended.
	*/
	readonly isLayered?: boolean;
};

/**
Returns the walls for a command. Reads the disk right before the command starts, because an earlier command may have
changed it.
*/
export async function wallsFor(options: WallsOptions): Promise<{readonly walls: Walls; readonly present?: RunLater}> {
	const {scope, env, git: shared, network, hasUserNamespace} = options;
	const {pwd} = scope;
	const home = realHome(env);
	const named = namedPlaces(options, await surroundings(pwd, home));
	const topOf = writableTop(scope.writable ? [pwd, ...named.writable] : named.writable, home);
	// In a read-only project a command cannot change anything, so no place needs extra protection.
	const isProtected = scope.writable && options.isLayered !== true;
	const {readOnly, held, ...found} = isProtected
		? await protectedPlaces(pwd, env, {shared, topOf})
		: {readOnly: [], held: []};
	const own = ownPlaces(env, topOf);
	const places = placesOf({home, own: own.folders, named, env, pwd, isCopying: options.isTmpShared !== true});
	const covered = coveredIn({...places, pwd, writable: named.writable}, own.folders);
	// On a layer, no program can connect to a socket file of the project.
	const sockets = isProtected ? covered.filter(({isFolder}) => !isFolder).map(({path}) => path) : [];
	const all = options.isTmpShared === true ? own.folders.map(path => ({path, isFolder: true})) : [];
	const walls: Walls = {
		...places,
		pwd,
		isWritable: scope.writable,
		writable: named.writable,
		sources: new Map(),
		...aroundOwn({readOnly, held}, own, {topOf, sockets}),
		covered: [...covered, ...all],
		hidden: [],
		network,
		filter: systemCallFilter(),
		user: hasUserNamespace ? effectiveIds() : undefined,
	};
	return {walls, ...found};
}

/**
Returns the places that a command sees because the user or the project named them: the project, the repository around
it, added folders, and the places of `confine.show` and `confine.write`. The command's home folder is empty.
*/
export async function seenPlaces(options: Pick<WallsOptions, 'settings' | 'scope' | 'env' | 'git'>) {
	const {pwd} = options.scope;
	const {readable, writable} = namedPlaces(options, await surroundings(pwd, realHome(options.env)));
	const all = [...new Set([pwd, ...readable, ...writable])];
	return all.filter(path => !all.some(other => other !== path && contains(other, path)));
}

/**
Separates the places that a command gets as copies: small files in /etc, and folders in /etc that contain only a few
small files. A copy is several times faster than a mount. Neither a copy nor a mount shows a later replacement of the
file. Only /etc is safe: elsewhere a copy could follow a link that an earlier command left in a cache.
*/
export function partCopied(places: readonly Shown[]): Parted {
	const mounted: Shown[] = [];
	const copied: ConfinedFile[] = [];
	for (const place of places) {
		const files = place.path.startsWith('/etc/') ? copiesOf(place) : undefined;
		if (files === undefined) mounted.push(place);
		else copied.push(...files);
	}
	return {mounted, copied};
}

function writableTop(tops: readonly string[], home: string | undefined): TopOf {
	const hidden = privateFolders(home).filter(path => !tops.includes(path));
	return real => tops.find(top => top === nearestOf(real, [...hidden, ...tops]));
}

/** Returns the folders that are empty for a command at first, unless the user or the project names them. */
function privateFolders(home: string | undefined): readonly string[] {
	return [...['/tmp', '/var/tmp', '/run'], ...(home === undefined ? [] : [home])];
}

/**
Adjusts the mounts to inkpod's own folders and to sockets. Nothing is mounted in inkpod's own folders. Folders above
these folders, above linked places and above sockets cannot be renamed. If a socket's path changed, inkpod could not
cover the socket for a later command, because the kernel reports only its first path.
*/
function aroundOwn(
	{readOnly, held}: Pick<Walls, 'readOnly' | 'held'>,
	{folders, linked}: OwnPlaces,
	{topOf, sockets}: {readonly topOf: TopOf; readonly sockets: readonly string[]},
): Pick<Walls, 'readOnly' | 'held'> {
	const isIn = (path: string, places: readonly string[]) => places.some(place => contains(place, path));
	const outside = [...readOnly, ...linked].filter(({path}) => !isIn(path, folders));
	const closed = outside.map(({path}) => path);
	const above = [...folders, ...linked.map(({path}) => path), ...sockets].flatMap(path => {
		const top = topOf(path);
		return top === undefined ? [] : foldersBetween(top, path);
	});
	const names = new Set([...held.map(({path}) => path), ...above]);
	const kept = [...names].filter(path => !isIn(path, folders) && !isIn(path, closed));
	return {readOnly: outside, held: kept.map(path => ({path, isFolder: true}))};
}

/** The real paths of the folders that the user or the project names. */
type Named = {readonly readable: readonly string[]; readonly writable: readonly string[]};

function namedPlaces(
	{settings, scope, git}: Pick<WallsOptions, 'settings' | 'scope' | 'git'>,
	around: readonly string[],
): Named {
	const changing = [scope.pwd, ...scope.readRoots, ...(settings.write ?? []).flatMap(path => realOf(path) ?? [])];
	const isChanging = (link: string) => changing.some(folder => contains(folder, link));
	const [show = [], write = []] = [settings.show, settings.write].map(paths =>
		(paths ?? []).flatMap(path => realApart(path, isChanging) ?? []),
	);
	const writable = [...write, ...(git === undefined || !scope.writable ? [] : [git.common])];
	// The git folder of a worktree may be in a writable folder. In this case, it needs no extra read-only mount.
	const needed = around.filter(path => !writable.some(folder => contains(folder, path)));
	const readRoots = scope.readRoots.filter(path => !contains(scope.pwd, path));
	return {readable: [...new Set([...readRoots, ...show, ...needed])], writable};
}

type Given = {
	readonly home: string | undefined;
	readonly own: readonly string[];
	readonly named: Named;
	readonly env: Env;
	readonly pwd: string;
	/** Whether a command can get copies of files. */
	readonly isCopying: boolean;
};

/**
Returns the parts of the walls that do not depend on the command. Folders that the user named take precedence over these
parts.
*/
function placesOf({home, own: apart, named, env, pwd, isCopying}: Given) {
	const own = privateFolders(home);
	const chosen = [pwd, ...named.readable, ...named.writable];
	const isFree = (path: string) => {
		const nearest = nearestOf(path, [...own, ...chosen]);
		return nearest === undefined || !chosen.includes(nearest);
	};
	const system = systemPlaces();
	const isOfProject = (path: string) => chosen.some(folder => contains(folder, path));
	const chains = home === undefined ? [] : toolChains({home, env, isShowable: showableIn(home, apart), isOfProject});
	// Under another name, the project would show its own secrets.
	const isAbove = ({path, source}: Shown) => path !== source && chosen.some(folder => contains(source, folder));
	// The home folder stays empty even if it is a folder of the system, such as /opt.
	const isHome = ({path, source}: Shown) => own.includes(path) || source === home;
	const all = [...system.shown, ...chains].filter(place => !isHome(place));
	const free = all.filter(place => isFree(place.path) && !isAbove(place));
	const shown = outermost(free);
	// Inside a shown folder, a cache can be mounted only if its folder already exists there.
	const isPossible = (path: string) => isFree(path) && (!isShownBy(path, shown) || realOf(path) === path);
	const generated = [
		...generatedAccounts(home),
		...(home === undefined ? [] : generatedConfig(home, env, isOfProject)),
	];
	const {mounted, copied} = isCopying ? partCopied(shown) : {mounted: shown, copied: []};
	return {
		own: own.filter(path => isFree(path) || isFolder(path)),
		shown: [...mounted, ...named.readable.map(path => ({path, source: path}))],
		links: [...system.links, ...homeLink(home, env)].filter(({path}) => isFree(path) && !isShownBy(path, shown)),
		files: [...generated.filter(({path}) => isFree(path) && !isShownBy(path, shown)), ...copied],
		caches: home === undefined ? [] : cachesFor(home, env, isOfProject).filter(({path}) => isPossible(path)),
	};
}

/** Returns a link if HOME names the home folder by another path. */
function homeLink(home: string | undefined, env: Env) {
	const named = env['HOME'];
	return home === undefined || named === undefined || named === home ? [] : [{path: named, target: home}];
}

function isShownBy(path: string, shown: readonly Shown[]): boolean {
	return shown.some(place => contains(place.path, path));
}

/** Returns the deepest of the folders that contain a path. */
function nearestOf(path: string, folders: readonly string[]): string | undefined {
	return folders.filter(folder => contains(folder, path)).toSorted((one, other) => other.length - one.length)[0];
}

/** Returns the places inside visible folders that a command must not reach. */
function coveredIn(
	{pwd, own, shown, writable, caches}: Pick<Walls, 'pwd' | 'own' | 'shown' | 'writable' | 'caches'>,
	apart: readonly string[],
): Walls['covered'] {
	const cached = caches.map((cache): Shown => ({path: cache.path, source: cache.own}));
	const visible = [...shown, ...[pwd, ...writable].map(path => ({path, source: path})), ...cached];
	// If the project is the home folder, the home folder is not private to the command.
	const hidden = own.filter(path => visible.every(place => place.path !== path));
	const seenAt = (real: string): readonly string[] =>
		visible
			.filter(({source}) => contains(source, real))
			.map(({path, source}) => join(path, relative(source, real)))
			.filter(path => !hidden.includes(nearestOf(path, [...hidden, ...visible.map(place => place.path)]) ?? ''));
	const sockets = listeningSockets([pwd], cached).flatMap(path => {
		const folder = realOf(dirname(path));
		return folder === undefined ? [] : seenAt(join(folder, basename(path)));
	});
	return [
		...apart.flatMap(path => seenAt(path)).map(path => ({path, isFolder: true})),
		...[...new Set(sockets)].map(path => ({path, isFolder: false})),
	];
}

/** The shown places, separated into mounts and copies. */
type Parted = {readonly mounted: readonly Shown[]; readonly copied: readonly ConfinedFile[]};

/** Returns the copies for a place, or `undefined` if the place must be mounted. */
function copiesOf(place: Shown): readonly ConfinedFile[] | undefined {
	const stats = statsOf(place.source);
	if (stats?.isDirectory() !== true) return copyOf(place, stats);
	const names = folderNames(place.source);
	if (names.size === 0 || names.size > maxFiles) return undefined;
	const files = [...names].flatMap(name => {
		const source = join(place.source, name);
		return copyOf({path: join(place.path, name), source}, statsOf(source)) ?? [];
	});
	return files.length === names.size ? files : undefined;
}

/** Returns the copy of a file, or `undefined` if the file is too large or not readable for everyone. */
function copyOf(place: Shown, stats: Stats | undefined): readonly ConfinedFile[] | undefined {
	if (stats?.isFile() !== true || stats.size > maxBytes || (stats.mode & 0o004) === 0) return undefined;
	return [{...place, mode: (stats.mode & 0o111) === 0 ? 0o644 : 0o755}];
}

function statsOf(path: string): Stats | undefined {
	try {
		return lstatSync(path, {throwIfNoEntry: false});
	} catch {
		return undefined;
	}
}

const maxFiles = 8;

const maxBytes = 256 * 1024;
