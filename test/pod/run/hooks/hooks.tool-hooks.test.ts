import {readFile} from 'node:fs/promises';
import {describe, expect, it} from 'vitest';
import type {HookConfig} from '../../../../src/pod/platform/hook-process.ts';
import {createToolHooks} from '../../../../src/pod/run/hooks/hooks.ts';
import {testPod, type TestPod} from '../../../helpers/pod.ts';
import {tempProject, type TempProject} from '../../../helpers/temp-project.ts';
import {answer, calls, says, eventModel} from '../../../helpers/event-model.ts';

const path = {PATH: process.env['PATH'], SHELL: '/bin/sh'};

/** Runs a model that reads a file, writes one, and calls a missing tool, all at once. */
async function worked(
	project: TempProject,
	hooks: ReadonlyArray<readonly [HookConfig['event'], string]>,
): Promise<TestPod> {
	const toolHooks = createToolHooks(
		hooks.map(([event, command]) => ({event, command, timeoutMs: 20_000})),
		{cwd: project.dir, env: path, sessionId: 'S1'},
	);
	const model = eventModel(
		answer(
			calls('1', 'read_file', {path: 'a.md'}),
			calls('2', 'write_file', {path: 'b.md', content: 'b\n'}),
			calls('3', 'fly', {}),
		),
		answer(says('Done.')),
	);
	const told = await testPod(project, {model, toolHooks});
	told.pod.subscribe(event => {
		if (event.type === 'status')
			for (const {id} of event.status.asks)
				queueMicrotask(() => void told.pod.send({method: 'answer', askId: id, choice: 'allow'}));
	});
	await told.run('go');
	await told.rest();
	return told;
}

const results = ({items}: TestPod) =>
	Object.fromEntries(items().flatMap(item => (item.type === 'tool_result' ? [[item.callId, item] as const] : [])));
const lines = async (project: TempProject, name: string) =>
	(await readFile(project.path(name), 'utf8'))
		.trimEnd()
		.split('\n')
		.map(line => JSON.parse(line) as Record<string, unknown>);

describe('tool hooks', () => {
	it('receive each call before it runs, and each result after it', async () => {
		const project = await tempProject({'a.md': 'one\n'});
		await worked(project, [
			['PreToolUse', 'cat >> before'],
			['PostToolUse', 'cat >> after'],
			['UserPromptSubmit', 'exit 2'],
		]);
		const head = {session_id: 'S1', cwd: project.dir};
		const read = {call_id: '1', tool: 'read_file', arguments: {path: 'a.md'}, target: project.path('a.md')};
		const write = {
			call_id: '2',
			tool: 'write_file',
			arguments: {path: 'b.md', content: 'b\n'},
			target: project.path('b.md'),
		};
		expect(await lines(project, 'before')).toEqual([
			{event: 'PreToolUse', ...head, ...read},
			{event: 'PreToolUse', ...head, ...write},
		]);
		const after = await lines(project, 'after');
		expect(after.sort((one, other) => Number(one['call_id']) - Number(other['call_id']))).toEqual([
			{
				event: 'PostToolUse',
				...head,
				...read,
				summary: '1 line',
				content: expect.stringContaining('one') as unknown,
				is_error: false,
			},
			{
				event: 'PostToolUse',
				...head,
				...write,
				summary: expect.any(String) as unknown,
				content: 'new file, 1 line' as unknown,
				is_error: false,
			},
		]);
	});

	it('can refuse a single call before its approval, and the model reads the reason', async () => {
		const project = await tempProject({'a.md': 'one\n'});
		const told = await worked(project, [
			['PreToolUse', 'if grep -q write_file; then echo "Not today." >&2; exit 2; fi'],
			['PostToolUse', 'cat >> after'],
		]);
		expect(results(told)).toMatchObject({
			1: {isError: false},
			2: {
				isError: true,
				summary: 'Denied by a hook',
				details: {denied: {by: 'hook', reason: 'Not today.'}},
				content:
					'A hook refused this call of write_file; it was not run, and nobody was asked. It says: Not today.',
			},
			3: {isError: true},
		});
		await expect(readFile(project.path('b.md'))).rejects.toMatchObject({code: 'ENOENT'});
		expect(told.events.some(event => event.type === 'status' && event.status.asks.length > 0)).toBe(false);
		expect((await lines(project, 'after')).map(line => line['call_id'])).toEqual(['1']);
		expect(told.items().at(-1)).toMatchObject({type: 'run_end', outcome: 'finished'});
	});

	it('end the run with a sentence when they cancel after a call, and keep every result', async () => {
		const project = await tempProject({'a.md': 'one\n'});
		const told = await worked(project, [
			['PostToolUse', 'if grep -q read_file; then echo "Enough." >&2; exit 2; fi'],
		]);
		expect(told.items().at(-1)).toMatchObject({type: 'run_end', outcome: 'error', cause: 'Enough.'});
		expect(Object.keys(results(told))).toEqual(['1', '2', '3']);
	});

	it('are reported when they fail, and their call still runs', async () => {
		const project = await tempProject({'a.md': 'one\n'});
		const told = await worked(project, [['PreToolUse', 'exit 7']]);
		expect(results(told)).toMatchObject({1: {isError: false}, 2: {isError: false}, 3: {isError: true}});
		const alerts = told.events.flatMap(event => (event.type === 'alert' ? [event.alert.text] : []));
		expect(alerts).toEqual(Array(2).fill('The hook "exit 7" was ignored: it exited with code 7.'));
	});
});
