import {en} from '../../../language/index.ts';
import type {KeySource} from '../../ground/env/found-key.ts';

/** Names the source of a key: `key from OPENAI_API_KEY`, `key from keychain`. */
export function keySourceText(source: KeySource): string {
	return source.kind === 'environment' ? en`key from ${source.variable}` : places[source.kind];
}

const places = {keychain: en`key from keychain`, file: en`key from file`} as const;
