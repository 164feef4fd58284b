import {describe, expect, it} from 'vitest';
import {createTextCache} from '../../../../src/screen/terminal/output/cached-output.ts';

describe('a text cache', () => {
	it('creates the value of a text only once', () => {
		const cache = createTextCache<string>({maxEntries: 2, maxTextLength: 10});
		let made = 0;
		const make = () => `value ${++made}`;
		expect([cache.get('a', make), cache.get('a', make)]).toEqual(['value 1', 'value 1']);
	});

	it('drops the least recently used value first', () => {
		const cache = createTextCache<string>({maxEntries: 2, maxTextLength: 10});
		const made: string[] = [];
		const ask = (text: string) =>
			cache.get(text, () => {
				made.push(text);
				return text;
			});
		for (const text of ['a', 'b', 'a', 'c', 'a', 'b']) ask(text);
		expect(made).toEqual(['a', 'b', 'c', 'b']);
		expect(cache.size).toBe(2);
	});

	it('keeps an empty value', () => {
		const cache = createTextCache<string>({maxEntries: 2, maxTextLength: 10});
		expect(cache.get('a', () => '')).toBe('');
		expect(cache.get('a', () => 'again')).toBe('');
	});

	it('does not keep the value of a text that is too long', () => {
		const cache = createTextCache<string>({maxEntries: 2, maxTextLength: 3});
		expect(cache.get('long', () => 'one')).toBe('one');
		expect(cache.get('long', () => 'two')).toBe('two');
		expect(cache.size).toBe(0);
	});
});
