import {listedProviders} from '../../../worker/index.ts';

/** The first variable of each provider's key, whose name begins with the name of the vendor. */
export const vendorKeyVariables: readonly string[] = listedProviders.flatMap(({keyVariable}) => keyVariable ?? []);

/** The variables with model API keys. Child processes get neither these nor similar ones (key-names.ts). */
export const keyVariables: readonly string[] = listedProviders.flatMap(
	({keyVariable, otherKeyVariables = [], bearerVariable}) =>
		[keyVariable, ...otherKeyVariables, bearerVariable].filter(name => name !== undefined),
);

/** The variables with the addresses of models' servers. */
export const baseUrlVariables: readonly string[] = listedProviders.flatMap(facts => facts.baseURLVariable ?? []);
