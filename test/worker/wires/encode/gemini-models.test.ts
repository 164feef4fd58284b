import {describe, expect, it} from 'vitest';
import {isGemini3, isGemma, thinkingOf} from '../../../../src/worker/wires/encode/gemini-models.ts';

describe('the generation of a model', () => {
	it.each([
		'gemini-3-pro-preview',
		'gemini-4-argon',
		'gemini-flash-latest',
		'models/gemini-3.5-flash',
		'x.gemini-new',
	])('is Gemini 3 or later for %s', model => {
		expect(isGemini3(model)).toBe(true);
	});

	it.each([
		'gemini-2.5-pro',
		'gemini-2.0-flash',
		'gemini-1.5-pro',
		'gemini-pro',
		'gemini-pro-vision',
		'gemini-robotics-er-1.5-preview',
		'models/gemini-2.5-flash',
		'gemma-3-27b-it',
		'learnlm-2.0',
	])('is older, or another one, for %s', model => {
		expect(isGemini3(model)).toBe(false);
	});

	it('is Gemma for its names only', () => {
		expect(['gemma-3-27b-it', 'Gemma-4', 'my-gemma-3', 'gemini-3-pro'].map(isGemma)).toEqual([
			true,
			true,
			false,
			false,
		]);
	});
});

describe('the thinking of a model', () => {
	const efforts = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const;

	it.each([
		['gemini-3-pro-preview', ['low', 'low', 'low', 'medium', 'high', 'high', 'high']],
		['gemini-3-flash-preview', ['minimal', 'minimal', 'low', 'medium', 'high', 'high', 'high']],
		['gemini-3.7-flash', ['low', 'low', 'low', 'medium', 'high', 'high', 'high']],
		['gemini-3.7-flash-lite', ['minimal', 'minimal', 'low', 'medium', 'high', 'high', 'high']],
		['gemini-flash-latest', ['low', 'low', 'low', 'medium', 'high', 'high', 'high']],
		['gemini-pro-latest', ['minimal', 'minimal', 'low', 'medium', 'high', 'high', 'high']],
		['gemini-4-hydrogen', ['low', 'low', 'low', 'medium', 'high', 'xhigh', 'xhigh']],
	])('is a level for %s', (model, levels) => {
		expect(efforts.map(effort => thinkingOf(model, effort))).toEqual(levels.map(level => ({level})));
	});

	it.each([
		['gemini-2.5-pro', [128, 1311, 6554, 19_661, 32_768, 32_768, 32_768]],
		['gemini-2.5-flash', [0, 1311, 6554, 19_661, 24_576, 24_576, 24_576]],
		['gemini-3-pro-image-preview', [0, 1311, 6554, 19_661, 32_768, 32_768, 32_768]],
		['gemma-3-27b-it', [0, 1311, 6554, 19_661, 24_576, 24_576, 24_576]],
	])('is a number of tokens for %s', (model, budgets) => {
		expect(efforts.map(effort => thinkingOf(model, effort))).toEqual(budgets.map(budget => ({budget})));
	});
});
