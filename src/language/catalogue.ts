import {readFileSync} from 'node:fs';
import type {Language} from './choose.ts';

/** Maps an English text to its translation. `{0}` is the place of the first value. */
export type Catalogue = Readonly<Record<string, string>>;

/**
Reads the translations of the texts under `t` into a language. The files are beside this module, and the build puts them
beside its chunks.
*/
export function readCatalogue(language: Language): Catalogue {
	if (language === 'en') return {};
	const texts: Catalogue = JSON.parse(readFileSync(new URL(`./${language}.json`, import.meta.url), 'utf8'));
	return texts;
}
