import * as fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {createLineReader, lineOf} from '../../../../src/pod/ground/text/lines.ts';
import {anyText} from '../../../helpers/any-text.ts';

const seed = 20_261_121;

describe('a line reader', () => {
	it(`reads any values in pieces of any size (seed ${seed})`, () => {
		const values = fc.array(fc.record({text: anyText(), lone: fc.constantFrom('\ud800', '日\n', '\u2028')}), {
			maxLength: 5,
		});
		fc.assert(
			fc.property(values, fc.array(fc.integer({min: 1, max: 9}), {minLength: 1}), (said, sizes) => {
				const bytes = Buffer.from(said.map(value => lineOf(value)).join(''));
				const heard: unknown[] = [];
				const reader = createLineReader(10_000, value => heard.push(value) > 0);
				for (let at = 0, n = 0; at < bytes.length; n++) {
					const size = sizes[n % sizes.length]!;
					expect(reader.push(bytes.subarray(at, at + size))).toBeUndefined();
					at += size;
				}
				expect(heard).toEqual(said);
			}),
			{seed, numRuns: 200},
		);
	});

	it('reads a line of the maximum length and refuses a longer one, whole or in pieces', () => {
		for (const pieces of [['"123456"\n'], ['"123', '456"\n']]) {
			const heard: unknown[] = [];
			const [fits, tooLong] = [8, 7].map(most => createLineReader(most, value => heard.push(value) > 0));
			expect(pieces.map(piece => fits!.push(Buffer.from(piece))).at(-1)).toBeUndefined();
			expect(pieces.map(piece => tooLong!.push(Buffer.from(piece))).at(-1)).toBe('too_long');
			expect(tooLong!.push(Buffer.from('1\n'))).toBeUndefined();
			expect(heard).toEqual(['123456']);
		}
	});
});
