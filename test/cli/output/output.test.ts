import {describe, expect, it} from 'vitest';
import {columnWidths} from '../../../src/cli/output/output.ts';

describe('column widths', () => {
	it('are those of the widest cells, and 0 for columns without cells', () => {
		const rows = [
			['a', '日本'],
			['abc', ''],
		];
		expect([columnWidths(rows, 3), columnWidths([], 1)]).toEqual([[3, 4, 0], [0]]);
	});

	it('are correct for more rows than a call can have arguments', () => {
		const rows = Array.from({length: 200_000}, () => ['a']);
		expect(columnWidths([...rows, ['abc']], 1)).toEqual([3]);
	});
});
