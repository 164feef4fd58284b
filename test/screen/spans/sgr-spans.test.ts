import {describe, expect, it} from 'vitest';
import {paintRow} from '../../../src/screen/spans/paint-row.ts';
import {cellsOf, colouredRow, colouredRows, plainText} from '../../../src/screen/spans/row.ts';
import {sgrSpans, withoutSgr} from '../../../src/screen/spans/sgr-spans.ts';
import {spansText} from '../../../src/text/span.ts';
import {createTheme} from '../../../src/screen/spans/theme.ts';

const esc = '\u001b';

describe('the colours of an output', () => {
	it('become styles, and their sequences are not part of the text', () => {
		expect(sgrSpans(`a ${esc}[1;32mok${esc}[0m b ${esc}[38;5;196mred${esc}[39m`)).toEqual([
			{text: 'a '},
			{text: 'ok', style: ['bold', 'output.green']},
			{text: ' b '},
			{text: 'red', style: ['output.red']},
		]);
		expect(sgrSpans(`${esc}[38;2;20;40;220mx${esc}[m${esc}[4:3my`)).toEqual([
			{text: 'x', style: ['output.blue']},
			{text: 'y', style: ['underline', 'italic']},
		]);
	});

	it('never hide text: a background is the inverse of its colour, and black, white and concealed are plain', () => {
		expect(sgrSpans(`${esc}[31;41mhidden`)).toEqual([{text: 'hidden', style: ['output.red', 'inverse']}]);
		expect(sgrSpans(`${esc}[30;40;8mhidden`)).toEqual([{text: 'hidden'}]);
		expect(sgrSpans(`${esc}[97;107mhidden`)).toEqual([{text: 'hidden', style: ['inverse']}]);
	});

	it('are the only sequences that disappear', () => {
		const line = `${esc}[2Ja${esc}]0;title\u0007${esc}[31mb${esc}[?25l${esc}[1;31`;
		const shown = plainText(colouredRow(line, {columns: 80}));
		expect(shown).toBe('␛[2Ja␛]0;title␇b␛[?25l␛[1;31');
		expect(withoutSgr(line)).toBe(`${esc}[2Ja${esc}]0;title\u0007b${esc}[?25l${esc}[1;31`);
	});

	it('are bounded in a flood of sequences, and all text stays', () => {
		const flood = `${esc}[31mx${esc}[32my`.repeat(100_000);
		const started = performance.now();
		const spans = sgrSpans(flood);
		expect(spans.length).toBeLessThan(300);
		expect(spansText(spans)).toBe('xy'.repeat(100_000));
		sgrSpans(`${esc}[`.repeat(500_000));
		sgrSpans(`${esc}[${'1;'.repeat(500_000)}`);
		expect(performance.now() - started).toBeLessThan(3000);
	});

	it('leave a combining mark, a tab and wide characters inert and in their cells', () => {
		const row = colouredRow(`${esc}[31m\u0301mark\t日本${esc}[0m`, {columns: 11});
		expect(plainText(row)).toBe('◌\u0301mark   日…');
		expect(cellsOf(row)).toBeLessThanOrEqual(12);
		const rows = colouredRows(`${esc}[31m${'word '.repeat(8)}`, {columns: 12});
		expect(rows.every(each => cellsOf(each) <= 12)).toBe(true);
		expect(paintRow(rows[1]!, createTheme(1))).toBe('\u001b[31mword word\u001b[39m');
	});
});
