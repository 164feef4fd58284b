import {t} from '../../../language/index.ts';
import type {KeySource} from '../../ground/env/found-key.ts';

/** Names the source of a key: `key from OPENAI_API_KEY`, `key from keychain`. */
export function keySourceText(source: KeySource): string {
	return source.kind === 'environment' ? t`key from ${source.variable}` : places[source.kind];
}

const places = {keychain: t`key from keychain`, file: t`key from file`} as const;
