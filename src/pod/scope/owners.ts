import {t, type Tag} from '../../language/index.ts';
import {
	closeSync,
	constants,
	fstatSync,
	lstatSync,
	openSync,
	readlinkSync,
	realpathSync,
	statSync,
	type Stats,
} from 'node:fs';
import {basename, dirname, join, relative, sep} from 'node:path';
import {configDirectory, type Env} from '../ground/env/env.ts';
import {isSameFile} from '../platform/file-identity.ts';
import {handleOf, hasHandlePaths} from '../platform/file-identity.ts';
import {quoteUntrusted} from '../ground/text/one-line.ts';
import {contains} from '../ground/files/contains.ts';
import type {Owners} from './scope.ts';
import {ownUid, unmappedOwners} from '../platform/system.ts';

/** A file or folder of a project that is skipped because another user could have written it. */
export type Foreign = {
	/** The skipped path. */
	readonly path: string;
	/** The folder that the user would have to add to `safe_directories` to allow the path. */
	readonly folder: string;
	/** The path with the wrong owner or mode: the file itself, or a folder or link on the way to it. */
	readonly at: string;
	readonly why: ForeignReason;
};

type ForeignReason =
	| {readonly kind: 'owner'; readonly uid: number; readonly isLink?: true}
	/** Every user may write to the path. */
	| {readonly kind: 'writable'}
	| {readonly kind: 'group'};

/** The place where a file was found. `named` is in or below the folder `top`, which is a real path. */
export type Finding = {readonly top: string; readonly named: string};

export type OwnersOptions = {
	readonly uid?: number | undefined;
	/** The folder in which inkpod starts. `trustOwner` (`--trust-owner`): the owner of this folder is also accepted. */
	readonly place?: {readonly cwd?: string | undefined; readonly trustOwner?: boolean | undefined};
	/** The uids of owners that this user namespace does not map. */
	readonly unmapped?: readonly number[];
};

export function ownersOf(env: Env, safe: readonly string[] = [], options: OwnersOptions = {}): Owners {
	return {...uidsOf(env, options), safe, file: join(configDirectory(env), 'config.toml')};
}

function uidsOf(env: Env, {uid = ownUid(), place, unmapped = unmappedOwners()}: OwnersOptions): Pick<Owners, 'uids'> {
	const sudo = uid === 0 && /^\d{1,10}$/.test(env['SUDO_UID'] ?? '') ? [Number(env['SUDO_UID'])] : [];
	const owner = place?.trustOwner === true ? statSync(place.cwd ?? '.', {throwIfNoEntry: false})?.uid : undefined;
	return {uids: [...new Set([uid, 0, ...sudo, ...unmapped, ...(owner === undefined ? [] : [owner])])]};
}

/**
The default owners: the user and root, without safe folders. Every start creates this value, so the home folder is not
looked up.
*/
export const strictOwners: Owners = {...uidsOf({}, {}), safe: [], file: '~/.config/inkpod/config.toml'};

/**
Checks the owners and modes of an open file, of its folder, and of each folder and link from `top` to the file's name.
Returns `undefined` if the file may be used. Throws system errors.
*/
export function foreignOpened(fd: number, finding: Finding, owners: Owners): Foreign | undefined {
	const {top, named} = finding;
	const onTheWay = foreignPath(finding, owners);
	if (onTheWay !== undefined) return onTheWay;
	const real = realPathOf(fd, named);
	// The target of a link belongs to the folder that contains it.
	const folder = contains(top, real) ? top : dirname(real);
	if (isSafe(folder, owners)) return undefined;
	const own = whyForeign(fstatSync(fd), owners);
	if (own !== undefined) return {path: named, folder, at: named, why: own};
	const around = whyForeign(folderAround(fd, real), owners);
	return around && {path: named, folder, at: dirname(real), why: around};
}

/**
Checks each folder and link from `top` to a name, and the file with this name. The file is not opened, because a later
read checks the file again.
*/
export function foreignPath({top, named}: Finding, owners: Owners): Foreign | undefined {
	if (isSafe(top, owners)) return undefined;
	for (const path of pathsDownTo(top, named)) {
		const why = whyForeign(lstatSync(path), owners);
		if (why !== undefined) return {path: named, folder: top, at: path, why};
	}
	return undefined;
}

/**
Checks an entry such as `.git` and its folder: the user or root must own both. Returns `undefined` if the entry may be
used or does not exist. Throws system errors.
*/
export function foreignEntry(folder: string, name: string, owners: Owners): Foreign | undefined {
	const path = join(folder, name);
	const entry = lstatSync(path, {throwIfNoEntry: false});
	if (entry === undefined || isSafe(folder, owners)) return undefined;
	const own = whyForeign(entry, owners);
	if (own !== undefined) return {path, folder, at: path, why: own};
	const around = whyForeign(statSync(folder), owners);
	return around && {path, folder, at: folder, why: around};
}

/** Returns one sentence for each folder about its skipped files, the reasons and the remedy. */
export function foreignSentences(list: readonly Foreign[], owners: Owners): readonly string[] {
	return [...Map.groupBy(list, ({folder}) => folder).values()].flatMap(group => {
		const [first, ...rest] = group;
		if (first === undefined) return [];
		if (rest.length === 0) return [foreignSentence(t, first, owners)];
		const paths = [...new Set(group.map(({path}) => quoteUntrusted(path)))].join(', ');
		return [
			t`${paths} are not used: another user could have written them${ownersIn(group)}.
				${advice(t, first, owners)}.`,
		];
	});
}

/** Returns a sentence that tells why a file is not used. `t` is the tag of a text for the user or for a record. */
export function foreignSentence(t: Tag, foreign: Foreign, owners: Owners): string {
	return t`${quoteUntrusted(foreign.path)} is not used: ${foreignReason(t, foreign, owners)}.`;
}

/** Returns the end of a sentence about a file: the reason for skipping it, and the way to allow it. */
export function foreignReason(t: Tag, foreign: Foreign, owners: Owners): string {
	const {path, at, why} = foreign;
	const what = at === path ? undefined : quoteUntrusted(at);
	return t`${reasonOf(t, why, what)}. ${advice(t, foreign, owners)}`;
}

/** Returns the problem with `what`, as the beginning of a sentence. By default `what` is "it". */
export function reasonOf(t: Tag, why: ForeignReason, what = t`it`): string {
	if (why.kind === 'owner') return t`${what} belongs to another user (uid ${why.uid})`;
	return why.kind === 'group' ? t`its group may change ${what}` : t`every user may change ${what}`;
}

function advice(t: Tag, {folder, why}: Foreign, {file}: Owners): string {
	const line = `[trust] safe_directories = [${quoteUntrusted(folder)}]`;
	if (why.kind === 'owner' && statSync(folder, {throwIfNoEntry: false})?.uid === why.uid)
		return t`To use the files in that folder anyway, start with --trust-owner, or add this to
			${quoteUntrusted(file)}: ${line}`;
	return t`To use the files in that folder anyway, add this to ${quoteUntrusted(file)}: ${line}`;
}

function ownersIn(group: readonly Foreign[]): string {
	const uids = new Set(group.flatMap(({why}) => (why.kind === 'owner' ? [why.uid] : [])));
	return uids.size === 0 ? '' : ` (uid ${[...uids].join(', ')})`;
}

/**
Returns the reason why another user could have written a file or folder, or `undefined` if no other user could. Any user
may have created the files in a world-writable folder. In a sticky folder such as /tmp, only the owners of the entries
matter.
*/
function whyForeign(stats: Stats, {uids, strictGroups}: Owners): ForeignReason | undefined {
	if (uids === undefined) return undefined;
	if (!uids.includes(stats.uid))
		return {kind: 'owner', uid: stats.uid, ...(stats.isSymbolicLink() && {isLink: true})};
	if (stats.isSymbolicLink()) return undefined;
	const isOpen = (stats.mode & 0o002) !== 0 && !(stats.isDirectory() && (stats.mode & 0o1000) !== 0);
	if (isOpen) return {kind: 'writable'};
	return strictGroups === true && stats.isFile() && (stats.mode & 0o020) !== 0 && !isPrivateGroup(stats)
		? {kind: 'group'}
		: undefined;
}

/**
Tells whether the group of a file is the private group of its owner, which has only one member. Systems with private
groups give the group write access to every new file.
*/
function isPrivateGroup({uid, gid}: Stats): boolean {
	return uid !== 0 && gid === uid;
}

/** Tells whether the user allows a folder, whoever owns it. `folder` is a real path. */
export function isSafe(folder: string, {safe}: Pick<Owners, 'safe'>): boolean {
	return safe.some(entry => (entry.endsWith('/*') ? contains(entry.slice(0, -2) || '/', folder) : entry === folder));
}

/** Returns `top`, `named` and every path between them. */
function pathsDownTo(top: string, named: string): readonly string[] {
	const parts = relative(top, named).split(sep);
	return [top, ...parts.map((_, index) => join(top, ...parts.slice(0, index + 1)))];
}

function realPathOf(fd: number, named: string): string {
	return hasHandlePaths ? readlinkSync(handleOf(fd)) : realpathSync(named);
}

/** Returns the stats of the folder that now contains an open file. Throws `ESTALE` if the file has moved. */
function folderAround(fd: number, real: string): Stats {
	const folder = openSync(dirname(real), constants.O_RDONLY | constants.O_DIRECTORY);
	try {
		const within = hasHandlePaths ? handleOf(folder) : dirname(real);
		const [file, entry] = [fstatSync(fd), lstatSync(join(within, basename(real)), {throwIfNoEntry: false})];
		if (isSameFile(file, entry)) return fstatSync(folder);
		throw Object.assign(new Error('the file was moved while it was being opened'), {code: 'ESTALE'});
	} finally {
		closeSync(folder);
	}
}
