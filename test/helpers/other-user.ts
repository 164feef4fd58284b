import {execFileSync} from 'node:child_process';
import {chmod, lchown, lstat} from 'node:fs/promises';

/** A user who is neither root nor the user of this process. */
export const otherUid = 12_345;

/** Only root can give files to another user. */
export const isRoot = process.getuid?.() === 0;

/**
Makes another user the owner of a file if the test runs as root. Otherwise it sets a mode that lets everybody change the
file. It does not work for links.
*/
export async function giveAway(...paths: readonly string[]): Promise<void> {
	for (const path of paths) {
		if (isRoot) await lchown(path, otherUid, otherUid);
		else await chmod(path, ((await lstat(path)).mode & 0o777) | 0o002);
	}
}

/** Lets a user for whom permissions count act in a folder, which becomes theirs if the test runs as root. */
export async function asOrdinaryUser<Result>(folder: string, act: () => Promise<Result>): Promise<Result> {
	if (!isRoot) return act();
	execFileSync('chown', ['-hR', `${otherUid}:${otherUid}`, folder]);
	process.seteuid?.(otherUid);
	try {
		return await act();
	} finally {
		process.seteuid?.(0);
	}
}
