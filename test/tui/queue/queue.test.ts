import {expect, it} from 'vitest';
import type {Segment} from '../../../src/pod/protocol.ts';
import {withdraw} from '../../../src/tui/queue/queue.ts';
import {queueRows} from '../../../src/tui/queue/queue-rows.ts';
import {plainText} from '../../../src/tui/text/row.ts';
import {width} from '../../../src/tui/text/width.ts';

const words = (text: string): readonly Segment[] => [{type: 'text', text}];
const rowsOf = (...args: Parameters<typeof queueRows>) => queueRows(...args).map(plainText);

it('an empty queue returns nothing and has no rows', () => {
	expect(withdraw([])).toBeUndefined();
	expect(rowsOf({leaving: [], queue: [], steered: []}, 40, 5)).toEqual([]);
});

it('the queue shows each message on a row: steered first, chips by name, and how to edit the last one', () => {
	const chips: readonly Segment[] = [
		{type: 'file_ref', path: 'a.md'},
		{type: 'text', text: ' and\n'},
		{type: 'paste', id: '1', chars: 9, lines: 3, content: 'a\nb\nc'},
	];
	expect(rowsOf({leaving: [], steered: [words('now')], queue: [words('one'), chips]}, 60, 5)).toEqual([
		'↳ steering: now',
		'⧗ queued: one',
		'⧗ queued: @a.md and [paste: 3 lines] (↑ to edit)',
	]);
});

it('the queue shows the first and the last of many and counts the others', () => {
	const queue = Array.from({length: 9}, (_, index) => words(`m${index}`));
	expect(rowsOf({leaving: [], steered: [], queue}, 60, 4)).toEqual([
		'⧗ queued: m0',
		'⧗ queued: m1',
		'… 6 more queued',
		'⧗ queued: m8 (↑ to edit)',
	]);
	expect(rowsOf({leaving: [], steered: [], queue}, 60, 1)).toEqual(['⧗ queued: m8 (↑ to edit)']);
	expect(rowsOf({leaving: [], steered: [], queue}, 60, 0)).toEqual([]);
});

it.each([4, 12, 20, 33])('the queue shows hostile and long words inert within %i columns', columns => {
	const queue = [
		words(`\x1b[2J\u202e${'日本語 '.repeat(100_000)}`),
		[{type: 'file_ref' as const, path: `\x1b]0;x\x07${'y'.repeat(90)}`}],
	];
	for (const row of rowsOf({leaving: [], steered: queue, queue}, columns, 9)) {
		expect(row).not.toMatch(/[\x00-\x1f\u202e]/);
		expect(width(row)).toBeLessThanOrEqual(columns);
	}
});
