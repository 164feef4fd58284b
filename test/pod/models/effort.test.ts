import {describe, expect, it} from 'vitest';
import {nearestEffort} from '../../../src/pod/models/effort.ts';

describe('the nearest effort', () => {
	it.each([
		['high', ['low', 'medium', 'high'], 'high'],
		['max', ['low', 'medium', 'high'], 'high'],
		['medium', ['low', 'high'], 'low'],
		['none', ['low', 'high'], 'low'],
		['high', [], undefined],
	] as const)('to %s among %j is %s', (wanted, supported, nearest) => {
		expect(nearestEffort(wanted, supported)).toBe(nearest);
	});
});
