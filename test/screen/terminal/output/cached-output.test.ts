import {describe, expect, it} from 'vitest';
import {keepRows, type OutputClass, type OutputLike} from '../../../../src/screen/terminal/output/index.ts';
import {loadStockOutput} from '../../../helpers/patched-ink.ts';

const Stock = await loadStockOutput();

describe('an output with cached rows', () => {
	it('asks Ink once for a row whose style does not end', () => {
		const {Counted, made} = counting(Stock);
		const Kept = keepRows(Counted);
		const frames = [1, 2, 3].map(() => paint(new Kept({width: 20, height: 2}), ['\x1b[31mred', 'plain']));
		expect(frames).toEqual(Array.from({length: 3}, () => '\x1b[31mred\x1b[39m\nplain'));
		expect(made()).toBe(1);
	});

	it('asks Ink for no row of plain ASCII', () => {
		const {Counted, made} = counting(Stock);
		const Kept = keepRows(Counted);
		expect(paint(new Kept({width: 20, height: 2}), ['one', 'two  '])).toBe('one\ntwo');
		expect(made()).toBe(0);
	});

	it('asks Ink for no row whose styles all end', () => {
		const {Counted, made} = counting(Stock);
		const Kept = keepRows(Counted);
		const row = '\x1b[1m\x1b[38;2;1;2;3m日本\x1b[39m\x1b[22m · \x1b[100m語\x1b[49m';
		expect(paint(new Kept({width: 20, height: 1}), [row])).toBe(row);
		expect(made()).toBe(0);
	});

	it('finds a row again after it moved', () => {
		const {Counted, made} = counting(Stock);
		const Kept = keepRows(Counted);
		paint(new Kept({width: 20, height: 3}), ['日本', '漢字', 'x']);
		const before = made();
		expect(paint(new Kept({width: 20, height: 3}), ['漢字', 'x', '日本'])).toBe('漢字\nx\n日本');
		expect(made()).toBe(before);
	});

	it('leaves a layout with fractions of cells to Ink', () => {
		const Kept = keepRows(Stock);
		const [kept, stock] = [Kept, Stock].map(Output => {
			const output = new Output({width: 10, height: 2.5});
			output.write(0.5, 0, '日本', {transformers: []});
			return output.get();
		});
		expect(kept).toEqual(stock);
	});
});

function paint(output: OutputLike, lines: readonly string[]): string {
	for (const [y, line] of lines.entries()) output.write(0, y, line, {transformers: []});
	return output.get().output;
}

/** Returns a class that counts its instances. */
function counting(Base: OutputClass): {readonly Counted: OutputClass; readonly made: () => number} {
	let made = 0;
	const Counted = class extends Base {
		constructor(size: {readonly width: number; readonly height: number}) {
			super(size);
			made++;
		}
	};
	return {Counted, made: () => made};
}
