import {expect, it} from 'vitest';
import {slope} from '../../bench/statistics.mjs';

it.each([
	['a line', [3, 5, 7, 9], 2],
	['values that rise and fall equally', [1, 2, 1, 2, 1], 0],
	['a jump in its middle', [0, 0, 4, 4], 1.6],
	['one value', [7], 0],
	['none', [], 0],
])('the slope of %s is that of the best-fitting line', (_, values, expected) => {
	expect(slope(values)).toBeCloseTo(expected);
});
