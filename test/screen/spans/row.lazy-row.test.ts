import {describe, expect, it} from 'vitest';
import {lazyRow, restyledRows} from '../../../src/screen/spans/row.ts';
import {lineRows, textOf, textRow} from '../../../src/screen/spans/row.ts';
import {spansText, type Span} from '../../../src/text/span.ts';

describe('a row whose spans are made late', () => {
	it('has its text at once, and makes its spans once, when they are read', () => {
		let made = 0;
		const {spans: _, ...rest} = textRow('const a = 1');
		const row = lazyRow(rest, 'const a = 1', () => {
			made += 1;
			return [{text: 'const', style: 'keyword'}, {text: ' a = 1'}] as Span[];
		});
		expect(textOf(row)).toBe('const a = 1');
		expect(made).toBe(0);
		expect(row.spans).toBe(row.spans);
		expect(spansText(row.spans)).toBe('const a = 1');
		expect(made).toBe(1);
	});
});

describe('rows with other styles', () => {
	const text = 'one two three four five six';
	const rows = lineRows([{text}], {columns: 10});

	it('keep their texts, and get the styles of their part of the line', () => {
		const styled = restyledRows(rows, () => [{text: 'one two ', style: 'bold'}, {text: 'three four five six'}]);
		expect(styled.map(textOf)).toEqual(rows.map(textOf));
		expect(styled.map(row => spansText(row.spans))).toEqual(rows.map(textOf));
		expect(styled[0]!.spans[0]).toMatchObject({style: 'bold'});
		expect(styled[1]!.spans[0]).not.toMatchObject({style: 'bold'});
	});

	it('keep their own styles if the text would change', () => {
		const styled = restyledRows(rows, () => [{text: 'something else entirely, and longer'}]);
		expect(styled.map(row => spansText(row.spans))).toEqual(rows.map(textOf));
	});
});
