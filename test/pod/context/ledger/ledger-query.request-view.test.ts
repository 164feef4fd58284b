import {createHash} from 'node:crypto';
import {describe, expect, it} from 'vitest';
import {createRequestView} from '../../../../src/pod/context/ledger/ledger-query.ts';
import {queries} from '../../../../src/pod/protocol/queries.ts';
import type {Item, RequestView} from '../../../../src/pod/protocol.ts';
import {context} from '../../../../src/pod/ground/history/reader.ts';
import {requestHash} from '../../../../src/worker/wires/scripted.ts';
import {createItems} from '../../../helpers/items.ts';

describe('the query for a request', () => {
	it('returns the body of the last request, or of the one that is asked for, with a source for each piece', async () => {
		const items = conversation('Hello.');
		const last = await viewOf(items, '');
		expect(last).toMatchObject({model: 'offline', isSame: true, hidden: 0, headers: []});
		const body = last.pieces.map(({text}) => text).join('');
		expect(createHash('sha256').update(body).digest('hex')).toBe(requestHash(context(items.slice(0, -1))));
		expect(last.bytes).toBe(Buffer.byteLength(body));
		expect(last.pieces).toContainEqual({text: 'Again.', source: {kind: 'item', id: 'i4', part: 'text'}});
		const first = await viewOf(items, 'r2');
		expect(first.pieces.some(({text}) => text === 'Again.')).toBe(false);
	});

	it('says when a body is not the one that was sent', async () => {
		const items = conversation('Hello.').map(item => (item.id === 'i2' ? {...item, text: 'Changed.'} : item));
		expect((await viewOf(items as Item[], '')).isSame).toBe(false);
	});

	it('returns only the beginning and the end of a very long body', async () => {
		const {bytes, pieces, hidden, headPieces} = await viewOf(conversation('long '.repeat(2_000_000)), '');
		const shown = pieces.map(({text}) => text);
		expect(bytes).toBeGreaterThan(10_000_000);
		expect(shown.join('')).toHaveLength(320 * 1024);
		expect(shown.join('').length + hidden).toBe(bytes);
		expect(shown.slice(0, headPieces).join('')).toHaveLength(256 * 1024);
	});

	it('refuses an unknown request in a sentence', async () => {
		const ask = createRequestView(() => conversation('Hello.'));
		expect(await ask('zz')).toEqual({ok: false, sentence: 'No request of this session begins with zz.'});
		expect(await createRequestView(() => [])('')).toEqual({ok: false, sentence: 'No request was sent yet.'});
	});
});

/** Two requests, `r2` and `r5`. */
function conversation(text: string): readonly Item[] {
	const make = createItems();
	const items: Item[] = [{...make.setup(), model: 'offline'}, make.user(text)];
	for (const more of [[], [make.assistant('Yes.'), make.user('Again.')]]) {
		items.push(...more);
		items.push({
			...make.sent(),
			id: `r${items.length}`,
			model: 'offline',
			requestHash: requestHash(context(items)),
		});
	}
	return items;
}

async function viewOf(items: readonly Item[], wanted: string): Promise<RequestView> {
	const answer = queries.request.answer.parse(await createRequestView(() => items)(wanted));
	if (!answer.ok) throw new Error(answer.sentence);
	return answer.request;
}
