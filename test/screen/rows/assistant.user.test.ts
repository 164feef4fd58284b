import {describe, expect, it} from 'vitest';
import {refFailures, type Item, type Segment} from '../../../src/pod/protocol.ts';
import {textOf} from '../../../src/screen/spans/row.ts';
import type {View} from '../../../src/transcript/block.ts';
import {createTranscriptStore} from '../../../src/screen/rows/store.ts';
import {parseItem} from '../../../src/worker/index.ts';

/** Returns the rows of a stored user item after a restart of the process. */
function restored(segments: readonly Segment[], view: View = 'normal', columns = 80): string[] {
	const item: Item = {
		id: 'u',
		at: '2026-01-01T00:00:00.000Z',
		type: 'message',
		role: 'user',
		text: 'flattened',
		origin: {kind: 'submit', segments},
	};
	const store = createTranscriptStore({columns, view});
	const items = [parseItem(JSON.parse(JSON.stringify(item)))!];
	store.dispatch({
		type: 'snapshot',
		session: {id: 's', model: 'm', scope: {pwd: '/', writable: true, readRoots: []}},
		items,
		tail: [],
		status: {kind: 'idle', asks: [], queue: []},
	});
	const rows = store.rows(0).map(textOf);
	store.dispose();
	return rows.filter(row => row !== '');
}

describe('a restored message of the user', () => {
	it.each(refFailures)('marks the chip of a ref that failed as %s and shows the reason, in every view', reason => {
		const segments: Segment[] = [
			{type: 'text', text: 'see '},
			{type: 'file_ref', path: 'a.md', range: {first: 2, last: 9}, outcome: {failed: reason}},
			{type: 'text', text: ' now'},
		];
		for (const view of ['normal', 'detail', 'overview'] as const)
			expect(restored(segments, view)).toEqual([expect.stringMatching(/^see @a\.md:2-9 \([a-z ]+\) now$/)]);
	});

	it('shows a chip without a reason for an attached ref', () => {
		expect(restored([{type: 'file_ref', path: 'a.md', outcome: {item: 'i'}}])).toEqual(['@a.md']);
	});

	it('shows where a path with a space ends', () => {
		expect(
			restored([
				{type: 'text', text: 'see '},
				{type: 'file_ref', path: 'my notes/a b.md', outcome: {failed: 'not_found'}},
			]),
		).toEqual(['see @"my notes/a b.md" (not found)']);
	});

	it('shows a hostile path inert', () => {
		expect(restored([{type: 'file_ref', path: '\x1b[2J\u202Egnp.exe', outcome: {failed: 'not_found'}}])).toEqual([
			'@␛[2J⟨U+202E⟩gnp.exe (not found)',
		]);
	});
});
