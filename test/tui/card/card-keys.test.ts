import {describe, expect, test} from 'vitest';
import type {Ask} from '../../../src/pod/protocol.ts';
import {pasteText, pressKey, takeMouse} from '../../../src/tui/app-keys.ts';
import {draw, nextChange, statusFacts} from '../../../src/tui/app-frame.ts';
import {answerDelay, typingDelay} from '../../../src/tui/card/card.ts';
import {createMousePart} from '../../../src/tui/mouse.ts';
import {createSearchPart} from '../../../src/tui/search/search-part.ts';
import {handMadeApp, running, settled} from '../../helpers/hand-made-app.ts';

const choices: Ask['choices'] = [{choice: 'yes', label: 'Yes'}, {choice: 'no', label: 'No'}, {choice: 'no_reason', label: 'No, because', reason: true}];
const ask: Ask = {id: 'q', title: 'Read it?', detail: '.env', choices};
const long: Ask = {...ask, detail: Array.from({length: 100}, (_, index) => `line ${index}`).join('\n')};
const size = {columns: 60, rows: 20};

async function stage(question: Ask = ask, before = '') {
	let now = 0;
	const made = await handMadeApp(undefined, {now: () => now, parts: [createSearchPart(), createMousePart()], mouse: true});
	made.type(before);
	const show = (...asks: readonly Ask[]) => {
		made.turn({...running, asks});
		draw(made.app, size);
	};
	show(question);
	return {
		...made,
		show,
		wait: (ms: number) => {
			now += ms;
			draw(made.app, size);
		},
		press: (name: string) => {
			made.press(name);
			draw(made.app, size);
		},
		card: () => draw(made.app, size).ask!.rows.map(row => row.replaceAll(/\x1b\[[\d;]*m/g, '')),
	};
}

const text = (words: string) => [{type: 'text', text: words}];

describe('letters while a card is up', () => {
	test('that are no answer, go to the draft', async () => {
		const {pod, type, draft, wait} = await stage();
		wait(answerDelay);
		type('what');
		await settled();
		expect([pod.said, draft()]).toEqual([[], text('what')]);
	});

	test('that are an answer but come in the middle of a word, go to the draft until the person pauses', async () => {
		const {app, pod, type, wait, draft} = await stage(ask, 'carefull');
		for (let key = 0; key < 10; key++) {
			wait(answerDelay - 100);
			type('y');
		}
		expect(statusFacts(app).hints).toEqual(['typing: a pause answers']);
		await settled();
		expect([pod.said, draft()]).toEqual([[], text(`carefull${'y'.repeat(10)}`)]);
		expect(nextChange(app)).toBe(10 * (answerDelay - 100) + typingDelay);
		wait(typingDelay);
		expect(statusFacts(app).hints).toEqual(['answer the card']);
		type('y');
		await settled();
		expect([pod.said, draft()]).toEqual([[{method: 'answer', askId: 'q', choice: 'yes'}], text(`carefull${'y'.repeat(10)}`)]);
	});

	test('Enter, sends the draft and answers nothing; on an empty draft it does nothing', async () => {
		const {app, pod, type, press, wait} = await stage();
		wait(answerDelay);
		press('enter');
		type('go on');
		press('enter');
		await settled();
		expect(pod.said).toEqual([]);
		expect(app.queue).toEqual([text('go on')]);
	});

	test('a search that was open, waits behind the card', async () => {
		const {pod, type, press, draft, show, wait} = await stage();
		show();
		press('f3');
		type('needle');
		show({...ask, id: 'r'});
		type('abc');
		wait(typingDelay);
		press('escape');
		await settled();
		expect([draft(), pod.said]).toEqual([text('abc'), [{method: 'answer', askId: 'r', choice: 'no'}]]);
	});
});

describe('a detail that does not fit', () => {
	test('is not said yes to before its end was on the screen; a no is taken at any time', async () => {
		const {pod, type, press, wait, draft, card} = await stage(long);
		wait(answerDelay);
		type('y1');
		await settled();
		expect([pod.said, draft()]).toEqual([[], []]);
		expect(card().find(row => row.startsWith('▼'))).toMatch(/of 100.*PgDn/);
		for (let page = 0; page < 30; page++) press('pagedown');
		expect(card().find(row => row.startsWith('▲'))).toMatch(/of 100/);
		press('pageup');
		type('y');
		await settled();
		expect(pod.said).toEqual([{method: 'answer', askId: 'q', choice: 'yes'}]);
		const again = await stage(long);
		again.wait(answerDelay);
		again.type('n');
		await settled();
		expect(again.pod.said).toEqual([{method: 'answer', askId: 'q', choice: 'no'}]);
	});

	test('keys that come between two frames, scroll as far as if each had one', async () => {
		const {app, pod} = await stage(long);
		const {shown} = app.frame.ask!;
		for (let page = 0; page < 3; page++) pressKey(app, {name: 'pagedown', ctrl: false, alt: false, shift: false, super: false});
		expect(draw(app, size).ask!.scroll).toBe(3 * (shown - 1));
		expect(pod.said).toEqual([]);
	});

	test('the wheel on the card scrolls it', async () => {
		const {app, card} = await stage(long);
		const {ask: view, transcriptHeight, between} = app.frame;
		expect(view!.rows.length).toBeGreaterThan(10);
		takeMouse(app, {kind: 'wheel', button: 'down', x: 0, y: transcriptHeight + between.length + 2, ctrl: false, alt: false, shift: false});
		expect(card()[1]).toBe('│ line 3');
	});

	test('a card that shows all of it, leaves PgUp to the transcript', async () => {
		const {app, press} = await stage();
		press('pageup');
		expect(app.card!.scroll).toBe(0);
	});
});

describe('a no with a reason', () => {
	test('opens a line, and Enter sends it along', async () => {
		const {app, pod, type, press, wait, card} = await stage(ask, 'draft');
		wait(answerDelay);
		type('3');
		type('use ripgrep');
		pasteText(app, ', yes\nplease', false);
		expect(card().at(-1)).toBe('❯ use ripgrep, yes please');
		const {cursor} = draw(app, size);
		expect(cursor.x).toBe(2 + 'use ripgrep, yes please'.length);
		press('backspace');
		press('enter');
		await settled();
		expect(pod.said).toEqual([{method: 'answer', askId: 'q', choice: 'no_reason', reason: 'use ripgrep, yes pleas'}]);
	});

	test('without words, is sent without a reason', async () => {
		const {pod, type, press, wait} = await stage();
		wait(answerDelay);
		type('3');
		press('enter');
		await settled();
		expect(pod.said).toEqual([{method: 'answer', askId: 'q', choice: 'no_reason'}]);
	});

	test('Esc goes back to the choices and keeps the words; the next Esc says no, and they become a draft', async () => {
		const {pod, type, press, wait, card, draft, show} = await stage();
		wait(answerDelay);
		type('3because');
		press('escape');
		expect(card().at(-1)).toContain('[1, y] Yes');
		wait(answerDelay);
		type('3');
		expect(card().at(-1)).toBe('❯ because');
		press('escape');
		press('escape');
		await settled();
		expect(pod.said).toEqual([{method: 'answer', askId: 'q', choice: 'no'}]);
		show();
		expect(draft()).toEqual(text('because'));
	});

	test('that another terminal was quicker than, becomes a draft and is told', async () => {
		const {pod, type, press, wait, draft, told} = await stage();
		pod.answer = async () => ({accepted: false, code: 'no_such_ask', sentence: 'That question is not open any more.'});
		wait(answerDelay);
		type('3because');
		press('enter');
		await settled();
		expect([draft(), told()]).toEqual([text('because'), ['That question is not open any more.']]);
	});
});

test('the next card, is not answered by the key that answered the last one', async () => {
	const {pod, type, wait, show} = await stage();
	wait(answerDelay);
	show({...ask, id: 'second'});
	type('y');
	await settled();
	expect(pod.said).toEqual([]);
});
