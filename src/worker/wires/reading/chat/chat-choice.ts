import {isObject} from '../fields.ts';

/** A JSON object. */
export type Fields = Readonly<Record<string, unknown>>;

/**
Returns the first choice of an event. Some servers send a single choice as an object, and Ollama's own API
(docs.ollama.com/api/chat) sends its message without any choice.
*/
export function choiceOf(event: Fields): Fields | undefined {
	const {choices} = event;
	const first = Array.isArray(choices) ? choices.find(isObject) : isObject(choices) ? choices : undefined;
	return first ?? (isObject(event['delta']) || isObject(event['message']) ? event : undefined);
}

type Delta = {
	readonly delta: Fields | undefined;
	/** Whether this text may repeat the text so far. */
	readonly isWhole: boolean;
};

/**
Returns what a choice adds to the answer. A `message` instead of a delta may have the whole text so far (DashScope
without `incremental_output`) or only its next piece. If there is also a delta, the message adds nothing
(docs.perplexity.ai/api-reference/ chat-completions). A choice of the older completions API contains its text directly.
*/
export function deltaOf(choice: Fields | undefined): Delta {
	if (choice === undefined) return {delta: undefined, isWhole: false};
	const {delta, message, text} = choice;
	if (isObject(delta)) return {delta, isWhole: false};
	if (isObject(message)) return {delta: message, isWhole: true};
	return {delta: typeof text === 'string' ? {content: text} : undefined, isWhole: false};
}
