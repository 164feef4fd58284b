import {createOpenAI} from '@ai-sdk/openai';
import type {Model} from '../model.ts';
import {responsesModel} from './openai.ts';
import type {Server, WireOptions} from './wire.ts';

/**
The Responses API of Azure OpenAI; the model is the name of a deployment. By its name `azure` the package of OpenAI uses
the options of Azure. (The package for Azure contains a second copy of it, and adds only the address and the header.)
*/
export function azure(server: Server, options: WireOptions): Model {
	return responsesModel(server, options, {
		dataKey: 'azure',
		version: undefined,
		connect({model, headers, fetch, ...connection}) {
			const hasToken = Object.keys(headers).some(name => name.toLowerCase() === 'authorization');
			const send = hasToken ? fetch : withAzureKey(fetch, connection.apiKey);
			return createOpenAI({...connection, headers, fetch: send, name: 'azure'}).responses(model);
		},
	});
}

/** Sends the key as Azure wants it: a key as a bearer is refused by older versions of the API. */
function withAzureKey(fetch: typeof globalThis.fetch, key: string): typeof globalThis.fetch {
	return async (input, init) => {
		const headers = new Headers(init?.headers);
		headers.delete('authorization');
		if (key !== '' && !headers.has('api-key')) headers.set('api-key', key);
		return fetch(input, {...init, headers});
	};
}
