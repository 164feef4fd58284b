import {describe, expect, it} from 'vitest';
import {newestFirst} from '../../../src/pod/models/known-models.ts';

const sorted = (...ids: readonly string[]) => newestFirst(ids, id => id);

describe('newestFirst', () => {
	it('sorts by the version in the id', () => {
		expect(sorted('gpt-4', 'gpt-4.1', 'gpt-5', 'gpt-5.4-mini', 'gpt-5.10')).toEqual([
			'gpt-5.10',
			'gpt-5.4-mini',
			'gpt-5',
			'gpt-4.1',
			'gpt-4',
		]);
		expect(sorted('claude-haiku-4-5', 'claude-opus-5', 'claude-opus-5-5', 'claude-sonnet-4-5-20250929')).toEqual([
			'claude-opus-5-5',
			'claude-opus-5',
			'claude-haiku-4-5',
			'claude-sonnet-4-5-20250929',
		]);
	});

	it('does not take sizes and dates for versions, and puts ids without a version last', () => {
		expect(sorted('gemma-4-26b-it', 'gpt-oss-120b', 'qwen3.6-27b', 'small-latest', 'devstral-2512')).toEqual([
			'gemma-4-26b-it',
			'qwen3.6-27b',
			'gpt-oss-120b',
			'small-latest',
			'devstral-2512',
		]);
	});

	it('keeps the models of a vendor together', () => {
		expect(sorted('b/one-1', 'a/two-1', 'b/one-2', 'a/two-3')).toEqual([
			'b/one-2',
			'b/one-1',
			'a/two-3',
			'a/two-1',
		]);
	});
});
