import {createOpenAICompatible} from '@ai-sdk/openai-compatible';
import type {Model} from '../model.ts';
import {aiSdkModel} from './ai-sdk.ts';
import type {EndRule} from './answer-end.ts';
import {providers, type CompatibleProvider} from './providers.ts';
import {elementsOf, fieldOf, isRecord} from './values.ts';
import type {WireOptions} from './wire.ts';

/** Chat completions of OpenRouter and local servers. Thoughts are sent back as `reasoning_content`. */
export function openaiCompatible(provider: CompatibleProvider, options: WireOptions): Model {
	const {dataKey} = providers[provider];
	return aiSdkModel({
		provider,
		facts: providers[provider],
		options,
		version: {add: 'v1', at: 'anywhere'},
		dialect: {dataKey, mergeUser: options.mergeUser === true, callsSettleLate: true},
		ending,
		connect({model, apiKey, ...connection}) {
			const key = apiKey === '' ? {} : {apiKey};
			return createOpenAICompatible({...connection, name: dataKey, includeUsage: true, ...key})(model);
		},
	});
}

/**
The usage comes with the finish, after it in a separate event, or with every event. Not every server sends `[DONE]`.
*/
const ending: EndRule = {
	marker: /"finish_reason"\s*:\s*"[^"]|"usage"\s*:\s*\{/,
	read(event) {
		const reasons = elementsOf(fieldOf(event, 'choices')).map(choice => fieldOf(choice, 'finish_reason'));
		const hasFinish = reasons.some(reason => typeof reason === 'string' && reason !== '');
		return {...(hasFinish && {hasFinish}), ...(isRecord(fieldOf(event, 'usage')) && {hasUsage: true})};
	},
};
