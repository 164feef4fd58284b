import {expect, it} from 'vitest';
import type {QueuedMessage, Segment} from '../../../src/pod/protocol.ts';
import {nextIn, waitingIn} from '../../../src/screen/model/queue.ts';
import {queueRows} from '../../../src/screen/view/queue/queue-rows.ts';
import {plainText} from '../../../src/screen/spans/row.ts';
import {width} from '../../../src/text/width.ts';

const words = (text: string): readonly Segment[] => [{type: 'text', text}];
const row = (state: QueuedMessage['state'], preview: readonly Segment[]): QueuedMessage => ({
	id: crypto.randomUUID(),
	state,
	preview,
});
const queued = (preview: readonly Segment[]) => row('queued', preview);
const rowsOf = (...args: Parameters<typeof queueRows>) => queueRows(...args).map(plainText);

it('the next message names the key that sends it during a run', () => {
	const queue = [queued(words('one')), queued(words('two'))];
	expect(rowsOf({leaving: [], queue, sendKey: 'Ctrl+S'}, 60, 5)).toEqual([
		'◦ queued: one (Ctrl+S: send now)',
		'◦ queued: two (↑ to edit)',
	]);
	expect(rowsOf({leaving: [], queue: queue.slice(1), sendKey: 'Ctrl+S'}, 70, 5)).toEqual([
		'◦ queued: two (Ctrl+S: send now) (↑ to edit)',
	]);
});

it('an empty queue returns nothing and has no rows', () => {
	expect([nextIn([]), waitingIn([])]).toEqual([undefined, []]);
	expect(rowsOf({leaving: [], queue: []}, 40, 5)).toEqual([]);
});

it('the queue shows each message on a row: steered ones first, chips by name, and how to edit the last one', () => {
	const chips: readonly Segment[] = [
		{type: 'file_ref', path: 'a.md'},
		{type: 'text', text: ' and\n'},
		{type: 'paste', id: '1', chars: 9, lines: 3, content: 'a\nb\nc'},
	];
	expect(
		rowsOf({leaving: [], queue: [row('steering', words('now')), queued(words('one')), queued(chips)]}, 60, 5),
	).toEqual(['→ steering: now', '◦ queued: one', '◦ queued: @a.md and [paste: 3 lines] (↑ to edit)']);
});

it('the queue shows the first and the last of many and counts the others', () => {
	const queue = Array.from({length: 9}, (_, index) => queued(words(`m${index}`)));
	expect(rowsOf({leaving: [], queue}, 60, 4)).toEqual([
		'◦ queued: m0',
		'◦ queued: m1',
		'… 6 more queued',
		'◦ queued: m8 (↑ to edit)',
	]);
	expect(rowsOf({leaving: [], queue}, 60, 1)).toEqual(['◦ queued: m8 (↑ to edit)']);
	expect(rowsOf({leaving: [], queue}, 60, 0)).toEqual([]);
});

it.each([4, 12, 20, 33])('the queue shows hostile and long words inert within %i columns', columns => {
	const queue = [
		row('steering', words(`\x1b[2J\u202e${'日本語 '.repeat(100_000)}`)),
		queued([{type: 'file_ref' as const, path: `\x1b]0;x\x07${'y'.repeat(90)}`}]),
	];
	for (const row of rowsOf({leaving: [], queue}, columns, 9)) {
		expect(row).not.toMatch(/[\x00-\x1f\u202e]/);
		expect(width(row)).toBeLessThanOrEqual(columns);
	}
});

it('a refused message says that it was not sent, and can be edited', () => {
	const queue = [row('refused', words('/nope')), row('sending', words('go'))];
	expect(rowsOf({leaving: [], queue}, 60, 5)).toEqual(['× not sent: /nope (↑ to edit)', '↑ sending: go']);
	expect([nextIn(queue), waitingIn(queue)]).toEqual([undefined, [queue[0]]]);
});
