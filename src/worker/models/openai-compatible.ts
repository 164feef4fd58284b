import {createOpenAICompatible} from '@ai-sdk/openai-compatible';
import type {Model} from '../model.ts';
import {aiSdkModel} from './ai-sdk.ts';
import {providers, type CompatibleProvider} from './providers.ts';
import type {WireOptions} from './wire.ts';

/** Chat completions, as OpenRouter and the local servers speak it. Thoughts go back as `reasoning_content`. */
export function openaiCompatible(provider: CompatibleProvider, options: WireOptions): Model {
	return aiSdkModel({
		provider,
		facts: providers[provider],
		options,
		version: {add: 'v1', at: 'anywhere'},
		dialect: {dataKey: dataKeys[provider], mergeUser: options.mergeUser === true, callsSettleLate: true},
		connect: ({model, apiKey, ...connection}) => createOpenAICompatible({...connection, name: dataKeys[provider], includeUsage: true, ...(apiKey === '' ? {} : {apiKey})})(model),
	});
}

/** The names under which the package keeps data. (`openaiCompatible` itself is not among them: that data would be spread into the messages.) */
const dataKeys: Readonly<Record<CompatibleProvider, string>> = {
	openrouter: 'openrouter',
	ollama: 'ollama',
	lmstudio: 'lmstudio',
	'llama.cpp': 'llamacpp',
	'openai-compatible': 'compatible',
};
