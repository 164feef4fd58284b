import {readdirSync, statSync} from 'node:fs';
import {identityOf} from '../../platform/file-identity.ts';

/**
Returns the names in a folder, including broken links. A folder is read again only if it has changed. The result is
empty if the folder cannot be read.
*/
export function folderNames(path: string): ReadonlySet<string> {
	try {
		const stats = statSync(path);
		const stamp = `${identityOf(stats)}:${stats.ctimeMs}`;
		const found = known.get(path);
		if (found?.stamp === stamp) return found.names;
		const names = new Set(readdirSync(path));
		if (known.size >= maxFolders) known.clear();
		// A second change so soon after the first one may have the same time, so the names are not cached.
		if (Date.now() - stats.ctimeMs > freshMs) known.set(path, {stamp, names});
		else known.delete(path);
		return names;
	} catch {
		return none;
	}
}

const known = new Map<string, {readonly stamp: string; readonly names: ReadonlySet<string>}>();
const none: ReadonlySet<string> = new Set();
const maxFolders = 200;
/** Some file systems record times in steps of two seconds. */
const freshMs = 2100;
