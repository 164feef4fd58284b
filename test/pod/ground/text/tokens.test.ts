import {describe, expect, it} from 'vitest';
import {estimateTokens} from '../../../../src/pod/ground/text/tokens.ts';
import {cpuTime} from '../../../helpers/cpu-time.ts';

/** The rows have the count of `o200k_base` and the allowed error of an estimate. */
describe('estimateTokens', () => {
	it.each<[string, string, number]>([
		[
			'English',
			'Whereas recognition of the inherent dignity and of the equal and inalienable rights of ' +
				'all members of the human family is the foundation of freedom, justice and peace in the ' +
				'world,',
			36,
		],
		[
			'TypeScript',
			'export function estimateTokens(text: string): number {\n\tlet total = 0;\n\tfor (const ' +
				"word of text.split(' ')) total += word.length / 4;\n\treturn Math.ceil(total);\n}\n",
			40,
		],
		['JSON', '{"id":17,"name":"inkpod","tags":["a","b"],"nested":{"ok":true,"count":1024}}', 28],
		['Chinese', '人人生而自由，在尊严和权利上一律平等。他们赋有理性和良心，并应以兄弟关系的精神相对待。', 35],
		['Japanese', 'すべての人間は、生まれながらにして自由であり、かつ、尊厳と権利とについて平等である。', 35],
		['Korean', '모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다.', 24],
		['Russian', 'Все люди рождаются свободными и равными в своем достоинстве и правах.', 17],
		['digits', '3.14159265358979323846264338327950288419716939937510', 19],
	])('is within a third of a tokenizer’s count for %s', (_, text, counted) => {
		expect(estimateTokens(text) / counted).toBeGreaterThan(2 / 3);
		expect(estimateTokens(text) / counted).toBeLessThan(4 / 3);
	});

	it.each(['=', '-', '*', '─'])('counts a run of %j at most as one token for eight', mark => {
		for (const length of [40, 80, 1000])
			expect(estimateTokens(mark.repeat(length))).toBeLessThanOrEqual(Math.ceil(length / 8));
		expect(estimateTokens(`${mark.repeat(80)}\n`.repeat(100))).toBeLessThanOrEqual(100 * 10);
	});

	it('is zero for an empty text and at least one for any other', () => {
		expect(estimateTokens('')).toBe(0);
		for (const text of [' ', '\n', 'a', '日', '😀', '\0', '\uD800', '\uFFFF'])
			expect(estimateTokens(text)).toBe(1 + Number(text === '😀'));
	});

	it('is at most the sum of the estimates of the parts, and grows with the text', () => {
		const parts = ['const a = 1;\n', '日本語', '\uD83D', '\uDE00', '  \t', 'ABCdef', '123'];
		const whole = parts.join('');
		expect(estimateTokens(whole)).toBeLessThanOrEqual(parts.reduce((sum, part) => sum + estimateTokens(part), 0));
		for (let end = 1; end <= whole.length; end++)
			expect(estimateTokens(whole.slice(0, end))).toBeGreaterThanOrEqual(estimateTokens(whole.slice(0, end - 1)));
	});

	it('is linear in the length of the text', () => {
		const begun = cpuTime();
		const line = 'Words and 日本語 in a line, 42 times.\n';
		expect(estimateTokens(line.repeat(270_000)) / estimateTokens(line.repeat(27_000))).toBeCloseTo(10, 3);
		expect(cpuTime() - begun).toBeLessThan(10_000);
	});
});
