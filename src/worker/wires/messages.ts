import type {EndRule} from './answer-end.ts';
import {keyHeader} from './anthropic-key.ts';
import {encodeMessages} from './encode/messages.ts';
import {hasForm} from './forms.ts';
import {mergedHeaders} from './merged-headers.ts';
import {noteTrimmed, noteUnsigned} from './encode/noted-rules.ts';
import {wordIds} from './prompt.ts';
import {createMessagesReader} from './reading/messages/messages-reader.ts';
import {knownSettings} from './settings.ts';
import {fieldOf, isRecord} from './values.ts';
import type {Server, Wire, WireOptions} from './wire.ts';

/**
Returns the wire of Anthropic's Messages API. The signature or redacted data of a thinking block is sent back with the
block.
*/
export function anthropic(server: Server, options: WireOptions): Wire {
	const {'anthropic-beta': ownBetas} = mergedHeaders({}, options.headers ?? {});
	return {
		...server,
		options,
		version: {add: 'v1', at: 'end'},
		dialect: () => ({dataKey: 'anthropic', mergeUser: true, cacheMarks: true, callIds: wordIds}),
		encode: (prompt, context) => encodeMessages(prompt, context, ownBetas),
		ending,
		reader: createMessagesReader,
		headers: apiKey => ({'anthropic-version': apiVersion, ...keyHeader(apiKey, options.isBearer === true)}),
		noteAdditions({settings, tools, messages}, note) {
			if (knownSettings(settings).maxOutputTokens === undefined) note('output_limit', 'max_tokens');
			if (tools.length > 0 && !hasForm(settings, 'no_betas')) note('tool_flags', 'tools');
			noteUnsigned(messages, {note, keys: ['anthropic'], signedBy: ['signature', 'redactedData']});
			noteTrimmed(messages, note);
		},
	};
}

/** The only version that is in use (platform.claude.com/docs/en/api/versioning). */
const apiVersion = '2023-06-01';

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
