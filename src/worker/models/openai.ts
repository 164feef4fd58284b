import {createOpenAI} from '@ai-sdk/openai';
import type {Model} from '../model.ts';
import {aiSdkModel} from './ai-sdk.ts';
import type {EndRule} from './answer-end.ts';
import {rulesOf} from './dialects.ts';
import {isUnlistedReasoningModel} from './openai-models.ts';
import {wordIds} from './prompt.ts';
import {createResponsesReader} from './reading/responses/responses-reader.ts';
import {knownSettings} from './settings.ts';
import {fieldOf} from './values.ts';
import type {Server, Wire, WireOptions} from './wire.ts';

/** OpenAI's Responses API. */
export function openai(server: Server, options: WireOptions): Model {
	return responsesModel(server, options, {
		dataKey: 'openai',
		version: {add: 'v1', at: 'anywhere'},
		connect: ({model, ...connection}) => createOpenAI(connection).responses(model),
	});
}

/**
A server of the Responses API. It stores nothing: reasoning arrives encrypted and is sent back with its item id. (With
`store: false` the package asks the reasoning models that it knows for `reasoning.encrypted_content`; models that do not
reason refuse that.)
*/
export function responsesModel(
	server: Server,
	options: WireOptions,
	{dataKey, ...own}: Pick<Wire, 'version' | 'connect'> & {readonly dataKey: 'openai' | 'azure'},
): Model {
	const isReasoning = isUnlistedReasoningModel(options.model);
	return aiSdkModel({
		...server,
		...own,
		options,
		dialect: settings => ({
			dataKey,
			mergeUser: knownSettings(settings).mergeUser === true,
			callIds: wordIds,
		}),
		ending,
		reader: createResponsesReader,
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
