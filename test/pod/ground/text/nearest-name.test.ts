import {expect, it} from 'vitest';
import {splitWords} from '../../../../src/pod/ground/text/nearest-name.ts';

it.each([
	['', []],
	['  a  b ', ['a', 'b']],
	['a="b c" d', ['a=b c', 'd']],
	[`'it is' "said \\"so\\""`, ['it is', 'said "so"']],
	['a\\ b', ['a b']],
	['"open end', ['open end']],
	['漢字 "か な"', ['漢字', 'か な']],
])('splitWords splits %j into %j', (text, words) => {
	expect(splitWords(text)).toEqual(words);
});
