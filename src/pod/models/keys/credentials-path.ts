import {join} from 'node:path';
import {configDirectory, type Env} from '../../ground/env/env.ts';

/**
Returns the path of the file with the stored keys. The file also contains the names of the providers whose keys are in
the keychain.
*/
export function credentialsFile(env: Env): string {
	return join(configDirectory(env), 'credentials');
}
