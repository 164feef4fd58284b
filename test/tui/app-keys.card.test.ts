import {expect, test} from 'vitest';
import type {Ask} from '../../src/pod/protocol.ts';
import {answerDelay} from '../../src/tui/ask-card.tsx';
import {handMadeApp, idle, settled} from '../helpers/hand-made-app.ts';

const ask: Ask = {id: 'q', title: 'Read it?', detail: '.env', choices: [{choice: 'yes', label: 'Yes'}, {choice: 'no', label: 'No'}]};

test('a card that comes while the person types, is not answered before they pause', async () => {
	let now = 0;
	const {pod, type, turn} = await handMadeApp(undefined, {now: () => now});
	type('carefull');
	turn({...idle, asks: [ask]});
	for (let key = 0; key < 10; key++) {
		now += answerDelay - 100;
		type('y');
	}
	await settled();
	expect(pod.said).toEqual([]);
	now += answerDelay;
	type('y');
	await settled();
	expect(pod.said).toEqual([{method: 'answer', askId: 'q', choice: 'yes'}]);
});
