import {describe, expect, it, vi} from 'vitest';
import {createApprovals, type Approvals} from '../../../../src/pod/permissions/approval/approvals.ts';
import type {Answer} from '../../../../src/pod/permissions/approval/asks.ts';
import type {Rule} from '../../../../src/pod/permissions/approval/rule.ts';
import type {ShownChanges} from '../../../../src/pod/permissions/approval/take-card.ts';
import type {Trial, TrialAnswer} from '../../../../src/pod/permissions/approval/trial.ts';
import type {ApprovalMode, Ask} from '../../../../src/pod/protocol.ts';
import type {CallFacts, ToolCall} from '../../../../src/worker/index.ts';
import {required} from '../../../../src/pod/ground/values/is-record.ts';
import {tempProject} from '../../../helpers/temp-project.ts';

type Setting = {
	readonly mode?: ApprovalMode;
	readonly rules?: readonly Rule[];
	readonly canTry?: boolean;
	/** The choice on each card. `wait`: the card stays open. Absent if nobody can answer. */
	readonly choice?: string | undefined;
	/** The answers to the cards, in order, instead of `choice`. */
	readonly answers?: readonly Answer[];
	readonly args?: object;
};

const changes = {detail: '~ a.txt', shows: 'text', parts: ['~ a.txt']} as const;

/** Judges a call of bash. */
async function judged(command: string, given: Setting = {}) {
	const {mode = 'ask', rules = [], canTry = true, answers, args} = given;
	const choice = 'choice' in given ? given.choice : 'allow';
	const project = await tempProject({});
	const cards: Array<Omit<Ask, 'id'>> = [];
	const ask = async (card: Omit<Ask, 'id'>, signal: AbortSignal): Promise<Answer | undefined> => {
		cards.push(card);
		const answer = answers?.[cards.length - 1] ?? {choice: choice ?? ''};
		if (answer.choice !== 'wait') return answer;
		return new Promise(resolve => signal.addEventListener('abort', () => resolve(undefined)));
	};
	const approvals: Approvals = createApprovals({
		scope: project.scope,
		env: {HOME: project.path('..'), XDG_STATE_HOME: project.path('../state')},
		mode,
		rules: {user: rules, project: []},
		onTrouble() {},
		canTry: async () => canTry,
		...(choice !== undefined && {ask}),
	});
	const run = new AbortController();
	const judge = async (id: string) => {
		const call: ToolCall = {id, callId: id, name: 'bash', arguments: ''} as ToolCall;
		const facts: CallFacts = {effect: 'execute', mayHaveRun: false, args: {command, ...args}};
		return approvals.interceptor(run.signal).preToolCall(call, facts);
	};
	const {type} = await judge('1');
	return {type, cards, approvals, run, judge, trial: approvals.trialOf('1')};
}

async function trialOf(command: string, given: Setting = {}) {
	const {trial, ...rest} = await judged(command, given);
	return {...rest, trial: required<Trial>(trial, 'trial')};
}

describe('a command that needs approval only because of the mode', () => {
	it.each(['read_file', 'edit_file', 'write_file', '*'])(
		'is not tried if a rule about files restricts %s',
		async tool => {
			const rules: readonly Rule[] = [{tool, match: 'private', action: 'deny'}];
			const {cards, trial} = await judged('cat p*/x', {rules, mode: 'accept-edits'});
			expect([cards.length, trial]).toEqual([1, undefined]);
		},
	);

	it.each(['ask', 'accept-edits', 'plan'] as const)('is tried without a card in the mode %s', async mode => {
		const {type, cards, trial} = await judged('npm test', {mode});
		expect([type, cards.length, trial !== undefined]).toEqual(['continue', 0, true]);
	});

	it.each<readonly [string, string, Setting]>([
		['cannot be tried here', 'npm test', {canTry: false}],
		['runs in the background', 'npm run dev', {args: {background: true}}],
		['names a secret', 'cat .env', {}],
		['asks other processes', 'ps aux', {}],
		['needs approval because of a rule', 'npm test', {rules: [{tool: 'bash', action: 'ask'}]}],
	])('is not tried if it %s', async (_why, command, given) => {
		const {cards, trial} = await judged(command, {...given, choice: 'allow'});
		expect([cards.length, trial]).toEqual([1, undefined]);
	});

	it('is not tried if a rule denies it, or if it is allowed', async () => {
		const denied = await judged('npm test', {rules: [{tool: 'bash', action: 'deny'}]});
		expect([denied.type, denied.trial]).toEqual(['result', undefined]);
		expect((await judged('npm test', {rules: [{tool: 'bash', action: 'allow'}]})).trial).toBe(undefined);
		expect((await judged('npm test', {mode: 'auto'})).trial).toBe(undefined);
	});
});

describe('the changes of a command that was tried', () => {
	it('are taken after a card in `ask`, and without one in `accept-edits` unless they are special', async () => {
		const asks = await trialOf('make');
		expect(await asks.trial.askToTake(changes, false)).toEqual({type: 'yes', isSeen: true});
		expect(asks.cards).toMatchObject([{title: 'Take these changes?', detail: '~ a.txt', callId: '1'}]);
		const edits = await trialOf('make', {mode: 'accept-edits'});
		expect(await edits.trial.askToTake(changes, false)).toEqual({type: 'yes', isSeen: false});
		expect(edits.cards).toEqual([]);
		expect(await edits.trial.askToTake(changes, true)).toEqual({type: 'yes', isSeen: true});
		const plan = await trialOf('make', {mode: 'plan'});
		await plan.trial.askToTake(changes, false);
		expect(plan.cards[0]?.title).toBe('Take these changes? (plan mode)');
		expect(plan.cards[0]?.choices.map(({choice}) => choice)).toEqual(['allow', 'deny']);
	});

	it('are refused if the user says no, or if nobody can answer', async () => {
		const denied = await trialOf('make', {choice: 'deny'});
		expect(await denied.trial.askToTake(changes, false)).toMatchObject({type: 'no', refusal: {type: 'user'}});
		const alone = await trialOf('make', {choice: undefined});
		expect(await alone.trial.askToTake(changes, false)).toMatchObject({type: 'no', refusal: {type: 'unattended'}});
	});

	it('are taken from then on if the user does not want to be asked again', async () => {
		const {trial, judge, approvals} = await trialOf('make all', {choice: 'session'});
		expect(await trial.askToTake(changes, false)).toEqual({type: 'yes', isSeen: true});
		expect(await judge('2')).toEqual({type: 'continue'});
		expect(approvals.trialOf('2')).toBe(undefined);
	});

	it('are not asked about any more when the mode changes', async () => {
		const {trial, approvals} = await trialOf('make', {choice: 'wait'});
		const answer = trial.askToTake(changes, false);
		approvals.setMode('accept-edits');
		expect(await answer).toEqual({type: 'yes', isSeen: false});
	});

	it('are neither taken nor refused when the run is stopped', async () => {
		const {trial, run} = await trialOf('make', {choice: 'wait'});
		const answer = trial.askToTake(changes, false);
		run.abort();
		expect(await answer).toEqual({type: 'paused'});
	});
});

const parts = Array.from({length: 9}, (_, n) => `~ ${n}.txt`);
const several = {...changes, parts, command: 'make'};

describe('the choices of the card about changes that lead to another card', () => {
	it('come after the others, and only if they are possible', async () => {
		const choices = async (found: ShownChanges, given: Setting = {}) => {
			const {trial, cards} = await trialOf('node x.js', given);
			await trial.askToTake(found, false);
			return cards[0]?.choices.filter(({more}) => more === true).map(({choice}) => choice);
		};
		expect(await choices(several)).toEqual(['some', 'unconfined', 'always']);
		expect(await choices({...several, command: undefined})).toEqual(['some', 'always']);
		expect(await choices({...several, parts: ['~ a.txt']})).toEqual(['unconfined', 'always']);
		expect(await choices({...several, parts: ['x'.repeat(201), '~ a.txt']})).toEqual(['unconfined', 'always']);
		const many = Array.from({length: 57}, (_, n) => `+ ${n}`);
		expect(await choices({...several, parts: many})).toEqual(['unconfined', 'always']);
		expect(await choices({...several, parts: many.slice(1)})).toEqual(['some', 'unconfined', 'always']);
		expect(await choices(several, {mode: 'plan'})).toEqual(['some']);
	});

	it.each<readonly [string, Answer, TrialAnswer | 'back']>([
		[
			'all pages',
			{choice: 'answer', answers: [{options: [0, 6]}, {options: [1, 5]}]},
			{type: 'yes', isSeen: true, some: {parts: [0, 6, 8], reason: ''}},
		],
		['no marks', {choice: 'answer', answers: [{options: []}, {}]}, 'back'],
		['Esc on the second page', {choice: 'answer', answers: [{options: [0]}]}, 'back'],
		['Esc', {choice: 'none'}, 'back'],
		[
			'marks and a text',
			{choice: 'answer', answers: [{options: [3]}], reason: 'not the rest '},
			{type: 'yes', isSeen: true, some: {parts: [3], reason: 'not the rest'}},
		],
		[
			'only a text',
			{choice: 'none', reason: 'wrong'},
			{type: 'no', refusal: {type: 'user', reason: 'wrong', isTried: true}},
		],
	])('take the marked parts of a list: %s', async (_what, answer, wanted) => {
		const answers = [{choice: 'some'}, answer, {choice: 'deny'}];
		const {trial, cards} = await trialOf('make', {answers});
		const answered = await trial.askToTake(several, false);
		expect(cards[1]?.questions?.map(({options}) => options?.length)).toEqual([7, 2]);
		if (wanted === 'back') expect([cards.length, answered.type]).toEqual([3, 'no']);
		else expect(answered).toEqual(wanted);
	});

	it('run the command without confinement only after a second card, from which the user can go back', async () => {
		const [unconfined, back] = [{choice: 'unconfined'}, {choice: 'back'}];
		const {trial, cards} = await trialOf('make', {answers: [unconfined, back, unconfined, unconfined]});
		expect(await trial.askToTake(several, false)).toEqual({type: 'again'});
		expect(cards.map(({title}) => title.split(' ', 1)[0])).toEqual(['Take', 'Run', 'Take', 'Run']);
		expect(cards[1]).toMatchObject({detail: 'make', shows: 'command'});
	});

	it('do not lead back to the first card without end', async () => {
		const {trial, cards} = await trialOf('make', {choice: 'some'});
		expect(await trial.askToTake(several, false)).toMatchObject({type: 'no', refusal: {type: 'user'}});
		expect(cards.length).toBe(200);
	});

	it('are alone on the card if nothing can be taken, and without them there is no card', async () => {
		const nothing = {...several, parts: []};
		const {trial, cards} = await trialOf('make', {choice: 'unconfined'});
		expect(await trial.askToTake(nothing, true)).toEqual({type: 'again'});
		expect(cards.map(({choices}) => choices.map(({choice}) => choice))).toEqual([['unconfined', 'deny']]);
		for (const [found, mode] of [
			[{...nothing, command: undefined}, 'ask'],
			[nothing, 'plan'],
		] as const) {
			const other = await trialOf('make', {mode});
			expect(await other.trial.askToTake(found, true)).toEqual({type: 'yes', isSeen: false});
			expect(other.cards).toEqual([]);
		}
		const alone = await trialOf('make', {choice: undefined});
		expect(await alone.trial.askToTake(nothing, true)).toMatchObject({refusal: {type: 'unattended'}});
	});

	it('show nothing more when the mode changes or the run is stopped', async () => {
		for (const [end, wanted] of [
			[({approvals}: Stage) => approvals.setMode('auto'), {type: 'yes', isSeen: false}],
			[({run}: Stage) => run.abort(), {type: 'paused'}],
		] as const) {
			const stage = await trialOf('make', {answers: [{choice: 'some'}, {choice: 'wait'}]});
			const answer = stage.trial.askToTake(several, false);
			await vi.waitFor(() => expect(stage.cards.length).toBe(2));
			end(stage);
			expect(await answer).toEqual(wanted);
		}
	});
});

type Stage = Pick<Awaited<ReturnType<typeof trialOf>>, 'approvals' | 'run'>;

describe('what a command lacked when it was tried', () => {
	it('is named on the card of the command, whose answer counts for this call', async () => {
		const {trial, cards, approvals} = await trialOf('npm install');
		expect(approvals.isAsked('1')).toBe(false);
		expect(await trial.askToRun('It needs the network.')).toEqual({type: 'yes', isSeen: true});
		expect(cards[0]?.title).toMatch(/\? It needs the network\.$/);
		expect(approvals.isAsked('1')).toBe(true);
	});
});
