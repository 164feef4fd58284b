import {describe, expect, it} from 'vitest';
import {dumpTranscript} from '../../../src/cli/chat/dump.ts';
import {createTranscriptStore} from '../../../src/screen/rows/store.ts';
import {createItems} from '../../helpers/items.ts';
import {situations} from '../../helpers/situations.ts';

function storeOf(items: Parameters<typeof Array.of>) {
	const store = createTranscriptStore({columns: 100, view: 'detail'});
	store.dispatch({
		type: 'snapshot',
		session: {id: 's', model: 'm', scope: {pwd: '/', writable: true, readRoots: []}},
		items: items as never,
		tail: [],
		status: {kind: 'idle', asks: [], queue: []},
	});
	return store;
}

describe('dumpTranscript', () => {
	it('prints the rows of the normal view, inert and within the width', () => {
		const text = dumpTranscript(storeOf([...situations['hostile-bytes']!().items]), 40);
		expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
		expect(text.split('\n').every(row => row.length <= 40)).toBe(true);
		expect(text.endsWith('\n')).toBe(true);
	});

	it('prints the last rows of a long session, under a note', () => {
		const make = createItems();
		const store = storeOf(
			Array.from({length: 900}, (_, turn) => [
				make.user(`question ${turn}`),
				make.assistant(`answer ${turn}`),
				make.end(),
			]).flat(),
		);
		const rows = dumpTranscript(store, 80).trimEnd().split('\n');
		expect(rows).toHaveLength(2001);
		expect(rows[0]).toContain('only the last 2000 rows');
		expect(rows.at(-3)).toContain('answer 899');
	});

	it('prints nothing for an empty session', () => {
		expect(dumpTranscript(storeOf([]), 80)).toBe('');
	});
});
