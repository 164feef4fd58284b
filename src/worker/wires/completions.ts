import type {Settings} from '../history/item.ts';
import type {EndRule} from './answer-end.ts';
import {callIdRules} from './dialects.ts';
import {encodeChat} from './encode/chat.ts';
import {chatDialectOf} from './forms.ts';
import type {Dialect} from './prompt.ts';
import {createChatReader, endFactsOf} from './reading/chat/chat-reader.ts';
import type {Server, Wire, WireOptions} from './wire.ts';

/**
Returns the wire of chat completions, in the dialect that the settings name (dialects.ts), with the changes that the
server asked for (forms.ts).
*/
export function openaiCompatible(server: Server, options: WireOptions): Wire {
	const {dataKey, hasNoVersion} = server.facts;
	return {
		...server,
		options,
		version: hasNoVersion === true ? undefined : {add: 'v1', at: 'anywhere'},
		dialect: settings => dialectOf(settings, dataKey),
		encode: (prompt, context) => encodeChat(prompt, {...context, dataKey, form: chatDialectOf(context.settings)}),
		noteAdditions({prompt, settings}, note) {
			const form = chatDialectOf(settings);
			if (form?.asksNoUsage !== true) note('stream_options', 'stream_options');
			if (form?.promptInMessage === true && prompt !== '') note('prompt_in_message', 'setup');
		},
		ending,
		reader: (notes, settings) => createChatReader(notes, {thinkTags: chatDialectOf(settings)?.thinkTags === true}),
		headers: (apiKey): Readonly<Record<string, string>> =>
			apiKey === '' ? {} : {authorization: `Bearer ${apiKey}`},
	};
}

/**
Under the rules of 0.1.0, thoughts are sent back as `reasoning_content`, and user messages are merged if the setting
`mergeUser` is on.
*/
function dialectOf(settings: Settings, dataKey: string): Dialect {
	const chat = chatDialectOf(settings);
	if (chat === undefined) return {dataKey, mergeUser: settings['mergeUser'] === true, joinsTexts: true};
	return {dataKey, mergeUser: chat.mergesUser, callIds: callIdRules[chat.callIds], chat};
}

/**
The usage comes with the finish, in a separate event after it, or with every event. Not every server sends `[DONE]`.
*/
const ending: EndRule = {
	marker: /"(?:finish_?|stop_|done_)reason"\s*:\s*["{]|"usage"\s*:\s*\{|"timings"\s*:\s*\{|"eval_count"/i,
	read: endFactsOf,
};
