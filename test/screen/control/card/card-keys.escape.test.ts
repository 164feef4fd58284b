import {describe, expect, it} from 'vitest';
import {answerDelay} from '../../../../src/screen/model/card/answering.ts';
import {cardKinds} from '../../../helpers/card-stage.ts';
import {approval, escape, shown} from './shown-card.ts';

describe('Esc on a card', () => {
	it('denies at once when the terminal sends it as a complete key', async () => {
		const {read, pass, answers} = await shown();
		read(escape);
		await pass(0);
		expect(answers()).toEqual([{choice: 'deny'}]);
	});

	it('highlights the refusal and takes effect 400 ms later when it comes as a lone byte', async () => {
		const {read, pass, answers, card} = await shown();
		read('\x1b');
		await pass(20);
		expect(card().at(-1)).toBe('❯ 4. No (Esc)');
		await pass(answerDelay - 1);
		expect(answers()).toEqual([]);
		await pass(1);
		expect(answers()).toEqual([{choice: 'deny'}]);
	});

	it('keeps the text of the message', async () => {
		const {read, pass, answers, text} = await shown();
		read('w');
		await pass(300);
		read('hy');
		await pass(300);
		read(escape);
		await pass(0);
		expect([answers(), text()]).toEqual([[{choice: 'deny'}], 'why']);
	});
});

describe('Esc twice on a card', () => {
	const said = [{method: 'answer', askId: 'q', choice: 'deny'}, {method: 'pause'}];

	it.each([
		['as complete keys', escape, 0],
		['as lone bytes', '\x1b', 450],
	])('denies the call, and then stops the turn instead of denying the next one (%s)', async (_, key, delay) => {
		for (const [wait, gap] of [
			[30, 900],
			[600, 300],
		] as const) {
			const {read, pass, pod, show} = await shown();
			read(key);
			await pass(delay);
			show();
			await pass(gap);
			show({...approval, id: 'next'});
			await pass(wait);
			read(key);
			await pass(delay);
			expect(pod.said).toEqual(said);
		}
	});

	it.each([60, 200])('stops the turn when the second lone byte comes after %i ms', async ms => {
		const {read, pass, pod} = await shown();
		read('\x1b');
		await pass(ms);
		read('\x1b');
		await pass(answerDelay - 50);
		expect(pod.said).toEqual([]);
		await pass(100);
		expect(pod.said).toEqual(said);
	});

	it('stops the turn while the answer is being sent', async () => {
		const {read, pass, pod} = await shown();
		read(escape);
		await pass(200);
		read(escape);
		await pass(0);
		expect(pod.said).toEqual(said);
	});

	it('denies two calls when more than a second is between the presses', async () => {
		const {read, pass, pod, show} = await shown();
		read(escape);
		show({...approval, id: 'next'});
		await pass(1001);
		read(escape);
		await pass(0);
		expect(pod.said).toEqual([said[0], {...said[0], askId: 'next'}]);
	});

	it('only closes a question of the screen itself', async () => {
		const {read, pass, pod, answers} = await shown(cardKinds['quit'], {kind: 'quit'});
		read(escape);
		await pass(100);
		read(escape);
		await pass(600);
		expect([pod.said, answers()]).toEqual([[], [{choice: 'deny'}]]);
	});
});
