import type {AssistantPart, ModelMessage, ToolAnswer} from '../../history/model.ts';
import type {NoteRewrite} from '../../history/rewrites.ts';
import {fieldOf} from '../values.ts';

/*
This file notes what the encoders change in a request. The notes are made before the prompt, because stored requests
contain the rules and their places in this order. test/laws/attribution.test.ts compares the notes with the changes.
*/

/** Notes the thoughts that an encoder leaves out. Thoughts of other providers never reach the encoder. */
export function noteUnsigned(messages: readonly ModelMessage[], {note, keys, signedBy}: SignatureRules): void {
	for (const part of partsOf(messages)) {
		if (part.type !== 'reasoning') continue;
		const own = keys.map(key => part.provider?.[key]).find(data => data !== undefined);
		const isForeign = part.provider !== undefined && own === undefined;
		if (!isForeign && signedBy.every(name => typeof fieldOf(own, name) !== 'string')) note('unsent_thought', part);
	}
}

/** A thought is sent only if the provider's own data (under one of `keys`) has one of the fields in `signedBy`. */
type SignatureRules = {
	readonly note: NoteRewrite;
	readonly keys: readonly string[];
	readonly signedBy: readonly string[];
};

/** Notes each call id that does not have nine letters and digits, for Mistral on Bedrock. */
export function noteShortIds(messages: readonly ModelMessage[], note: NoteRewrite): void {
	const calls = messages.flatMap((message): ReadonlyArray<AssistantPart | ToolAnswer> =>
		message.role === 'assistant' ? message.parts : message.role === 'tool' ? message.results : [],
	);
	for (const call of calls) if ('callId' in call && !/^[a-zA-Z0-9]{9}$/.test(call.callId)) note('call_id', call);
}

/** Notes each error, because it is sent to the Responses API as a JSON object in the output text. */
export function noteErrorObjects(messages: readonly ModelMessage[], note: NoteRewrite): void {
	for (const message of messages)
		if (message.role === 'tool')
			for (const result of message.results) if (result.isError) note('error_object', result);
}

/** Notes the last text of a request that ends with an answer, because the text is trimmed for Claude. */
export function noteTrimmed(messages: readonly ModelMessage[], note: NoteRewrite): void {
	const last = messages.at(-1);
	const text = last?.role === 'assistant' ? last.parts.at(-1) : undefined;
	if (text?.type === 'text' && text.text.trim() !== text.text.toWellFormed()) note('trimmed_text', text);
}

function partsOf(messages: readonly ModelMessage[]): readonly AssistantPart[] {
	return messages.flatMap(message => (message.role === 'assistant' ? message.parts : []));
}
