import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {terminal} from './terminal-input.ts';

const long = process.env['INKPOD_TEST'] === 'long';

describe('the input of a terminal', () => {
	const pieces = fc.oneof(
		{weight: 4, arbitrary: fc.constantFrom('a', 'word', ' ', 'é', '日本', '👩‍👩‍👧', 'x'.repeat(140), '[', '1;2', '~')},
		{weight: 2, arbitrary: fc.constantFrom('\r', '\n', '\t')},
		{
			weight: 1,
			arbitrary: fc.constantFrom(
				'\x1b[<35;3;4M',
				'\x1b]11;rgb:1/2/3\x1b\\',
				'\x1b[?62;22c',
				'\x1bP>|term 1\x1b\\',
				'\x1b[24;80R',
				'\x1b[?1u',
			),
		},
	);
	const cuts = fc.array(fc.tuple(fc.nat(40), fc.constantFrom(0, 1, 5, 11)), {maxLength: 60});

	it('leads to all text once and in order when it is split anywhere, and to no report as text', () => {
		fc.assert(
			fc.property(fc.array(pieces, {maxLength: 30}), cuts, (parts, sizes) => {
				const {input, writeBytes, pass, heard} = terminal();
				input.start();
				const bytes = Buffer.from(parts.join(''));
				let at = 0;
				for (const [size, ms] of sizes) {
					writeBytes(bytes.subarray(at, at + size));
					at = Math.min(bytes.length, at + size);
					pass(ms);
				}
				writeBytes(bytes.subarray(at));
				pass(3000);
				const text = heard
					.filter(said => !/^(?:reply:|<(?:move|focus|blur)>)/.test(said))
					.map(said =>
						said
							.replace(/^paste:/, '')
							.replace('<enter>', '\r')
							.replace('<ctrl+j>', '\n')
							.replace('<tab>', '\t'),
					)
					.join('');
				expect(text).toBe(parts.filter(part => !part.startsWith('\x1b')).join(''));
			}),
			{numRuns: long ? 20_000 : 400, seed: 21},
		);
	});

	it('throws nothing for arbitrary bytes, and the keyboard still works', () => {
		const bytes = fc.oneof(
			fc.uint8Array({maxLength: 40}),
			fc
				.array(
					fc.constantFrom(0x1b, 0x5b, 0x4f, 0x5d, 0x50, 0x3b, 0x31, 0x7e, 0x4d, 0x3c, 0x0d, 0x07, 0xe6, 0x97),
					{maxLength: 30},
				)
				.map(codes => Uint8Array.from(codes)),
		);
		fc.assert(
			fc.property(fc.array(fc.tuple(bytes, fc.constantFrom(0, 15, 60, 600)), {maxLength: 12}), reads => {
				const {input, writeBytes, pass, timers, take} = terminal();
				input.start();
				for (const [each, ms] of reads) {
					writeBytes(each);
					pass(ms);
				}
				for (let turn = 0; turn < 5; turn++) pass(3000);
				expect(timers()).toBe(0);
				take();
				writeBytes(Buffer.from('q'));
				pass(3000);
				expect(take()).toMatch(/^(?:<alt\+\uFFFD>)?\uFFFD*q$/);
			}),
			{numRuns: long ? 20_000 : 400, seed: 22},
		);
	});
});
