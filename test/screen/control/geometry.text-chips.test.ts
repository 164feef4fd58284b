import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {flatten, type Segment} from '../../../src/pod/protocol.ts';
import {makePaste} from '../../../src/screen/editor/chip.ts';
import {withChips} from '../../../src/screen/control/geometry.ts';

const text = (words: string): Segment => ({type: 'text', text: words});
const file = (path: string): Segment => ({type: 'file_ref', path});
const paste = (content: string): Segment => makePaste('1', content);

describe('the chips of an edited text', () => {
	it.each<[string, readonly Segment[], string, readonly Segment[]]>([
		[
			'are the same when they are unchanged',
			[text('see '), file('a b.md'), text(' and '), paste('x\ny\nz')],
			'see @"a b.md" and x\ny\nz',
			[text('see '), file('a b.md'), text(' and '), paste('x\ny\nz')],
		],
		[
			'are the same between new words',
			[file('a.md')],
			'now @a.md, too',
			[text('now '), file('a.md'), text(', too')],
		],
		[
			'are the same in other places',
			[file('a.md'), text(' '), file('b.md')],
			'@b.md @a.md',
			[file('b.md'), text(' '), file('a.md')],
		],
		[
			'become text when their path changed',
			[file('a.md')],
			'@a.mdx @a.md/b @a.md.bak',
			[text('@a.mdx @a.md/b @a.md.bak')],
		],
		[
			'are the same at the end of a sentence',
			[file('a.md')],
			'read @a.md.',
			[text('read '), file('a.md'), text('.')],
		],
		[
			'belong to a paste that contains their text',
			[file('a.md'), text(' '), paste('1\n@a.md\n2')],
			'1\n@a.md\n2 @a.md',
			[paste('1\n@a.md\n2'), text(' '), file('a.md')],
		],
		['become text when their paste changed', [paste('x\ny\nz')], 'x\ny!\nz', [text('x\ny!\nz')]],
		[
			'are each one chip when their text occurs twice',
			[file('a.md')],
			'@a.md @a.md',
			[file('a.md'), text(' @a.md')],
		],
		['are empty for an empty text', [file('a.md')], '', []],
	])('%s', (_, draft, edited, expected) => {
		expect(withChips(edited, draft)).toEqual(expected);
	});

	it('match any text', () => {
		const piece = fc.oneof(
			fc.string({unit: fc.constantFrom('a', 'b', '@', '.', '/', ' ', '\n', '日'), maxLength: 6}).map(text),
			fc.constantFrom(file('a'), file('a b'), file('a.b'), paste('a\n@a'), paste('b')),
		);
		const seed = 20_261_121;
		fc.assert(
			fc.property(fc.array(piece, {maxLength: 6}), fc.array(piece, {maxLength: 6}), (draft, other) => {
				const edited = flatten(other);
				expect(flatten(withChips(edited, draft))).toBe(edited);
				expect(flatten(withChips(flatten(draft), draft))).toBe(flatten(draft));
			}),
			{seed, numRuns: process.env['INKPOD_TEST'] === 'long' ? 20_000 : 500},
		);
	});
});
