import {readFile} from 'node:fs/promises';
import {describe, expect, it} from 'vitest';
import type {HookConfig} from '../../../../src/pod/platform/hook-process.ts';
import {createCompactHook, createPromptHook} from '../../../../src/pod/run/hooks/hooks.ts';
import {resolveSubmission} from '../../../../src/pod/references/submission/submission.ts';
import {scriptedModel, systemClock} from '../../../../src/worker/index.ts';
import {testPod} from '../../../helpers/pod.ts';
import {anywhere} from '../../../helpers/slugs.ts';
import {tempProject} from '../../../helpers/temp-project.ts';
import {cancelled, continued, hookOf, node, path} from './hook-stage.ts';

it('each event calls its own hooks, and a hook before a compaction can read the hint and cancel', async () => {
	const project = await tempProject();
	const hooks: HookConfig[] = [
		{event: 'PreCompact', command: 'cat > compact.json; echo Later. >&2; exit 2', timeoutMs: 20_000},
		{event: 'UserPromptSubmit', command: 'touch submitted', timeoutMs: 20_000},
	];
	const context = {cwd: project.dir, env: path, sessionId: 'S1'};
	const {signal} = new AbortController();
	expect(await createCompactHook(hooks, context)({trigger: 'manual', hint: 'names', tokens: 1200}, signal)).toEqual(
		cancelled('Later.'),
	);
	expect(JSON.parse(await readFile(project.path('compact.json'), 'utf8'))).toEqual({
		event: 'PreCompact',
		session_id: 'S1',
		cwd: project.dir,
		trigger: 'manual',
		hint: 'names',
		tokens: 1200,
	});
	await expect(readFile(project.path('submitted'))).rejects.toThrow('ENOENT');
	expect(await createPromptHook(hooks, context)({text: 'hello', segments: []}, signal)).toEqual(continued);
	expect(await readFile(project.path('submitted'), 'utf8')).toBe('');
});

describe('a hook for a submission', () => {
	const workflows = {
		slugs: async () => anywhere('review'),
		invoke: async () => ({ok: false, sentence: 'No.'}) as const,
	};

	it('runs after the search for workflows and before the first read of a file', async () => {
		const project = await tempProject({'a.md': 'old'});
		const options = {scope: project.scope, clock: systemClock(), signal: new AbortController().signal};
		const hook = hookOf(project, ['printf new > a.md; touch ran']);
		expect(
			await resolveSubmission([{type: 'text', text: '/review @a.md'}], {...options, hook, workflows}),
		).toMatchObject({ok: false, code: 'workflow'});
		await expect(readFile(project.path('ran'))).rejects.toThrow('ENOENT');
		expect(await resolveSubmission([{type: 'text', text: 'see @a.md'}], {...options, hook})).toMatchObject({
			ok: true,
			attachments: [{text: '[File: a.md]\nnew'}],
		});
	});

	it('has its errors shown before those of references, even when it cancels', async () => {
		const project = await tempProject();
		const options = {scope: project.scope, clock: systemClock(), signal: new AbortController().signal};
		const trouble = {level: 'warn', text: expect.stringContaining('"exit 7"') as unknown};
		expect(
			await resolveSubmission([{type: 'text', text: '@gone.md'}], {
				...options,
				hook: hookOf(project, ['exit 7']),
			}),
		).toMatchObject({ok: true, alerts: [trouble, {text: expect.stringContaining('gone.md') as unknown}]});
		expect(
			await resolveSubmission([{type: 'text', text: '@gone.md'}], {
				...options,
				hook: hookOf(project, ['exit 7', 'echo no >&2; exit 2']),
			}),
		).toEqual({ok: false, code: 'hook', sentence: 'no', alerts: [trouble]});
	});

	it('leaves history.json byte-identical when it cancels, and affects no later message', async () => {
		const project = await tempProject({'a.md': 'A\n', 'b.md': 'B\n'});
		const hook = hookOf(project, [
			node(
				`process.stdin.on('data', text => {if (String(text).includes('secret')) ` +
					`{console.error('No secrets.'); process.exitCode = 2}})`,
			),
		]);
		const {run, rest, file, items, events, status} = await testPod(project, {
			model: scriptedModel(() => [{type: 'text', text: 'Fine.'}]),
			hook,
		});
		expect(await run('first @a.md')).toEqual({accepted: true});
		await rest();
		const before = await readFile(file);
		const heard = items().length;
		expect(await run('the secret of @a.md and @b.md and @gone.md')).toEqual({
			accepted: false,
			code: 'hook',
			sentence: 'No secrets.',
		});
		expect(await readFile(file)).toEqual(before);
		expect(items().length).toBe(heard);
		expect(events.filter(event => event.type === 'alert')).toEqual([]);
		expect(status().kind).toBe('idle');
		expect(await run('then @b.md')).toEqual({accepted: true});
		await rest();
		const second = items()
			.slice(heard)
			.filter(item => item.type === 'message');
		expect(second.map(item => item.text)).toEqual(['then @b.md', '[File: b.md]\nB\n', 'Fine.']);
	});

	it('refuses the message without a trace when it is aborted', async () => {
		const project = await tempProject();
		const {pod, run, file, until} = await testPod(project, {
			model: scriptedModel([]),
			hook: hookOf(project, ['touch begun; sleep 30']),
		});
		const receipt = run('hello');
		await until(events => events.some(event => event.type === 'status' && event.status.step === 'resolving'));
		await expect
			.poll(async () =>
				readFile(project.path('begun')).then(
					() => true,
					() => false,
				),
			)
			.toBe(true);
		await pod.send({method: 'cancel'});
		expect(await receipt).toMatchObject({accepted: false, code: 'aborted'});
		await expect(readFile(file)).rejects.toThrow('ENOENT');
	});
});
