import {describe, expect, it} from 'vitest';
import {completeName} from '../../../src/pod/models/complete-name.ts';
import type {ModelInfo} from '../../../src/pod/protocol.ts';

function info(name: string, missing?: string): ModelInfo {
	const [provider = ''] = name.split('/');
	return {name, provider, efforts: [], ...(missing !== undefined && {missing})};
}

const models = [
	info('ollama/qwen3:8b'),
	info('openai/gpt-5'),
	info('openai/o3'),
	info('azure/o3'),
	info('azure/gpt-5', 'set AZURE_OPENAI_API_KEY'),
	info('openrouter/openai/gpt-5'),
	info('xai/grok-4', 'set XAI_API_KEY'),
];

describe('an incomplete name of a model', () => {
	it.each([
		['gpt-5', {kind: 'found', name: 'openai/gpt-5'}],
		['GPT-5', {kind: 'found', name: 'openai/gpt-5'}],
		['openai/gpt-5', {kind: 'found', name: 'openai/gpt-5'}],
		['ollama', {kind: 'found', name: 'ollama/qwen3:8b'}],
		['ollama/', {kind: 'found', name: 'ollama/qwen3:8b'}],
		['grok-4', {kind: 'found', name: 'xai/grok-4'}],
		['o3', {kind: 'several', names: ['openai/o3', 'azure/o3']}],
		['openai', {kind: 'several', names: ['openai/gpt-5', 'openai/o3']}],
		['gtp-5', {kind: 'nearest', name: 'openai/gpt-5'}],
		['opnai/gpt-5', {kind: 'nearest', name: 'openai/gpt-5'}],
		['something else', {kind: 'unknown'}],
		['', {kind: 'unknown'}],
	])('means one model, several, or a similar one: %s', (written, meaning) => {
		expect(completeName(written, models)).toEqual(meaning);
	});
});
