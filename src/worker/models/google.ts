import {createGoogle} from '@ai-sdk/google';
import type {Model} from '../model.ts';
import {aiSdkModel} from './ai-sdk.ts';
import type {EndRule} from './answer-end.ts';
import {createGeminiReader} from './reading/gemini/gemini-reader.ts';
import {elementsOf, fieldOf, isRecord} from './values.ts';
import type {Server, WireOptions} from './wire.ts';

/** Gemini's streamGenerateContent. A thought signature is sent back on the part that had it. */
export function google(server: Server, options: WireOptions): Model {
	return aiSdkModel({
		...server,
		options,
		version: {add: 'v1beta', at: 'end'},
		dialect: () => ({dataKey: 'google', mergeUser: true}),
		ending,
		reader: createGeminiReader,
		connect: ({model, ...connection}) => createGoogle(connection)(model),
	});
}

/** No event is marked as the last one. After the reason CONTINUATION the server continues. */
export const ending: EndRule = {
	marker: /"(?:finishReason|blockReason)"\s*:\s*"/,
	read(event) {
		const reasons = elementsOf(fieldOf(event, 'candidates')).map(candidate => fieldOf(candidate, 'finishReason'));
		const all = [...reasons, fieldOf(fieldOf(event, 'promptFeedback'), 'blockReason')];
		const hasFinish = all.some(reason => typeof reason === 'string' && reason !== 'CONTINUATION');
		return {...(hasFinish && {hasFinish}), ...(isRecord(fieldOf(event, 'usageMetadata')) && {hasUsage: true})};
	},
};
