import {readdir, readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {defaultLimits} from '../../../../src/pod/config/limits.ts';
import type {BudgetLimits} from '../../../../src/pod/config/limits.ts';
import {scriptedModel, systemClock, type Answer} from '../../../../src/worker/index.ts';
import {reopened, testPod, type TestPod, type TestPodOptions} from '../../../helpers/pod.ts';
import {tempProject} from '../../../helpers/temp-project.ts';

/** A request costs $1: a million tokens of input. */
const facts = {scripted: {prices: [{input: 1, output: 0}]}};
const said: Answer = [
	{type: 'text', text: 'Hi.'},
	{type: 'usage', input: 1_000_000, output: 10},
];

async function pod(budget: BudgetLimits, more: Partial<TestPodOptions> = {}): Promise<TestPod> {
	const limits = {...defaultLimits, budget};
	return testPod(await tempProject(), {model: scriptedModel(() => said), limits, facts, ...more});
}

async function say(told: TestPod, text: string): Promise<void> {
	expect(await told.run(text)).toEqual({accepted: true});
	await told.rest();
}

const ends = (told: TestPod) => told.items().flatMap(item => (item.type === 'run_end' ? [item] : []));
const alerts = ({events}: TestPod) => events.flatMap(event => (event.type === 'alert' ? [event.alert.text] : []));

/** Sends a message and answers the card that it leads to. */
async function answer(told: TestPod, text: string, choice: string): Promise<string> {
	const sent = told.run(text);
	await told.until(() => told.status().asks.length > 0);
	const [card] = told.status().asks;
	await told.pod.send({method: 'answer', askId: card!.id, choice});
	await sent;
	await told.rest();
	return `${card!.title}\n${card!.detail}\n${card!.choices.map(({label}) => label).join('\n')}`;
}

describe('the limit of the command line', () => {
	it('counts what earlier processes of the session spent, side questions included', async () => {
		const project = await tempProject();
		const model = scriptedModel(() => said);
		const first = await testPod(project, {model, facts});
		await first.pod.btw({op: 'ask', question: 'Why?'});
		await say(first, 'One');
		await first.pod.send({method: 'shutdown'});
		const limits = {...defaultLimits, budget: {maxCost: 1.5}};
		const told = await testPod(project, {model, facts, limits, session: await reopened(first)});
		await expect.poll(async () => (await told.pod.spending()).models[0]?.requests).toBe(2);
		expect(await answer(told, 'Two', 'stop')).toContain('$2.00 of $1.50 spent in this session.');
	});
});

describe('a limit with a user', () => {
	it('asks before the request that comes after it was reached, and raises it by as much again', async () => {
		const told = await pod({sessionCost: 2});
		await say(told, 'One');
		await say(told, 'Two');
		const card = await answer(told, 'Three', 'raise');
		expect(card).toBe(
			[
				'Limit reached: cost of this session. Continue?',
				'$2.00 of $2.00 spent in this session.',
				'Set by limits.session_cost in config.toml. Compactions count, too.',
				'Raise the limit to $4.00 for now',
				'Send one more request',
				'Stop here',
			].join('\n'),
		);
		await say(told, 'Four');
		expect(ends(told).map(({outcome}) => outcome)).toEqual(['finished', 'finished', 'finished', 'finished']);
		expect(await answer(told, 'Five', 'stop')).toContain('$4.00 of $4.00');
		expect(ends(told).at(-1)).toMatchObject({outcome: 'paused'});
	});

	it('raises a limit that is exceeded far enough for another request', async () => {
		const told = await pod({sessionTurns: 1});
		await say(told, 'One');
		await answer(told, 'Two', 'once');
		expect(await answer(told, 'Three', 'raise')).toContain('Raise the limit to 3 requests for now');
		expect(await answer(told, 'Four', 'stop')).toContain('3 of 3 requests in this session.');
		const costly = await pod({sessionCost: 0.3});
		await say(costly, 'One');
		expect(await answer(costly, 'Two', 'raise')).toContain('Raise the limit to $1.20 for now');
		expect(ends(costly).map(({outcome}) => outcome)).toEqual(['finished', 'finished']);
	});

	it('asks again after one more request', async () => {
		const told = await pod({sessionTurns: 1});
		await say(told, 'One');
		expect(await answer(told, 'Two', 'once')).toContain('1 of 1 requests in this session.');
		expect(await answer(told, 'Three', 'once')).toContain('2 of 1 requests in this session.');
		expect(ends(told).every(({outcome}) => outcome === 'finished')).toBe(true);
	});
});

describe('a limit without a user', () => {
	it('ends the run as a limit, with its numbers', async () => {
		const told = await pod({maxCost: 0.5}, {attended: false});
		await say(told, 'One');
		await say(told, 'Two');
		expect(ends(told)).toMatchObject([
			{outcome: 'finished'},
			{outcome: 'limit', cause: '$1.00 of $0.50 spent in this session.'},
		]);
	});

	it('says before the first request that a cost limit cannot be kept if the cost is unknown', async () => {
		const model = {...scriptedModel(() => said), name: 'elsewhere/model'};
		const told = await pod({maxCost: 0.5}, {attended: false, model, facts: {}});
		await say(told, 'One');
		await say(told, 'Two');
		const text =
			'The cost of elsewhere/model is unknown, so inkpod cannot apply a cost limit. Set its prices in [prices].';
		expect(alerts(told).filter(each => each === text)).toHaveLength(1);
		expect(ends(told).map(({outcome}) => outcome)).toEqual(['finished', 'finished']);
	});
});

describe('a limit per day', () => {
	it('counts the requests of all sessions of this home, and skips damaged lines', async () => {
		const spendingDir = join((await tempProject()).dir, 'spending');
		const other = await pod({}, {spendingDir});
		await say(other, 'One');
		await other.pod.send({method: 'shutdown'});
		const told = await pod({dayCost: 3, dayTurns: 2}, {attended: false, spendingDir});
		await say(told, 'Two');
		const [name] = await readdir(spendingDir);
		expect(name).toMatch(/^\d{4}-\d\d-\d\d\.jsonl$/);
		const lines = await readFile(join(spendingDir, name!), 'utf8');
		await writeFile(join(spendingDir, name!), `${lines}{"usd": "a lot"}\n{"usd`);
		await say(told, 'Three');
		expect(ends(told)).toMatchObject([
			{outcome: 'finished'},
			{outcome: 'limit', cause: '2 of 2 requests today, in all sessions.'},
		]);
		expect(alerts(told)).toEqual([]);
	});

	it('begins anew with each day', async () => {
		let day = 1;
		const clock = {...systemClock(), now: () => Date.UTC(2026, 0, day, 12)};
		const spendingDir = join((await tempProject()).dir, 'spending');
		const told = await pod({dayTurns: 1}, {attended: false, spendingDir, clock});
		await say(told, 'One');
		await say(told, 'Two');
		day = 3;
		await say(told, 'Three');
		await say(told, 'Four');
		expect(ends(told).map(({outcome}) => outcome)).toEqual(['finished', 'limit', 'finished', 'limit']);
	});

	it('says once that it cannot be kept when the file cannot be read, and counts this session alone', async () => {
		const project = await tempProject({spending: 'a file'});
		const told = await pod({dayTurns: 1}, {attended: false, spendingDir: join(project.dir, 'spending')});
		await say(told, 'One');
		await say(told, 'Two');
		expect(alerts(told).filter(text => text.includes('cannot apply a limit per day'))).toHaveLength(1);
		expect(ends(told).at(-1)).toMatchObject({outcome: 'limit'});
	});
});
