import {chownSync, chmodSync, closeSync, ftruncateSync, openSync, readFileSync, statSync, utimesSync} from 'node:fs';
import {lstat, realpath} from 'node:fs/promises';
import {join} from 'node:path';
import {contains} from '../../ground/files/contains.ts';
import {errorCode} from '../../ground/files/fs-error.ts';
import {effectiveIds} from '../../platform/system.ts';
import {pathContainsCredentials} from '../../scope/secret-links.ts';
import {folderListOf, type FolderFacts} from './folder-list.ts';
import type {Shown} from './shown.ts';

/**
Returns the real paths of the secrets in folders that a command sees. Returns `undefined` if inkpod cannot know or hide
all of them: a folder is closed, a secret has more than one name or belongs to another user, a configuration of git
contains a login, or there are too many secrets.
*/
export async function secretsIn(folders: readonly string[]): Promise<readonly string[] | undefined> {
	const found = new Set<string>();
	for (const folder of folders) {
		const facts = await folderListOf(folder).look();
		if (facts.files.has(folder) || facts.closed.size > 0 || (await hasGitLogin(facts))) return undefined;
		for (const path of facts.secrets) {
			const real = await fileOf(path);
			if (real === 'strange') return undefined;
			if (real !== undefined && folders.some(one => contains(one, real))) found.add(real);
		}
	}
	return found.size > maxHidden ? undefined : [...found];
}

/** A file that takes the place of a secret. It has the facts of the secret, but other contents. */
export type StandIn = Shown & {
	/** Tells whether a program has read or changed the file since it was made. */
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

/** Each is a mount. */
const maxHidden = 100;

/** In seconds. With `relatime`, the first read of a file changes a time of reading that is this old. */
const longAgo = 1;

/**
Returns the real path of a file. `strange`: it has other names, which may look innocent, or an owner that no file of
inkpod's can have.
*/
async function fileOf(path: string): Promise<string | undefined> {
	try {
		const real = await realpath(path);
		const stats = await lstat(real);
		if (!stats.isFile()) return undefined;
		const {uid} = effectiveIds();
		return stats.nlink > 1 || (uid !== 0 && stats.uid !== uid) ? 'strange' : real;
	} catch (cause) {
		if (errorCode(cause) === '') throw cause;
		return undefined;
	}
}

async function hasGitLogin({repositories}: FolderFacts): Promise<boolean> {
	for (const path of repositories.keys())
		for (const name of ['config', 'config.worktree']) {
			const config = join(path, name);
			const stats = await lstat(config).catch(() => undefined);
			if (stats !== undefined && (await pathContainsCredentials(config))) return true;
		}
	return false;
}

/** A command that only lists files sees the size, the times, the owner and the permissions of the secret. */
function standFor(path: string, source: string): void {
	const {size, mode, mtimeMs, uid, gid} = statSync(path);
	const fd = openSync(source, 'wx', 0o600);
	try {
		ftruncateSync(fd, size);
	} finally {
		closeSync(fd);
	}
	const made = statSync(source);
	if (made.uid !== uid || made.gid !== gid) chownSync(source, uid, gid);
	chmodSync(source, mode & 0o777);
	utimesSync(source, longAgo, mtimeMs / 1000);
}
