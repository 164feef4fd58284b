import {expect, it} from 'vitest';
import {unansweredCalls} from '../../../../src/pod/ground/history/reader.ts';
import type {ApprovalMode} from '../../../../src/pod/protocol.ts';
import {reopened, testPod, type TestPodOptions} from '../../../helpers/pod.ts';
import {tempProject} from '../../../helpers/temp-project.ts';
import {answer, calls, says, eventModel} from '../../../helpers/event-model.ts';
import {asked, choose, results} from './setting.ts';

const files = {'.env': 'KEY=1\n', 'b/.env': 'KEY=2\n', 'a.md': 'one\n'};
const reading = (callId: string, path: string) => calls(callId, 'read_file', {path});
const refusal = '.env: it looks like a secret, and reading it was not allowed.';

/** Starts a run that reads a file and two secrets, all at once. */
async function begun(options: Partial<TestPodOptions> = {}) {
	const project = await tempProject(files);
	const told = await testPod(project, {
		model: eventModel(
			answer(reading('1', 'a.md'), reading('2', '.env'), reading('3', 'b/.env')),
			answer(says('Done.')),
		),
		...options,
	});
	await told.run('read them');
	return {project, told};
}

it('files that look like secrets are asked about one after the other, before any call runs', async () => {
	const {told} = await begun();
	expect(await asked(told)).toEqual({
		id: expect.any(String) as unknown,
		callId: '2',
		title: 'Read a file that looks like a secret?',
		detail: '.env',
		choices: [
			{choice: 'allow', label: 'Yes, this once'},
			{choice: 'deny', label: 'No', refuses: true, reason: true},
		],
	});
	expect(told.status().asks).toHaveLength(1);
	await choose(told, 'deny');
	await told.until(() => told.status().asks[0]?.callId === '3');
	expect([results(told), told.status().asks.length]).toEqual([[], 1]);
	await choose(told, 'allow');
	await told.rest();
	expect(told.items().flatMap(item => (item.type === 'tool_result' ? [[item.callId, item.isError]] : []))).toEqual(
		expect.arrayContaining([
			['1', false],
			['2', true],
			['3', false],
		]),
	);
	expect(results(told).map(([content]) => content)).toEqual(
		expect.arrayContaining([refusal, expect.stringContaining('KEY=2')]),
	);
	expect(JSON.stringify(told.items())).not.toContain('KEY=1');
});

it.each<ApprovalMode>(['accept-edits', 'auto'])(
	'files that look like secrets are asked about each time, even in the mode %s',
	async mode => {
		const project = await tempProject(files);
		const told = await testPod(project, {
			model: eventModel(answer(reading('1', '.env')), answer(reading('2', '.env')), answer(says('Done.'))),
			approval: {mode, rules: {user: [{tool: 'read_file', action: 'allow'}], project: []}},
		});
		await told.run('read it');
		await choose(told, 'allow');
		expect((await choose(told, 'deny')).callId).toBe('2');
		await told.rest();
		expect(results(told).map(([, isError]) => isError)).toEqual([false, true]);
	},
);

it('a secret is not asked about when a rule denies the file', async () => {
	const {told} = await begun({
		approval: {
			mode: 'ask',
			rules: {
				user: [
					{tool: 'read_file', match: '*.env', action: 'deny'},
					{tool: 'read_file', match: '**/.env', action: 'deny'},
				],
				project: [],
			},
		},
	});
	await told.rest();
	expect(results(told).filter(([, isError]) => isError)).toHaveLength(2);
	expect(told.events.some(event => event.type === 'status' && event.status.asks.length > 0)).toBe(false);
});

it('a secret is refused in the tool when no one can approve', async () => {
	const {told} = await begun({attended: false});
	await told.rest();
	expect(
		results(told)
			.flatMap(([content, isError]) => (isError ? [content] : []))
			.sort(),
	).toEqual([refusal, `b/${refusal}`]);
	expect(JSON.stringify(told.items())).not.toContain('KEY=');
});

it('a pause at the question about a secret runs no call of the answer, and a resume asks again', async () => {
	const {project, told} = await begun();
	await asked(told);
	await told.pod.send({method: 'pause'});
	expect(unansweredCalls(told.items()).map(({callId}) => callId)).toEqual(['1', '2', '3']);
	await told.pod.send({method: 'shutdown'});
	const again = await testPod(project, {model: eventModel(answer(says('Done.'))), session: await reopened(told)});
	await again.pod.send({method: 'resume'});
	expect((await choose(again, 'allow')).callId).toBe('2');
	await again.until(() => again.status().asks[0]?.callId === '3');
	await choose(again, 'allow');
	await again.rest();
	expect(results(again).map(([, isError]) => isError)).toEqual([false, false, false]);
});
