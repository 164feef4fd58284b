import {describe, expect, it} from 'vitest';
import {required} from '../../../../src/pod/ground/values/is-record.ts';

describe('required', () => {
	it('returns a value, even an empty one', () => {
		expect(required('', 'the name')).toBe('');
		expect(required(null, 'the name')).toBeNull();
	});

	it('throws with the name of a missing value', () => {
		expect(() => required(undefined, 'the name')).toThrow('the name is missing');
	});
});
