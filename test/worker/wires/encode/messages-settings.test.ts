import {describe, expect, it} from 'vitest';
import type {Settings} from '../../../../src/worker/history/item.ts';
import {settingFields} from '../../../../src/worker/wires/encode/messages-settings.ts';
import {byRule, bySetting} from '../../../../src/worker/wires/encode/sourced.ts';

describe('the settings of a request to the Messages API', () => {
	const adaptive = {type: 'adaptive', display: 'summarized'};
	it.each<readonly [string, Settings, object]>([
		[
			'claude-sonnet-5',
			{reasoning: 'xhigh'},
			{max_tokens: 128_000, thinking: adaptive, output_config: {effort: 'xhigh'}},
		],
		[
			'claude-opus-4-6',
			{reasoning: 'xhigh'},
			{max_tokens: 128_000, thinking: adaptive, output_config: {effort: 'high'}},
		],
		[
			'claude-opus-5',
			{reasoning: 'minimal'},
			{max_tokens: 128_000, thinking: adaptive, output_config: {effort: 'low'}},
		],
		['claude-opus-5', {reasoning: 'none'}, {max_tokens: 128_000, thinking: {type: 'disabled'}}],
		['claude-sonnet-5-5', {reasoning: 'none'}, {max_tokens: 128_000, thinking: {type: 'between_tools'}}],
		['claude-fable-5', {reasoning: 'none'}, {max_tokens: 128_000, output_config: {effort: 'low'}}],
		['claude-opus-9', {temperature: 1, topP: 0.5, maxOutputTokens: 500_000}, {max_tokens: 500_000}],
		[
			'claude-haiku-4-5',
			{reasoning: 'medium', temperature: 1, topP: 0.5, maxOutputTokens: 1000},
			{max_tokens: 20_200, thinking: {type: 'enabled', budget_tokens: 19_200}},
		],
		[
			'claude-haiku-4-5',
			{reasoning: 'max'},
			{max_tokens: 64_000, thinking: {type: 'enabled', budget_tokens: 60_800}},
		],
		[
			'claude-haiku-4-5',
			{temperature: 0, topP: 0.5, stop: []},
			{max_tokens: 64_000, temperature: 0, stop_sequences: []},
		],
		[
			'claude-haiku-4-5',
			{temperature: 1.7, reasoning: 'none'},
			{max_tokens: 64_000, temperature: 1, thinking: {type: 'disabled'}},
		],
		['claude-haiku-4-5', {topP: 0.5, maxOutputTokens: 500_000}, {max_tokens: 64_000, top_p: 0.5}],
		['glm-5', {rules: 2, temperature: -1, topP: 0.5}, {max_tokens: 32_000, temperature: 0, top_p: 0.5}],
		['glm-5', {rules: 2, reasoning: 'low'}, {max_tokens: 33_024, thinking: {type: 'enabled', budget_tokens: 1024}}],
		['glm-5', {}, {max_tokens: 4096}],
	])('for %s with %o are %o', (model, settings, fields) => {
		expect(JSON.stringify(settingFields(model, settings))).toBe(JSON.stringify(fields));
	});

	it.each<readonly [string, Settings, object]>([
		['claude-haiku-4-5', {reasoning: 'max'}, byRule('output_limit', 64_000)],
		['claude-haiku-4-5', {reasoning: 'max', maxOutputTokens: 1000}, bySetting('maxOutputTokens', 61_800)],
		['glm-5', {rules: 2, reasoning: 'max'}, bySetting('reasoning', 35_891)],
	])('are the source of the output limit: %s with %o', (model, settings, limit) => {
		expect(settingFields(model, settings)['max_tokens']).toEqual(limit);
	});

	it('are the sources of what they give', () => {
		const given = settingFields('claude-sonnet-4-6', {reasoning: 'low', stop: ['A']});
		expect(given['thinking']).toEqual(bySetting('reasoning', adaptive));
		expect(given['output_config']).toEqual({effort: bySetting('reasoning', 'low')});
		expect(given['stop_sequences']).toEqual(bySetting('stop', ['A']));
		const sampled = settingFields('glm-5', {temperature: 0.5, topP: 0});
		expect(sampled['temperature']).toEqual(bySetting('temperature', 0.5));
		expect(sampled['top_p']).toEqual(bySetting('topP', 0));
	});
});
