import {describe, expect, it} from 'vitest';
import {tempProject} from '../../../helpers/temp-project.ts';
import {accepted} from './submit.ts';

const cap = 16_384;

/** Computes the body of the spec independently: by code points, and by the bytes before each. */
function expectedText(path: string, content: string): string {
	const total = Buffer.byteLength(content);
	if (total <= cap) return `[File: ${path}]\n${content}`;
	let end = 0;
	let bytes = 0;
	let lineEnd: {readonly end: number; readonly bytes: number} | undefined;
	for (const character of content) {
		if (character === '\n' && bytes <= cap) lineEnd = {end, bytes};
		const size = Buffer.byteLength(character);
		if (bytes + size > cap) break;
		end += character.length;
		bytes += size;
	}
	const cut = lineEnd !== undefined && bytes - lineEnd.bytes <= 256 ? lineEnd.end : end;
	const note = `[...truncated, ${total} bytes total — use read_file for the rest]`;
	return `[File: ${path}]\n${content.slice(0, cut)}\n${note}`;
}

describe('a cut at every byte of a character', () => {
	it.each([
		['of 2 bytes', 'é'],
		['of 3 bytes', '日'],
		['of 4 bytes', '👍'],
		['with combining marks', 'e\u0301\u0323'],
		['that is a family of emoji', '👩‍👩‍👧'],
		['with a variation selector', '葛\u{E0100}'],
		['of Hangul in parts', '\u1112\u1161\u11AB'],
		['of U+FFFD, which the file contains', '\uFFFD'],
		['in several scripts', 'añ日👍🏽𠮷'],
	])('keeps complete code points and counts all bytes: %s', async (_, unit) => {
		const project = await tempProject();
		const size = Buffer.byteLength(unit);
		const count = Math.ceil(cap / size) + 3;
		for (let before = 0; before < size; before += 1) {
			const content = 'x'.repeat(before) + unit.repeat(count);
			await project.write('f.txt', content);
			const {attachments} = await accepted(project, '@f.txt');
			const {text} = attachments[0]!;
			expect(text).toBe(expectedText('f.txt', content));
			expect(text.isWellFormed()).toBe(true);
			if (unit !== '\uFFFD') expect(text).not.toContain('\uFFFD');
			expect(attachments[0]?.origin).toMatchObject({
				truncated: true,
				totalBytes: Buffer.byteLength(content),
				bytes: Buffer.byteLength(text.slice('[File: f.txt]\n'.length, text.lastIndexOf('\n[...truncated'))),
			});
		}
	});
});

describe('a cut', () => {
	it.each(['x', 'é', '日', '👍'])('is made only above the limit, for files of %s', async unit => {
		const project = await tempProject();
		const size = Buffer.byteLength(unit);
		for (let total = cap - 2 * size; total <= cap + 2 * size; total += 1) {
			const content = 'x'.repeat(total % size) + unit.repeat(Math.floor(total / size));
			await project.write('f.txt', content);
			const {attachments} = await accepted(project, '@f.txt');
			expect(attachments[0]?.text).toBe(expectedText('f.txt', content));
			expect(attachments[0]?.text.includes('[...truncated')).toBe(total > cap);
		}
	});

	it.each(['x', 'é', '日', '👍'])(
		'is made at the end of a line of %s if that is within the last 256 bytes',
		async unit => {
			const project = await tempProject();
			const size = Buffer.byteLength(unit);
			const step = process.env['INKPOD_TEST'] === 'long' ? 1 : 7;
			for (let back = -3; back <= 264; back += back < 8 || back > 250 ? 1 : step) {
				const line = cap - back;
				const content = `${'x'.repeat(line % size)}${unit.repeat(Math.floor(line / size))}\n${unit.repeat(600)}`;
				await project.write('f.txt', content);
				expect((await accepted(project, '@f.txt')).attachments[0]?.text).toBe(expectedText('f.txt', content));
			}
		},
	);
});

describe('the limit of an attachment', () => {
	it.each<[string, string | Uint8Array, string]>([
		['a BOM does not', `\uFEFF${'x'.repeat(cap)}`, `[File: f.txt]\n${'x'.repeat(cap)}`],
		['CRLF is one byte', '\r\n'.repeat(cap), `[File: f.txt]\n${'\n'.repeat(cap)}`],
		['CRLF across the cap stays whole', `${'x'.repeat(cap - 1)}\r\n`, `[File: f.txt]\n${'x'.repeat(cap - 1)}\n`],
		[
			'UTF-16 counts as UTF-8, and the total is the file’s',
			Buffer.from(`\uFEFF${'日'.repeat(5462)}`, 'utf16le'),
			`[File: f.txt]\n${'日'.repeat(5461)}\n[...truncated, 10926 bytes total — use read_file for the rest]`,
		],
		[
			'the total of a cut file is its size on disk, with BOM and CR',
			`\uFEFF${`${'y'.repeat(98)}\r\n`.repeat(200)}`,
			`[File: f.txt]\n${`${'y'.repeat(98)}\n`.repeat(165).trimEnd()}\n` +
				'[...truncated, 20003 bytes total — use read_file for the rest]',
		],
	])('%s', async (_, content, expected) => {
		const project = await tempProject({'f.txt': content});
		expect((await accepted(project, '@f.txt')).attachments[0]?.text).toBe(expected);
	});

	it('applies to a range in the same way', async () => {
		const project = await tempProject({'f.txt': `head\n${'日'.repeat(6000)}\ntail\n`});
		expect((await accepted(project, '@f.txt:2-3')).attachments[0]?.text).toBe(
			`[File: f.txt:2-3]\n${'日'.repeat(5461)}\n[...truncated, 18011 bytes total — use read_file for the rest]`,
		);
	});

	it('leaves a short range of a long file complete', async () => {
		const project = await tempProject({'f.txt': `${'日'.repeat(20_000)}\nend\n`});
		expect((await accepted(project, '@f.txt:2')).attachments[0]?.text).toBe('[File: f.txt:2]\nend');
	});
});
