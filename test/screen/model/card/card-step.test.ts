import {describe, expect, it} from 'vitest';
import {answerDelay} from '../../../../src/screen/model/card/answering.ts';

import {askHere} from '../../../../src/screen/control/card/ask-here.ts';
import {bypassNote} from '../../../../src/screen/model/card/card-step.ts';
import {fakeApp, fakePod, running, settled} from '../../../helpers/fake-app.ts';

const question = {
	title: 'Run it?',
	detail: 'x',
	choices: [
		{choice: 'allow', label: 'Yes'},
		{choice: 'deny', label: 'No', refuses: true},
	],
};
const asking = (...ids: string[]) => ({
	type: 'status' as const,
	status: {...running, asks: ids.map(id => ({...question, id}))},
});

describe('the card', () => {
	it("shows the first question after every action, this screen's questions before the pod's", async () => {
		const {app, pod} = await fakeApp();
		pod.emit(asking('a', 'b'));
		expect(app.state.asks.card?.id).toBe('a');
		pod.emit(asking('b'));
		expect(app.state.asks.card?.id).toBe('b');
		const answer = askHere(app, question);
		expect([app.state.asks.card?.id, app.state.asks.own.length]).toEqual([app.state.asks.own[0]!.id, 1]);
		app.dispatch({type: 'card event', event: {type: 'drawn', at: -1000}});
		const key = {kind: 'escape' as const};
		app.dispatch({type: 'card event', event: {type: 'key', key, at: 0, alone: true, bare: false, isHeld: false}});
		expect(await answer).toBe('deny');
		await settled();
		expect([app.state.asks.card?.id, app.state.asks.own, pod.said]).toEqual(['b', [], []]);
	});

	it('is plain data, like the questions of the screen', async () => {
		const {app, pod} = await fakeApp();
		pod.emit(asking('a'));
		void askHere(app, question);
		const {card, own: ownAsks} = app.state.asks;
		expect(structuredClone({card, ownAsks})).toEqual({card, ownAsks});
	});

	it('stays the same value when no event concerns it', async () => {
		const {app, pod} = await fakeApp(fakePod(), {now: () => 0});
		pod.emit(asking('a'));
		app.dispatch({type: 'card event', event: {type: 'drawn', at: 0}});
		const before = app.state;
		app.dispatch({type: 'card event', event: {type: 'drawn', at: 9}});
		expect(app.state).toBe(before);
	});
});

describe('a key that would change the request', () => {
	it.each([
		[{alone: false}, {seen: true, drawn: true}, answerDelay, 'together'],
		[{isHeld: true}, {seen: true, drawn: true}, answerDelay, 'held'],
		[{}, {seen: true, drawn: false}, answerDelay, 'early'],
		[{}, {seen: true, drawn: true}, answerDelay - 1, 'early'],
		[{}, {seen: false, drawn: true}, answerDelay, 'unseen'],
		[{}, {seen: true, drawn: true}, answerDelay, undefined],
	])('leaves the note for %j on a card %j after %i ms: %s', async (press, {seen, drawn}, now, note) => {
		const {app, pod} = await fakeApp();
		pod.emit(asking('a'));
		if (drawn) app.dispatch({type: 'card event', event: {type: 'drawn', at: 0}});
		if (seen) app.dispatch({type: 'card event', event: {type: 'seen'}});
		expect(bypassNote(app.state, {alone: true, bare: false, isHeld: false, ...press}, now)).toBe(note);
	});
});
