import {describe, expect, it} from 'vitest';
import {elementAt} from '../../../../src/pod/ground/values/is-record.ts';

describe('elementAt', () => {
	it('returns the element at an index of a list or of bytes', () => {
		expect(elementAt(['a', 'b'], 1)).toBe('b');
		expect(elementAt(Uint8Array.of(7, 0), 1)).toBe(0);
	});

	it.each([-1, 2])('throws for the index %i, which is out of range', index => {
		expect(() => elementAt(['a', 'b'], index)).toThrow(RangeError);
	});
});
