import {describe, expect, it} from 'vitest';
import type {SideQuestionStep} from '../../../../src/pod/protocol.ts';
import type {SideQuestionState} from '../../../../src/screen/model/pages/tasks-state.ts';
import {fakeApp, fakePod, settled, until} from '../../../helpers/fake-app.ts';
import {createItems} from '../../../helpers/items.ts';

const make = createItems();
const items = [make.user('Why?'), make.assistant('Because \u001b[2J of it.')];
const done: SideQuestionState = {id: 'one', before: 3, isPartial: false, items, isRunning: false, isAttached: false};

/** A screen on which a side question was asked. `answers` are the answers to its reads. */
async function asked(
	first: SideQuestionState,
	change: (given: SideQuestionStep) => Partial<SideQuestionState> = () => ({}),
	options = {},
) {
	const steps: SideQuestionStep[] = [];
	const pod = {
		...fakePod(),
		async btw(given: SideQuestionStep) {
			steps.push(given);
			return given.op === 'ask' ? first : {...done, ...change(given)};
		},
	};
	const made = await fakeApp(pod, options);
	made.type('/btw Why?');
	made.press('enter');
	await until(() => made.app.state.page !== undefined);
	const ops = () => steps.map(({op}) => op);
	return {...made, steps, ops, text: () => made.rows(60, 12).join('\n')};
}

describe('the page of a side question', () => {
	it('shows what the model sees, the question and the answer, with inert text', async () => {
		const {steps, text, rows} = await asked(done);
		expect(steps).toEqual([{op: 'ask', question: 'Why?'}]);
		expect(text()).toContain('Side question · Esc discard · k keep · a attach\n');
		expect(rows(100, 12)[0]).toBe('Side question · Esc discard · k keep as a session · a attach the answer');
		expect(rows(40, 12)[0]).toBe('Esc discard · k keep · a attach');
		expect(text()).toContain('The model sees this session (3 items) and this:');
		expect(text()).toContain('Because ␛[2J of it.');
	});

	it('says who speaks, without signs, for a screen reader', async () => {
		const {text} = await asked({...done}, undefined, {isSpoken: true});
		expect(text()).toMatch(/^You: Why\?\nAnswer: Because ␛\[2J of it\.$/m);
	});

	it('follows an answer while it is written', async () => {
		const {app, ops, text} = await asked({...done, items: items.slice(0, 1), isRunning: true});
		expect(text()).not.toContain('Because');
		await until(() => ops().includes('read') && app.state.page?.kind === 'btw' && !app.state.page.answer.isRunning);
		expect(text()).toContain('Because');
	});

	it.each([
		['k', 'keep', 'Kept as a session: inkpod -r 01B'],
		['a', 'attach', 'The answer is attached.'],
	])('handles %s', async (key, op, said) => {
		const {type, ops, told} = await asked(done, ({op: step}) => (step === 'keep' ? {kept: '01B'} : {}));
		type(key);
		await until(() => told().length > 0);
		expect(ops()).toEqual(['ask', op]);
		expect(told()[0]).toContain(said);
	});

	it('discards the question on Esc, also while the answer is written', async () => {
		const {app, press, steps} = await asked({...done, isRunning: true});
		press('escape');
		await settled();
		expect(app.state.page).toBeUndefined();
		expect(steps.at(-1)).toEqual({op: 'discard', id: 'one'});
	});

	it('says on Enter that one question is possible', async () => {
		const {press, told} = await asked(done);
		press('enter');
		expect(told()[0]).toContain('keep the side question as a session');
	});
});
