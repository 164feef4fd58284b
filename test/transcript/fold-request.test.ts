import {describe, expect, it} from 'vitest';
import type {Item, PriceList, Status} from '../../src/pod/protocol.ts';
import {textOf} from '../../src/screen/spans/row.ts';
import type {View} from '../../src/transcript/block.ts';
import {createTranscriptStore} from '../../src/screen/rows/store.ts';
import {createItems} from '../helpers/items.ts';

const prices: PriceList = {'scripted/demo': [{input: 0, output: 1000}]};
const idle: Status = {kind: 'idle', asks: [], queue: []};
const running: Status = {...idle, kind: 'running', step: 'requesting'};

function storeOf(items: readonly Item[], {status = idle, view = 'normal'}: {status?: Status; view?: View} = {}) {
	const store = createTranscriptStore({columns: 100, view});
	const scope = {pwd: '/', writable: true, readRoots: []};
	store.dispatch({type: 'snapshot', session: {id: 's', model: 'm', scope, prices}, items, tail: [], status});
	const rows = () =>
		Array.from({length: store.count()}, (_, index) => store.rows(index).map(textOf))
			.flat()
			.map(text => text.trim())
			.filter(text => text !== '');
	return {store, rows};
}

function turn() {
	const make = createItems();
	const sent = make.sent();
	const usage = {input: 10, output: 100};
	return {make, user: make.user('go'), sent, words: make.assistant('Hello'), end: make.answered(sent, 'end', usage)};
}

describe('a request on the screen', () => {
	it('looks like a request of 0.1.0 when its answer ended', () => {
		const {make, user, sent, words, end} = turn();
		const {type: _, request: __, ...keys} = end;
		const old = {...sent, ...keys, type: 'request'} as const;
		const ended = make.end();
		expect(storeOf([user, sent, words, end, ended]).rows()).toEqual(storeOf([user, words, old, ended]).rows());
	});

	it('has no row while its run is running', () => {
		const {user, sent} = turn();
		expect(storeOf([user, sent], {status: running}).rows()).toEqual(['go']);
		expect(storeOf([user, sent], {status: running, view: 'detail'}).rows()).toContain(
			'scripted/demo · request sent',
		);
	});

	it('is shown as lost after a kill, before and after the next run', () => {
		const {make, user, sent} = turn();
		const lost = 'request sent, answer lost';
		expect(storeOf([user, sent]).rows()).toContain(lost);
		const ended = [user, sent, make.end('error', 'inkpod ended during the run')];
		expect(storeOf(ended).rows()).toContain(`${lost} · failed: inkpod ended during the run`);
		expect(storeOf([user, sent, make.item('rewind', {to: user.id})]).rows()).toContain(lost);
	});

	it('has the time since the first request of its run', () => {
		const {make, user, sent, words, end} = turn();
		const last = {...make.sent(), startedAt: '2026-01-01T00:00:30.000Z'};
		const answered = {...make.answered(last), endedAt: '2026-01-01T00:00:33.400Z'};
		const ended = {...make.end(), at: '2026-01-01T00:00:34.000Z'};
		const called = {...end, stop: 'tool_calls'} as const;
		const rows = storeOf([user, sent, words, called, last, make.assistant('Done'), answered, ended]).rows();
		expect(rows.at(-1)).toMatch(/^34 s .*6\.8 s/);
	});

	it('counts a lost answer as an unknown part of the cost', () => {
		const {make, user, sent, words, end} = turn();
		const rows = storeOf([user, sent, words, end, make.sent()]).rows();
		expect(rows.at(-2)).toMatch(/^3\.4 s · .*≥ \$0\.10 · request sent, answer lost$/);
	});

	it.each(['before', 'only after'])('is the same live and restored when the status comes %s the item', when => {
		const {make, user, sent, words} = turn();
		const items: Item[] = [user, sent, words, make.end('error'), make.user('again'), make.sent()];
		const live = storeOf([], {status: running});
		for (const item of items) {
			if (when === 'before') live.store.dispatch({type: 'status', status: running});
			live.store.dispatch({type: 'item', item});
			live.store.dispatch({type: 'status', status: idle});
			const seen = items.slice(0, items.indexOf(item) + 1);
			expect(live.rows()).toEqual(storeOf(seen).rows());
		}
	});
});
