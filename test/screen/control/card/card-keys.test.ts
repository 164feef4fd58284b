import {describe, expect, it} from 'vitest';
import {takeMouse} from '../../../../src/screen/control/keys/keys-in.ts';
import {nextChange} from '../../../../src/screen/mount/open-screen.ts';
import {answerDelay} from '../../../../src/screen/model/card/answering.ts';

import {hideCard} from '../../../../src/screen/control/card/card-keys.ts';
import {cardKinds, cardStage} from '../../../helpers/card-stage.ts';
import {layoutOf, rowsBetween} from '../../../../src/screen/view/layout.ts';
import {approval, down, end, escape, long, pageDown, shown, up} from './shown-card.ts';

describe('a digit on a card', () => {
	it('highlights its choice at once and takes effect 400 ms later', async () => {
		const {read, pass, answers, card} = await shown();
		read('2');
		await pass(0);
		expect(card().find(row => row.startsWith('❯'))).toBe('❯ 2. Yes, in this session: exactly this command');
		await pass(answerDelay - 1);
		expect(answers()).toEqual([]);
		await pass(1);
		expect(answers()).toEqual([{choice: 'session'}]);
	});

	it('takes effect at once with Enter', async () => {
		const {read, pass, answers} = await shown();
		read('1');
		await pass(50);
		read('\r');
		await pass(0);
		expect(answers()).toEqual([{choice: 'allow'}]);
	});

	it.each(['0', '5', '9'])('goes to the message when no choice has this number (%s)', async digit => {
		const {read, pass, answers, text} = await shown();
		read(digit);
		await pass(1000);
		expect([answers(), text()]).toEqual([[], digit]);
	});

	it('goes to the message together with later typing or pastes', async () => {
		for (const [more, whole] of [
			['x', '1x'],
			[' ', '1 '],
			['1', '11'],
			['\x1b[200~yes\x1b[201~', '1yes'],
		] as const) {
			const {read, pass, answers, text} = await shown();
			read('1');
			await pass(200);
			read(more);
			await pass(1000);
			expect([answers(), text()]).toEqual([[], whole]);
		}
	});

	it.each([
		['Backspace', '\x7f'],
		['an arrow', up],
	])('is cancelled by %s', async (_, key) => {
		const {read, pass, answers, text} = await shown();
		read('1');
		await pass(50);
		read(key);
		await pass(1000);
		expect([answers(), text()]).toEqual([[], '']);
	});

	it('is text when the message is not empty', async () => {
		const {read, pass, answers, text} = await shown(approval, {before: 'see '});
		read('1');
		await pass(1000);
		expect([answers(), text()]).toEqual([[], 'see 1']);
	});
});

describe('a digit that was typed before a card appeared', () => {
	const before = async (wait: number, keys = '1') => {
		const stage = await shown();
		stage.show();
		stage.read(keys);
		await stage.pass(wait);
		stage.show({...approval, id: 'next'});
		await stage.pass(1000);
		return stage;
	};

	it('is dropped if it is alone and the card follows within 400 ms', async () => {
		const {answers, text, read, pass} = await before(399);
		expect([answers(), text()]).toEqual([[], '']);
		read('1');
		await pass(answerDelay);
		expect(answers()).toEqual([{choice: 'allow'}]);
	});

	it.each([
		['alone and older', 401, '1', '1'],
		['not alone', 100, '1.', '1.'],
	])('stays in the message if it is %s', async (_, wait, keys, whole) => {
		const {answers, text} = await before(wait, keys);
		expect([answers(), text()]).toEqual([[], whole]);
	});

	it('is not sent, and is no reason, while the card is open', async () => {
		const {answers, pod, text, hint, read, pass} = await before(500);
		expect(hint()).toMatch(/^Digits alone are neither|^Clear your text/);
		for (const key of ['\r', '\x13']) {
			read(key);
			await pass(500);
			expect(hint()).toMatch(/^Digits alone are neither|^Clear your text/);
		}
		expect([answers(), pod.said, text()]).toEqual([[], [], '1']);
	});

	it('is sent by Enter after its 400 ms if no card follows', async () => {
		const {read, pass, pod, show} = await shown();
		show();
		read('1');
		await pass(50);
		read('\r');
		await pass(answerDelay - 51);
		expect(pod.said).toEqual([]);
		await pass(1);
		expect(pod.said).toEqual([{method: 'queue', segments: [{type: 'text', text: '1'}]}]);
	});
});

describe('the marker of a card', () => {
	it.each(Object.keys(cardKinds))('starts at the refusal of a %s card, and Enter takes that choice', async kind => {
		const {read, pass, answers, card} = await shown(cardKinds[kind], {kind});
		expect(card().find(row => row.startsWith('❯'))).toMatch(/^❯ \d\. (?:No|Discard).* \(Esc\)$/);
		read('\r');
		await pass(0);
		expect(answers()).toEqual([{choice: 'deny'}]);
	});

	it('moves with the arrows, and Enter takes the choice at the marker', async () => {
		const {read, pass, answers} = await shown();
		for (const key of [up, up, up, up, down]) {
			read(key);
			await pass(50);
		}
		read('\r');
		await pass(0);
		expect(answers()).toEqual([{choice: 'session'}]);
	});
});

describe('the hint of a card', () => {
	it('says what Esc does, and does not change while keys have to wait', async () => {
		const {read, pass, hint} = await cardStage({...approval, callId: 'c'}, {size: {columns: 80, rows: 20}});
		const hints = new Set([hint()]);
		for (let time = 0; time < 500; time += 50) {
			await pass(50);
			hints.add(hint());
		}
		read('1');
		await pass(100);
		hints.add(hint());
		expect([...hints]).toEqual(['1-4, or ↑↓ and Enter · Esc: deny this call · Esc Esc: stop the turn']);
	});

	it('is short on a narrow screen, and names the choice that refuses if there is no call', async () => {
		expect((await cardStage({...approval, callId: 'c'})).hint()).toBe(
			'Esc: deny this call · Esc Esc: stop the turn',
		);
		expect((await cardStage(cardKinds['quit']!, {kind: 'quit'})).hint()).toBe('1-2, or ↑↓ and Enter · Esc: No');
	});
});

describe('an early key on a card', () => {
	it.each(['\r', escape, '\x1b'])('does not answer within 400 ms after the card was drawn: %j', async key => {
		for (const after of [0, 100, 350]) {
			const {read, pass, answers} = await cardStage(approval);
			await pass(after);
			read(key);
			await pass(20);
			expect([after, answers()]).toEqual([after, []]);
		}
	});

	it('makes a note appear on the card', async () => {
		const {read, pass, hint} = await cardStage(approval);
		read('\r');
		await pass(0);
		expect(hint()).toBe('The card has just appeared. Press the key again to answer.');
	});

	it.each([0, 100, 399])('takes effect 400 ms later if it is a digit that comes after %i ms', async after => {
		const {read, pass, answers, text} = await cardStage(approval);
		await pass(after);
		read('1');
		await pass(answerDelay - 1);
		expect([answers(), text()]).toEqual([[], '']);
		await pass(1);
		expect([answers(), text()]).toEqual([[{choice: 'allow'}], '']);
	});

	it('goes to the message with the text after it if it is a digit', async () => {
		const {read, pass, answers, text} = await cardStage(approval);
		read('1');
		await pass(200);
		read('x');
		await pass(1000);
		expect([answers(), text()]).toEqual([[], '1x']);
	});

	it('leaves a digit to its 400 ms if Enter follows too early', async () => {
		const {read, pass, answers} = await cardStage(approval);
		read('1');
		await pass(100);
		read('\r');
		await pass(answerDelay - 101);
		expect(answers()).toEqual([]);
		await pass(1);
		expect(answers()).toEqual([{choice: 'allow'}]);
	});

	it('is dropped if it is a digit and the card was not drawn yet', async () => {
		const {app, read, pass, answers, text} = await shown();
		hideCard(app);
		read('1');
		await pass(2000);
		expect([answers(), text()]).toEqual([[], '']);
	});

	it('does not answer within 400 ms after another program returned the terminal', async () => {
		const {app, read, pass, answers} = await shown();
		app.dispatch({type: 'lend terminal', isAway: true});
		hideCard(app);
		await pass(60_000);
		app.dispatch({type: 'lend terminal', isAway: false});
		await pass(100);
		read('\r');
		await pass(10);
		expect(answers()).toEqual([]);
		await pass(500);
		read('\r');
		await pass(0);
		expect(answers()).toEqual([{choice: 'deny'}]);
	});

	it('does not answer the next card when it answered the last one', async () => {
		const {read, pass, answers, show} = await shown();
		read('\r');
		show({...approval, id: 'second'});
		for (let count = 0; count < 30; count++) {
			await pass(33);
			read('\r');
		}
		expect(answers()).toEqual([{choice: 'deny'}]);
	});

	it('has no effect before the end of a long card was shown, and the card explains it', async () => {
		const {app, read, pass, answers, text, hint} = await shown(long);
		read('1');
		await pass(0);
		expect(hint()).toBe('Read to the end first: PgDn, Ctrl+End.');
		await pass(500);
		expect([answers(), text()]).toEqual([[], '']);
		expect(nextChange(app.state, app.state.now, app.state.now)).toBeUndefined();
		read(end);
		await pass(50);
		expect(hint()).toMatch(/Esc: No/);
		read('1');
		await pass(500);
		expect(answers()).toEqual([{choice: 'allow'}]);
	});

	it('may deny before the end of the card was shown', async () => {
		const {read, pass, answers} = await shown(long);
		read('4');
		await pass(500);
		expect(answers()).toEqual([{choice: 'deny'}]);
	});

	it('does not change the approval mode', async () => {
		const {pod, read, pass, hint, show} = await shown(long);
		read('\x1b[Z');
		await pass(0);
		expect(hint()).toBe('Read to the end first: PgDn, Ctrl+End.');
		await pass(500);
		show({...approval, id: 'short'});
		read('\x1b[Z');
		await pass(0);
		expect(hint()).toBe('The card has just appeared. Press the key again to answer.');
		expect(pod.said).toEqual([]);
		await pass(500);
		read('\x1b[Z');
		await pass(10);
		expect(pod.said).toEqual([{method: 'approval', mode: 'accept-edits'}]);
	});
});

describe('a detail that does not fit on its card', () => {
	it('scrolls with the keys of the transcript and with the wheel, down to its end', async () => {
		const {app, read, pass, card} = await shown(long);
		app.dispatch({type: 'toggle mouse'});
		app.dispatch({type: 'dismiss alerts'});
		expect(card().find(row => row.startsWith('▼'))).toMatch(/91 more rows: PgDn/);
		const {card: view, transcriptHeight} = layoutOf(app.state);
		const between = rowsBetween(layoutOf(app.state));
		takeMouse(app, {
			kind: 'wheel',
			button: 'down',
			x: 0,
			y: transcriptHeight + between.length + 2,
			ctrl: false,
			alt: false,
			shift: false,
		});
		expect(card()[1]).toBe('│ line 3');
		for (let page = 0; page < 3; page++) read(pageDown);
		expect(app.state.asks.card!.scroll).toBe(3 + 3 * (view!.shown - 1));
		read(end);
		await pass(10);
		expect(card().find(row => row.startsWith('▲'))).toMatch(/of 100/);
	});

	it('leaves PgUp to the transcript when the detail fits', async () => {
		const {app, read, pass} = await shown();
		read('\x1b[5~');
		await pass(0);
		expect(app.state.asks.card!.scroll).toBe(0);
	});
});

describe('an open search', () => {
	it('is hidden until the card is answered', async () => {
		const {pass, read, text, answers, show} = await shown(approval);
		show();
		read('\x1bOR');
		read('needle');
		show({...approval, id: 'r'});
		await pass(500);
		read('abc');
		await pass(100);
		expect(text()).toBe('abc');
		read(escape);
		await pass(10);
		expect(answers()).toEqual([{choice: 'deny'}]);
	});
});
