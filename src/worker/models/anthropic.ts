import {createAnthropic} from '@ai-sdk/anthropic';
import type {Model} from '../model.ts';
import {aiSdkModel} from './ai-sdk.ts';
import {wordIds} from './prompt.ts';
import {createMessagesReader} from './reading/messages/messages-reader.ts';
import type {Server, WireOptions} from './wire.ts';

/** Anthropic's Messages API. The signature or redacted data of a thinking block is sent back with it. */
export function anthropic(server: Server, options: WireOptions): Model {
	return aiSdkModel({
		...server,
		options,
		version: {add: 'v1', at: 'end'},
		dialect: () => ({dataKey: 'anthropic', mergeUser: true, cacheMarks: true, callIds: wordIds}),
		reader: createMessagesReader,
		connect: ({model, ...connection}) => createAnthropic(connection)(model),
	});
}
