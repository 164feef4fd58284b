import {describe, expect, it} from 'vitest';
import type {Ask} from '../../../../src/pod/protocol.ts';
import {cardKinds} from '../../../helpers/card-stage.ts';
import {down, escape, shown, up} from './shown-card.ts';

const command = cardKinds['command']!;
const again: Omit<Ask, 'id'> = {
	callId: 'c',
	title: 'Run this command without confinement?',
	detail: 'make',
	shows: 'command',
	note: 'Not confined: it can change everything that you can change, and use the network.',
	choices: [
		{choice: 'unconfined', label: 'Yes'},
		{choice: 'back', label: 'Back to the changes', refuses: true},
	],
};
const list: Ask = {
	...{id: 'list', callId: 'c', title: 'Take which changes?', detail: ''},
	questions: [{title: 'Take which changes?', options: ['~ a.txt', '+ b.txt'], multiple: true, free: false}],
	choices: [
		{choice: 'answer', label: 'Take them'},
		{choice: 'none', label: 'Back to the changes', refuses: true, reason: true},
	],
};
const [left, right] = ['\x1b[D', '\x1b[C'];
const usual = ['  1. Yes', '  2. Yes, and don\'t ask again for "npm test *"', '❯ 3. No (Esc)', '  → more'];
const all = [
	...usual.slice(0, 3),
	'  4. Yes, in this session: exactly this command',
	'  5. Yes, always in this project: exactly this command',
];

describe('the choices behind "more"', () => {
	const stage = async (options = {}, question = command) => {
		const made = await shown(question, options);
		return {
			...made,
			choices: () =>
				made
					.card()
					.slice(2)
					.filter(row => row !== ''),
			press: async (...keys: readonly string[]) => {
				for (const key of keys) {
					made.read(key);
					await made.pass(200);
				}
			},
		};
	};

	it('appear with the right arrow, disappear with the left arrow, and keep the marker on "No"', async () => {
		const {choices, press, answers} = await stage();
		expect(choices()).toEqual(usual);
		await press(right);
		expect(choices()).toEqual(all);
		await press(down, left);
		expect(choices()).toEqual(usual);
		expect(answers()).toEqual([]);
	});

	it('appear with Enter on their row, and a second Enter allows nothing', async () => {
		const {choices, press, answers} = await stage();
		await press(down);
		expect(choices().at(-1)).toBe('❯ → more');
		await press('\r');
		expect(choices()).toEqual(all);
		await press('\r');
		expect(answers()).toEqual([{choice: 'deny'}]);
	});

	it('have no digits before they appear', async () => {
		const {press, pass, answers, text} = await stage();
		await press('4');
		await pass(1000);
		expect([answers(), text()]).toEqual([[], '4']);
		await press('\x7f', right, '4');
		await pass(500);
		expect(answers()).toEqual([{choice: 'session'}]);
	});

	it('ask for a second confirmation if they write a rule', async () => {
		const {press, card, pass, answers} = await stage();
		await press(right, '5');
		await pass(300);
		expect(card()).toEqual(['? Write this rule and stop asking?', '│ Allow bash, only for exactly:', '│ npm test']);
		await press(escape);
		expect(answers()).toEqual([]);
		await press('5');
		await pass(700);
		await press('\r');
		expect(answers()).toEqual([{choice: 'always'}]);
	});

	it('are in one row with the others if the card is short, and are named for a screen reader', async () => {
		const short = await stage({size: {columns: 60, rows: 9}});
		expect(short.card().at(-1)).toMatch(/^ 1 Yes {2}2 Yes, and don't ask.*…? ❯3 No \(Esc\) {2}→ more$/);
		const spoken = await stage({isSpoken: true});
		expect(spoken.card().at(-1)).toBe('  More choices: right arrow');
	});

	it('lead to a list, which takes digits once it was on the screen for 400 ms, and Esc goes back', async () => {
		const {press, pass, answers, show, card, hint} = await stage({}, cardKinds['changes']);
		await press(right, '4');
		await pass(500);
		expect(answers()).toEqual([{choice: 'some'}]);
		show(list);
		await press('1');
		await pass(500);
		expect(card()).toEqual([
			'? Take which changes?',
			'❯ 1. [x] ~ a.txt',
			'  2. [ ] + b.txt',
			'  3. Done',
			'  4. Back to the changes (Esc)',
		]);
		expect(hint()).toContain('1-2 mark · 3 send');
		await press(escape);
		await pass(500);
		expect(answers().slice(1)).toEqual([{choice: 'none'}]);
	});

	it('lead to a card that goes back with Esc', async () => {
		const {press, pass, answers, hint} = await stage({}, again);
		expect(hint()).toContain('Esc: Back to the changes');
		await press(escape);
		await pass(500);
		expect(answers()).toEqual([{choice: 'back'}]);
	});

	it('stay with the arrows of the draft while it has text', async () => {
		const {choices, press, text} = await stage();
		await press('n', 'o', left, up, right);
		expect([choices(), text()]).toEqual([usual, 'no']);
	});
});
