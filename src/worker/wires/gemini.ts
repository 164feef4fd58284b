import {randomUUID} from 'node:crypto';
import {GoogleLanguageModel} from '@ai-sdk/google/internal';
import type {Model} from '../history/model.ts';
import {wireModel} from './model.ts';
import type {EndRule} from './answer-end.ts';
import {createGoogleTokens} from './google-token.ts';
import {mergedHeaders} from './merged-headers.ts';
import {noteGoogleRules} from './package-rules.ts';
import {createGeminiReader} from './reading/gemini/gemini-reader.ts';
import {elementsOf, fieldOf, isRecord} from './values.ts';
import type {Server, WireOptions} from './wire.ts';

/** Returns the wire of Gemini's streamGenerateContent. A thought signature is sent back with the part that had it. */
export function google(server: Server, options: WireOptions): Model {
	return wireModel({
		...server,
		options,
		version: {add: 'v1beta', at: 'end'},
		dialect: () => ({dataKey: 'google', mergeUser: true}),
		noteAdditions: (request, note) => noteGoogleRules(request, {note, model: options.model, dataKey: 'google'}),
		ending,
		reader: createGeminiReader,
		connect: ({model, baseURL, apiKey, headers, fetch}) =>
			new GoogleLanguageModel(model, {
				provider: 'google.generative-ai',
				baseURL,
				headers: mergedHeaders({'x-goog-api-key': apiKey}, headers),
				fetch,
				generateId: randomUUID,
			}),
	});
}

/**
Returns the wire of Gemini on Google Vertex AI, which has the format of Gemini and another address. Vertex accepts an
API key, or a token for the credentials in a file. (The package for Vertex uses the code of the package for Google,
which knows Vertex by its name.)
*/
export function vertex(server: Server, options: WireOptions): Model {
	const {cloud, network} = options;
	const tokens = cloud?.kind === 'google' ? createGoogleTokens(cloud.file, network) : undefined;
	return wireModel({
		...server,
		options,
		version: undefined,
		dialect: () => ({dataKey: 'googleVertex', mergeUser: true}),
		noteAdditions: (request, note) =>
			noteGoogleRules(request, {note, model: options.model, dataKey: 'googleVertex'}),
		ending,
		reader: createGeminiReader,
		connect: ({model, baseURL, apiKey, headers, fetch}) =>
			new GoogleLanguageModel(model, {
				provider: 'google.vertex.chat',
				baseURL,
				headers: mergedHeaders(apiKey === '' ? {} : {'x-goog-api-key': apiKey}, headers),
				fetch: tokens === undefined ? fetch : withToken(fetch, tokens),
				generateId: randomUUID,
			}),
	});
}

function withToken(
	fetch: typeof globalThis.fetch,
	tokens: ReturnType<typeof createGoogleTokens>,
): typeof globalThis.fetch {
	return async (input, init) => {
		const headers = new Headers(init?.headers);
		if (!headers.has('authorization')) headers.set('authorization', `Bearer ${await tokens(init?.signal)}`);
		return fetch(input, {...init, headers});
	};
}

/** No event is marked as the last one. After the reason CONTINUATION, the server continues the answer. */
const ending: EndRule = {
	marker: /"(?:finishReason|blockReason)"\s*:\s*"/,
	read(event) {
		const reasons = elementsOf(fieldOf(event, 'candidates')).map(candidate => fieldOf(candidate, 'finishReason'));
		const all = [...reasons, fieldOf(fieldOf(event, 'promptFeedback'), 'blockReason')];
		const hasFinish = all.some(reason => typeof reason === 'string' && reason !== 'CONTINUATION');
		return {...(hasFinish && {hasFinish}), ...(isRecord(fieldOf(event, 'usageMetadata')) && {hasUsage: true})};
	},
};
