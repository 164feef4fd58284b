import {describe, expect, it, onTestFinished, vi} from 'vitest';
import type {Event} from '../../../../src/pod/protocol.ts';
import {createReplay, type ReplayOptions, type ReplayPlace} from '../../../../src/pod/open/replay/replay.ts';
import {realFiles} from '../../../../src/pod/disk/files.ts';
import {readSession} from '../../../../src/pod/disk/log/read.ts';
import {storedSession, tempHome, user} from '../../disk/fixture.ts';

async function replayOf(count: number, options: Partial<ReplayOptions> = {}) {
	const home = await tempHome();
	const items = Array.from({length: count}, (_, n) => user(`m${n}`, `text ${n}`));
	const {dir} = await storedSession(home, [items]);
	const read = await readSession(dir);
	if (!read.ok) throw new Error(read.sentence);
	const places: ReplayPlace[] = [];
	const events: Event[] = [];
	const {session} = read;
	const onMove = (place: ReplayPlace) => void places.push(place);
	const replay = createReplay({
		session,
		files: realFiles,
		from: 0,
		speed: 1000,
		isPlaying: false,
		onMove,
		...options,
	});
	onTestFinished(replay.close);
	replay.pod.subscribe(event => events.push(event));
	return {replay, events, places};
}

describe('a replay', () => {
	it('sends items on the way forward, and the whole session on the way back', async () => {
		const {replay, events} = await replayOf(300, {from: 2});
		expect(events).toMatchObject([{type: 'snapshot', items: [{id: 'm0'}, {id: 'm1'}]}]);
		replay.press('next item');
		expect(events.slice(1)).toMatchObject([{type: 'item', item: {id: 'm2'}}, {type: 'status'}]);
		replay.press('previous item');
		expect(events.at(-1)).toMatchObject({type: 'snapshot', items: [{id: 'm0'}, {id: 'm1'}]});
		replay.press('end');
		expect(events.at(-1)).toMatchObject({type: 'snapshot', status: {kind: 'idle'}});
		expect(replay.place()).toMatchObject({shown: 300, total: 300, isPlaying: false});
	});

	it('plays to the end, and pauses', async () => {
		const {replay, places} = await replayOf(20, {isPlaying: true});
		replay.begin();
		await vi.waitFor(() => expect(places.at(-1)).toMatchObject({shown: 20, isPlaying: false}));
		replay.press('start');
		replay.press('play');
		replay.press('play');
		expect(places.at(-1)).toMatchObject({shown: 0, isPlaying: false});
	});

	it('has the context of its place, and changes nothing', async () => {
		const {replay} = await replayOf(5, {from: 3});
		expect((await replay.pod.ledger()).rows.map(({label}) => label)).toEqual(['text 0', 'text 1', 'text 2']);
		replay.press('previous item');
		expect((await replay.pod.ledger()).rows).toHaveLength(2);
		expect(await replay.pod.send({method: 'pause'})).toMatchObject({accepted: false});
		expect(await replay.pod.send({method: 'shutdown'})).toEqual({accepted: true});
		expect(await replay.pod.child('x')).toMatchObject({ok: false});
	});
});
