import {
	chmodSync,
	chownSync,
	closeSync,
	ftruncateSync,
	openSync,
	readFileSync,
	statSync,
	utimesSync,
	writeSync,
	type Stats,
} from 'node:fs';
import {lstat, readFile, realpath} from 'node:fs/promises';
import {join} from 'node:path';
import {decodePath, encodePath} from '../../ground/files/byte-path.ts';
import {contains} from '../../ground/files/contains.ts';
import {errorCode} from '../../ground/files/fs-error.ts';
import {effectiveIds} from '../../platform/system.ts';
import {mayContainCredentials, textContainsCredentials} from '../../scope/git-programs.ts';
import type {Scope} from '../../scope/scope.ts';
import {secretFiles} from '../../scope/secret-links.ts';
import {looksSecret} from '../../scope/secret.ts';
import {stampOf} from './effects.ts';
import {folderListOf} from './folder-list.ts';
import type {Shown} from './shown.ts';

/**
Returns the real paths of the secrets in places that a command sees. `home`: the home folder, which may contain other
names of files in these places. Returns `undefined` if inkpod cannot know or hide all secrets: a folder is closed, a
secret has more than one name or belongs to another user, its path is not UTF-8, a file of git contains a login, or
there are too many secrets.
*/
export async function secretsIn(places: readonly string[], home: string): Promise<readonly string[] | undefined> {
	if (await areSecretsLinked(home)) return undefined;
	const found = new Set<string>();
	for (const place of places) {
		const {files, closed, secrets, isIncomplete} = await folderListOf(place).look();
		if (files.has(place) || closed.size > 0 || isIncomplete) return undefined;
		for (const path of [place, ...secrets]) {
			const file = await fileOf(path);
			if (file === 'folder' && path !== place) return undefined;
			if (file === undefined || file === 'folder' || !places.some(one => contains(one, file.real))) continue;
			if (!looksSecret(path) && !looksSecret(file.real)) {
				if (mayContainCredentials(path) && (await containsLogin(file.real, file.stats))) return undefined;
			} else if (isStrange(file)) return undefined;
			else found.add(file.real);
		}
	}
	return found.size > maxHidden ? undefined : [...found];
}

/**
A file that takes the place of a secret. It has the size, times, owner and permissions of the secret, but other
contents.
*/
export type StandIn = Shown & {
	/** Tells whether a program has read or changed the file since it was created. */
	readonly isTouched: () => boolean;
};

/**
Makes a file in a folder for each secret. Returns `undefined` if the file system there does not record when a file is
read, or if a secret is gone.
*/
export function makeStandIns(secrets: readonly string[], folder: string): readonly StandIn[] | undefined {
	try {
		return secrets.map((path, n) => {
			const source = join(folder, `secret${n}`);
			standFor(path, source);
			const {atimeMs, ctimeMs} = statSync(source);
			const isTouched = () => {
				const now = statSync(source);
				return now.atimeMs !== atimeMs || now.ctimeMs !== ctimeMs;
			};
			return {path, source, isTouched};
		});
	} catch (cause) {
		if (errorCode(cause) === '') throw cause;
		return undefined;
	}
}

/** Tells whether the file system of a folder records when a file is read. */
export function recordsReads(folder: string): boolean {
	const path = join(folder, 'read');
	try {
		closeSync(openSync(path, 'wx', 0o600));
		utimesSync(path, longAgo, longAgo);
		readFileSync(path);
		return statSync(path).atimeMs !== longAgo * 1000;
	} catch (cause) {
		if (errorCode(cause) === '') throw cause;
		return false;
	}
}

/** The maximum number of hidden secrets. Each hidden secret needs a mount. */
const maxHidden = 100;

/**
The access time of a stand-in, in seconds since 1970. With `relatime`, the first read of a file updates such an old
access time.
*/
const longAgo = 1;

type RealFile = {readonly real: string; readonly stats: Stats};

/** A link can lead to a folder. Then the files of that folder have names of secrets. */
async function fileOf(path: string): Promise<RealFile | 'folder' | undefined> {
	try {
		const real = decodePath(await realpath(encodePath(path), {encoding: 'buffer'}));
		const stats = await lstat(encodePath(real));
		if (stats.isDirectory()) return 'folder';
		return stats.isFile() ? {real, stats} : undefined;
	} catch (cause) {
		if (errorCode(cause) === '') throw cause;
		return undefined;
	}
}

/**
Tells whether a file has other names (which may look harmless), has an owner that inkpod's own files cannot have, or has
a path that an argument of a program cannot contain.
*/
function isStrange({real, stats: {nlink, uid: owner}}: RealFile): boolean {
	const {uid} = effectiveIds();
	return nlink > 1 || (uid !== 0 && owner !== uid) || !real.isWellFormed();
}

/** The maximum size of a stand-in without a hole, in bytes. Secrets are small. */
const maxWritten = 256 * 1024;

/** Tells whether a secret in the usual places of the home folder has another name, which may be anywhere. */
async function areSecretsLinked(home: string): Promise<boolean> {
	if (nowhere.home !== home) nowhere = {pwd: home, readRoots: [], writable: false, home};
	return (await secretFiles(nowhere, {maxEntries: 0})).areLinked;
}

/** The result of the search is cached for this object. */
let nowhere: Scope = {pwd: '', readRoots: [], writable: false, home: ''};

/** Tells whether one of git's files contains a login. Reflogs may be long and many, so results are cached. */
async function containsLogin(path: string, stats: Stats): Promise<boolean> {
	const stamp = stampOf(stats);
	const known = logins.get(path);
	if (known?.stamp === stamp) return known.hasLogin;
	const hasLogin =
		stats.size > maxGitFile || textContainsCredentials(await readFile(encodePath(path), 'latin1').catch(() => ''));
	if (logins.size >= maxKnown) logins.clear();
	logins.set(path, {stamp, hasLogin});
	return hasLogin;
}

const logins = new Map<string, {readonly stamp: string; readonly hasLogin: boolean}>();
const maxKnown = 20_000;

/** The maximum size of a file of git that is searched for logins, in bytes. */
const maxGitFile = 16 * 1024 * 1024;

/** Creates a stand-in with the size, times, owner and permissions of the secret, because a command may list files. */
function standFor(path: string, source: string): void {
	const {size, mode, mtimeMs, uid, gid} = statSync(path);
	const fd = openSync(source, 'wx', 0o600);
	try {
		// A file with a hole takes less space, and programs such as `ls` and `du` show that.
		if (size <= maxWritten) writeSync(fd, Buffer.alloc(size));
		else ftruncateSync(fd, size);
	} finally {
		closeSync(fd);
	}
	const made = statSync(source);
	if (made.uid !== uid || made.gid !== gid) chownSync(source, uid, gid);
	chmodSync(source, mode & 0o777);
	utimesSync(source, longAgo, mtimeMs / 1000);
}
