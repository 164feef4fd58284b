import {describe, expect, it} from 'vitest';
import type {Item, Receipt} from '../../../../src/pod/protocol.ts';
import type {ModelEvent} from '../../../../src/worker/index.ts';
import {allowed, reopened, testPod, type TestPod, type TestPodOptions} from '../../../helpers/pod.ts';
import {tempProject, type TempProject} from '../../../helpers/temp-project.ts';
import {answer, calls, says, eventModel} from '../../../helpers/event-model.ts';

const env = {PATH: process.env['PATH']};
const waits = 'echo begun; until [ -e go ]; do sleep 0.02; done; echo ended';
const results = ({items}: TestPod) =>
	items().filter(item => item.type === 'tool_result' && item.partialOf === undefined);
const texts = (items: readonly Item[]) => items.flatMap(item => (item.type === 'message' ? [item.text] : []));
const bash = (callId: string, command: string) => calls(callId, 'bash', {command});

async function opened(options: Partial<TestPodOptions> & Pick<TestPodOptions, 'model'>) {
	const project = await tempProject({});
	return {project, told: await testPod(project, {...allowed, env, ...options})};
}

/** Opens the session again, as another process does, and lets it finish. */
async function continued(project: TempProject, told: TestPod, model: TestPodOptions['model']): Promise<TestPod> {
	await told.pod.send({method: 'shutdown'});
	const next = await testPod(project, {...allowed, env, model, session: await reopened(told)});
	await next.pod.send({method: 'resume'});
	return next;
}

/** A first answer that stops in its middle until it is released. */
function halved() {
	const gate = Promise.withResolvers<void>();
	async function* first() {
		const events = answer(says('The first half, ', 'the second half.'), bash('c1', 'echo ran'));
		const half = events.findIndex(({type}) => type === 'delta') + 1;
		yield* events.slice(0, half);
		await gate.promise;
		yield* events.slice(half);
	}
	return {model: eventModel(first), release: () => gate.resolve()};
}

describe('a session that comes to rest', () => {
	it('is ready at once when nothing runs', async () => {
		const {told} = await opened({model: eventModel()});
		expect(await told.pod.send({method: 'rest'})).toEqual({accepted: true});
	});

	it('completes its answer, and starts none of its calls', async () => {
		const {model, release} = halved();
		const {told, project} = await opened({model});
		await told.run('go');
		await told.until(events => events.some(event => event.type === 'delta'));
		const resting = told.pod.send({method: 'rest'});
		release();
		expect(await resting).toEqual({accepted: true});
		expect(told.status().kind).toBe('paused');
		expect(texts(told.items()).slice(1).join('')).toBe('The first half, the second half.');
		expect(results(told)).toEqual([]);
		const next = await continued(project, told, eventModel(answer(says('Done.'))));
		await next.rest();
		expect(results(next)).toMatchObject([{content: 'ran'}]);
		expect(texts(next.items()).at(-1)).toBe('Done.');
	});

	it('waits for a running command, and sends its result only after the transfer', async () => {
		const model = eventModel(answer(bash('c1', waits)));
		const {told, project} = await opened({model});
		await told.run('go');
		await told.until(() => told.status().calls !== undefined);
		const resting = told.pod.send({method: 'rest'});
		await project.write('go', '');
		expect(await resting).toEqual({accepted: true});
		expect(results(told)).toMatchObject([{content: 'begun\nended'}]);
		expect([told.status().kind, model.requests.length]).toEqual(['paused', 1]);
		const later = eventModel(answer(says('Done.')));
		const next = await continued(project, told, later);
		await next.rest();
		expect(JSON.stringify(later.requests[0])).toContain('begun\\nended');
		expect(texts(next.items()).at(-1)).toBe('Done.');
	});

	it('does not wait for the answer to a question, which is asked again', async () => {
		const {told, project} = await opened({
			model: eventModel(answer(bash('c1', 'echo ran'))),
			approval: {mode: 'ask', rules: {user: [], project: []}},
		});
		await told.run('go');
		await told.until(() => told.status().asks.length > 0);
		expect(await told.pod.send({method: 'rest'})).toEqual({accepted: true});
		await told.pod.send({method: 'shutdown'});
		const next = await testPod(project, {
			env,
			model: eventModel(answer(says('Done.'))),
			session: await reopened(told),
		});
		await next.pod.send({method: 'resume'});
		await next.until(() => next.status().asks.length > 0);
		expect(next.status().asks).toMatchObject([{detail: expect.stringContaining('echo ran') as unknown}]);
	});

	it('does not wait for a retry', async () => {
		const busy: ModelEvent = {
			type: 'error',
			error: {reason: 'overloaded', message: 'Too busy.', retryable: true, retryAfterMs: 60_000},
		};
		const {told} = await opened({model: eventModel(answer([busy]))});
		await told.run('go');
		await told.until(() => told.status().retryAt !== undefined);
		expect(await told.pod.send({method: 'rest'})).toEqual({accepted: true});
		expect(told.status().kind).toBe('paused');
	});

	it('sends no queued message', async () => {
		const model = eventModel(answer(bash('c1', waits)), answer(says('Done.')));
		const {told, project} = await opened({model});
		await told.run('go');
		await told.until(() => told.status().calls !== undefined);
		await told.pod.send({method: 'queue', message: 'm1', segments: [{type: 'text', text: 'later'}]});
		const resting = told.pod.send({method: 'rest'});
		await project.write('go', '');
		await resting;
		expect(told.status().queue).toMatchObject([{id: 'm1'}]);
		await told.pod.send({method: 'shutdown'});
		const next = await testPod(project, {...allowed, env, model, session: await reopened(told)});
		expect(next.status().queue).toMatchObject([{id: 'm1'}]);
	});

	it('goes on when the rest is cancelled', async () => {
		const {told, project} = await opened({model: eventModel(answer(bash('c1', waits)), answer(says('Done.')))});
		await told.run('go');
		await told.until(() => told.status().calls !== undefined);
		const resting: Promise<Receipt> = told.pod.send({method: 'rest'});
		expect(await told.pod.send({method: 'rest', cancel: true})).toEqual({accepted: true});
		expect(await resting).toMatchObject({accepted: false, code: 'aborted'});
		await project.write('go', '');
		await told.rest();
		expect(texts(told.items()).at(-1)).toBe('Done.');
	});
});
