import {listedProviders} from '../../worker/index.ts';

/** The variables with the keys of models. Child processes get neither these nor similar ones (key-names.ts). */
export const keyVariables: readonly string[] = listedProviders.flatMap(({keyVariable}) => keyVariable ?? []);

/** The variables with the addresses of servers. */
export const baseUrlVariables: readonly string[] = listedProviders.flatMap(facts => facts.baseURLVariable ?? []);
