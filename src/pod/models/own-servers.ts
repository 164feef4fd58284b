import {isOwnServer, listModelsAt, listedProviders, providerFacts} from '../../worker/index.ts';
import type {ServerConfigs} from '../config/model-choice.ts';
import {networkOf, type Env} from '../ground/env/env.ts';
import type {ListedModel} from './server-lists.ts';

type Sources = {readonly env: Env; readonly servers: ServerConfigs};

/**
Asks servers for their models. Asks only servers with the chat completions API whose address the user configured.
Returns a promise for each server. Sends no key and none of the configured headers. The promises never reject, and the
signal ends the requests.
*/
export function askOwnServers(sources: Sources, signal: AbortSignal): ReadonlyArray<Promise<readonly ListedModel[]>> {
	const {env, servers} = sources;
	const names = new Set([...Object.keys(servers), ...listedProviders.map(({provider}) => provider)]);
	return [...names].flatMap(provider => {
		const facts = providerFacts(provider, Object.hasOwn(servers, provider) ? servers[provider] : {});
		if (facts === undefined || !isOwnServer(facts)) return [];
		const address = ownAddress(provider, facts, sources);
		return address === undefined ? [] : [askServer(provider, address, env, signal)];
	});
}

/**
Returns the address that the user configured for a server. Returns `undefined` for a provider that has a default
address.
*/
export function ownAddress(
	provider: string,
	{baseURL, baseURLVariable}: {readonly baseURL?: string; readonly baseURLVariable?: string},
	{env, servers}: Sources,
): string | undefined {
	if (baseURL !== undefined) return undefined;
	const inVariable = baseURLVariable === undefined ? '' : (env[baseURLVariable]?.trim() ?? '');
	return inVariable || (Object.hasOwn(servers, provider) ? servers[provider]?.baseURL : undefined);
}

async function askServer(
	provider: string,
	address: string,
	env: Env,
	signal: AbortSignal,
): Promise<readonly ListedModel[]> {
	const models = await listModelsAt(address, networkOf(env), signal);
	return models
		.filter(({id}) => id !== '' && id.length <= 200)
		.slice(0, maxModels)
		.map(({id, window, prices}) => ({name: `${provider}/${id}`, window, price: prices}));
}

const maxModels = 500;
