import type {ModelInfo} from './models.ts';

/**
Tells whether a model is only listed in the catalogue: the user cannot use it, because there is no key for its provider.
*/
export function isOnlyKnown({missing, isLocal}: Pick<ModelInfo, 'missing' | 'isLocal'>): boolean {
	return missing !== undefined && isLocal !== true;
}
