import {describe, expect, it, vi} from 'vitest';
import type {Receipt, Segment, Status} from '../../../../src/pod/protocol.ts';
import {createDraftSlot, type Kept} from '../../../../src/screen/control/drafts/draft-store.ts';
import {draftStore} from '../../../helpers/draft-store.ts';
import {fakeApp, fakePod, idle, running, settled} from '../../../helpers/fake-app.ts';

const text = (words: string): Segment => ({type: 'text', text: words});

describe('a message on its way to the pod', () => {
	/** Returns an app with a pod whose answers the test controls. `saves` are the finished saves of its draft. */
	async function keeping(status: Status, saving: () => Promise<unknown> = async () => {}) {
		const pod = fakePod(status);
		const receipts: Array<(receipt: Receipt) => void> = [];
		pod.answer = async () => new Promise(resolve => receipts.push(resolve));
		const keeper = createDraftSlot();
		const saves: Kept[] = [];
		const save = async (kept: Kept) => void (await saving().then(() => saves.push(kept)));
		await keeper.bind(draftStore({save, saveNow: kept => void saves.push(kept)}));
		const made = await fakeApp(pod, {drafts: keeper});
		return {...made, saves, receipts};
	}

	it.each([
		['queued', 'enter', {}],
		['steered', 's', {ctrl: true}],
	] as const)('is saved without a gap until its receipt when it was %s', async (_, key, modifiers) => {
		const {saves, receipts, type, press} = await keeping(running);
		type('be brief');
		press(key, modifiers);
		await settled();
		expect(saves.length).toBeGreaterThan(1);
		for (const save of saves.slice(1))
			expect(save).toMatchObject({sent: [{segments: [text('be brief')]}], draft: []});
		receipts[0]!({accepted: true});
		await settled();
		expect(saves.at(-1)).toMatchObject({sent: [], draft: []});
	});

	it('is saved as a draft again when it is refused', async () => {
		const {saves, receipts, type, press} = await keeping(running);
		type('be brief');
		press('s', {ctrl: true});
		await settled();
		receipts[0]!({accepted: false, code: 'aborted', sentence: 'The run ended before.'});
		await settled();
		expect(saves.at(-1)).toMatchObject({sent: [], draft: [text('be brief')]});
	});

	it('is saved with its id before the pod forgets it, when it is taken out of the queue', async () => {
		const {app, pod, saves, press, draft} = await keeping(idle);
		const order: string[] = [];
		const message = {id: 'm', segments: [text('taken')]};
		pod.answer = async ({method}) => {
			order.push(`${method}: ${JSON.stringify(saves.at(-1)?.sent)}`);
			return method === 'take_queued' ? {accepted: true, returned: [message]} : {accepted: true};
		};
		pod.emit({type: 'status', status: {...idle, queue: [{id: 'm', state: 'queued', preview: message.segments}]}});
		press('up');
		await settled();
		expect(order).toEqual(['take_queued: []', `release_queued: ${JSON.stringify([message])}`]);
		expect([draft(), app.state.submission.returning]).toEqual([message.segments, []]);
	});

	it('is on disk under its next id before it is sent again, when it was taken out of the queue', async () => {
		const {pod, saves, press} = await keeping(running, settled);
		const message = {id: 'm', segments: [text('taken')]};
		const sent: unknown[] = [];
		pod.answer = async method => {
			if (method.method === 'release_queued') press('enter');
			if (method.method === 'queue') sent.push({id: method.message, saved: saves.at(-1)});
			return method.method === 'take_queued' ? {accepted: true, returned: [message]} : {accepted: true};
		};
		const queue = [{id: 'm', state: 'queued', preview: message.segments}] as const;
		pod.emit({type: 'status', status: {...running, queue: [...queue]}});
		press('up');
		await vi.waitFor(() => expect(sent).not.toEqual([]));
		const id = expect.any(String);
		expect(sent).toEqual([{id, saved: {sent: [{id, segments: message.segments}], draft: [], draftId: id}}]);
		const [{id: sentId, saved}] = sent as [{id: string; saved: Kept}];
		expect(saved.sent[0]?.id).toBe(sentId);
	});

	it('is saved once, when the connection to the pod is lost', async () => {
		const {app, saves, receipts, type, press, draft} = await keeping(running);
		type('be brief');
		press('enter');
		await settled();
		receipts[0]!({accepted: false, code: 'closed', sentence: 'The other terminal closed.'});
		await settled();
		receipts[1]!({accepted: true});
		await settled();
		expect(draft()).toEqual([text('be brief')]);
		expect(saves.map(({sent, draft: kept}) => sent.length + kept.length).filter(count => count > 1)).toEqual([]);
		expect([app.state.submission.sending, app.state.submission.returning]).toEqual([[], []]);
		expect(saves.at(-1)).toMatchObject({sent: [], draft: [text('be brief')]});
	});

	it('stays in the queue if the pod that took over still has it, when it was taken out of the queue', async () => {
		const {app, pod, press, draft} = await keeping(running);
		const message = {id: 'm', segments: [text('taken')]};
		const releases: Receipt[] = [
			{accepted: false, code: 'closed', sentence: 'The other terminal closed.'},
			{accepted: false, code: 'no_such_message', sentence: 'The message is no longer in the queue.'},
		];
		pod.answer = async ({method}) =>
			method === 'release_queued' ? releases.shift()! : {accepted: true, returned: [message]};
		const queue = [{id: 'm', state: 'queued', preview: message.segments}] as const;
		pod.emit({type: 'status', status: {...running, queue: [...queue]}});
		press('up');
		await settled();
		expect([draft(), app.state.submission.returning]).toEqual([[], []]);
	});
});
