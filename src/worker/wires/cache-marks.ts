import type {Prompt, PromptMessage} from './encode/prompt-types.ts';

/**
Returns the prompt with Anthropic's cache marks: at the end of the system prompt, which follows the tools, and at the
ends of the user's last two turns. The end of the previous turn was the end of the previous request, so everything
before it is read from the cache. Everything between it and the end of the last turn is written to the cache for the
next request. These are three of the four marks that Anthropic allows. The same prompt gets the same marks. `onMark`
receives each message that gets a mark.
*/
export function markCache(prompt: Prompt, onMark: (message: PromptMessage) => void = () => {}): Prompt {
	const marked = new Set([prompt.findLastIndex(({role}) => role === 'system'), ...turnEnds(prompt).slice(-2)]);
	return prompt.map((message, index) => {
		if (!marked.has(index)) return message;
		onMark(message);
		return {...message, isMarked: true};
	});
}

/** Returns the ends of the user's turns. Consecutive texts and results are one message on the wire. */
function turnEnds(prompt: Prompt): number[] {
	return prompt.flatMap((message, index) => (isUserSide(message) && !isUserSide(prompt[index + 1]) ? [index] : []));
}

function isUserSide(message: PromptMessage | undefined): boolean {
	return message?.role === 'user' || message?.role === 'tool';
}
