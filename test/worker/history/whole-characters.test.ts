import fc from 'fast-check';
import {expect, it} from 'vitest';
import {hasHalves, withWholeCharacters} from '../../../src/worker/history/whole-characters.ts';

it('replaces half a character in any text, and keeps everything else', () => {
	const value = {a: ['x\ud800', 'y\ud83d\udc4d'], b: {'k\udbff': '\udcff'}, n: 1, t: 'plain'};
	expect(withWholeCharacters(value)).toEqual({a: ['x\ufffd', 'y👍'], b: {'k\ufffd': '\udcff'}, n: 1, t: 'plain'});
	expect(withWholeCharacters('\ud800')).toBe('\ufffd');
});

it('returns a value without halves as it is', () => {
	const json = fc.jsonValue();
	fc.assert(fc.property(json, value => hasHalves(value) || withWholeCharacters(value) === value));
	fc.assert(fc.property(json, value => !hasHalves(withWholeCharacters(value))));
});
