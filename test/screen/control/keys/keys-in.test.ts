import {describe, expect, it} from 'vitest';
import {fakeApp, fakePod, idle, running, settled} from '../../../helpers/fake-app.ts';

describe('Ctrl+C in the chat', () => {
	it('quits when pressed twice, and cancels the last message when pressed after another key', async () => {
		let left = 0;
		const {pod, type, press, turn} = await fakeApp(fakePod(running), {onQuit: () => void left++});
		const cancel = () => press('c', {ctrl: true});
		cancel();
		turn(idle);
		type('again');
		press('enter');
		await settled();
		turn(running);
		cancel();
		await settled();
		expect(pod.said.map(({method}) => method)).toEqual(['cancel', 'run', 'cancel']);
		expect(left).toBe(0);
		cancel();
		await settled();
		expect(left).toBe(1);
	});
});
