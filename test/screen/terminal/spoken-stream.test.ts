import * as fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import type {GlyphSet} from '../../../src/screen/spans/glyphs.ts';
import type {SpokenCaret} from '../../../src/screen/terminal/spoken-stream.ts';
import {createSpokenStream} from '../../../src/screen/terminal/spoken-stream.ts';
import {createScreen} from '../../helpers/screen.ts';

const size = {columns: 30, rows: 40};
const atEnd = (lines: readonly string[]): SpokenCaret => ({up: 0, x: lines.at(-1)!.length});

describe('the stream for a screen reader', () => {
	it('contains the changed lines of a frame from the first changed character on', () => {
		const {show} = opened();
		expect(show(['Status: idle', 'Message: '])).toBe('\rStatus: idle\r\nMessage: ');
		expect(show(['Status: idle', 'Message: a'])).toBe('a');
		expect(show(['Status: idle', 'Message: ab'])).toBe('b');
		expect(show(['Status: idle', 'Message: ab'])).toBe('');
		expect(show(['Status: busy', 'Message: ab'])).toBe('\x1b[1A\r\x1b[8C\x1b[Kbusy\x1b[1B\r\x1b[11C');
	});

	it('erases nothing after a line that fills the screen, because the cursor is still on its last character', () => {
		const {show} = opened();
		show(['Status: idle', 'Message: ']);
		expect(show(['x'.repeat(size.columns), 'Message: '])).toMatch(/\x1b\[Kx{30}\x1b\[1B/);
	});

	it('contains static texts on their own lines above the frame', async () => {
		const {show, rows} = opened();
		show(['Status: idle', 'Message: ']);
		show(['Status: idle', 'Message: '], 'You: some words that are longer than a row\n');
		expect(await rows()).toEqual(['You: some words that are', 'longer than a row', 'Status: idle', 'Message:']);
	});

	it('has stand-ins for signs where the font has only ASCII', async () => {
		const {show, rows} = opened('ascii');
		show(['1-4, or ↑↓ · Esc', 'Message: '], 'File a.ts … 2 more × 3\n');
		expect(await rows()).toEqual(['File a.ts . 2 more x 3', '1-4, or ^v - Esc', 'Message:']);
	});

	it('keeps the static texts but not the frame when the screen closes', async () => {
		const {show, stream, rows} = opened();
		show(['Status: idle', 'Message: '], 'You: hello\n');
		stream.leave();
		expect(await rows()).toEqual(['You: hello']);
	});

	it('shows any frames as if each had been written as a whole', async () => {
		const line = fc.constantFrom('', 'a', 'abc', 'abd', 'Status: idle', '日本 a', '日本 b', '👍🏽', 'x'.repeat(30));
		const step = fc.record({
			lines: fc.array(line, {maxLength: 5}).map(lines => ['frame', ...lines]),
			said: fc.option(line, {nil: undefined}),
			forget: fc.boolean(),
		});
		await fc.assert(
			fc.asyncProperty(fc.array(step, {maxLength: 12}), async steps => {
				const {show, stream, rows} = opened();
				const said: string[] = [];
				for (const each of steps) {
					if (each.forget) stream.forget();
					if (each.said !== undefined) said.push(each.said);
					show(each.lines, each.said === undefined ? undefined : `${each.said}\n`);
				}
				const last = steps.at(-1)?.lines ?? [];
				expect(await rows()).toEqual(trimmed([...said, ...last]));
			}),
			{seed: 20_261_122, numRuns: 200},
		);
	});
});

function opened(glyphs?: GlyphSet) {
	const screen = createScreen(size.columns, size.rows);
	let written = '';
	const bytes: string[] = [];
	const stream = createSpokenStream({
		columns: () => size.columns,
		rows: () => size.rows,
		write: text => {
			written += text;
			bytes.push(text);
		},
		...(glyphs !== undefined && {glyphs}),
	});
	return {
		stream,
		/** Writes a frame like Ink in its screen reader mode, and returns the bytes for the terminal. */
		show: (lines: readonly string[], said?: string) => {
			const before = written.length;
			stream.stdout.write('\x1b[?2026h');
			stream.stdout.write('\x1b[2K\x1b[1A');
			if (said !== undefined) stream.stdout.write(said);
			stream.stdout.write(lines.join('\n'));
			stream.stdout.write('\x1b[?2026l');
			stream.flush(atEnd(lines));
			return written.slice(before);
		},
		rows: async () => {
			await screen.write(bytes.splice(0).join(''));
			return trimmed(screen.rows().map(row => row.trimEnd()));
		},
	};
}

function trimmed(rows: readonly string[]): readonly string[] {
	return rows.slice(0, rows.findLastIndex(row => row !== '') + 1);
}
