import type {Usage} from '../../../history/item.ts';
import {storableUsage} from '../../events.ts';
import {fieldOf} from '../../values.ts';
import {countOf, isObject} from '../fields.ts';
import type {Fields} from './chat-choice.ts';

/** The current token counts of an answer. If a count is absent, it is unknown. */
export type ChatCounts = {
	readonly prompt?: number;
	readonly completion?: number;
	readonly cacheRead?: number;
	readonly cacheWrite?: number;
	readonly reasoning?: number;
	readonly total?: number;
};

/** Searches an event and its choice for token counts. Returns `undefined` if there are none. */
export function countsIn(event: unknown, choice: unknown): ChatCounts | undefined {
	const usage =
		recordOf(fieldOf(event, 'usage')) ??
		// Moonshot (platform.moonshot.ai/docs/api/chat) puts the counts into the last choice.
		recordOf(fieldOf(choice, 'usage')) ??
		recordOf(fieldOf(fieldOf(choice, 'delta'), 'usage')) ??
		// console.groq.com/docs/text-chat
		recordOf(fieldOf(fieldOf(event, 'x_groq'), 'usage'));
	const counts = usage === undefined ? {} : countsOf(usage);
	const more = counts.prompt === undefined || counts.completion === undefined ? nativeCounts(event) : undefined;
	return usage === undefined && more === undefined ? undefined : {...more, ...counts};
}

/**
Merges counts one by one. A later count replaces an earlier count. A zero never replaces another count, because some
servers send the usage with every event and zeros with the last event.
*/
export function withCounts(known: ChatCounts, more: ChatCounts): ChatCounts {
	const merged: Record<string, number> = {...known};
	for (const [name, count] of Object.entries(more)) if (count > 0 || merged[name] === undefined) merged[name] = count;
	return merged;
}

/** Returns the usage of an answer. Impossible counts are left out. */
export function usageOf(counts: ChatCounts, hasAnswer: boolean): Usage {
	const {prompt = 0, completion, cacheRead, cacheWrite, reasoning} = withHiddenThoughts(counts);
	return storableUsage({
		input: prompt > 0 ? prompt : undefined,
		output: completion === 0 && hasAnswer ? undefined : completion,
		cacheRead,
		cacheWrite,
		reasoning,
	});
}

/**
Adds the tokens of thoughts to the completion tokens if they are only in the total, as with xAI
(docs.x.ai/docs/guides/reasoning) and Gemini (ai.google.dev/gemini-api/docs/openai).
*/
function withHiddenThoughts(counts: ChatCounts): ChatCounts {
	const {prompt, completion, reasoning, total} = counts;
	if (prompt === undefined || completion === undefined || total === undefined) return counts;
	const hidden = total - prompt - completion;
	if (hidden <= 0) return counts;
	if (reasoning === undefined && counts.cacheRead === undefined && counts.cacheWrite === undefined)
		return {...counts, completion: completion + hidden, reasoning: hidden};
	return reasoning === hidden ? {...counts, completion: completion + hidden} : counts;
}

function countsOf(usage: Readonly<Record<string, unknown>>): ChatCounts {
	const input = usage['prompt_tokens_details'] ?? usage['input_tokens_details'];
	const output = usage['completion_tokens_details'] ?? usage['output_tokens_details'];
	return known({
		prompt: countOf(usage['prompt_tokens']) ?? countOf(usage['input_tokens']),
		completion: countOf(usage['completion_tokens']) ?? countOf(usage['output_tokens']),
		cacheRead:
			countOf(fieldOf(input, 'cached_tokens')) ??
			// api-docs.deepseek.com/guides/kv_cache, platform.moonshot.ai, docs.anthropic.com
			countOf(usage['prompt_cache_hit_tokens']) ??
			countOf(usage['cached_tokens']) ??
			countOf(usage['cache_read_input_tokens']),
		cacheWrite:
			countOf(fieldOf(input, 'cache_write_tokens')) ??
			countOf(fieldOf(input, 'cache_creation_input_tokens')) ??
			countOf(usage['cache_creation_input_tokens']),
		reasoning: countOf(fieldOf(output, 'reasoning_tokens')) ?? countOf(usage['reasoning_tokens']),
		total: countOf(usage['total_tokens']),
	});
}

/**
Reads llama.cpp's `timings` (github.com/ggml-org/llama.cpp, tools/server/README.md) and the fields of Ollama's own API
(docs.ollama.com/api/chat).
*/
function nativeCounts(event: unknown): ChatCounts | undefined {
	const timings = recordOf(fieldOf(event, 'timings'));
	if (timings !== undefined) {
		const cacheRead = countOf(timings['cache_n']);
		const fresh = countOf(timings['prompt_n']);
		const prompt = fresh === undefined ? undefined : fresh + (cacheRead ?? 0);
		return known({prompt, completion: countOf(timings['predicted_n']), cacheRead});
	}
	const prompt = countOf(fieldOf(event, 'prompt_eval_count'));
	const completion = countOf(fieldOf(event, 'eval_count'));
	return prompt === undefined && completion === undefined ? undefined : known({prompt, completion});
}

function known(counts: Readonly<Record<keyof ChatCounts, number | undefined>> | object): ChatCounts {
	return Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== undefined));
}

function recordOf(value: unknown): Fields | undefined {
	return isObject(value) ? value : undefined;
}
