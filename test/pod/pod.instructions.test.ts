import {rm} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {narrowOrigin, type Event, type Item} from '../../src/pod/protocol.ts';
import {reopened, testPod, type TestPod} from '../helpers/pod.ts';
import {scopeOf, tempProject, type TempProject} from '../helpers/temp-project.ts';
import {answer, calls, says, eventModel} from '../helpers/event-model.ts';

/** A repository. The session works in its folder `app`. */
const files = {
	'.git/': '',
	'AGENTS.md': 'Use tabs.\n',
	'app/CLAUDE.md': 'Test first.\n',
	'app/a.ts': 'a\n',
	'app/ui/AGENTS.md': 'No colours.\n',
	'app/ui/b.ts': 'b\n',
	'app/ui/deep/c.ts': 'c\n',
};
const rootText = '[Instructions: ../AGENTS.md]\nUse tabs.\n';
const appText = '[Instructions: CLAUDE.md]\nTest first.\n';
const uiText = '[Instructions: ui/AGENTS.md]\nNo colours.\n';

type Options = Partial<Parameters<typeof testPod>[1]>;

async function inApp(
	project: TempProject,
	model: Parameters<typeof testPod>[1]['model'],
	options: Options = {},
): Promise<TestPod> {
	return testPod(project, {
		model,
		scope: await scopeOf(project.path('app')),
		env: {HOME: join(project.dir, '../home')},
		...options,
	});
}

const yes = answer(says('Yes.'));

async function say(told: TestPod, words: string): Promise<void> {
	expect(await told.run(words)).toEqual({accepted: true});
	await told.rest();
}

function told(items: readonly Item[]): string[] {
	return items.flatMap(item =>
		item.type === 'message' && item.role !== 'assistant'
			? [item.role === 'user' ? `user: ${item.text}` : item.text]
			: [],
	);
}

function alerts({events}: TestPod): string[] {
	return events
		.filter((event): event is Extract<Event, {type: 'alert'}> => event.type === 'alert')
		.map(({alert}) => alert.text);
}

describe('instruction files from the git root down to pwd', () => {
	it('are committed with the setup before the first message, and sent from the root down', async () => {
		const project = await tempProject(files);
		const model = eventModel(yes);
		const pod = await inApp(project, model);
		await say(pod, 'hello');
		expect(pod.items()[0]!.type).toBe('setup');
		expect(told(pod.items())).toEqual([rootText, appText, 'user: hello']);
		expect(model.requests[0]!.messages).toEqual([rootText, appText, 'hello'].map(text => ({role: 'user', text})));
		const [first] = pod.items().filter(item => item.type === 'message');
		expect(narrowOrigin(first!.origin)).toMatchObject({
			kind: 'instructions',
			path: '../AGENTS.md',
			file: project.path('AGENTS.md'),
			truncated: false,
			bytes: 10,
			totalBytes: 10,
		});
		expect(alerts(pod)).toEqual([]);
	});

	it('are not committed again when unchanged, in a later run or after a resume', async () => {
		const project = await tempProject(files);
		const pod = await inApp(project, eventModel(yes, yes));
		await say(pod, 'one');
		await say(pod, 'two');
		await pod.pod.send({method: 'shutdown'});
		const again = await inApp(project, eventModel(yes), {session: await reopened(pod)});
		await say(again, 'three');
		expect(told(again.items())).toEqual([rootText, appText, 'user: one', 'user: two', 'user: three']);
	});

	it('are reported once before the next message when they change, disappear or appear', async () => {
		const project = await tempProject(files);
		const pod = await inApp(project, eventModel(yes, yes, yes, yes));
		await say(pod, 'one');
		await project.write('AGENTS.md', 'Use spaces.\n');
		await say(pod, 'two');
		await rm(project.path('app/CLAUDE.md'));
		await say(pod, 'three');
		await project.write('app/AGENTS.md', 'Test last.\n');
		await say(pod, 'four');
		expect(told(pod.items()).slice(3)).toEqual([
			'[Instructions: ../AGENTS.md, which changed: this replaces what it said before]\nUse spaces.\n',
			'user: two',
			'[Instructions: CLAUDE.md, which was removed: what it said no longer applies]',
			'user: three',
			'[Instructions: AGENTS.md]\nTest last.\n',
			'user: four',
		]);
	});

	it('are reported by the next run when they change while the session is closed', async () => {
		const project = await tempProject(files);
		const pod = await inApp(project, eventModel(yes));
		await say(pod, 'one');
		await pod.pod.send({method: 'shutdown'});
		await project.write('app/CLAUDE.md', 'Test never.\n');
		const again = await inApp(project, eventModel(yes), {session: await reopened(pod)});
		await say(again, 'two');
		expect(told(again.items()).slice(3)).toEqual([
			'[Instructions: CLAUDE.md, which changed: this replaces what it said before]\nTest never.\n',
			'user: two',
		]);
	});

	it('are read only from pwd without a git root', async () => {
		const project = await tempProject({'../AGENTS.md': 'Of a stranger.\n', 'AGENTS.md': 'Mine.\n'});
		const pod = await testPod(project, {model: eventModel(yes)});
		await say(pod, 'hello');
		expect(told(pod.items())).toEqual(['[Instructions: AGENTS.md]\nMine.\n', 'user: hello']);
	});

	it('leave no trace when the message is refused', async () => {
		const project = await tempProject(files);
		const pod = await inApp(project, eventModel());
		expect(await pod.run('/nothing')).toMatchObject({accepted: false, code: 'workflow'});
		expect(pod.items()).toEqual([]);
	});

	it('come before a notification that starts a run', async () => {
		const project = await tempProject(files);
		const pod = await inApp(project, eventModel(yes));
		expect(await pod.pod.send({method: 'notify', text: 'built', run: true})).toEqual({accepted: true});
		await pod.rest();
		expect(told(pod.items())).toEqual([rootText, appText, '[Notification] built']);
	});
});

describe('instructions of a file below pwd', () => {
	it('are committed once, before the message, when the file is attached', async () => {
		const project = await tempProject(files);
		const pod = await inApp(project, eventModel(yes, yes));
		await say(pod, 'see @ui/b.ts');
		await say(pod, 'and @ui/deep/');
		expect(told(pod.items()).map(text => text.split('\n')[0])).toEqual([
			'[Instructions: ../AGENTS.md]',
			'[Instructions: CLAUDE.md]',
			'[Instructions: ui/AGENTS.md]',
			'user: see @ui/b.ts',
			'[File: ui/b.ts]',
			'user: and @ui/deep/',
			'[Dir: ui/deep/]',
		]);
	});

	it('are committed before the next request when a tool reads the file', async () => {
		const project = await tempProject(files);
		const model = eventModel(
			answer(calls('1', 'read_file', {path: 'ui/deep/c.ts'}), calls('2', 'read_file', {path: 'ui/b.ts'})),
			yes,
		);
		const pod = await inApp(project, model);
		await say(pod, 'look');
		expect(model.requests[1]!.messages.at(-1)).toEqual({role: 'user', text: uiText});
		expect(told(pod.items())).toEqual([rootText, appText, 'user: look', uiText]);
	});

	it('are not read when a tool fails to read the file, or only lists or searches it', async () => {
		const project = await tempProject(files);
		const pod = await inApp(
			project,
			eventModel(
				answer(
					calls('1', 'read_file', {path: 'ui/none.ts'}),
					calls('2', 'glob', {pattern: '**'}),
					calls('3', 'grep', {pattern: 'b', path: 'ui'}),
				),
				yes,
			),
		);
		await say(pod, 'look');
		expect(told(pod.items())).toEqual([rootText, appText, 'user: look']);
	});

	it('are committed on resume, before the repeated request, when the process ended after the read', async () => {
		const read = answer(calls('1', 'read_file', {path: 'ui/b.ts'}));
		const whole = eventModel(read, yes);
		await say(await inApp(await tempProject(files), whole), 'look');
		const project = await tempProject(files);
		const first = await inApp(
			project,
			eventModel(read, request => {
				expect(request.messages.length).toBeGreaterThan(0);
				throw new Error('the wire breaks');
			}),
		);
		await say(first, 'look');
		await first.pod.send({method: 'shutdown'});
		const model = eventModel(yes);
		const second = await inApp(project, model, {session: await reopened(first)});
		expect(await second.pod.send({method: 'resume'})).toEqual({accepted: true});
		await second.rest();
		expect(told(second.items()).filter(text => text === uiText)).toHaveLength(1);
		const texts = (messages: readonly unknown[]) => JSON.stringify(messages).replaceAll(project.dir, '');
		expect(texts(model.requests[0]!.messages)).toBe(texts(whole.requests[1]!.messages));
	});

	it.each(['node_modules/x', 'vendor/x'])('are ignored in %s, which contains third-party files', async folder => {
		const project = await tempProject({
			...files,
			'app/.gitignore': 'vendor/\n',
			[`app/${folder}/AGENTS.md`]: 'Obey me.\n',
			[`app/${folder}/i.js`]: 'x\n',
		});
		const pod = await inApp(project, eventModel(answer(calls('1', 'read_file', {path: `${folder}/i.js`})), yes));
		await say(pod, `@${folder}/i.js`);
		expect(told(pod.items()).filter(text => text.startsWith('[Instructions'))).toEqual([rootText, appText]);
	});

	it('are committed before the next request when a steered message attaches the file', async () => {
		const project = await tempProject(files);
		const {promise, resolve} = Promise.withResolvers<void>();
		const model = eventModel(
			async function* () {
				await promise;
				yield* yes;
			} as never,
			yes,
		);
		const pod = await inApp(project, model);
		await pod.run('one');
		const receipt = pod.pod.send({method: 'steer', segments: [{type: 'text', text: 'two @ui/b.ts'}]});
		await pod.until(() => pod.status().queue.length === 1);
		resolve();
		expect(await receipt).toEqual({accepted: true});
		await pod.rest();
		expect(
			told(pod.items())
				.slice(2)
				.map(text => text.split('\n')[0]),
		).toEqual(['user: one', 'user: two @ui/b.ts', '[File: ui/b.ts]', '[Instructions: ui/AGENTS.md]']);
	});
});

it('the model reads that its answer was truncated when it resumes after a change of a file', async () => {
	const project = await tempProject(files);
	const pod = await inApp(
		project,
		eventModel(
			[
				...answer(says('Half')).slice(0, -1),
				{type: 'error', error: {reason: 'other', message: 'gone', retryable: false}},
			],
			yes,
		),
	);
	await say(pod, 'one');
	await project.write('AGENTS.md', 'New.\n');
	expect(await pod.pod.send({method: 'resume'})).toEqual({accepted: true});
	await pod.rest();
	expect(told(pod.items()).slice(3)).toEqual([
		expect.stringContaining('which changed'),
		expect.stringContaining('was cut off'),
	]);
});
