import {readFileSync} from 'node:fs';
import type {Language} from './choose.ts';

/** Maps an English text to its translation. `{0}` is the place of the first value. */
export type Catalogue = Readonly<Record<string, string>>;

/**
Reads the translations into a language: those of the texts under `t`, or those under `en` (`.record`). The files are
beside this module, and the build puts them beside its chunks.
*/
export function readCatalogue(language: Language, kind: '' | '.record'): Catalogue {
	if (language === 'en') return {};
	const texts: Catalogue = JSON.parse(readFileSync(new URL(`./${language}${kind}.json`, import.meta.url), 'utf8'));
	return texts;
}
