import {createGoogle} from '@ai-sdk/google';
import type {Model} from '../model.ts';
import {aiSdkModel} from './ai-sdk.ts';
import {ending} from './google.ts';
import {createGoogleTokens} from './google-token.ts';
import {createGeminiReader} from './reading/gemini/gemini-reader.ts';
import type {Server, WireOptions} from './wire.ts';

/**
Gemini on Google Vertex AI: the format of Gemini at another address. It takes an API key or the token of a service
account. (The package for Vertex contains a second copy of the one for Google. By the name `google.vertex` that one uses
the options of Vertex.)
*/
export function vertex(server: Server, options: WireOptions): Model {
	const {cloud, network} = options;
	const tokens = cloud?.kind === 'google' ? createGoogleTokens(cloud.file, network) : undefined;
	return aiSdkModel({
		...server,
		options,
		version: undefined,
		dialect: () => ({dataKey: 'googleVertex', mergeUser: true}),
		ending,
		reader: createGeminiReader,
		connect({model, fetch, ...connection}) {
			const send = tokens === undefined ? fetch : withToken(fetch, tokens);
			return createGoogle({...connection, fetch: send, name: 'google.vertex.chat'})(model);
		},
	});
}

function withToken(
	fetch: typeof globalThis.fetch,
	tokens: ReturnType<typeof createGoogleTokens>,
): typeof globalThis.fetch {
	return async (input, init) => {
		const headers = new Headers(init?.headers);
		headers.delete('x-goog-api-key');
		if (!headers.has('authorization')) headers.set('authorization', `Bearer ${await tokens(init?.signal)}`);
		return fetch(input, {...init, headers});
	};
}
