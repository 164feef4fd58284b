import {listedProviders} from '../../worker/index.ts';

/** The variables from which keys of models are taken. Children get neither them nor others like them (key-names.ts). */
export const keyVariables: readonly string[] = listedProviders.flatMap(({keyVariable}) => keyVariable ?? []);

/** The variables from which addresses of servers are taken. */
export const baseUrlVariables: readonly string[] = listedProviders.flatMap(facts => facts.baseURLVariable ?? []);
