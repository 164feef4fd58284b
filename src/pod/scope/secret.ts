import {basename} from 'node:path';
import {backupSuffixes, composerAuth, harmlessNames, secretNames, secretPlaces, translations} from './secret-names.ts';

/**
Whether a path names a usual place of secrets. Such a file is read only when the user confirms it.
The name alone decides, in any case and with any backup suffix. Check both the written and the real path: a link may
have an innocent name. secret-file.ts checks what a name cannot tell.
*/
export function looksSecret(path: string): boolean {
	const whole = path.replaceAll('\\', '/').toLowerCase().replace(backupSuffixes, '');
	const name = basename(whole);
	if (harmlessNames.test(name)) return false;
	if (composerAuth.test(whole) && !translations.test(whole)) return true;
	return anyName.test(name) || anyPlace.test(whole);
}

/** One pattern is several times faster than many, and a search tests every file. */
const anyName = anyOf(secretNames);
const anyPlace = anyOf(secretPlaces);

function anyOf(patterns: readonly RegExp[]): RegExp {
	return new RegExp(patterns.map(({source}) => source).join('|'));
}
