import {readFile} from 'node:fs/promises';
import {describe, expect, it} from 'vitest';
import type {Ask, Item} from '../../../../src/pod/protocol.ts';
import {createPlanMode, readOnlyInPlan} from '../../../../src/pod/permissions/plan/plan-mode.ts';
import {scriptedModel} from '../../../../src/worker/index.ts';
import {allowed, reopened, testPod, type TestPod} from '../../../helpers/pod.ts';
import {tempProject} from '../../../helpers/temp-project.ts';

type Call = readonly [name: string, args: Record<string, unknown>];

const calling = (...batches: ReadonlyArray<readonly Call[]>) =>
	scriptedModel([
		...batches.map(calls => calls.map(([name, args]) => ({type: 'tool_call', name, arguments: args}) as const)),
		[{type: 'text', text: 'done'}],
		[{type: 'text', text: 'done again'}],
	]);

const planning = {approval: {mode: 'plan', rules: {user: [], project: []}}} as const;
const write: Call = ['write_file', {path: 'b.txt', content: 'x'}];
const present: Call = ['plan', {plan: '# A plan'}];

const told = (items: readonly Item[]) =>
	items.flatMap(item => (item.type === 'message' && item.origin?.kind === 'plan' ? [item.origin['state']] : []));
const results = (items: readonly Item[]) => items.filter(item => item.type === 'tool_result');

async function nextAsk({until, status}: TestPod): Promise<Ask> {
	await until(() => status().asks.length > 0);
	return status().asks[0]!;
}

describe('the scope in plan mode', () => {
	it('is read-only while the mode is on, and writable again afterwards', async () => {
		const {scope} = await tempProject();
		const mode = createPlanMode('plan');
		const locked = readOnlyInPlan(scope, mode);
		expect(locked.writable).toBe(false);
		mode.follow('accept-edits');
		expect(locked.writable).toBe(true);
		expect(readOnlyInPlan({...scope, writable: false}, mode).writable).toBe(false);
	});
});

describe('plan mode', () => {
	it('writes nothing before the plan is accepted, and then continues in the chosen mode', async () => {
		const project = await tempProject();
		const test = await testPod(project, {...planning, model: calling([write, present], [write])});
		const receipt = test.run('plan it');
		const {id, shows, detail} = await nextAsk(test);
		expect([shows, detail]).toEqual(['markdown', '# A plan']);
		await expect(readFile(project.path('b.txt'))).rejects.toThrow('ENOENT');
		await test.pod.send({method: 'answer', askId: id, choice: 'accept-edits'});
		await receipt;
		await test.rest();
		expect(await readFile(project.path('b.txt'), 'utf8')).toBe('x');
		expect(told(test.items())).toEqual(['on', 'accepted']);
		expect(test.status().approval).toBe('accept-edits');
		expect(results(test.items()).map(({isError}) => isError)).toEqual([true, false, false]);
	});

	it('refuses a write even if another call of the batch turns the mode off before the write starts', async () => {
		const project = await tempProject();
		const bash: Call = ['bash', {command: 'true'}];
		const test = await testPod(project, {...planning, model: calling([write, bash])});
		const receipt = test.run('plan it');
		const {id} = await nextAsk(test);
		await test.pod.send({method: 'approval', mode: 'ask'});
		await test.pod.send({method: 'answer', askId: id, choice: 'allow'});
		await receipt;
		await test.rest();
		await expect(readFile(project.path('b.txt'))).rejects.toThrow('ENOENT');
	});

	it('tells the model once about each change, and again after a rewind removed the message', async () => {
		const project = await tempProject();
		const test = await testPod(project, {...planning, model: calling()});
		await test.run('one');
		await test.rest();
		await test.run('two');
		await test.rest();
		expect(told(test.items())).toEqual(['on']);
		await test.pod.send({method: 'approval', mode: 'ask'});
		await test.pod.send({method: 'rewind', to: test.items()[0]!.id});
		await test.pod.send({method: 'approval', mode: 'plan'});
		await test.run('three');
		await test.rest();
		expect(told(test.items())).toEqual(['on', 'on']);
	});

	it('ends with the session: a resumed session is in the mode of its start, and the model reads it', async () => {
		const project = await tempProject();
		const first = await testPod(project, {...planning, model: calling()});
		await first.run('one');
		await first.rest();
		await first.pod.send({method: 'shutdown'});
		const second = await testPod(project, {...allowed, model: calling([write]), session: await reopened(first)});
		await second.run('two');
		await second.rest();
		expect(told(second.items())).toEqual(['on', 'off']);
		expect(await readFile(project.path('b.txt'), 'utf8')).toBe('x');
	});

	it('shows the plan again when the turn continues after a pause on its card', async () => {
		const project = await tempProject();
		const test = await testPod(project, {...planning, model: calling([present])});
		const receipt = test.run('plan it');
		const {id} = await nextAsk(test);
		await test.pod.send({method: 'pause'});
		await receipt;
		await test.rest();
		void test.pod.send({method: 'resume'});
		await test.until(() => test.status().asks.some(ask => ask.id !== id));
		await test.pod.send({method: 'answer', askId: test.status().asks[0]!.id, choice: 'keep'});
		await test.rest();
		expect(results(test.items()).map(({details}) => details)).toMatchObject([{plan: {outcome: 'kept'}}]);
	});
});
