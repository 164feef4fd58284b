/**
The wordings with which servers say that a request is longer than the model's window. Servers use no common status or
code for this. `source` is where the wording was seen. All such wordings are in this file, and in no other.
*/
type Wording = {readonly source: string; readonly pattern: RegExp};

export const overflowWordings: readonly Wording[] = [
	{source: 'OpenAI, Groq, Azure: error code', pattern: /context_length_exceeded/},
	{source: 'OpenAI Responses', pattern: /exceeds the context window/i},
	{
		source: 'OpenAI, vLLM, DeepSeek, OpenRouter, Fireworks',
		pattern: /maximum (?:context|model) length|model's maximum (?:input|context)/i,
	},
	{source: 'OpenAI: one text', pattern: /string_above_max_length/},
	{source: 'Anthropic, Fireworks', pattern: /prompt is too long/i},
	{source: 'Anthropic', pattern: /input length and `?max_tokens`? exceed/i},
	{source: 'Google', pattern: /input token count.{0,40}exceeds/i},
	{source: 'Bedrock', pattern: /input is too long/i},
	{source: 'xAI', pattern: /maximum prompt length is/i},
	{source: 'Kimi', pattern: /exceeded model token limit/i},
	{source: 'GitHub Copilot', pattern: /model_max_prompt_tokens_exceeded|prompt token count of \d+ exceeds/i},
	{source: 'Together', pattern: /`?inputs`? tokens \+ `?max_new_tokens`? must be/i},
	{source: 'Mistral', pattern: /too large for model with \d+ maximum context/i},
	{source: 'Groq, Cerebras', pattern: /reduce the length of the (?:messages|prompt|input)/i},
	{source: 'Qwen', pattern: /range of input length should be/i},
	{source: 'MiniMax', pattern: /context window exceeds limit/i},
	{source: 'LM Studio', pattern: /tokens to keep from the initial prompt is greater than the context/i},
	{
		source: 'LM Studio, inside the stream',
		pattern: /trying to keep the first \d+ tokens when context|reached context length of \d+/i,
	},
	{source: 'llama.cpp', pattern: /exceed_context_size|exceeds the available context size/i},
	{source: 'vLLM', pattern: /prompt.{0,60}(?:is too long to fit into|is longer than) the (?:maximum )?model/i},
	{source: 'Ollama', pattern: /exceed(?:s|ed) (?:the |max )?context length/i},
	{source: 'several gateways', pattern: /context (?:length|window|size) (?:exceeded|is exceeded|overflow)/i},
	{source: 'several gateways', pattern: /too many (?:input|prompt) tokens|reduce the length of/i},
];

/** Tells whether a server's words or codes say that the request is longer than the window. */
export function saysTooLong(serverText: string): boolean {
	return overflowWordings.some(({pattern}) => pattern.test(serverText));
}
