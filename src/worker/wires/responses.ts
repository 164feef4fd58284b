import {OpenAIResponsesLanguageModel} from '@ai-sdk/openai/internal';
import type {Model} from '../history/model.ts';
import {wireModel} from './model.ts';
import type {EndRule} from './answer-end.ts';
import {rulesOf} from './dialects.ts';
import {mergedHeaders} from './merged-headers.ts';
import {noteErrorObjects, noteUnsigned} from './package-rules.ts';
import {wordIds} from './prompt.ts';
import {createResponsesReader} from './reading/responses/responses-reader.ts';
import {knownSettings} from './settings.ts';
import {fieldOf} from './values.ts';
import type {Server, Wire, WireOptions} from './wire.ts';

/** Returns the wire of OpenAI's Responses API. */
export function openai(server: Server, options: WireOptions): Model {
	return responsesModel(server, options, {
		dataKey: 'openai',
		version: {add: 'v1', at: 'anywhere'},
		headers: key => ({authorization: `Bearer ${key}`}),
	});
}

/**
Returns the wire of the Responses API of Azure OpenAI, where the model is the name of a deployment. The package for
Azure uses the code of the package for OpenAI. The package for Azure adds only the address and this header, because
older versions refuse a key as a bearer token.
*/
export function azure(server: Server, options: WireOptions): Model {
	return responsesModel(server, options, {
		dataKey: 'azure',
		version: undefined,
		headers(key, own): Readonly<Record<string, string>> {
			const hasToken = Object.keys(own).some(name => name.toLowerCase() === 'authorization');
			return key === '' || hasToken ? {} : {'api-key': key};
		},
	});
}

type ResponsesServer = Pick<Wire, 'version'> & {
	/** From this name the package derives the name of its options. */
	readonly dataKey: 'openai' | 'azure';
	/** Returns the headers for a key, in addition to the user's own headers. */
	readonly headers: (key: string, own: Readonly<Record<string, string>>) => Readonly<Record<string, string>>;
};

/**
Returns the wire of a server of the Responses API. The server stores nothing: reasoning arrives encrypted and is sent
back with its item id. (With `store: false` the package asks the reasoning models that it knows for
`reasoning.encrypted_content`; models that do not reason refuse that.)
*/
function responsesModel(
	server: Server,
	options: WireOptions,
	{dataKey, version, headers: keyHeaders}: ResponsesServer,
): Model {
	const isReasoning = isUnlistedReasoningModel(options.model);
	return wireModel({
		...server,
		options,
		version,
		dialect: settings => ({
			dataKey,
			mergeUser: knownSettings(settings).mergeUser === true,
			callIds: wordIds,
		}),
		noteAdditions({tools, messages}, note) {
			note('not_stored', 'store');
			if (tools.length > 0) note('tool_flags', 'tools');
			noteErrorObjects(messages, note);
			noteUnsigned(messages, {note, keys: [dataKey], signedBy: ['itemId', 'reasoningEncryptedContent']});
		},
		ending,
		reader: createResponsesReader,
		connect: ({model, baseURL, apiKey, headers, fetch}) =>
			new OpenAIResponsesLanguageModel(model, {
				provider: `${dataKey}.responses`,
				url: ({path}) => `${baseURL}${path}`,
				headers: mergedHeaders(keyHeaders(apiKey, headers), headers),
				fetch,
			}),
		providerOptions(settings) {
			const {reasoningSummary, cacheKey} = knownSettings(settings);
			return {
				[dataKey]: {
					store: false,
					...(isReasoning && rulesOf(settings) >= 2 && {forceReasoning: true}),
					...(reasoningSummary === undefined ? {} : {reasoningSummary}),
					...(cacheKey === undefined ? {} : {promptCacheKey: cacheKey}),
				},
			};
		},
	});
}

const lastTypes: ReadonlySet<unknown> = new Set(
	['completed', 'incomplete', 'failed', 'cancelled', 'done'].map(type => `response.${type}`),
);

const ending: EndRule = {
	marker: /"response\.(?:completed|incomplete|failed|cancelled|done)"/,
	read: event => (lastTypes.has(fieldOf(event, 'type')) ? {isLast: true} : {}),
};

/**
Tells whether a model reasons although the provider package does not recognise it by its name. The encrypted reasoning
of such a model must be requested, because it is lost otherwise. A server refuses that request for a model that does not
reason, so inkpod leaves all other names to the package. Only the name decides, because it must be possible to make a
request again without its server.
*/
export function isUnlistedReasoningModel(model: string): boolean {
	if (packageNames.test(model)) return false;
	const name = model.replace(/^ft:/, '').replace(/^.*\//, '');
	return reasoning.test(name) && !notReasoning.test(name);
}

/** Matches the names about which the package itself decides (`getGptVersion` and `getOSeriesVersion`). */
const packageNames = /^(?:gpt-\d+(?:\.\d+)?(?:-|$)|o\d+(?:-|$)|gpt-4o(?:-|$))/;

/** Matches GPT-5 and later, the o-series and models that are based on them. (developers.openai.com/api/docs/models) */
const reasoning = /^(?:gpt-|gpt[5-9]|o\d|codex|computer-use)/i;

/** Matches older models, chat models, and models of other kinds. */
const notReasoning = /^gpt-(?:[34]|[5-9](?:\.\d+)?-(?:chat|search)|audio|image|realtime)/i;
