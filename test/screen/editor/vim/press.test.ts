import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {draftLine} from '../../../../src/screen/editor/draft.ts';
import {toSegments} from '../../../../src/screen/editor/segments.ts';
import {segment} from '../../../../src/screen/editor/graphemes.ts';
import {flatten} from '../../../../src/pod/protocol.ts';
import {markedText, openVim, pressKey, splitKeys} from '../../../helpers/vim-keys.ts';
import {vimCases} from '../../../helpers/vim.ts';

describe('vim keys have the same effect as in vim', () => {
	for (const [subject, cases] of Object.entries(vimCases))
		describe(`in ${subject}`, () => {
			it.each(cases)('%j %s', (text, keys, result) => {
				const {editor} = splitKeys(keys).reduce(pressKey, openVim(text));
				expect(markedText(editor.draft, editor.cursor)).toBe(result);
			});
		});
});

describe('any keys', () => {
	const seed = Number(process.env['INKPOD_SEED'] ?? 20_261_124);
	const text = fc.string({
		unit: fc.constantFrom('a', 'b', ' ', '\n', '(', ')', '"', '日', 'カ', 'e\u0301', '\u{1F600}', '\u{1F1E9}', '.'),
		maxLength: 40,
	});
	const key = fc.oneof(
		{
			weight: 4,
			arbitrary: fc.constantFrom(...'hjklwbeWBE0^$fFtT;,%{}ggGdcyxXDCSsYJrRpPuiaIAoOvV~<>"a1239.'.split('')),
		},
		{
			weight: 1,
			arbitrary: fc.constantFrom('<Esc>', '<BS>', '<CR>', '<Space>', '<C-r>', 'gu', 'gJ', 'gv', 'é', '語'),
		},
	);

	it(`keep the cursor between characters of the draft (seed ${seed})`, () => {
		fc.assert(
			fc.property(text, fc.array(key, {maxLength: 40}), (start, keys) => {
				let editing = openVim(`|${start}`);
				for (const each of keys.flatMap(splitKeys)) {
					editing = pressKey(editing, each);
					const {draft, cursor} = editing.editor;
					const line = draftLine(draft, cursor.line);
					const isTyping = editing.vim.mode === 'insert' || editing.vim.mode === 'replace';
					expect(cursor.column).toBeLessThanOrEqual(Math.max(0, line.length - (isTyping ? 0 : 1)));
					expect(cursor.column).toBeGreaterThanOrEqual(0);
				}
				const {draft} = editing.editor;
				expect(draft.map(line => line.length)).toEqual(
					flatten(toSegments(draft))
						.split('\n')
						.map(line => segment(line).length),
				);
			}),
			{seed, numRuns: process.env['INKPOD_TEST'] === 'long' ? 20_000 : 500},
		);
	});

	it(`lead back to the first text with enough undos (seed ${seed})`, () => {
		fc.assert(
			fc.property(text, fc.array(key, {maxLength: 20}), (start, keys) => {
				const first = openVim(`|${start}`);
				let editing = [...keys.flatMap(splitKeys), '<Esc>', '<Esc>', '<Esc>'].reduce(pressKey, first);
				for (let left = 100; left > 0; left--) editing = pressKey(editing, 'u');
				expect(flatten(toSegments(editing.editor.draft))).toBe(flatten(toSegments(first.editor.draft)));
			}),
			{seed, numRuns: process.env['INKPOD_TEST'] === 'long' ? 5000 : 200},
		);
	});
});
