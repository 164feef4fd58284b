import type {ModelInfo} from './models.ts';

/** Tells whether the user cannot use a model because its provider has no key: only the catalogue has it. */
export function isOnlyKnown({missing, isLocal}: Pick<ModelInfo, 'missing' | 'isLocal'>): boolean {
	return missing !== undefined && isLocal !== true;
}
