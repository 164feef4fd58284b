import type {ModelInfo} from '../../../pod/protocol.ts';
import {listStart, type ListState} from './list.ts';

/**
The page on which you enter an API key. The page first lists the providers, and then shows the field for the key of the
chosen provider.
*/
export type LoginPage = {
	readonly kind: 'login';
	/** The providers that need an API key, for the list. */
	readonly providers: readonly string[];
	readonly list: ListState;
	/** The provider whose key you enter. If it is absent, the page shows the list. */
	readonly provider: string | undefined;
	/** The number of characters of the key that you have entered. */
	readonly length: number;
	readonly isChecking: boolean;
	/** A sentence that says why inkpod did not store the last key. The text is untrusted. */
	readonly problem: string | undefined;
};

export type LoginAction =
	/** The length of the entered key has changed. No action contains the key itself. */
	| {readonly type: 'write key'; readonly length: number}
	/** Chooses the provider of the key. `undefined` shows the list of providers. */
	| {readonly type: 'choose provider'; readonly provider: string | undefined}
	/** The key is being checked and stored. */
	| {readonly type: 'send key'}
	/** inkpod did not store the key. */
	| {readonly type: 'key refused'; readonly sentence: string};

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

export function reduceLogin(page: LoginPage, action: LoginAction): LoginPage {
	switch (action.type) {
		case 'write key':
			return {...page, length: action.length, problem: undefined};
		case 'choose provider':
			return {...page, provider: action.provider, length: 0, problem: undefined};
		case 'send key':
			return {...page, length: 0, isChecking: true};
		case 'key refused':
			return {...page, isChecking: false, problem: action.sentence};
		default:
			return action satisfies never;
	}
}

/**
Returns the providers that need an API key: the providers of all models that are not local, and the current provider.
*/
export function providersOf(models: readonly ModelInfo[], current: string | undefined): readonly string[] {
	const names = models.filter(({isLocal}) => isLocal !== true).map(({provider}) => provider);
	return [...new Set([...names, ...(current === undefined ? [] : [current])])].toSorted();
}
