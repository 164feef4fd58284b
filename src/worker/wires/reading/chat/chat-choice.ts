import {isObject} from '../fields.ts';

/** A JSON object. */
export type Fields = Readonly<Record<string, unknown>>;

/**
Returns the choices of an event. inkpod asks for one choice, but some gateways put the text into one choice and the
calls into another. Some servers send a single choice as an object, and Ollama's own API (docs.ollama.com/api/chat)
sends a message without a choice.
*/
export function choicesOf(event: Fields): readonly Fields[] {
	const {choices} = event;
	const found = Array.isArray(choices) ? choices.filter(isObject) : isObject(choices) ? [choices] : [];
	if (found.length > 0) return found;
	return isObject(event['delta']) || isObject(event['message']) ? [event] : [];
}

/** Returns the number of a choice. The number shows whether pieces of calls belong together. */
export function numberOf({index}: Fields, position: number): number {
	return typeof index === 'number' ? index : position;
}

type Delta = {
	readonly delta: Fields | undefined;
	/** Whether the text may include the text of earlier events. */
	readonly isWhole: boolean;
};

/**
Returns the delta or message of a choice. A `message` without a delta may have the whole text until now (DashScope
without `incremental_output`) or only the next piece. If there is also a delta, the message is ignored
(docs.perplexity.ai/api-reference/chat-completions). A choice of the older completions API contains its text directly.
*/
export function deltaOf(choice: Fields | undefined): Delta {
	if (choice === undefined) return {delta: undefined, isWhole: false};
	const {delta, message, text} = choice;
	if (isObject(delta)) return {delta, isWhole: false};
	if (isObject(message)) return {delta: message, isWhole: true};
	return {delta: typeof text === 'string' ? {content: text} : undefined, isWhole: false};
}
