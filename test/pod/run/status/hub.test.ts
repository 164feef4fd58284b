import {describe, expect, it} from 'vitest';
import {createHub} from '../../../../src/pod/run/status/hub.ts';
import type {Event, Item} from '../../../../src/pod/protocol.ts';
import type {StreamPiece} from '../../../../src/pod/disk/log/stream-file.ts';
import {createHistory, memoryLog} from '../../../../src/worker/index.ts';
import {handTimer} from '../../../helpers/hand-timer.ts';
import {createItems} from '../../../helpers/items.ts';

/** A hub with a hand timer. It records writes to the log, and events, in their order. */
function paced() {
	const {timer, pass} = handTimer();
	let now = 0;
	const happened: Array<'write' | Event['type']> = [];
	const written: Array<readonly StreamPiece[]> = [];
	const events: Event[] = [];
	let problem: string | undefined;
	const stream = {
		write(pieces: readonly StreamPiece[]) {
			if (pieces.length > 0) happened.push('write');
			if (pieces.length > 0) written.push(pieces);
			return problem;
		},
		settle() {},
		async close() {},
	};
	const history = createHistory(memoryLog);
	const session = {id: 's', model: 'a/b', scope: {pwd: '/p', writable: true, readRoots: []}};
	const hub = createHub(
		history,
		() => session,
		{kind: 'running', asks: [], queue: []},
		{stream, timer, now: () => now},
	);
	hub.subscribe(event => {
		events.push(event);
		happened.push(event.type);
	});
	return {
		hub,
		history,
		happened,
		written,
		events,
		wait: (ms: number) => {
			now += ms;
			pass(ms);
		},
		fail: (sentence: string | undefined) => (problem = sentence),
	};
}

const text = (events: readonly Event[]) => events.map(event => (event.type === 'delta' ? event.text : '')).join('');
const deltas = (events: readonly Event[]) => events.filter(({type}) => type === 'delta').length;
const answer = (): Item => createItems('a').assistant('');

describe('streamed text', () => {
	it('is written before it is emitted, at once after a pause', () => {
		const {hub, happened, events, wait} = paced();
		hub.delta({id: 'a1', text: '', begin: answer()});
		hub.delta({id: 'a1', text: 'Hel'});
		wait(0);
		expect([text(events), happened]).toEqual(['Hel', ['snapshot', 'write', 'delta']]);
		hub.delta({id: 'a1', text: 'lo'});
		wait(47);
		expect(text(events)).toBe('Hel');
		wait(1);
		expect([text(events), happened.slice(3)]).toEqual(['Hello', ['write', 'delta']]);
	});

	it('that arrives in one burst is one batch', () => {
		const {hub, written, events, wait} = paced();
		hub.delta({id: 'a1', text: '', begin: answer()});
		for (const piece of 'Hello') hub.delta({id: 'a1', text: piece});
		wait(0);
		expect([text(events), deltas(events), written.length]).toEqual(['Hello', 1, 1]);
	});

	it('is written once per frame at most, however fast it comes', () => {
		const {hub, written, events, wait} = paced();
		hub.delta({id: 'a1', text: '', begin: answer()});
		for (let ms = 0; ms < 4800; ms++) {
			hub.delta({id: 'a1', text: 'x'});
			if (ms % 7 === 0) hub.setStatus({step: 'streaming'});
			wait(1);
		}
		expect(written.length).toBeLessThanOrEqual(4800 / 48 + 1);
		expect(written.length).toBeGreaterThan(90);
		expect(deltas(events)).toBe(written.length);
		wait(48);
		expect(text(events)).toBe('x'.repeat(4800));
		expect(
			written
				.flat()
				.map(piece => piece.text)
				.join(''),
		).toBe('x'.repeat(4800));
	});

	it('that waits when its item is committed comes before the item, and is not written', async () => {
		const {hub, history, happened, written, events, wait} = paced();
		const begin = answer();
		hub.delta({id: 'a1', text: 'Hel', begin});
		wait(0);
		hub.delta({id: 'a1', text: 'lo'});
		await history.append([{...begin, text: 'Hello'} as Item]);
		expect(text(events)).toBe('Hello');
		expect([happened.slice(-3), written.length]).toEqual([['delta', 'delta', 'item'], 1]);
	});

	it('of another open item still waits then, and keeps its beginning', async () => {
		const {hub, history, events, wait} = paced();
		const items = createItems('a');
		const [one, two] = [items.result('1', '', ''), items.result('2', '', '')];
		hub.delta({id: one.id, text: 'one', begin: one});
		hub.delta({id: two.id, text: 'two', begin: two});
		await history.append([{...one, content: 'one'}]);
		expect(text(events)).toBe('one');
		wait(48);
		expect(events.at(-1)).toEqual({type: 'delta', id: two.id, text: 'two', begin: two});
	});

	it('that is dropped never comes', () => {
		const {hub, events, wait} = paced();
		hub.delta({id: 'a1', text: 'Hel', begin: answer()});
		wait(0);
		hub.delta({id: 'a1', text: 'lo'});
		hub.dropTail();
		wait(48);
		expect(text(events)).toBe('Hel');
		expect(events.at(-1)).toMatchObject({type: 'snapshot', tail: []});
	});

	it('of a call is not written, because an incomplete call is dropped', () => {
		const {hub, written, events, wait} = paced();
		const call = createItems('a').call('1', 'bash', {});
		hub.delta({id: call.id, text: '', begin: call});
		hub.delta({id: call.id, text: '{"com'});
		wait(0);
		expect([text(events), written]).toEqual(['{"com', []]);
	});

	it('is shown with a warning if it cannot be written', () => {
		const {hub, events, wait, fail} = paced();
		fail('The disk is full.');
		hub.delta({id: 'a1', text: 'Hel', begin: answer()});
		wait(0);
		expect(text(events)).toBe('Hel');
		expect(events.at(-1)).toEqual({type: 'alert', alert: {level: 'warn', text: 'The disk is full.'}});
	});
});
