import {constants} from 'node:fs';
import {chmod, open, realpath, stat} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {ulid} from 'ulid';
import {homeOf, type Env} from '../../ground/env/env.ts';
import {pathExists} from '../../ground/files/path-exists.ts';
import {contains} from '../../ground/files/contains.ts';
import {ownUid} from '../../platform/system.ts';
import {fileMode, makeDir, quietly, realFiles, syncDir} from '../../disk/files.ts';
import {realProject} from '../../disk/paths.ts';

/**
Tells whether one of inkpod's folders is inside a project. The folder should be outside, because a project must not
supply its own trust. If the project contains the whole home folder, the result is false, because such a project
contains every folder of the user.
*/
export async function isInProject(folder: string, pwd: string, env: Env): Promise<boolean> {
	return contains(pwd, await realAncestor(folder)) && !contains(pwd, await realProject(homeOf(env)));
}

/**
Reads a private JSON file. The file must be a regular file of this user, and others must not be able to write it.
Returns `undefined` for any other file.
*/
export async function readPrivateJson(file: string, maxBytes: number): Promise<unknown> {
	try {
		const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
		try {
			const stats = await handle.stat();
			if (!stats.isFile() || stats.size > maxBytes || (stats.mode & 0o022) !== 0 || stats.uid !== ownUid())
				return undefined;
			const parsed: unknown = JSON.parse(await handle.readFile('utf8'));
			return parsed;
		} finally {
			await handle.close();
		}
	} catch {
		return undefined;
	}
}

/** Writes a file (0600) atomically, so that other processes read either the old or the new contents. */
export async function writePrivateFile(path: string, text: string): Promise<void> {
	await makeDir(realFiles, dirname(path));
	const draft = `${path}.${ulid()}`;
	try {
		const handle = await open(draft, 'wx', fileMode);
		try {
			await handle.writeFile(text);
			await handle.datasync();
		} finally {
			await handle.close();
		}
		await realFiles.rename(draft, path);
		await syncDir(realFiles, dirname(path));
	} catch (error) {
		await quietly(realFiles.unlink(draft));
		throw error;
	}
}

/**
Replaces a file of the user, and keeps its mode. If the path is a link, its target is replaced. A new file is private.
*/
export async function replaceOwnFile(file: string, text: string): Promise<void> {
	const isThere = await pathExists(file);
	const real = isThere ? await realpath(file) : file;
	const mode = isThere ? (await stat(real)).mode & 0o777 : undefined;
	await writePrivateFile(real, text);
	if (mode !== undefined) await chmod(real, mode);
}

/** Returns the real path of the existing part of a path, followed by the part that does not exist. */
async function realAncestor(path: string): Promise<string> {
	const real = await realProject(path);
	const parent = dirname(path);
	return real !== path || parent === path ? real : join(await realAncestor(parent), path.slice(parent.length));
}
