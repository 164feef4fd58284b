import type {LanguageModelV4Message, LanguageModelV4Prompt} from '@ai-sdk/provider';

/**
The prompt with Anthropic's cache marks: at the end of the system prompt, which follows the tools, and at the ends of
the user's last two turns. The first of these was the end of the previous request, so everything before it is read from
the cache; the second is written for the next request. These are three of the four marks that Anthropic allows. The same
prompt gets the same marks.
*/
export function markCache(prompt: LanguageModelV4Prompt): LanguageModelV4Prompt {
	const marked = new Set([prompt.findLastIndex(({role}) => role === 'system'), ...turnEnds(prompt).slice(-2)]);
	return prompt.map((message, index) =>
		marked.has(index)
			? {
					...message,
					providerOptions: {
						...message.providerOptions,
						anthropic: {...message.providerOptions?.['anthropic'], cacheControl: {type: 'ephemeral'}},
					},
				}
			: message,
	);
}

/** The ends of the user's turns: consecutive texts and results are one message on the wire. */
function turnEnds(prompt: LanguageModelV4Prompt): number[] {
	return prompt.flatMap((message, index) => (isUserSide(message) && !isUserSide(prompt[index + 1]) ? [index] : []));
}

function isUserSide(message: LanguageModelV4Message | undefined): boolean {
	return message?.role === 'user' || message?.role === 'tool';
}
