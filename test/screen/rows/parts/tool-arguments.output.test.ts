import {describe, expect, it} from 'vitest';
import {plainText} from '../../../../src/screen/spans/row.ts';
import {outputRows} from '../../../../src/screen/rows/parts/tool-arguments.ts';

const context = {columns: 40, view: 'normal', phase: 'waiting'} as const;
const lines = (count: number) => Array.from({length: count}, (_, index) => `line ${index + 1}\n`).join('');
const shown = (...of: Parameters<typeof outputRows>) => outputRows(...of).map(row => plainText(row).trimEnd());

describe('the output of a command', () => {
	it('shows its last 10 lines after a failure, 4 after a success, and 30 of a command of the user', () => {
		expect(shown(lines(50), context, 'failed')).toHaveLength(11);
		expect(shown(lines(50), context, 'failed').slice(0, 2)).toEqual(['  │ … 40 earlier lines', '  │ line 41']);
		expect(shown(lines(50), context, 'done').at(-1)).toBe('  │ line 50');
		expect(shown(lines(50), context, 'done')).toHaveLength(5);
		expect(shown(lines(50), context, 'own')).toHaveLength(31);
		expect(shown(lines(50), {...context, view: 'detail'}, 'done')).toHaveLength(50);
	});

	it('has no blank rows around it, and keeps those inside', () => {
		expect(shown('\n \n\n  a\n\nb\n\n\n', context, 'failed')).toEqual(['  │   a', '  │', '  │ b']);
		expect(shown('\n\n', context, 'failed')).toEqual(['  │']);
		expect(shown('', context, 'failed', {empty: 'nothing'})).toEqual(['  │ nothing']);
	});

	it('shows its last lines that are not blank, with the blank ones between them, in at most twice as many rows', () => {
		expect(shown('a\n\nb\n \nc\n\nd\n\ne\n', context, 'done')).toEqual([
			'  │ … 2 earlier lines',
			'  │ b',
			'  │',
			'  │ c',
			'  │',
			'  │ d',
			'  │',
			'  │ e',
		]);
		expect(shown('b\n\nc\n\nd\n\ne\n', context, 'done')).toHaveLength(7);
		const spread = shown(`${'line\n\n\n\n'.repeat(20)}end\n`, context, 'done');
		expect(spread).toHaveLength(6);
		expect([spread[0], spread.at(-1)]).toEqual(['  │ … 76 earlier lines', '  │ end']);
	});

	it('shows what failed in its colours, cut to one row each, and everything in the detail view', () => {
		const output = `${lines(20)}\u001b[31mError: ${'漢👩‍👩‍👧'.repeat(20)}\u001b[0m\n${lines(20)}`;
		const rows = outputRows(output, context, 'failed', {failed: 'sh check.sh'});
		expect(rows.map(({role, hides}) => [role, hides])).toEqual([
			['more', 18],
			...Array(5).fill(['text', 0]),
			['more', 15],
			...Array(3).fill(['text', 0]),
		]);
		expect(rows[3]?.spans[0]).toMatchObject({style: ['output.red']});
		expect(plainText(rows[3]!)).toMatch(/^ {2}│ Error: (?:漢|👩‍👩‍👧)+…\s*$/u);
		for (const row of rows) expect(plainText(row).isWellFormed()).toBe(true);
		expect(outputRows(output, {...context, view: 'detail'}, 'failed', {failed: 'a'}).length).toBeGreaterThan(40);
		expect(outputRows(output, context, 'failed')).toHaveLength(11);
	});

	it('keeps its colours in every view', () => {
		for (const view of ['normal', 'detail'] as const)
			expect(outputRows('\u001b[32mok\u001b[0m\n', {...context, view}, 'done')[0]?.spans).toEqual([
				{text: 'ok', style: ['output.green']},
			]);
	});
});
