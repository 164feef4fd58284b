import {createAnthropic} from '@ai-sdk/anthropic';
import type {Model} from '../model.ts';
import {aiSdkModel} from './ai-sdk.ts';
import {providers} from './providers.ts';
import type {WireOptions} from './wire.ts';

/** Anthropic's Messages API. The signature or redacted data of a thinking block is sent back with it. */
export function anthropic(options: WireOptions): Model {
	return aiSdkModel({
		provider: 'anthropic',
		facts: providers.anthropic,
		options,
		version: {add: 'v1', at: 'end'},
		dialect: {dataKey: 'anthropic', mergeUser: true, cacheMarks: true, callIds: /^[\w-]{1,64}$/},
		connect: ({model, ...connection}) => createAnthropic(connection)(model),
	});
}
