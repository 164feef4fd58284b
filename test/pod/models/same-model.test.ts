import {describe, expect, it} from 'vitest';
import {isSameModel} from '../../../src/pod/models/same-model.ts';

/** What providers report for a name, in their own forms. */
const same: ReadonlyArray<readonly [asked: string, answered: string]> = [
	['gpt-5', 'gpt-5'],
	['gpt-5', 'GPT-5'],
	['gpt-5', 'gpt-5-2025-08-07'],
	['gpt-5-2025-08-07', 'gpt-5'],
	['gpt-5.4-mini', 'gpt-5.4-mini-2026-03-17'],
	['gpt-4', 'gpt-4-0613'],
	['gpt-4-turbo-preview', 'gpt-4-0125-preview'],
	['gpt-5.6', 'gpt-5.6-sol-2026-07-01'],
	['gpt-35-turbo', 'gpt-3.5-turbo-0125'],
	['gpt-5-chat-latest', 'gpt-5-chat-latest'],
	['claude-sonnet-4-5', 'claude-sonnet-4-5-20250929'],
	['claude-opus-4-0', 'claude-opus-4-20250514'],
	['claude-3-5-haiku-latest', 'claude-3-5-haiku-20241022'],
	['claude-sonnet-4-5@20250929', 'claude-sonnet-4-5-20250929'],
	['anthropic/claude-sonnet-4.5', 'anthropic/claude-4.5-sonnet-20250929'],
	['anthropic/claude-haiku-4.5:beta', 'anthropic/claude-haiku-4.5'],
	['us.anthropic.claude-sonnet-4-5-20250929-v1:0', 'anthropic.claude-sonnet-4-5-20250929-v1:0'],
	[
		'anthropic.claude-3-haiku-20240307-v1:0',
		'arn:aws:bedrock:us-east-1::foundation-model/anthropic.claude-3-haiku-20240307-v1:0',
	],
	[
		'arn:aws:bedrock:us-east-1:123:default-prompt-router/anthropic.claude:1',
		'arn:aws:bedrock:us-east-1::foundation-model/anthropic.claude-3-haiku-20240307-v1:0',
	],
	['gemini-2.5-flash', 'models/gemini-2.5-flash'],
	['gemini-1.5-pro', 'gemini-1.5-pro-002'],
	['publishers/google/models/gemini-2.5-pro', 'gemini-2.5-pro'],
	['gemini-2.5-flash-preview', 'gemini-2.5-flash-preview-05-20'],
	['gemini-flash-latest', 'gemini-2.5-flash-preview-09-2025'],
	['openai/gpt-oss-120b', 'gpt-oss-120b'],
	['gpt-5', 'openai/gpt-5'],
	['openai/gpt-5', 'azure/gpt-5'],
	['deepseek/deepseek-r1:free', 'deepseek-ai/DeepSeek-R1'],
	['openrouter/auto', 'mistralai/mistral-nemo'],
	['model-router', 'gpt-5-nano-2025-08-07'],
	['qwen/qwen3.5-flash-02-23', 'qwen/qwen3.5-flash-20260224'],
	['openai/o4-mini-high', 'openai/o4-mini-2025-04-16'],
	['x-ai/grok-4', 'x-ai/grok-4-07-09'],
	['grok-4', 'grok-4-0709'],
	['mistral-large-latest', 'mistral-large-2411'],
	['kimi-latest', 'moonshot-v1-32k'],
	['llama3', 'llama3:latest'],
	['qwen3-4b', '/models/Qwen3-4B.gguf'],
	['accounts/fireworks/models/deepseek-v3', 'accounts/fireworks/models/deepseek-v3'],
	['ft:gpt-4o-mini-2024-07-18:acme::abc', 'ft:gpt-4o-mini-2024-07-18:acme::abc'],
];

const different: ReadonlyArray<readonly [asked: string, answered: string]> = [
	['gpt-5', 'gpt-5-mini'],
	['gpt-5', 'gpt-5-mini-2025-08-07'],
	['gpt-5', 'gpt-5.1'],
	['gpt-5', 'gpt-4.1'],
	['gpt-5', 'gpt-5-codex'],
	['gpt-5.3-codex', 'gpt-5.2-codex'],
	['gpt-4o-2024-05-13', 'gpt-4o-2024-11-20'],
	['mistral-large-2407', 'mistral-large-latest'],
	['claude-opus-4-5', 'claude-sonnet-4-5-20250929'],
	['claude-opus-4-1', 'claude-opus-4-20250514'],
	['anthropic/claude-sonnet-4.5', 'anthropic/claude-3.7-sonnet'],
	['us.anthropic.claude-sonnet-4-5-20250929-v1:0', 'anthropic.claude-3-haiku-20240307-v1:0'],
	['gemini-2.5-pro', 'gemini-2.5-flash'],
	['gemini-flash-latest', 'gemini-2.5-flash-lite'],
	['gemini-flash-latest', 'gemini-2.5-pro'],
	['llama3:70b', 'llama3:8b'],
	['llama3:70b', 'llama3'],
	['Qwen/Qwen3-4B', 'unsloth/Qwen3-4B'],
	['deepseek-chat', 'deepseek-reasoner'],
	['llama-3.1-8b', 'llama-3.1-70b'],
	['llama-3.3-70b', 'llama-3.1-70b'],
	['o3', 'o3-mini'],
	['gpt-4o-mini', 'ft:gpt-4o-mini:acme::abc'],
	['gpt-5', ''],
	['gpt-5', '\u202e5-tpg'],
	['gpt-5', 'gpt-5\u200b'],
	['gpt-5', 'x'.repeat(200)],
	['gpt-5', '/'.repeat(200)],
	['gpt-5', '-'.repeat(200)],
	['gpt-5', 'a.'.repeat(100)],
];

describe('isSameModel', () => {
	it.each(same)('takes %s for the model that reports itself as %s', (asked, answered) => {
		expect(isSameModel(asked, answered)).toBe(true);
	});

	it.each(different)('takes %s for another model than %s', (asked, answered) => {
		expect(isSameModel(asked, answered)).toBe(false);
	});
});
