import type {Env} from '../../ground/env/env.ts';
import {pathExists} from '../../ground/files/path-exists.ts';
import {credentialsFile} from './credentials-path.ts';
import type {ListedKeys} from './stored-keys.ts';

/** Lists the providers whose keys are stored. If the file is missing, as for most users, loads no code. */
export async function loadStoredKeys(env: Env): Promise<ListedKeys> {
	if (!(await pathExists(credentialsFile(env)))) return {stored: new Map()};
	const {listStoredKeys} = await import('./stored-keys.ts');
	return listStoredKeys(env);
}
