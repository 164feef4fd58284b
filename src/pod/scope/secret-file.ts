import type {Scope} from './scope.ts';
import {fileContainsCredentials, mayContainCredentials} from './git-programs.ts';
import type {OpenedFile} from './scoped-fs.ts';
import {looksSecret} from './secret.ts';
import {secretFiles} from './secret-links.ts';

/** The reason why a file needs confirmation: its name, credentials in its text, or a hard link to such a file. */
type SecretReason = 'name' | 'login' | 'link';

type Opened = Pick<OpenedFile, 'handle' | 'real' | 'stats'>;

/**
Checks the path of an open file as written, its real path and its contents. Returns `undefined` if the file may be read.
For nearly every file the check is very fast, because most files have a harmless name and only one link. Throws system
errors.
*/
export async function secretReason(scope: Scope, path: string, opened: Opened): Promise<SecretReason | undefined> {
	const {handle, real, stats} = opened;
	if (looksSecret(path) || looksSecret(real)) return 'name';
	if ((mayContainCredentials(path) || mayContainCredentials(real)) && (await fileContainsCredentials(handle)))
		return 'login';
	if (stats.nlink > 1 && (await secretFiles(scope)).has(stats)) return 'link';
	return undefined;
}
