import {describe, expect, it} from 'vitest';
import {sendPrompt} from '../../../../src/screen/control/submit/submit.ts';
import {answerDelay} from '../../../../src/screen/model/card/answering.ts';

import {statusOnCard} from '../../../../src/screen/view/card/card-facts.ts';
import {layoutOf} from '../../../../src/screen/view/layout.ts';
import {plainText} from '../../../../src/screen/spans/row.ts';
import {cardKinds} from '../../../helpers/card-stage.ts';
import {approval, escape, shown} from './shown-card.ts';

describe('the text in the composer', () => {
	it('becomes the reason when it is begun after the card appears, as the empty message shows', async () => {
		const {app, read, pass, answers, text, hint} = await shown();
		expect(hint()).toBe('1-4, or ↑↓ and Enter · Esc: No · Esc Esc: stop the turn');
		expect(layoutOf(app.state).composer.rows.map(plainText)).toEqual(['❯ Type to say no, and what to do instead']);
		read('u');
		await pass(0);
		expect(hint()).toBe('Enter to answer "No" with this reason');
		expect(statusOnCard(app.state)).toEqual('enter a reason');
		await pass(100);
		for (const letter of 'se pnpm') {
			read(letter);
			await pass(100);
		}
		read('\r');
		await pass(0);
		expect([answers(), text()]).toEqual([[{choice: 'deny', reason: 'use pnpm'}], '']);
	});

	it('is explained in the hint for a screen reader, which does not read the empty message', async () => {
		const {hint} = await shown(approval, {isSpoken: true});
		expect(hint()).toMatch(/^type to say no, and why · Esc: No · Esc Esc/);
	});

	it('stays a message when you wrote it before the card: Enter queues it and the card stays', async () => {
		const {app, pod, read, pass, answers, text, hint} = await shown(approval, {before: 'then '});
		expect(hint()).toBe('Enter to queue this message; the card stays open');
		read('lint');
		await pass(500);
		read('\r');
		await pass(100);
		expect([answers(), text(), pod.queue, app.state.asks.card?.id]).toEqual([
			[],
			'',
			[expect.objectContaining({segments: [{type: 'text', text: 'then lint'}]})],
			'q',
		]);
		read('\r');
		await pass(0);
		expect(answers()).toEqual([]);
		await pass(500);
		read('n');
		await pass(0);
		expect(hint()).toBe('Enter to answer "No" with this reason');
	});

	it('becomes a message when it is returned from elsewhere', async () => {
		const {app, read, pass, answers, hint} = await shown();
		const messages = [{id: 'x', segments: [{type: 'text' as const, text: 'queued'}]}];
		app.dispatch({type: 'messages returned', messages, kept: messages});
		expect(hint()).toBe('Enter to queue this message; the card stays open');
		await pass(500);
		read('\r');
		await pass(0);
		expect(answers()).toEqual([]);
	});

	it('stays the reason when a receipt comes for an earlier message', async () => {
		const {app, read, hint} = await shown();
		const segments = [{type: 'text' as const, text: 'sent before'}];
		void sendPrompt(app, segments);
		read('n');
		app.dispatch({type: 'receipt', segments, receipt: {accepted: true}});
		expect(hint()).toBe('Enter to answer "No" with this reason');
	});

	it('stays in the composer when the refusal takes no reason', async () => {
		const {read, pass, answers, text, hint} = await shown(cardKinds['trust']);
		read('w');
		await pass(500);
		read('hy');
		await pass(500);
		expect(hint()).toBe('Enter to answer "No"; your text stays here');
		read('\r');
		await pass(0);
		expect([answers(), text()]).toEqual([[{choice: 'deny'}], 'why']);
	});

	it('becomes a message again, with an alert, when another terminal answers first', async () => {
		const {pod, read, pass, text, told} = await shown();
		pod.answer = async () => ({accepted: false, code: 'no_such_ask', sentence: 'That question is no longer open.'});
		read('because');
		await pass(500);
		read('\r');
		await pass(10);
		expect([text(), told()]).toEqual(['because', ['That question is no longer open.']]);
	});

	it('is not sent when it is too long for a reason', async () => {
		const {read, pass, answers, hint} = await shown();
		read(`\x1b[200~${'x'.repeat(4001)}\x1b[201~`);
		await pass(500);
		read('\r');
		await pass(0);
		expect([answers(), hint()]).toEqual([[], 'A reason can have up to 4000 characters. Shorten it.']);
	});
});

describe('a choice that writes a rule', () => {
	it('shows the whole rule first, and a second Enter at least 400 ms later writes it', async () => {
		const {read, pass, answers, card, hint} = await shown();
		read('3');
		await pass(answerDelay);
		expect(answers()).toEqual([]);
		expect(card()).toEqual(['? Write this rule and stop asking?', '│ Allow bash, only for exactly:', '│ npm test']);
		expect(hint()).toBe('Enter to write this rule · Esc to go back to the choices');
		await pass(answerDelay);
		read('\r');
		await pass(500);
		expect(answers()).toEqual([{choice: 'always'}]);
	});

	it.each([
		['Enter comes too soon', [50, '\r']],
		['Enter is held down', [500, '\r', 30, '\r', 30, '\r', 30, '\r']],
		['Enter is held down for long', [500, '\r', ...Array.from({length: 60}, () => [33, '\r']).flat()]],
		['the terminal says that Enter is held down', [500, '\x1b[13;1:2u']],
		['Enter comes with more in one read', [500, '\r\r']],
		['Enter is pasted', [500, '\x1b[200~\r\x1b[201~']],
		['a digit comes instead', [500, 'x']],
	] as ReadonlyArray<readonly [string, ReadonlyArray<number | string>]>)(
		'writes nothing when %s',
		async (_, script) => {
			const {read, pass, answers} = await shown();
			for (const key of ['3', '\r']) {
				read(key);
				await pass(60);
			}
			for (const part of script) {
				if (typeof part === 'number') await pass(part);
				else read(part);
			}
			await pass(20);
			expect(answers()).toEqual([]);
		},
	);

	it('gives way to the choices when you press Esc', async () => {
		const {read, pass, answers, card} = await shown();
		read('3');
		await pass(500);
		read(escape);
		await pass(500);
		expect(card().at(-1)).toBe('❯ 4. No (Esc)');
		expect(answers()).toEqual([]);
		read('1');
		await pass(500);
		expect(answers()).toEqual([{choice: 'allow'}]);
	});
});
