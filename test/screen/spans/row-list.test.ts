import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {plainText, textRow, type Row} from '../../../src/screen/spans/row.ts';
import {createRowList, joinRowLists, type RowList} from '../../../src/screen/spans/row-list.ts';

/** Makes parts with these numbers of rows, and counts how often each part is made. */
function listOf(counts: readonly number[], name = '') {
	const made = counts.map(() => 0);
	const rowsIn = (part: number): Row[] =>
		Array.from({length: counts[part] ?? 0}, (_, row) => textRow(`${name}${part}.${row}`));
	const list = createRowList({
		parts: counts.length,
		count: part => counts[part] ?? 0,
		make(part) {
			made[part] = (made[part] ?? 0) + 1;
			return rowsIn(part);
		},
	});
	return {list, made, all: counts.flatMap((_, part) => rowsIn(part)).map(plainText)};
}

const read = (list: RowList, from: number, to: number) => list.slice(from, to).map(plainText);
const anyCounts = fc.array(fc.nat(4), {maxLength: 12});
const anyPlace = fc.integer({min: -3, max: 40});

describe('a list of rows that are made late', () => {
	it('has the same rows as the whole list, in any window', () => {
		fc.assert(
			fc.property(anyCounts, anyPlace, anyPlace, (counts, from, to) => {
				const {list, all} = listOf(counts);
				expect(list.length).toBe(all.length);
				expect(read(list, from, to)).toEqual(all.slice(Math.max(0, from), Math.max(0, to)));
			}),
		);
	});

	it('makes only the parts that are read, and each once', () => {
		const {list, made} = listOf([2, 3, 0, 4]);
		expect(made).toEqual([0, 0, 0, 0]);
		list.slice(2, 4);
		list.slice(3, 5);
		expect(made).toEqual([0, 1, 0, 0]);
	});

	it('joins other lists, and arrays of rows', () => {
		fc.assert(
			fc.property(anyCounts, anyCounts, anyPlace, anyPlace, (one, two, from, to) => {
				const [first, second] = [listOf(one, 'a'), listOf(two, 'b')];
				const middle = [textRow('middle')];
				const all = [...first.all, 'middle', ...second.all];
				const joined = joinRowLists([first.list, middle, second.list]);
				expect(joined.length).toBe(all.length);
				expect(read(joined, from, to)).toEqual(all.slice(Math.max(0, from), Math.max(0, to)));
			}),
		);
	});
});
