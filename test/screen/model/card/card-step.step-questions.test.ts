import {describe, expect, it} from 'vitest';
import type {Ask, Method} from '../../../../src/pod/protocol.ts';
import {answerDelay} from '../../../../src/screen/model/card/answering.ts';
import {cardPlaceholder} from '../../../../src/screen/view/card/card-facts.ts';
import {shown} from '../../control/card/shown-card.ts';

const choices: Ask['choices'] = [
	{choice: 'answer', label: 'Answer'},
	{choice: 'none', label: 'No answer', refuses: true, reason: true},
];
const asking = (questions: NonNullable<Ask['questions']>): Omit<Ask, 'id'> => ({
	callId: 'c',
	title: 'questions',
	detail: '',
	questions,
	choices,
});
const database = {title: 'Which database?', options: ['Postgres', 'SQLite']};
const targets = {title: 'Which targets?', options: ['linux', 'mac', 'windows'], multiple: true};
const name = {title: 'Which name?'};

async function stage(...questions: NonNullable<Ask['questions']>) {
	const made = await shown(asking(questions));
	const press = async (bytes: string, ms = 1000) => {
		made.read(bytes);
		// The card is drawn again when a choice has taken effect.
		for (const part of [ms / 2, ms / 2]) await made.pass(part);
	};
	const sent = () =>
		made.pod.said.filter((each): each is Extract<Method, {method: 'answer'}> => each.method === 'answer');
	const given = () => sent().map(({choice, answers, reason}) => ({choice, answers, ...(reason && {reason})}));
	return {...made, press, given};
}

describe('a card with questions', () => {
	it('shows one question after another, with the answers so far, and sends all of them at once', async () => {
		const {press, given, card} = await stage(database, name);
		expect(card().slice(0, 3)).toEqual(['? 1/2 Which database?', '  1. Postgres', '  2. SQLite']);
		await press('2');
		expect(card().slice(0, 2)).toEqual(['? 2/2 Which name?', '│ Which database? → SQLite']);
		expect(given()).toEqual([]);
		await press('shop');
		await press('\r');
		expect(given()).toEqual([{choice: 'answer', answers: [{options: [1]}, {text: 'shop'}]}]);
	});

	it('says in the empty message how to answer a question without options', async () => {
		const {app} = await stage(name);
		expect(cardPlaceholder(app.state)).toBe('Type your answer · Esc: no answer');
	});

	it('takes no key within 400 ms after the next question appeared', async () => {
		const {press, given} = await stage(database, database);
		await press('1', answerDelay);
		await press('\r', 10);
		expect(given()).toEqual([]);
	});

	it('chooses several options by digits, and takes them back', async () => {
		const {press, given, card, hint} = await stage(targets);
		expect(hint()).toBe('1-3 mark · 4 send');
		for (const digit of ['1', '3', '1']) await press(digit);
		expect(card()).toContain('❯ 1. [ ] linux');
		expect(card()).toContain('  3. [x] windows');
		await press('4');
		expect(given()).toEqual([{choice: 'answer', answers: [{options: [2]}]}]);
	});

	it('takes several numbers that you type, and any other text as the answer', async () => {
		for (const [typed, answer] of [
			['1, 3', {options: [0, 2]}],
			['1 4', {text: '1 4'}],
			['all', {text: 'all'}],
		] as const) {
			const {press, given, text} = await stage(targets);
			for (const letter of typed) await press(letter, 100);
			expect(text()).toBe(typed);
			await press('\r');
			expect(given()).toEqual([{choice: 'answer', answers: [answer]}]);
		}
	});

	it('sends the marked options together with a text', async () => {
		for (const [typed, free, answer, reason] of [
			['and bsd', undefined, {options: [0, 2], text: 'and bsd'}, undefined],
			['2 3', undefined, {options: [0, 1, 2]}, undefined],
			['no bsd?', false, {options: [0, 2]}, 'no bsd?'],
		] as const) {
			const {press, given, hint} = await stage({...targets, ...(free === false && {free})});
			for (const digit of ['1', '3']) await press(digit);
			for (const letter of typed) await press(letter, 100);
			expect(hint()).toBe('Enter to send the marked options and this text');
			await press('\r');
			expect(given()).toEqual([{choice: 'answer', answers: [answer], ...(reason && {reason})}]);
		}
	});

	it('sends no answer on Esc, and keeps the earlier answers', async () => {
		const first = await stage(database, name);
		await first.press('\x1b[27u');
		expect(first.given()).toEqual([{choice: 'none', answers: []}]);
		const second = await stage(database, name);
		await second.press('1');
		await second.press('\x1b[27u');
		expect(second.given()).toEqual([{choice: 'answer', answers: [{options: [0]}]}]);
	});

	it('sends a text beside the answers if only the options are answers', async () => {
		const {press, given} = await stage({...database, free: false});
		await press('neither');
		await press('\r');
		expect(given()).toEqual([{choice: 'none', answers: [], reason: 'neither'}]);
	});

	it('does not take a paste as an answer', async () => {
		const {press, given, text} = await stage(database);
		await press('\x1b[200~1\x1b[201~');
		expect([given(), text()]).toEqual([[], '1']);
	});

	it('says what Enter does with a text', async () => {
		const {press, hint} = await stage(database);
		await press('m');
		expect(hint()).toBe('Enter to send this text as your answer');
	});
});
