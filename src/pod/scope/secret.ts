import {basename} from 'node:path';
import {backupEnds, composerLogin, harmlessNames, secretNames, secretPlaces, translations} from './secret-names.ts';

/**
Whether a path names what usually holds a secret: it is read only when the user says so a second time. Judged by
name alone, without case; the ending of a backup copy does not matter. Ask it of the path as written and of the real
path: a link may have an innocent name. What a name does not tell: secret-file.ts.
*/
export function looksSecret(path: string): boolean {
	const whole = path.replaceAll('\\', '/').toLowerCase().replace(backupEnds, '');
	const name = basename(whole);
	if (harmlessNames.test(name)) return false;
	if (composerLogin.test(whole) && !translations.test(whole)) return true;
	return anyName.test(name) || anyPlace.test(whole);
}

/** One pattern is several times as quick as many, and a search asks of every file. */
const anyName = anyOf(secretNames);
const anyPlace = anyOf(secretPlaces);

function anyOf(patterns: readonly RegExp[]): RegExp {
	return new RegExp(patterns.map(({source}) => source).join('|'));
}
