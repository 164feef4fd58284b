import {chmod, lchown, lstat} from 'node:fs/promises';

/** A user who is neither you nor root. */
export const strangerUid = 12_345;

/** Only root can give files away. */
export const isRoot = process.getuid?.() === 0;

/**
Makes something another user's: by its owner if the test runs as root, else by a mode that lets everybody change it. Not
for links.
*/
export async function giveAway(...paths: readonly string[]): Promise<void> {
	for (const path of paths) {
		if (isRoot) await lchown(path, strangerUid, strangerUid);
		else await chmod(path, ((await lstat(path)).mode & 0o777) | 0o002);
	}
}
