import {AnthropicLanguageModel} from '@ai-sdk/anthropic/internal';
import type {Model} from '../history/model.ts';
import {wireModel} from './model.ts';
import type {EndRule} from './answer-end.ts';
import {keyHeader} from './anthropic-key.ts';
import {rulesOf} from './dialects.ts';
import {mergedHeaders} from './merged-headers.ts';
import {noteTrimmed, noteUnsigned} from './package-rules.ts';
import {wordIds} from './prompt.ts';
import {createMessagesReader} from './reading/messages/messages-reader.ts';
import {knownSettings} from './settings.ts';
import {fieldOf, isRecord} from './values.ts';
import type {Server, WireOptions} from './wire.ts';

/**
Returns the wire of Anthropic's Messages API. The signature or redacted data of a thinking block is sent back with it.
*/
export function anthropic(server: Server, options: WireOptions): Model {
	return wireModel({
		...server,
		options,
		version: {add: 'v1', at: 'end'},
		dialect: () => ({dataKey: 'anthropic', mergeUser: true, cacheMarks: true, callIds: wordIds}),
		ending,
		reader: createMessagesReader,
		outputLimit: settings => (isOtherModel(options.model) && rulesOf(settings) >= 2 ? otherLimit : undefined),
		noteAdditions({settings, tools, messages}, note) {
			if (knownSettings(settings).maxOutputTokens === undefined) note('output_limit', 'max_tokens');
			if (tools.length > 0) note('tool_flags', 'tools');
			noteUnsigned(messages, {note, keys: ['anthropic'], signedBy: ['signature', 'redactedData']});
			noteTrimmed(messages, note);
		},
		connect: ({model, baseURL, apiKey, headers, fetch}) =>
			new AnthropicLanguageModel(model, {
				provider: 'anthropic.messages',
				supportsMessageThreads: true,
				baseURL,
				headers: mergedHeaders(
					{'anthropic-version': '2023-06-01', ...keyHeader(apiKey, options.isBearer === true)},
					headers,
				),
				fetch,
			}),
	});
}

/**
Tells whether the server runs another company's model. The API requires an output limit, and by default the package
would ask for 4,096 tokens. The package knows the limits of Claude models by their names.
*/
function isOtherModel(model: string): boolean {
	return !model.includes('claude-');
}

/** The output limit for other models. It is below the limit of every model that such servers offer. */
const otherLimit = 32_000;

/** Not every server sends `message_stop` or closes the connection. */
const ending: EndRule = {
	marker: /"message_stop"|"stop_reason"\s*:\s*"/,
	read(event) {
		const type = fieldOf(event, 'type');
		if (type === 'message_stop') return {isLast: true};
		const hasFinish =
			type === 'message_delta' && typeof fieldOf(fieldOf(event, 'delta'), 'stop_reason') === 'string';
		return {...(hasFinish && {hasFinish}), ...(isRecord(fieldOf(event, 'usage')) && {hasUsage: true})};
	},
};
