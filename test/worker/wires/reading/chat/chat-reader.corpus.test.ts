import {describe, expect, it} from 'vitest';
import {deepseek, kimi, qwen} from './corpus/thinking.ts';
import {cerebras, groq, mistral, together, xai} from './corpus/hosted.ts';
import {gemini, openrouter, perplexity} from './corpus/gateways.ts';
import {openai} from './corpus/openai.ts';
import {llamacpp, lmstudio, ollama, vllm} from './corpus/local.ts';
import {played, type Variant} from './corpus/play.ts';

const corpus = [
	...[deepseek, kimi, qwen, groq, cerebras, mistral, xai, together],
	...[openrouter, perplexity, gemini, openai, ollama, lmstudio, llamacpp, vllm],
].flat();

const rounds = process.env['INKPOD_TEST'] === 'long' ? 25 : 1;

const variants: readonly Variant[] = Array.from({length: rounds}, (_, round) => [
	{seed: 40 * round + 11, lineEnd: '\r\n', hasLastLineEnd: false, hasUnknown: round % 5 > 0} as const,
	{seed: 40 * round + 21, lineEnd: '\r', hasLastLineEnd: true, hasUnknown: true} as const,
	{seed: 40 * round + 31, lineEnd: '\n', hasLastLineEnd: round % 2 === 1, hasUnknown: true} as const,
]).flat();

describe.concurrent('an answer of chat completions', () => {
	it.each(corpus.map(stream => [stream.name, stream] as const))(
		'is read from its bytes, however they are split and whatever else is in them: %s',
		async (_, stream) => {
			const read = await Promise.all(variants.map(async variant => played(stream, variant)));
			const {error, ...rest} = stream.expected;
			const words = error === undefined ? {} : {error: expect.stringContaining(error) as string};
			for (const [at, one] of read.entries())
				expect({variant: variants[at], ...one}).toEqual({variant: variants[at], ...rest, ...words});
		},
	);

	it('is tested with at least 60 streams', () => {
		expect(corpus.length).toBeGreaterThanOrEqual(60);
		expect(new Set(corpus.map(({name}) => name)).size).toBe(corpus.length);
	});
});
