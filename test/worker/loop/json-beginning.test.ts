import {describe, expect, it} from 'vitest';
import {isBeginning} from '../../../src/worker/loop/json-beginning.ts';

const values = [
	{path: 'a.ts', text: 'line "1"\n\\ \u{1F600} \u0001 {[', lines: [1, -2.5, 1e-7, true, false, null], more: {}},
	[[], ['a'], {b: [{}]}],
];

describe('isBeginning', () => {
	it('is true for a JSON text cut at any place', () => {
		for (const value of values)
			for (const whole of [JSON.stringify(value), JSON.stringify(value, undefined, 2)])
				for (let length = 1; length < whole.length; length++)
					expect({cut: whole.slice(0, length), is: isBeginning(whole.slice(0, length))}).toMatchObject({
						is: true,
					});
	});

	it('is true inside an escape of a character', () => {
		for (const end of ['\\', '\\u', '\\u0', '\\u00e', '\\\\', '\\\\\\'])
			expect(isBeginning(`{"a":"${end}`)).toBe(true);
	});

	it.each([
		'',
		' ',
		'{}',
		'{"a":1}',
		'{"a":1}}',
		'"a',
		'no',
		'{a:1',
		"{'a':",
		'{"a":1,,',
		'{"a" "b":{"c":"d',
		'{"a":[1}',
		'{"a":hello',
		'{"a":"\n',
	])('is false for %j', text => {
		expect(isBeginning(text)).toBe(false);
	});

	it('reads a long text of backslashes once', () => {
		expect(isBeginning(`{"a":"${'\\'.repeat(200_000)}`)).toBe(true);
	});
});
