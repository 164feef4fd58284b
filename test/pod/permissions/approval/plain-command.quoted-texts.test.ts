import {describe, expect, it} from 'vitest';
import {quotedTexts} from '../../../../src/pod/permissions/approval/plain-command.ts';

describe('the texts in quotes', () => {
	it('are parts of words', () => {
		expect(quotedTexts('a \'b;c\' "d|$e" f\\;g')?.outer).toEqual(['a \'b_c\' "d_$e" f\\_g']);
		expect(quotedTexts('a "$(b "c;d")" e')?.outer).toEqual(['a "$_b__c_d__" e']);
	});

	it('may be scripts, at any depth', () => {
		const inner = quotedTexts('bash -c "git -C \'a b\' push" "$(x "y z")"')?.inner;
		expect(inner).toEqual(expect.arrayContaining(["git -C 'a_b' push", 'x "y_z"', 'a b', 'y z']));
	});

	it('do not begin in a comment or in a document', () => {
		expect(quotedTexts("a # it's\nb 'c d'")?.outer).toContain("a # it's\nb 'c_d'");
		expect(quotedTexts("cat <<E\nit's\nE\nb 'c d'")?.outer).toContain("cat <<E\nb 'c_d'");
	});

	it.each(['"$(', "'", '\\"', '<<E\n', '<<a\na\n', '"$(a "b;c") " ', '"`', "a\n'", '$("', '"\'', '\\\\"', '("'])(
		'are found in a short time: %j',
		piece => {
			const text = piece.repeat(Math.floor(32_768 / piece.length));
			const started = performance.now();
			const found = quotedTexts(text);
			expect(performance.now() - started).toBeLessThan(2000);
			expect([undefined, 1, 2, 3, 4]).toContain(found === undefined ? undefined : found.outer.length);
		},
	);
});
