import {describe, expect, it} from 'vitest';
import {draftOf, endOf, isSame, origin, type Draft} from '../../../src/screen/editor/draft.ts';
import {beginsWord, move} from '../../../src/screen/editor/motion.ts';

const chip = {type: 'file_ref', path: 'a.ts'} as const;

/** Returns the draft with a bar at each stop of a walk by words, from one end to the other. */
function stops(draft: Draft, motion: 'word left' | 'word right'): string {
	const found = [motion === 'word left' ? endOf(draft) : origin];
	for (;;) {
		const next = move(draft, found.at(-1)!, motion);
		if (isSame(next, found.at(-1)!)) break;
		found.push(next);
	}
	return draft
		.map((line, row) =>
			[...line, '']
				.map(
					(atom, column) =>
						(found.some(at => isSame(at, {line: row, column})) ? '|' : '') +
						(typeof atom === 'string' ? atom : '▣'),
				)
				.join(''),
		)
		.join('\n');
}

describe('words of the composer', () => {
	it.each([
		['漢字かな交じり文。', '|漢字|かな|交|じり|文|。|', '|漢字|かな|交|じり|文|。|'],
		['日本語のテキストを', '|日本語|の|テキスト|を|', '|日本語|の|テキスト|を|'],
		['らーめんとラーメンを食べる', '|らーめんと|ラーメン|を|食|べる|', '|らーめんと|ラーメン|を|食|べる|'],
		['ﾊﾝｶｸﾃﾞｰﾀ人々', '|ﾊﾝｶｸﾃﾞｰﾀ|人々|', '|ﾊﾝｶｸﾃﾞｰﾀ|人々|'],
		['src/main.tsxを見て', '|src|/|main|.|tsx|を|見|て|', '|src|/|main|.|tsx|を|見|て|'],
		['Node24で動く', '|Node24|で|動|く|', '|Node24|で|動|く|'],
		['你好，世界', '|你好|，|世界|', '|你好|，|世界|'],
		['한국어 문장입니다', '|한국어 |문장입니다|', '|한국어| 문장입니다|'],
		['한국어로file을', '|한국어로|file|을|', '|한국어로|file|을|'],
		['全角　空白', '|全角　|空白|', '|全角|　空白|'],
		['größe e\u0301te\u0301 naïve', '|größe |e\u0301te\u0301 |naïve|', '|größe| e\u0301te\u0301| naïve|'],
		['привет мир', '|привет |мир|', '|привет| мир|'],
		['snake_case = 3.14;', '|snake_case |= |3|.|14|;|', '|snake_case| =| 3|.|14|;|'],
		['ok 👍🏽🎉 done', '|ok |👍🏽🎉 |done|', '|ok| 👍🏽🎉| done|'],
		['a\n\n  b c\n', '|a\n\n  |b |c\n|', '|a|\n\n  b| c|\n|'],
	])('in %j have the expected stops to the left and to the right', (text, left, right) => {
		expect(stops(draftOf(text), 'word left')).toBe(left);
		expect(stops(draftOf(text), 'word right')).toBe(right);
	});

	it('include each chip as one word', () => {
		const draft = [['s', 'e', 'e', ' ', chip, chip, 'x']];
		expect(stops(draft, 'word left')).toBe('|see |▣|▣|x|');
		expect(stops(draft, 'word right')).toBe('|see| ▣|▣|x|');
	});
});

describe('the start of a new word', () => {
	it.each([
		[undefined, 'a', true],
		[' ', 'a', true],
		[chip, 'a', true],
		['a', 'b', false],
		['a', ' ', false],
		[' ', ' ', false],
		['a', '.', false],
		['.', 'b', false],
		['字', 'か', true],
		['か', '交', true],
		['字', '体', false],
		['語', '。', false],
		['。', '日', true],
		['ら', 'ー', false],
		['ラ', 'ー', false],
		['x', 'を', true],
		['한', '국', false],
		['é', 'o', false],
	] as const)('is between %j and %j: %s', (before, typed, expected) => {
		expect(beginsWord(before, typed)).toBe(expected);
	});
});
