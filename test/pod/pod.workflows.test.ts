import {readdir, readFile, stat} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {describe, expect, it} from 'vitest';
import type {Event, Item} from '../../src/pod/protocol.ts';
import {createSession} from '../../src/pod/disk/log/open.ts';
import {systemClock, type Log} from '../../src/worker/index.ts';
import {reopened, testPod, type TestPod} from '../helpers/pod.ts';
import {tempProject, type TempProject} from '../helpers/temp-project.ts';
import {answer, calls, says, eventModel} from '../helpers/event-model.ts';

const files = {
	'.inkpod/workflows/audit.md':
		'---\ndescription: Review code\nrequires: [style, api]\nmodel_invocation: true\n---\nReview $ARGUMENTS.\n',
	'.inkpod/knowledge/style.md': '---\ndescription: Style\n---\nTabs.\n',
	'.inkpod/knowledge/api.md': 'Small.\n',
	'a.ts': 'a\n',
};
const documents = [
	'[Workflow /audit requires Knowledge #style]\nTabs.',
	'[Workflow /audit requires Knowledge #api]\nSmall.',
];

const envOf = (project: TempProject) => ({HOME: join(project.dir, '../home')});
const systemTexts = (items: readonly Item[]) =>
	items.filter(item => item.type === 'message' && item.role === 'system').map(item => (item as {text: string}).text);
const alerts = (told: TestPod) =>
	told.events
		.filter((event): event is Extract<Event, {type: 'alert'}> => event.type === 'alert')
		.map(({alert}) => alert.text);

async function opened(
	project: TempProject,
	model: Parameters<typeof testPod>[1]['model'],
	options: Partial<Parameters<typeof testPod>[1]> = {},
): Promise<TestPod> {
	return testPod(project, {model, env: envOf(project), ...options});
}

describe('a workflow that the user invokes', () => {
	it('is committed with its Knowledge after the files, in one append, and sent in that order', async () => {
		const project = await tempProject(files);
		const model = eventModel(answer(says('Yes.')));
		const told = await opened(project, model);
		expect(await told.run('/audit @a.ts please')).toEqual({accepted: true});
		await told.rest();
		expect(
			told
				.items()
				.slice(0, 6)
				.map(item => item.type),
		).toEqual(['setup', 'message', 'message', 'message', 'message', 'message']);
		expect(systemTexts(told.items())).toEqual([
			'[File: a.ts]\na\n',
			...documents,
			'[Workflow /audit]\nReview @a.ts please.',
		]);
		expect(model.requests[0]!.messages.map(message => (message as {text: string}).text)).toEqual([
			'/audit @a.ts please',
			...systemTexts(told.items()),
		]);
		const invocations = told
			.items()
			.flatMap(item =>
				item.type === 'message' && item.origin !== undefined && 'invocation' in item.origin
					? [item.origin['invocation']]
					: [],
			);
		expect([invocations.length, new Set(invocations).size]).toEqual([3, 1]);
	});

	it('is committed once with the first arguments when a message names it twice', async () => {
		const project = await tempProject(files);
		const told = await opened(project, eventModel(answer(says('Yes.'))));
		await told.run('/audit this\nand /audit that');
		await told.rest();
		expect(systemTexts(told.items())).toEqual([...documents, '[Workflow /audit]\nReview this.']);
	});

	it('is refused with one sentence when a document is missing, and history.json stays byte-identical', async () => {
		const project = await tempProject({
			...files,
			'.inkpod/workflows/lost.md': '---\ndescription: d\nrequires: [style, gone]\n---\n',
		});
		const told = await opened(project, eventModel(answer(says('Yes.')), answer(says('Yes.'))));
		await told.run('hello');
		await told.rest();
		const before = [await readFile(told.file, 'latin1'), (await stat(told.file)).mtimeMs];
		const sentence =
			'The workflow /lost cannot be invoked: ' +
			'it requires Knowledge #gone, and there is no file .inkpod/knowledge/gone.md or ' +
			'~/.config/inkpod/knowledge/gone.md.';
		expect(await told.run('/audit x\n/lost')).toEqual({accepted: false, code: 'workflow', sentence});
		expect([await readFile(told.file, 'latin1'), (await stat(told.file)).mtimeMs]).toEqual(before);
		expect(told.status()).toMatchObject({kind: 'idle', asks: []});
		expect(
			(await told.pod.preflight([{type: 'text', text: '/lost'}], new AbortController().signal)).rejection,
		).toBe(sentence);
	});

	it('is refused with the nearest names when it is unknown, and no new session is created', async () => {
		const project = await tempProject(files);
		const told = await opened(project, eventModel());
		expect(await told.run('/audti')).toEqual({
			accepted: false,
			code: 'workflow',
			sentence: 'Unknown command /audti; did you mean /audit?',
		});
		await expect(readdir(dirname(told.file))).rejects.toThrow('ENOENT');
	});
});

describe('a project workflow that replaces your own', () => {
	const shadowing = {...files, '../home/.config/inkpod/workflows/audit.md': '---\ndescription: Mine\n---\n'};
	const asks = (told: TestPod) => told.status().asks;

	it('needs approval while the message is resolved, and once trusted is sent and not asked about again', async () => {
		const project = await tempProject(shadowing);
		const told = await opened(project, eventModel(answer(says('Yes.')), answer(says('Yes.'))));
		const receipt = told.run('/audit x');
		await told.until(() => asks(told).length > 0);
		expect(told.status()).toMatchObject({
			kind: 'running',
			step: 'resolving',
			asks: [
				{
					title: "Trust this project's files for /audit? They replace your own /audit.",
					choices: [{choice: 'trust'}, {choice: 'deny'}],
				},
			],
		});
		await told.pod.send({method: 'answer', askId: asks(told)[0]!.id, choice: 'trust'});
		expect(await receipt).toEqual({accepted: true});
		await told.rest();
		const later = await opened(project, eventModel(answer(says('Yes.'))));
		expect(await later.run('/audit x')).toEqual({accepted: true});
		expect(alerts(told).filter(text => text.includes('if it is trusted'))).toHaveLength(1);
	});

	it('is refused as untrusted when you deny it', async () => {
		const told = await opened(await tempProject(shadowing), eventModel());
		const receipt = told.run('/audit x');
		await told.until(() => asks(told).length > 0);
		await told.pod.send({method: 'answer', askId: asks(told)[0]!.id, choice: 'deny'});
		expect(await receipt).toMatchObject({accepted: false, code: 'untrusted'});
		expect(told.items()).toEqual([]);
	});

	it('gives the message back and closes the question when you cancel', async () => {
		const told = await opened(await tempProject(shadowing), eventModel());
		const receipt = told.run('/audit x');
		await told.until(() => asks(told).length > 0);
		await told.pod.send({method: 'cancel'});
		expect(await receipt).toMatchObject({accepted: false, code: 'aborted'});
		expect(told.status()).toMatchObject({kind: 'idle', asks: []});
	});
});

describe('a workflow that the model invokes', () => {
	it('gets a result, and its items follow the result in history and in the next request', async () => {
		const project = await tempProject(files);
		const model = eventModel(
			answer(
				calls('c1', 'workflow', {slug: '/audit', arguments: 'a.ts'}),
				calls('c2', 'glob', {pattern: '*.ts'}),
			),
			answer(says('Done.')),
		);
		const told = await opened(project, model);
		await told.run('look');
		await told.rest();
		const results = told.items().filter(item => item.type === 'tool_result');
		expect(results.find(({callId}) => callId === 'c1')).toMatchObject({
			isError: false,
			summary: '/audit with #style, #api',
			content: 'The workflow /audit follows, with the Knowledge that it requires: #style, #api.',
		});
		expect(systemTexts(told.items())).toEqual([...documents, '[Workflow /audit]\nReview a.ts.']);
		expect(model.requests[1]!.messages.map(({role}) => role)).toEqual([
			'user',
			'assistant',
			'tool',
			'user',
			'user',
			'user',
		]);
	});

	it('is in one append with its result, so that nothing can come between them', async () => {
		const project = await tempProject(files);
		const session = createSession({root: join(project.dir, '../state'), cwd: project.scope.pwd}, systemClock());
		const batches: Array<readonly Item[]> = [];
		const log: Log = {
			async write(items) {
				await session.log.write(items);
				batches.push(items);
			},
		};
		const told = await opened(
			project,
			eventModel(
				answer(calls('c1', 'workflow', {slug: 'audit'}), calls('c2', 'workflow', {slug: 'audit'})),
				answer(says('Done.')),
			),
			{session: {...session, log}},
		);
		await told.run('look');
		await told.rest();
		const invoked = batches.filter(batch => batch.some(({type}) => type === 'tool_result'));
		expect(invoked.map(batch => batch.map(({type}) => type))).toEqual([
			['tool_result', 'message', 'message', 'message'],
			['tool_result', 'message', 'message', 'message'],
		]);
		expect(invoked.map(systemTexts)).toEqual([
			[...documents, '[Workflow /audit]\nReview .'],
			[...documents, '[Workflow /audit]\nReview .'],
		]);
	});

	it.each<[string, unknown, string]>([
		[
			'unknown',
			{slug: 'nope'},
			'The workflow /nope cannot be invoked: there is no such workflow. You may invoke these workflows: /audit.',
		],
		[
			'a workflow that only the user may invoke',
			{slug: 'mine'},
			'The workflow /mine cannot be invoked: ' +
				'only the user can invoke .inkpod/workflows/mine.md (model_invocation is not true). ' +
				'You may invoke these workflows: /audit.',
		],
		[
			'an invalid slug',
			{slug: '../../etc/passwd'},
			'The workflow /../../etc/passwd cannot be invoked: there is no such workflow. ' +
				'You may invoke these workflows: /audit.',
		],
	])('returns an error to the model and adds no items: %s', async (_, args, content) => {
		const project = await tempProject({...files, '.inkpod/workflows/mine.md': '---\ndescription: d\n---\n'});
		const told = await opened(project, eventModel(answer(calls('c1', 'workflow', args)), answer(says('Done.'))));
		await told.run('look');
		await told.rest();
		expect(told.items().find(item => item.type === 'tool_result')).toMatchObject({isError: true, content});
		expect(systemTexts(told.items())).toEqual([]);
	});

	it('commits nothing when paused at the question, and a resume asks again and commits once', async () => {
		const project = await tempProject({
			...files,
			'../home/.config/inkpod/workflows/audit.md': '---\ndescription: Mine\n---\n',
		});
		const told = await opened(project, eventModel(answer(calls('c1', 'workflow', {slug: 'audit'}))));
		await told.run('look');
		await told.until(() => told.status().asks.length > 0);
		expect(told.status().asks[0]).toMatchObject({callId: 'c1'});
		await told.pod.send({method: 'pause'});
		expect(systemTexts(told.items())).toEqual([]);
		await told.pod.send({method: 'shutdown'});
		const again = await opened(project, eventModel(answer(says('Done.'))), {session: await reopened(told)});
		await again.pod.send({method: 'resume'});
		await again.until(() => again.status().asks.length > 0);
		await again.pod.send({method: 'answer', askId: again.status().asks[0]!.id, choice: 'trust'});
		await again.rest();
		expect(systemTexts(again.items())).toEqual([...documents, '[Workflow /audit]\nReview .']);
	});
});

describe('the setup', () => {
	it('lists what the model may invoke, and is committed again only when that changes', async () => {
		const project = await tempProject(files);
		const told = await opened(project, eventModel(answer(says('1')), answer(says('2')), answer(says('3'))));
		const setups = () => told.items().filter(item => item.type === 'setup');
		await told.run('one');
		await told.rest();
		await told.run('two');
		await told.rest();
		expect(setups()).toHaveLength(1);
		expect(setups()[0]!.prompt).toContain('- /audit: Review code');
		await project.write('.inkpod/workflows/plan.md', '---\ndescription: Plan first\nmodel_invocation: true\n---\n');
		await told.run('three');
		await told.rest();
		expect(setups()).toHaveLength(2);
		expect(setups()[1]!.prompt).toContain('- /audit: Review code\n- /plan: Plan first');
	});

	it('names the folder of an invoked skill, which then belongs to the scope', async () => {
		const project = await tempProject({
			'../home/.agents/skills/pdf/SKILL.md': '---\nname: pdf\ndescription: d\n---\nUse x.py',
			'../home/.agents/skills/pdf/x.py': 'print()\n',
		});
		const folder = join(project.dir, '../home/.agents/skills/pdf');
		const read = calls('c1', 'read_file', {path: join(folder, 'x.py')});
		const told = await opened(
			project,
			eventModel(
				answer(read),
				answer(says('No.')),
				answer(calls('c2', 'read_file', {path: join(folder, 'x.py')})),
				answer(says('Yes.')),
			),
		);
		await told.run('read it');
		await told.rest();
		await told.run('/pdf');
		await told.rest();
		expect(
			told
				.items()
				.filter(item => item.type === 'tool_result')
				.map(({isError}) => isError),
		).toEqual([true, false]);
		expect(told.events.findLast(event => event.type === 'snapshot')!.session.scope.readRoots).toEqual([folder]);
		expect(
			told
				.items()
				.filter(item => item.type === 'setup')
				.at(-1)!.prompt,
		).toContain(`files in ${folder}.`);
	});
});

it('completions and the workflow list show the current files', async () => {
	const project = await tempProject({
		...files,
		'.inkpod/workflows/broken.md': 'x',
		'.inkpod/workflows/hidden.md': '---\ndescription: d\nuser_invocable: false\n---\n',
	});
	const told = await opened(project, eventModel());
	const popup = async () =>
		(await told.pod.complete({kind: 'workflow', text: '', limit: 10})).matches.map(match =>
			match.type === 'workflow' ? match.slug : '',
		);
	expect(await popup()).toEqual(['audit', 'init', 'review']);
	expect((await told.pod.workflows()).map(({slug}) => slug)).toEqual(['audit', 'broken', 'hidden', 'init', 'review']);
	await project.write('.inkpod/workflows/rest.md', '---\ndescription: d\n---\n');
	expect(await popup()).toEqual(['audit', 'init', 'rest', 'review']);
});
