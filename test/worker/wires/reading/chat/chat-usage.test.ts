import {describe, expect, it} from 'vitest';
import {
	countsIn,
	usageOf,
	withCounts,
	type ChatCounts,
} from '../../../../../src/worker/wires/reading/chat/chat-usage.ts';

/** What inkpod stores for an answer with text whose only event is this one. */
function read(event: unknown, choice: unknown = {}) {
	return usageOf(countsIn(event, choice) ?? {}, true);
}

const counts = {prompt_tokens: 11, completion_tokens: 7};
const plain = {input: 11, output: 7};

describe('the usage of an answer', () => {
	it.each<readonly [string, object, object?]>([
		['in the event', {usage: counts}],
		['in the choice', {}, {usage: counts}],
		['in the delta', {}, {delta: {usage: counts}}],
		['in x_groq', {usage: null, x_groq: {usage: counts}}],
		['as texts', {usage: {prompt_tokens: '11', completion_tokens: '7'}}],
		['with the names of the Responses API', {usage: {input_tokens: 11, output_tokens: 7}}],
		['in the timings of llama.cpp', {timings: {prompt_n: 11, predicted_n: 7}}],
		['in the fields of Ollama', {prompt_eval_count: 11, eval_count: 7}],
		['in both, of which usage counts', {usage: counts, timings: {prompt_n: 1, predicted_n: 1}}],
	])('is found %s', (_, event, choice) => {
		expect(read(event, choice)).toStrictEqual(plain);
	});

	it.each<readonly [string, object, object]>([
		['cached tokens', {...counts, prompt_tokens_details: {cached_tokens: 3}}, {cacheRead: 3}],
		['those of DeepSeek', {...counts, prompt_cache_hit_tokens: 3}, {cacheRead: 3}],
		['those of Kimi', {...counts, cached_tokens: 3}, {cacheRead: 3}],
		['written ones', {...counts, prompt_tokens_details: {cache_write_tokens: 3}}, {cacheWrite: 3}],
		['thoughts', {...counts, completion_tokens_details: {reasoning_tokens: 3}}, {reasoning: 3}],
		['thoughts at the top', {...counts, reasoning_tokens: 3}, {reasoning: 3}],
		['thoughts only in the total', {...counts, total_tokens: 21}, {output: 10, reasoning: 3}],
		[
			'thoughts beside the completion',
			{...counts, total_tokens: 21, completion_tokens_details: {reasoning_tokens: 3}},
			{output: 10, reasoning: 3},
		],
		[
			'a total that thoughts do not explain',
			{...counts, total_tokens: 90, completion_tokens_details: {reasoning_tokens: 3}},
			{reasoning: 3},
		],
	])('includes %s', (_, usage, more) => {
		expect(read({usage})).toStrictEqual({...plain, ...more});
	});

	it.each<readonly [string, unknown]>([
		['null', null],
		['a text', 'many'],
		['a list', [1, 2]],
		['zeros', {prompt_tokens: 0, completion_tokens: 0}],
		['words', {prompt_tokens: 'many', completion_tokens: {}}],
		['negative', {prompt_tokens: -1, completion_tokens: -1}],
		['too large', {prompt_tokens: 1e308, completion_tokens: 1e308}],
	])('is unknown when it is %s', (_, usage) => {
		expect(read({usage})).toStrictEqual({});
	});

	it('grows over events, and is not replaced by zeros', () => {
		const events: ChatCounts[] = [
			{prompt: 11, completion: 0},
			{completion: 7},
			{prompt: 0, completion: 0, total: 0},
		];
		expect(events.reduce(withCounts)).toEqual({prompt: 11, completion: 7, total: 0});
	});

	it('may have an output of zero if the answer is empty', () => {
		expect(usageOf({prompt: 11, completion: 0}, false)).toStrictEqual({input: 11, output: 0});
	});

	it('has its counts in one order', () => {
		const counts: ChatCounts = {reasoning: 1, cacheWrite: 0, cacheRead: 3, completion: 7, prompt: 11};
		expect(Object.keys(usageOf(counts, true))).toEqual(['input', 'output', 'cacheRead', 'cacheWrite', 'reasoning']);
	});
});
