import {describe, it} from 'vitest';
import {openChat} from '../helpers/chat.ts';
import type {Terminal} from '../helpers/pty.ts';

/**
An input method opens its window at the real cursor, so after every key the cursor must be at the caret. The test finds
the caret on the screen itself: the `Z` is always right after it.

The headless terminal uses the widths of test/helpers/unicode.ts, as current terminals do: East Asian widths, emoji
sequences, flags, skin tones, variation selectors and marks. Terminals disagree about conjoining Hangul jamo and about a
Thai or Lao AM: some draw one cluster, some draw the parts. The test cannot check these.
*/
const texts: ReadonlyArray<readonly [name: string, text: string]> = [
	['Latin', 'Grüße'],
	['kanji and kana', '漢字かな交じりテキスト。ﾊﾝｶｸ'],
	['Chinese', '你好，世界！'],
	['Hangul', '안녕하세요'],
	['a family, joined', 'a👩‍👩‍👧‍👦b'],
	['professions, joined', '👩🏽‍💻🏃🏻‍♀️'],
	['flags', '🇩🇪🇯🇵🇫🇷'],
	['skin tones', '👍🏽👋🏿'],
	['combining marks', 'e\u0301a\u0308\u0323o\u0302'],
	['emoji by a variation selector', '❤️☀️'],
	['Thai', 'สวัสดีครับ'],
	['Devanagari', 'नमस्ते'],
	['Arabic and Hebrew', 'مرحبا שלום'],
	['mixed', 'x日é👍🏽한y'],
];

const invisible = /[\s\p{M}\p{Cf}\u{1f3fb}-\u{1f3ff}]/gu;
/** An incomplete sequence shows its joiner as a mark. */
const marks = /⟨U\+[\dA-F]+⟩/g;
const flat = (text: string) =>
	text
		.replaceAll(/❯|↑|↓/g, '')
		.replaceAll(invisible, '')
		.replaceAll(marks, '');

/** Whether the draft ends in these words, and the cursor is at the cell of the `Z` after the caret. */
function standsBefore(terminal: Terminal, words: string): boolean {
	const {row, column, visible} = terminal.cursor();
	return visible && flat(terminal.screen()).includes(flat(words)) && terminal.cell(row, column)?.text === 'Z';
}

async function typeBeforeZ(terminal: Terminal, text: string): Promise<void> {
	let typed = '';
	for (const character of text) {
		terminal.write(character);
		typed += character;
		await terminal.waitFor(() => standsBefore(terminal, typed), {
			what: `the cursor behind ${JSON.stringify(typed)}, before the Z; it is at ${JSON.stringify(terminal.cursor())}`,
		});
	}
}

async function openWithZ(cols: number, rows: number): Promise<Terminal> {
	const terminal = await openChat({cols, rows});
	await terminal.waitFor('offline');
	terminal.write('Z');
	await terminal.waitFor(/❯ Z/);
	terminal.write('\x1b[D');
	await terminal.waitFor(() => standsBefore(terminal, ''));
	return terminal;
}

describe('the cursor of the terminal', () => {
	it.each(texts)('is at the caret after every key of %s', async (_name, text) => {
		const terminal = await openWithZ(100, 20);
		await typeBeforeZ(terminal, text);
	});

	it.each([
		[40, 15],
		[23, 12],
	])('is at the caret on %i columns, where lines wrap between wide characters', async (cols, rows) => {
		const terminal = await openWithZ(cols, rows);
		for (const text of [
			'日本語のとても長い文章を書いています、まだ続きます。',
			'one two 👩‍👩‍👧‍👦👩‍👩‍👧‍👦 three 日本 four five',
			'x日本語日本語日本語日本語日本語日本語',
		]) {
			await typeBeforeZ(terminal, text);
			terminal.write('\n');
			await terminal.waitFor(() => standsBefore(terminal, ''));
		}
	});

	it('is at the caret while you move through a line and write into it', async () => {
		const terminal = await openChat({cols: 40, rows: 15});
		await terminal.waitFor('offline');
		const text = '日本e\u0301👩‍👩‍👧‍👦🇩🇪한x';
		terminal.write(text);
		await terminal.waitFor('한x');
		await terminal.waitFor(() => terminal.cursor().column === 2 + 12);
		for (const cells of [11, 9, 7, 5, 4, 2, 0]) {
			terminal.write('\x1b[D');
			await terminal.waitFor(() => terminal.cursor().column === 2 + cells, {
				what: `column ${2 + cells}, not ${JSON.stringify(terminal.cursor())}`,
			});
		}
		terminal.write('\x1b[C語');
		await terminal.waitFor(screen => screen.includes('日語本') && terminal.cursor().column === 6);
	});
});
