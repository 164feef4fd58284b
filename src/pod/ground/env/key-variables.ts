import {listedProviders} from '../../../worker/index.ts';

/** For each provider, the first variable of its key. The name of this variable begins with the vendor's name. */
export const vendorKeyVariables: readonly string[] = listedProviders.flatMap(({keyVariable}) => keyVariable ?? []);

/** The variables with model API keys. Child processes get neither these variables nor similar ones (key-names.ts). */
export const keyVariables: readonly string[] = listedProviders.flatMap(
	({keyVariable, otherKeyVariables = [], bearerVariable}) =>
		[keyVariable, ...otherKeyVariables, bearerVariable].filter(name => name !== undefined),
);

/** The variables with the addresses of models' servers. */
export const baseUrlVariables: readonly string[] = listedProviders.flatMap(facts => facts.baseURLVariable ?? []);
