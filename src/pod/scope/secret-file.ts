import type {Scope} from './scope.ts';
import {fileHoldsLogin, mayHoldLogin} from './git-login.ts';
import type {OpenedFile} from './scoped-fs.ts';
import {looksSecret} from './secret.ts';
import {secretFiles} from './secret-links.ts';

/** Why a file is read only when confirmed: its name, a login in its text, or that it is a hard link to such a file. */
export type SecretReason = 'name' | 'login' | 'link';

type Opened = Pick<OpenedFile, 'handle' | 'real' | 'stats'>;

/**
Judges an open file, by the path that was written, by where it leads, and by what it is. `undefined`: it may be read.
A file with an innocent name and no second one, which is nearly every file, costs nothing. Throws system errors.
*/
export async function secretReason(scope: Scope, path: string, opened: Opened): Promise<SecretReason | undefined> {
	const {handle, real, stats} = opened;
	if (looksSecret(path) || looksSecret(real)) return 'name';
	if ((mayHoldLogin(path) || mayHoldLogin(real)) && (await fileHoldsLogin(handle))) return 'login';
	if (stats.nlink > 1 && (await secretFiles(scope)).has(stats)) return 'link';
	return undefined;
}
