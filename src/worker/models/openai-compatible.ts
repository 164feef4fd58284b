import {createOpenAICompatible} from '@ai-sdk/openai-compatible';
import type {Model} from '../model.ts';
import {aiSdkModel} from './ai-sdk.ts';
import {providers, type CompatibleProvider} from './providers.ts';
import type {WireOptions} from './wire.ts';

/** Chat completions, as OpenRouter and the local servers speak it. Thoughts go back as `reasoning_content`. */
export function openaiCompatible(provider: CompatibleProvider, options: WireOptions): Model {
	const {dataKey} = providers[provider];
	return aiSdkModel({
		provider,
		facts: providers[provider],
		options,
		version: {add: 'v1', at: 'anywhere'},
		dialect: {dataKey, mergeUser: options.mergeUser === true, callsSettleLate: true},
		connect({model, apiKey, ...connection}) {
			const key = apiKey === '' ? {} : {apiKey};
			return createOpenAICompatible({...connection, name: dataKey, includeUsage: true, ...key})(model);
		},
	});
}
