import {createGoogle} from '@ai-sdk/google';
import type {Model} from '../model.ts';
import {aiSdkModel} from './ai-sdk.ts';
import {providers} from './providers.ts';
import type {WireOptions} from './wire.ts';

/** Gemini's streamGenerateContent. A thought signature goes back on the part that carried it. */
export function google(options: WireOptions): Model {
	return aiSdkModel({
		provider: 'google',
		facts: providers.google,
		options,
		version: {add: 'v1beta', at: 'end'},
		dialect: {dataKey: 'google', mergeUser: true},
		connect: ({model, ...connection}) => createGoogle(connection)(model),
	});
}
