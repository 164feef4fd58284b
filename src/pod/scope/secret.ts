import {basename} from 'node:path';
import {
	composerAuth,
	harmlessNames,
	originalPaths,
	secretFolders,
	secretNames,
	secretPlaces,
	translations,
} from './secret-names.ts';

/**
Tells whether a path names a usual place of secrets. Such a file is read only after the user's confirmation. Only the
name is checked, without case and without backup suffixes. secret-file.ts makes all other checks. The caller checks both
the path as written and the real path, because a link may have a harmless name.
*/
export function looksSecret(path: string): boolean {
	return originalPaths(path).some(namesSecret);
}

/** Tells whether files in a folder with this name look like secrets because of its name. */
export function isSecretFolder(name: string): boolean {
	return secretFolders.test(name);
}

function namesSecret(whole: string): boolean {
	const name = basename(whole);
	if (harmlessNames.test(name)) return false;
	if (composerAuth.test(whole) && !translations.test(whole)) return true;
	return anyName.test(name) || anyPlace.test(whole);
}

/**
One pattern for all names. One pattern is several times faster than many, which matters because a search tests every
file.
*/
const anyName = anyOf(secretNames);
const anyPlace = anyOf(secretPlaces);

function anyOf(patterns: readonly RegExp[]): RegExp {
	return new RegExp(patterns.map(({source}) => source).join('|'));
}
