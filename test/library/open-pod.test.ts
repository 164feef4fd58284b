import {join} from 'node:path';
import {describe, expect, it, onTestFinished} from 'vitest';
import {
	openPod,
	type Feature,
	type ModelEvent,
	type OpenOptions,
	type OwnModel,
	type OwnTool,
	type Pod,
} from '../../src/library/index.ts';
import {tempProject} from '../helpers/temp-project.ts';

const text = (said: string): ModelEvent[] => [
	{type: 'start', key: 't', part: {type: 'text'}},
	{type: 'delta', key: 't', text: said},
	{type: 'end', key: 't'},
	{type: 'finish', stop: 'end', usage: {input: 1, output: 1}},
];
const call = (name: string, args: object): ModelEvent[] => [
	{type: 'start', key: 'c', part: {type: 'tool_call', callId: 'c', name}},
	{type: 'delta', key: 'c', text: JSON.stringify(args)},
	{type: 'end', key: 'c'},
	{type: 'finish', stop: 'tool_calls', usage: {input: 1, output: 1}},
];

function model(...answers: ModelEvent[][]): OwnModel {
	let at = 0;
	return {
		name: 'own/test',
		async *stream() {
			yield* answers[at++] ?? text('no further answer');
		},
	};
}

async function place() {
	const project = await tempProject({'a.txt': 'one\n'});
	const env = {HOME: join(project.dir, '../home'), PATH: process.env['PATH']};
	const open = async (options: Partial<OpenOptions>): Promise<Pod> => {
		const opened = await openPod({directory: project.dir, env, ...options});
		if (!opened.ok) throw new Error(`${opened.reason}: ${opened.sentence}`);
		onTestFinished(async () => opened.pod.close());
		return opened.pod;
	};
	return {project, env, open};
}

const order = (ran: unknown[], more: Partial<OwnTool> = {}): OwnTool => ({
	name: 'order',
	description: 'Looks an order up.',
	parameters: {type: 'object', properties: {id: {type: 'integer'}}, required: ['id'], additionalProperties: false},
	readOnly: true,
	async run(args) {
		ran.push(args);
		return `order ${String(args['id'])}`;
	},
	...more,
});

const results = (pod: Pod) => pod.items.flatMap(item => (item.type === 'tool_result' ? [item['content']] : []));

describe('openPod', () => {
	it('sends a message and returns the answer, whose items are the history', async () => {
		const {open} = await place();
		const pod = await open({model: model(text('Hello.'))});
		expect(await pod.send('hi')).toEqual({ok: true, outcome: 'finished', text: 'Hello.'});
		expect(pod.items.map(({type}) => type)).toEqual([
			'setup',
			'message',
			'request',
			'message',
			'request_end',
			'run_end',
		]);
	});

	it('resumes a session, and says so when another process or pod has it open', async () => {
		const {open, project, env} = await place();
		const first = await open({model: model(text('One.'))});
		await first.send('hi');
		const held = await openPod({directory: project.dir, env, session: first.id});
		expect(held).toMatchObject({ok: false, reason: 'in_use'});
		await first.close();
		const second = await open({session: first.id.slice(0, 20), model: model(text('Two.'))});
		expect(await second.send('again')).toMatchObject({text: 'Two.'});
		expect(second.items.filter(item => item['role'] === 'assistant').map(item => item['text'])).toEqual([
			'One.',
			'Two.',
		]);
	});

	it.each<[string, Partial<OpenOptions>, string, RegExp]>([
		['a model without its prefix', {model: {...model(), name: 'test'}}, 'session', /own\//],
		['a tool with a bad name', {tools: [order([], {name: 'a b'})]}, 'session', /a b/],
		['a tool of inkpod', {tools: [order([], {name: 'bash'})]}, 'session', /bash/],
		['a schema of another type', {tools: [order([], {parameters: {type: 'string'}})]}, 'options', /type object/],
		[
			'a broken schema',
			{tools: [order([], {parameters: {type: 'object', required: 1}})]},
			'options',
			/JSON Schema/,
		],
		['an unknown model', {model: 'nobody/x'}, 'configuration', /no provider "nobody"/],
		['an unknown session', {session: '01ZZZZ'}, 'configuration', /No session begins/],
		['a missing folder', {directory: '/nowhere/at/all'}, 'configuration', /nowhere/],
	])('refuses %s with a reason and a sentence', async (_, options, reason, sentence) => {
		const {project, env} = await place();
		expect(await openPod({directory: project.dir, env, ...options})).toEqual({
			ok: false,
			reason,
			sentence: expect.stringMatching(sentence),
		});
	});

	it.each([
		['cwd', /no option "cwd"\. Did you mean directory\?/],
		['aprovals', /no option "aprovals"\. Did you mean approval\?/],
		['maxCost', /no option "maxCost"\. Known: directory, session, /],
	])('refuses the unknown option %s, which it would ignore otherwise', async (name, sentence) => {
		const {project, env} = await place();
		expect(await openPod({directory: project.dir, env, ...{[name]: project.dir}})).toEqual({
			ok: false,
			reason: 'options',
			sentence: expect.stringMatching(sentence),
		});
	});

	it('refuses to work in the folder of the process when no directory is given', async () => {
		const {env} = await place();
		const options: Partial<OpenOptions> = {env};
		expect(await openPod(options as OpenOptions)).toMatchObject({ok: false, reason: 'options'});
	});

	it('keeps the project read-only on request', async () => {
		const {open} = await place();
		const writes = call('write_file', {path: 'b.txt', content: 'x'});
		const pod = await open({readOnly: true, approval: 'auto', model: model(writes, text('No.'))});
		await pod.send('write');
		expect(results(pod).join()).toContain('read-only');
	});
});

describe('a model of the caller', () => {
	it.each<[string, OwnModel['stream'], RegExp]>([
		[
			'throws',
			() => ({[Symbol.asyncIterator]: () => ({next: async () => Promise.reject(new Error('broken'))})}),
			/broken/,
		],
		['ends without a finish', async function* () {}, /without a finish/],
		[
			'reports an error',
			async function* () {
				yield {type: 'error', error: {reason: 'bad_request', message: 'No such model.', retryable: false}};
			},
			/No such model/,
		],
	])('that %s ends the turn with its cause', async (_, stream, cause) => {
		const {open} = await place();
		const pod = await open({model: {name: 'own/bad', stream}});
		expect(await pod.send('hi')).toMatchObject({outcome: 'error', cause: expect.stringMatching(cause)});
	});
});

describe('a tool of the caller', () => {
	it('runs with checked arguments, and its errors are results', async () => {
		const {open} = await place();
		const ran: unknown[] = [];
		const broken = order([], {name: 'broken', run: async () => Promise.reject(new Error('no stock'))});
		const answers = [call('order', {id: 'x'}), call('order', {id: 7}), call('broken', {id: 1}), text('Done.')];
		const pod = await open({model: model(...answers), tools: [order(ran), broken]});
		expect(await pod.send('look')).toMatchObject({text: 'Done.'});
		expect(ran).toEqual([{id: 7}]);
		expect(results(pod)).toEqual([
			expect.stringContaining('/id must be integer'),
			'order 7',
			expect.stringContaining('no stock'),
		]);
	});

	it('that does not only read needs an approval, a rule or a mode', async () => {
		const {open} = await place();
		const ran: unknown[] = [];
		const tools = [order(ran, {readOnly: false})];
		const answers = () => model(call('order', {id: 1}), text('Done.'));
		const refused = await open({model: answers(), tools});
		await refused.send('look');
		expect(results(refused).join()).toContain('nobody can approve');
		await (await open({model: answers(), tools, allow: ['order']})).send('look');
		const asked = await open({model: answers(), tools, attended: true});
		const titles: string[] = [];
		asked.subscribe(event => {
			if (event.type !== 'questions') return;
			for (const {id, title} of event.questions) {
				titles.push(title);
				void asked.answer(id, 'allow');
			}
		});
		await asked.send('look');
		expect(ran).toHaveLength(1 + 1);
		expect(titles).toEqual(['Run order?']);
		expect(await asked.answer('gone', 'allow')).toBe(false);
	});
});

describe('a feature of the caller', () => {
	it('offers its tools by the same rules, and stops when the pod closes', async () => {
		const {open} = await place();
		const ran: unknown[] = [];
		const shop = (name: string): Feature => ({
			name,
			tools: [order(ran, {name: `order_${name}`, readOnly: false})],
			async stop() {
				ran.push(this.name);
				return [`The shop ${name} has closed.`];
			},
		});
		const pod = await open({
			model: model(call('order_a', {id: 7}), text('Done.')),
			features: [shop('a'), shop('b')],
			allow: ['order_a'],
		});
		expect(await pod.send('look')).toMatchObject({text: 'Done.'});
		expect(results(pod)).toEqual(['order 7']);
		await pod.close();
		expect(ran).toEqual([{id: 7}, 'b', 'a']);
		const resumed = await open({session: pod.id, model: model(text('I see.'))});
		expect(resumed.items.slice(-2).map(item => item['text'])).toEqual([
			expect.stringContaining('The shop b has closed.'),
			expect.stringContaining('The shop a has closed.'),
		]);
	});

	it('that cannot be stopped does not keep the session open', async () => {
		const {open} = await place();
		const stop = async () => Promise.reject(new Error('no connection'));
		const pod = await open({model: model(text('One.')), features: [{name: 'a', stop}]});
		await pod.send('hi');
		const closed: unknown[] = [];
		pod.subscribe(event => closed.push(...(event.type === 'closed' ? [event.sentence] : [])));
		await pod.close();
		expect(closed).toEqual(['no connection']);
		const resumed = await open({session: pod.id, model: model(text('Two.'))});
		expect(await resumed.send('again')).toMatchObject({text: 'Two.'});
	});
});

describe('a pod', () => {
	it('tells its listeners what happens, in order', async () => {
		const {open} = await place();
		const pod = await open({model: model(text('Hello.'))});
		const seen: string[] = [];
		const undo = pod.subscribe(event => {
			seen.push(
				event.type === 'item' ? `item ${event.item.type}` : event.type === 'state' ? event.state : event.type,
			);
		});
		await pod.send('hi');
		undo();
		expect(seen.filter(each => /^(?:item|running|idle|text)/.test(each))).toEqual([
			'running',
			'item setup',
			'item message',
			'item request',
			'text',
			'item message',
			'item request_end',
			'item run_end',
			'idle',
		]);
		await pod.send('again');
		expect(seen.at(-1)).toBe('idle');
	});

	it('cancels a turn when its signal aborts, and closes once', async () => {
		const {open} = await place();
		const slow: OwnModel = {
			name: 'own/slow',
			async *stream(_, signal) {
				yield {type: 'start', key: 't', part: {type: 'text'}};
				// It never ends, although the signal aborts.
				await new Promise(() => signal.aborted);
			},
		};
		const pod = await open({model: slow});
		const stop = new AbortController();
		const late = new AbortController();
		const turn = pod.send('hi', {signal: stop.signal});
		pod.subscribe(event => {
			if (event.type === 'item' && event.item.type === 'request') stop.abort();
		});
		expect(await turn).toMatchObject({outcome: 'cancelled'});
		late.abort();
		expect(await pod.send('hi', {signal: late.signal})).toMatchObject({ok: false, reason: 'aborted'});
		await Promise.all([pod.close(), pod[Symbol.asyncDispose]()]);
		expect(await pod.send('late')).toMatchObject({ok: false, reason: 'closed'});
	});
});
