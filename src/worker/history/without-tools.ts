import type {Item} from './item.ts';
import type {AssistantPart, ModelMessage} from './model.ts';
import {createRewriteNotes, type RewriteNotes} from './rewrites.ts';

/** Messages for a model without tools: calls and their results are texts. */
type PlainMessages = {
	readonly messages: readonly ModelMessage[];
	/** The items of the new messages and parts. */
	readonly sources: ReadonlyMap<object, Item>;
	readonly notes: RewriteNotes;
};

/**
Returns the messages for a model that gets no tools (`tools = false`), or `undefined` if they contain no calls.
Servers refuse calls in a conversation without tools. Thoughts of an answer with calls are left out, because some
providers accept them only before the calls that they led to.
*/
export function withoutTools(
	messages: readonly ModelMessage[],
	sources: ReadonlyMap<object, Item>,
): PlainMessages | undefined {
	if (!messages.some(({role}) => role === 'tool')) return undefined;
	const own = new Map<object, Item>();
	const {note, notes} = createRewriteNotes();
	const from = <Part extends object>(made: Part, part: object): Part => {
		const item = sources.get(part);
		if (item !== undefined) own.set(made, item);
		return made;
	};
	const plainPart = (part: AssistantPart): readonly AssistantPart[] => {
		if (part.type === 'reasoning') {
			note('unsent_thought', part);
			return [];
		}
		if (part.type === 'text') return [from({type: 'text', text: part.text}, part)];
		const made = from({type: 'text', text: `[Tool call: ${part.name}]\n${part.arguments}`} as const, part);
		note('call_as_text', made);
		return [made];
	};
	const plain = messages.flatMap((message): readonly ModelMessage[] => {
		if (message.role === 'tool')
			return message.results.map(result => {
				const {name, content, isError} = result;
				const heading = `[${isError ? 'Error' : 'Result'} of ${name}]`;
				const made = from({role: 'user', text: `${heading}\n${content}`} as const, result);
				note('call_as_text', made);
				return made;
			});
		if (message.role !== 'assistant' || !message.parts.some(({type}) => type === 'tool_call')) return [message];
		return [from({role: 'assistant', parts: message.parts.flatMap(plainPart)} as const, message)];
	});
	return {messages: plain, sources: own, notes};
}
