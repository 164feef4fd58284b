import type {LanguageModelV4Message, LanguageModelV4Prompt} from '@ai-sdk/provider';

/**
The prompt with Anthropic's cache marks: at the end of the system prompt, which the tools stand before, and at the ends
of the last two turns of the user's side. What the first of these two ends was the end of the request before, so that
all of it is read from the cache; the other one is written for the next request. Three marks of the four that are
allowed: the same prompt has the same.
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

/** Where the user's side ends: words and results that follow each other are one message on the wire. */
function turnEnds(prompt: LanguageModelV4Prompt): number[] {
	return prompt.flatMap((message, index) => (isUserSide(message) && !isUserSide(prompt[index + 1]) ? [index] : []));
}

function isUserSide(message: LanguageModelV4Message | undefined): boolean {
	return message?.role === 'user' || message?.role === 'tool';
}
