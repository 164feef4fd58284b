import {rmSync} from 'node:fs';
import {rm, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {createSession} from '../../../src/pod/disk/log/open.ts';
import {withRescue} from '../../../src/pod/disk/check/rescue.ts';
import {scriptedModel, systemClock, type Item} from '../../../src/worker/index.ts';
import {reopened, testPod, type TestPod} from '../../helpers/pod.ts';
import {tempProject, type TempProject} from '../../helpers/temp-project.ts';

const clock = systemClock();

function podIn(project: TempProject): Promise<TestPod> {
	const root = join(project.dir, '..', 'state', 'sessions');
	const session = withRescue(createSession({root, cwd: project.scope.pwd}, clock), clock);
	const model = scriptedModel([
		[
			{type: 'reasoning', text: 'Thinking of it.', chunk: 1},
			{type: 'text', text: 'First answer.', chunk: 1},
		],
		[{type: 'text', text: 'Second answer.'}],
	]);
	return testPod(project, {model, session});
}

const kinds = (items: readonly Item[]) =>
	items.map(item =>
		item.type === 'message' ? (item.origin?.['about'] ?? item.origin?.kind ?? item.role) : item.type,
	);

describe('a chat whose folder vanishes', () => {
	it('is whole on disk after the next message, with an alert and a notice', async () => {
		const pod = await podIn(await tempProject());
		await pod.run('one');
		await pod.rest();
		await rm(pod.session.dir, {recursive: true, maxRetries: 5});
		await pod.run('two');
		await pod.rest();
		await pod.until(() => kinds(pod.items()).at(-1) === 'rescued');
		expect(alertsOf(pod)).toEqual([expect.stringMatching(/^The folder of this session vanished/) as unknown]);
		const shown = pod.items();
		await pod.pod.send({method: 'shutdown'});
		expect((await reopened(pod)).items).toEqual(shown);
	});

	it('commits the notice after the run if the folder vanishes during an answer', async () => {
		const pod = await podIn(await tempProject());
		const {dir} = pod.session;
		let isRemoved = false;
		// At once, because a slow removal would meet the end of the run.
		pod.pod.subscribe(({type}) => {
			if (type !== 'delta' || isRemoved) return;
			isRemoved = true;
			rmSync(dir, {recursive: true});
		});
		await pod.run('one');
		await pod.until(() => kinds(pod.items()).at(-1) === 'rescued');
		expect(kinds(pod.items())).toEqual([
			'setup',
			'submit',
			'request',
			'reasoning',
			'assistant',
			'request_end',
			'run_end',
			'rescued',
		]);
		expect(pod.status().kind).toBe('idle');
		await pod.pod.send({method: 'shutdown'});
		expect((await reopened(pod)).items).toEqual(pod.items());
	});

	it('is saved when it is closed', async () => {
		const pod = await podIn(await tempProject());
		await pod.run('one');
		await pod.rest();
		await rm(dirname(pod.session.dir), {recursive: true, maxRetries: 5});
		await pod.pod.send({method: 'shutdown'});
		expect(kinds(pod.items()).at(-1)).toBe('rescued');
		expect((await reopened(pod)).items).toEqual(pod.items());
	});

	it('shows nothing as saved while it cannot be saved, and says so at its end', async () => {
		const project = await tempProject();
		const pod = await podIn(project);
		await pod.run('one');
		await pod.rest();
		const root = join(project.dir, '..', 'state');
		await rm(root, {recursive: true, maxRetries: 5});
		await writeFile(root, 'not a folder');
		const before = pod.items();
		expect(await pod.run('two')).toMatchObject({
			accepted: false,
			sentence: expect.stringContaining('could not be saved again') as unknown,
		});
		expect(pod.items()).toEqual(before);
		await pod.pod.send({method: 'shutdown'});
		expect(pod.events.at(-1)).toMatchObject({
			type: 'closed',
			sentence: expect.stringContaining('could not be saved again') as unknown,
		});
	});
});

function alertsOf({events}: TestPod): readonly string[] {
	return events.flatMap(event => (event.type === 'alert' ? [event.alert.text] : []));
}
