import * as fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {textOf} from '../../../../src/screen/spans/row.ts';
import {preview, type RenderContext} from '../../../../src/screen/rows/parts/render.ts';

const long = process.env['INKPOD_TEST'] === 'long';
const seed = 20_417;
const context: RenderContext = {columns: 30, view: 'normal', phase: 'waiting'};
const texts = (body: string, more: Partial<RenderContext> = {}, note?: string) =>
	preview(body, {...context, ...more}, {note}).map(textOf);

describe('the preview of a body', () => {
	const line = fc.string({minLength: 0, maxLength: 60}).map(text => text.replaceAll(/[\n\r]/g, ' '));
	const bodies = fc.tuple(fc.array(line, {maxLength: 12}), fc.boolean());

	it(`shows the first 4 lines in one row each, then the number of others (seed ${seed})`, () => {
		fc.assert(
			fc.property(bodies, fc.boolean(), ([lines, isEnded], hasNote) => {
				const body = lines
					.map(each => `${each}\n`)
					.join('')
					.slice(0, isEnded || lines.at(-1) === '' ? undefined : -1);
				const note = hasNote ? '[...truncated]' : undefined;
				const rows = texts(body, {}, note);
				const more = lines.length - 4;
				const mark =
					lines.length === 0
						? '(empty)'
						: more > 0
							? `… ${more} more ${more === 1 ? 'line' : 'lines'}`
							: undefined;
				expect(rows).toHaveLength(Math.min(4, lines.length) + Number(mark !== undefined) + Number(hasNote));
				expect(rows[Math.min(4, lines.length)]).toBe(mark ?? note);
				expect(rows.at(-1) === note || !hasNote).toBe(true);
				const plain = lines
					.slice(0, 4)
					.map((each, index) => [each, rows[index]!] as const)
					.filter(([each]) => /^[ -~]*$/.test(each));
				for (const [each, row] of plain) expect(row).toBe(each.length <= 26 ? each : `${each.slice(0, 25)}…`);
			}),
			{seed, numRuns: long ? 20_000 : 300},
		);
	});

	it('shows every line as a whole in the detail view', () => {
		const body = Array.from({length: 9}, (_, index) => `${index} ${'word '.repeat(12)}`.trim()).join('\n');
		expect(
			preview(body, {...context, view: 'detail'})
				.map(row => (row.continued ? (row.gap ?? '') : '\n') + textOf(row))
				.join('')
				.slice(1),
		).toBe(body);
	});
});
