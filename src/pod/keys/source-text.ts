import type {KeySource} from '../env/found-key.ts';

/** Names the source of a key: `key from OPENAI_API_KEY`, `key from keychain`. */
export function keySourceText(source: KeySource): string {
	return `key from ${source.kind === 'environment' ? source.variable : places[source.kind]}`;
}

const places = {keychain: 'keychain', file: 'file'} as const;
