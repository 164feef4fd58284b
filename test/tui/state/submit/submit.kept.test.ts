import {describe, expect, it} from 'vitest';
import type {Receipt, Segment, Status} from '../../../../src/pod/protocol.ts';
import {createDraftSlot, type Kept} from '../../../../src/tui/state/drafts/draft-store.ts';
import {handMadeApp, handMadePod, idle, running, settled} from '../../../helpers/hand-made-app.ts';

const text = (words: string): Segment => ({type: 'text', text: words});
const enter = 'enter';

describe('a message on its way to the pod', () => {
	/** Returns an app that saves drafts, with a pod whose answers the test controls. */
	async function keeping(status: Status) {
		const pod = handMadePod(status);
		const receipts: Array<(receipt: Receipt) => void> = [];
		pod.answer = async () => new Promise(resolve => receipts.push(resolve));
		const keeper = createDraftSlot();
		const saves: Kept[] = [];
		keeper.bind({save: async kept => void saves.push(kept), leave: () => undefined});
		const made = await handMadeApp(pod, {drafts: keeper});
		return {...made, saves, receipts};
	}

	it('is saved until its receipt after it was queued', async () => {
		const {saves, receipts, turn, type, press, commit, app} = await keeping(running);
		type('later');
		press(enter);
		await settled();
		commit({type: 'run_end', outcome: 'finished'});
		turn(idle);
		await settled();
		expect(app.state.queue).toEqual([]);
		expect(saves.at(-1)).toEqual({sent: [[text('later')]], draft: []});
		receipts[0]!({accepted: true});
		await settled();
		expect(saves.at(-1)).toEqual({sent: [], draft: []});
	});

	it('is saved without a gap until its receipt when it was steered', async () => {
		const {saves, receipts, type, press} = await keeping(running);
		type('be brief');
		press('s', {ctrl: true});
		await settled();
		expect(saves.slice(1)).toEqual([{sent: [[text('be brief')]], draft: []}]);
		receipts[0]!({accepted: true});
		await settled();
		expect(saves.at(-1)).toEqual({sent: [], draft: []});
	});

	it('is saved as a draft again when it is refused', async () => {
		const {saves, receipts, type, press} = await keeping(running);
		type('be brief');
		press('s', {ctrl: true});
		await settled();
		receipts[0]!({accepted: false, code: 'aborted', sentence: 'The run ended before.'});
		await settled();
		expect(saves.at(-1)).toEqual({sent: [], draft: [text('be brief')]});
	});
});
