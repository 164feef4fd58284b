import {describe, expect, it} from 'vitest';
import {wordMarks} from '../../../../src/screen/rows/diff/diff-layout.ts';

/** Returns both lines with brackets around their changed parts. */
function marked(removed: string, added: string): readonly [string, string] | undefined {
	const marks = wordMarks(removed, added);
	const bracketed = (line: string, parts: ReadonlyArray<{readonly from: number; readonly to: number}>) =>
		parts
			.toReversed()
			.reduce((text, {from, to}) => `${text.slice(0, from)}[${text.slice(from, to)}]${text.slice(to)}`, line);
	return marks && [bracketed(removed, marks.removed), bracketed(added, marks.added)];
}

describe('the changed words of two lines', () => {
	it.each([
		['const a = 1;', 'const a = 2;', 'const a = [1];', 'const a = [2];'],
		['call(one, two);', 'call(one, two, three);', 'call(one, two);', 'call(one, two[, three]);'],
		['a b c d e f', 'a x c d y f', 'a [b] c d [e] f', 'a [x] c d [y] f'],
		['価格 合計 = 税込;', '価格 合計 = 税抜;', '価格 合計 = [税込];', '価格 合計 = [税抜];'],
		['say 👍 to all', 'say 👎 to all', 'say [👍] to all', 'say [👎] to all'],
		['same', 'same', 'same', 'same'],
	])('of %j and %j are marked', (removed, added, one, other) => {
		expect(marked(removed, added)).toEqual([one, other]);
	});

	it.each([
		['lines with little in common', 'return sum;', 'throw new RangeError(message);'],
		['very long lines', `${'a '.repeat(2000)}x`, `${'a '.repeat(2000)}y`],
	])('are unknown for %s', (_name, removed, added) => {
		expect(marked(removed, added)).toBeUndefined();
	});

	it('are found by the common beginning and end when there are many words', () => {
		const many = (word: string) => `start ${`${word} `.repeat(150)}end`;
		expect(
			wordMarks(
				`${many('a')} tail of the line that stays as it was, word by word, ${'z'.repeat(900)}`,
				`${many('b')} tail of the line that stays as it was, word by word, ${'z'.repeat(900)}`,
			),
		).toMatchObject({
			removed: [{from: 6}],
			added: [{from: 6}],
		});
	});
});
