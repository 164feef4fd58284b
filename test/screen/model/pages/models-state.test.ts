import {describe, expect, it} from 'vitest';
import {stepLevel} from '../../../../src/screen/model/pages/models-state.ts';

describe('a step of the effort', () => {
	it.each([
		[undefined, 1, 'low'],
		['low', 1, 'high'],
		['high', 1, 'high'],
		['low', -1, undefined],
		[undefined, -1, undefined],
	] as const)('stays within the levels of the model: %s, %i', (from, direction, to) => {
		expect(stepLevel(['low', 'high'], from, direction)).toBe(to);
	});
});
