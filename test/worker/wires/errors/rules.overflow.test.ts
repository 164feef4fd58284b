import {describe, expect, it} from 'vitest';
import {overflowWordings, saysTooLong} from '../../../../src/worker/wires/errors/rules.ts';

/** The errors of servers when a request is longer than the window. */
const said: ReadonlyArray<readonly [server: string, words: string]> = [
	[
		'OpenAI',
		"This model's maximum context length is 128000 tokens. However, your messages resulted in 130021 tokens.",
	],
	['OpenAI, code', 'context_length_exceeded'],
	[
		'OpenAI Responses',
		'Your input exceeds the context window of this model. Please adjust your input and try again.',
	],
	['OpenAI, one text', 'Invalid string_above_max_length'],
	['Anthropic', 'prompt is too long: 210000 tokens > 200000 maximum'],
	['Anthropic with output', 'input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000'],
	['Google', 'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).'],
	['Google, newer', 'The input token count exceeds the maximum number of tokens allowed (1048576).'],
	['Bedrock', 'Input is too long for requested model.'],
	['xAI', "This model's maximum prompt length is 131072 but the request contains 537812 tokens."],
	['Kimi', 'Invalid request: Your request exceeded model token limit: 262144'],
	['Copilot, code', 'model_max_prompt_tokens_exceeded'],
	['Copilot', 'prompt token count of 140000 exceeds the limit of 128000'],
	['Together', '`inputs` tokens + `max_new_tokens` must be <= 4097. Given: 4000 `inputs` tokens'],
	[
		'Mistral',
		'Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length',
	],
	['Groq', 'Please reduce the length of the messages or completion.'],
	['Cerebras', 'Please reduce the length of the messages or completion. Current length is 9000 while limit is 8192'],
	['Qwen', 'Range of input length should be [1, 129024]'],
	['MiniMax', 'invalid params, context window exceeds limit (2013)'],
	['LM Studio', 'The number of tokens to keep from the initial prompt is greater than the context length.'],
	[
		'LM Studio, in the stream',
		'Trying to keep the first 9000 tokens when context the overflows. However, the model is loaded with 4096 tokens',
	],
	['LM Studio, in the answer', 'Reached context length of 4096 tokens with this model'],
	['llama.cpp', 'the request exceeds the available context size, try increasing it'],
	['llama.cpp, type', 'exceed_context_size_error'],
	[
		'vLLM',
		"This model's maximum context length is 32768 tokens. However, you requested 33000 tokens (32000 in the messages",
	],
	['vLLM, prompt', 'The prompt (total length 40000) is too long to fit into the model (context length 32768).'],
	['vLLM, decoder', 'The decoder prompt (length 41000) is longer than the maximum model length of 32768.'],
	['Ollama', 'input length exceeds the context length'],
	['Ollama, newer', 'prompt too long; exceeded max context length by 12 tokens'],
	['Fireworks', 'The prompt is too long: 140000, model maximum context length: 131071'],
	[
		'OpenRouter',
		"This endpoint's maximum context length is 163840 tokens. However, you requested about 180000 tokens",
	],
];

const other: readonly string[] = [
	'max_tokens is too large: 50000. This model supports at most 4096 completion tokens.',
	'Rate limit reached for model in organization on tokens per min (TPM): Limit 30000, Requested 31000.',
	'Request too large for gpt-4o on tokens per min (TPM)',
	'bad tool schema',
	'The model produced too long a name.',
	'Invalid image: too large',
];

describe('an error about a request that is too long', () => {
	it.each(said)('is recognised from %s', (_server, words) => {
		expect(saysTooLong(words)).toBe(true);
	});

	it.each(other)('is not recognised in "%s"', words => {
		expect(saysTooLong(words)).toBe(false);
	});

	it('has a source and a test case for each pattern', () => {
		for (const {source, pattern} of overflowWordings) {
			expect(source).not.toBe('');
			if (!source.startsWith('several')) expect(said.some(([, words]) => pattern.test(words))).toBe(true);
		}
	});
});
