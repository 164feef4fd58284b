import {expect, test} from 'vitest';
import {tidy} from '../../../src/worker/models/error-facts.ts';

test('a key that lies across any cut, leaves no part of itself', () => {
	const key = 'sk-ant-api03-FAKE_and_long_enough';
	for (const filling of [' ', 'x']) {
		for (const before of [0, 480, 495, 499, 19_980, 19_990, 19_999]) expect(tidy(`${filling.repeat(before)}${key}`, [key])).not.toContain('sk-');
	}
	expect(tidy(`no ${key} here`, [key])).toBe('no [key] here');
});
