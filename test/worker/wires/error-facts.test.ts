import {describe, expect, it} from 'vitest';
import {tidy} from '../../../src/worker/wires/error-facts.ts';

describe('a text from a provider', () => {
	it('contains no part of a key when the cut is within the key', () => {
		const key = 'sk-ant-api03-FAKE_and_long_enough';
		for (const filling of [' ', 'x']) {
			for (const before of [0, 480, 495, 499, 19_980, 19_990, 19_999])
				expect(tidy(`${filling.repeat(before)}${key}`, [key])).not.toContain('sk-');
		}
		expect(tidy(`no ${key} here`, [key])).toBe('no [key] here');
	});

	it.each<readonly [string, (key: string) => string, string]>([
		['its beginning', key => key.slice(0, 20), 'bad [key]!'],
		['its end', key => key.slice(-12), 'bad [key]!'],
		['its middle', key => key.slice(5, 20), 'bad [key]!'],
		['two parts', key => `${key.slice(0, 14)}…${key.slice(-13)}`, 'bad [key]…[key]!'],
		['its beginning, followed by something else', key => `${key.slice(0, 20)}****`, 'bad [key]****!'],
	])('contains no part of a key: %s', (_, part, expected) => {
		const key = 'sk-ATTACKKEY-0123456789abcdef';
		expect(tidy(`bad ${part(key)}!`, [key])).toBe(expected);
		expect(tidy(`bad ${part(key)}`, [key])).toBe(expected.slice(0, -1));
	});

	it('keeps the few characters of a key that providers show', () => {
		expect(tidy('Incorrect API key provided: sk-ATTAC***cdef.', ['sk-ATTACKKEY-0123456789abcdef'])).toContain(
			'sk-ATTAC***cdef',
		);
	});
});
