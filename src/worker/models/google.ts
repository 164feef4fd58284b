import {createGoogle} from '@ai-sdk/google';
import type {Model} from '../model.ts';
import {aiSdkModel} from './ai-sdk.ts';
import {elementsOf, fieldOf, isObject, type EndRule} from './answer-end.ts';
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
		ending,
		connect: ({model, ...connection}) => createGoogle(connection)(model),
	});
}

/** No event is marked as the last. A finish that the server continues after is none. */
const ending: EndRule = {
	marker: /"(?:finishReason|blockReason)"\s*:\s*"/,
	read(event) {
		const reasons = elementsOf(fieldOf(event, 'candidates')).map(candidate => fieldOf(candidate, 'finishReason'));
		const all = [...reasons, fieldOf(fieldOf(event, 'promptFeedback'), 'blockReason')];
		const hasFinish = all.some(reason => typeof reason === 'string' && reason !== 'CONTINUATION');
		return {...(hasFinish && {hasFinish}), ...(isObject(fieldOf(event, 'usageMetadata')) && {hasUsage: true})};
	},
};
