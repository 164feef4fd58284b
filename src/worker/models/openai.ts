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
import type {Server, WireOptions} from './wire.ts';

/**
OpenAI's Responses API. OpenAI stores nothing: reasoning arrives encrypted and is sent back with its item id. (With
`store: false` the package asks the reasoning models that it knows for `reasoning.encrypted_content`; models that do not
reason refuse that.)
*/
export function openai(server: Server, options: WireOptions): Model {
	const isReasoning = isUnlistedReasoningModel(options.model);
	return aiSdkModel({
		...server,
		options,
		version: {add: 'v1', at: 'anywhere'},
		dialect: settings => ({
			dataKey: 'openai',
			mergeUser: knownSettings(settings).mergeUser === true,
			callIds: wordIds,
		}),
		ending,
		reader: createResponsesReader,
		connect: ({model, ...connection}) => createOpenAI(connection).responses(model),
		providerOptions(settings) {
			const {reasoningSummary, cacheKey} = knownSettings(settings);
			return {
				openai: {
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
