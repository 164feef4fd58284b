import type {ModelInfo} from '../../../pod/protocol.ts';
import {listStart, type ListState} from './list.ts';

/** The page on which you enter a key: first the list of providers, then the field for the key of one of them. */
export type LoginPage = {
	readonly kind: 'login';
	/** The providers that have a key, for the list. */
	readonly providers: readonly string[];
	readonly list: ListState;
	/** The provider whose key you enter. Without it the page shows the list. */
	readonly provider: string | undefined;
	/** The number of characters of the key so far. */
	readonly length: number;
	readonly isChecking: boolean;
	/** Why the last key was not stored, as a sentence. It is untrusted text. */
	readonly problem: string | undefined;
};

export function loginPage(provider: string | undefined, providers: readonly string[]): LoginPage {
	return {
		kind: 'login',
		providers,
		list: {...listStart, at: Math.max(0, provider === undefined ? 0 : providers.indexOf(provider))},
		provider,
		length: 0,
		isChecking: false,
		problem: undefined,
	};
}

/** Returns the providers that have a key: those of the models, and that of the current model. */
export function providersOf(models: readonly ModelInfo[], current: string | undefined): readonly string[] {
	const names = models.filter(({isLocal}) => isLocal !== true).map(({provider}) => provider);
	return [...new Set([...names, ...(current === undefined ? [] : [current])])].toSorted();
}
