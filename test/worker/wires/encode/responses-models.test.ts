import {describe, expect, it} from 'vitest';
import {acceptedEffort, responsesModel, type Effort} from '../../../../src/worker/wires/encode/responses-models.ts';

const efforts: readonly Effort[] = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'];

describe('a model of the Responses API', () => {
	// The effort that is sent for each effort that a user may want, and whether the model reasons and samples.
	it.each([
		['gpt-5', 'minimal minimal low medium high high high', true, false],
		['gpt-5-mini-2025-08-07', 'minimal minimal low medium high high high', true, false],
		['gpt-5-pro', 'none minimal low medium high xhigh max', true, false],
		['gpt-5-chat-latest', 'none minimal low medium high xhigh max', false, false],
		['gpt-5.1', 'none low low medium high high high', true, true],
		['gpt-5.2', 'none low low medium high xhigh xhigh', true, true],
		['gpt-5.2-chat-latest', 'none minimal low medium high xhigh max', true, true],
		['gpt-5.6-sol', 'none low low medium high xhigh max', true, true],
		['gpt-6', 'low low low medium high xhigh max', true, false],
		['gpt-6-sol', 'none low low medium high xhigh max', true, true],
		['o4-mini', 'none minimal low medium high xhigh max', true, false],
		['gpt-4.1', 'none minimal low medium high xhigh max', false, false],
		['codex-mini-latest', 'none minimal low medium high xhigh max', true, false],
		['my-deployment', 'none minimal low medium high xhigh max', false, false],
	])('has its own efforts and settings: %s', (model, accepted, reasons, samplesAtNone) => {
		const form = responsesModel(model, 2);
		expect(efforts.map(effort => acceptedEffort(effort, form.efforts)).join(' ')).toBe(accepted);
		expect([form.reasons, form.samplesAtNone]).toEqual([reasons, samplesAtNone]);
	});

	it('is known only by its table under the rules of 0.1.0', () => {
		const reasons = (model: string) => responsesModel(model, 1).reasons;
		expect(['gpt-5.2', 'o3', 'codex-mini-latest', 'openai/gpt-5.2'].map(reasons)).toEqual([
			true,
			true,
			false,
			false,
		]);
	});
});
