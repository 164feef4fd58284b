import {describe, expect, it} from 'vitest';
import {loadModel} from '../../../../src/worker/wires/load.ts';
import {requestSettings, type Answer, type ModelSpec} from '../../../../src/worker/index.ts';
import type {Item} from '../../../../src/pod/protocol.ts';
import {allowed, reopened, testPod, type TestPod, type TestPodOptions} from '../../../helpers/pod.ts';
import {tempProject, type TempProject} from '../../../helpers/temp-project.ts';
import {startServer, type WireServer} from '../../../helpers/wire-servers/index.ts';

const says = (text: string): Answer => [{type: 'text', text}];
const reads = (path: string): Answer => [{type: 'tool_call', name: 'read_file', arguments: {path}}];
/** A text of about this many tokens. */
const long = (tokens: number) => 'It says no more than this. '.repeat(Math.ceil(tokens / 7));

const notices = (items: readonly Item[]) =>
	items.flatMap(item =>
		item.type === 'message' && item.origin?.kind === 'notice' && item.origin['about'] === 'truncated' ? [item] : [],
	);
const outcome = (told: TestPod) => told.items().findLast(item => item.type === 'run_end');

async function at(
	server: Pick<WireServer, 'url'>,
	project: TempProject,
	options: Partial<TestPodOptions> = {},
): Promise<TestPod> {
	const spec: ModelSpec = {provider: 'ollama', model: 'qwen3', baseURL: server.url};
	return testPod(project, {model: await loadModel(spec), settings: requestSettings(spec), ...allowed, ...options});
}

async function dropping(window: number, ...answers: readonly Answer[]): Promise<WireServer> {
	return startServer('openai-compatible', answers, {dialect: 'ollama', window});
}

async function choose(told: TestPod, choice: string): Promise<void> {
	await told.until(() => told.status().asks.length > 0);
	const [ask] = told.status().asks;
	await told.pod.send({method: 'answer', askId: ask!.id, choice});
}

/** Runs two turns whose messages alone fill a window of 7,000 tokens: the second one shows it. */
async function filled(told: TestPod): Promise<void> {
	await told.run(long(20_000));
	await told.rest();
	expect(notices(told.items())).toEqual([]);
	await told.run(long(20_000));
	await told.rest();
}

describe('a request whose beginning the server dropped', () => {
	it('is reported in the same turn, with what to do, but not to the model', async () => {
		await using server = await dropping(7000, says('One.'), says('The end is near.'), says('Three.'));
		const told = await at(server, await tempProject());
		await filled(told);
		const [notice] = notices(told.items());
		expect(notice?.text).toMatch(
			/^The server kept 7000 of about \d+ tokens: it dropped the beginning of the context\.\n.*OLLAMA_CONTEXT_LENGTH/,
		);
		expect(outcome(told)).toMatchObject({outcome: 'finished'});
		expect(told.events).toContainEqual({
			type: 'alert',
			alert: {level: 'warn', text: notice?.text.replace('\n', ' ')},
		});
		const sent = told.run('And now?');
		await choose(told, 'send');
		await sent;
		await told.rest();
		expect(server.requests).toHaveLength(3);
		expect(server.requests.at(-1)!.body).not.toContain('The server kept');
	});

	it('is not reported by the estimate alone', async () => {
		await using server = await dropping(7000, says('One.'));
		const told = await at(server, await tempProject());
		await told.run(long(20_000));
		await told.rest();
		expect(notices(told.items())).toEqual([]);
	});

	it('is reported at the second full request, even if only a part of it was dropped', async () => {
		await using server = await dropping(4500, says('One.'), says('Two.'), says('Three.'));
		const told = await at(server, await tempProject());
		await told.run(long(1000));
		await told.rest();
		await told.run(long(3000));
		await told.rest();
		expect(notices(told.items())).toEqual([]);
		await told.run(long(3000));
		await told.rest();
		expect(notices(told.items())).toHaveLength(1);
	});

	it('is reported if the context grows slowly', async () => {
		const answers = Array.from({length: 16}, (_, n) => says(`Answer ${n % 10}.`));
		await using server = await dropping(3000, ...answers);
		const told = await at(server, await tempProject());
		for (let turn = 0; turn < answers.length && notices(told.items()).length === 0; turn++) {
			await told.run(long(150));
			await told.rest();
		}
		expect(notices(told.items())).toHaveLength(1);
	});

	it('does not count for later estimates', async () => {
		await using server = await dropping(7000, says('One.'), says('Two.'), says('Three.'));
		const told = await at(server, await tempProject());
		for (let turn = 0; turn < 3; turn++) {
			const run = told.run(long(5000));
			if (notices(told.items()).length > 0) await choose(told, 'send');
			await run;
			await told.rest();
		}
		expect(notices(told.items())).toHaveLength(1);
		expect(told.context()).toMatchObject({exact: false});
		expect(told.context()!.tokens).toBeGreaterThan(12_000);
	});

	it('is asked about before the next turn, and a denial sends nothing and leaves no trace', async () => {
		await using server = await dropping(7000, says('One.'), says('Two.'), says('Three.'));
		const told = await at(server, await tempProject());
		await filled(told);
		const before = told.items().length;
		const refused = told.run('And now?');
		await choose(told, 'deny');
		expect(await refused).toMatchObject({accepted: false, sentence: expect.stringMatching(/^Nothing was sent/)});
		expect([told.items().length, server.requests.length]).toEqual([before, 2]);
		const sent = told.run('And now?');
		await choose(told, 'send');
		expect(await sent).toEqual({accepted: true});
	});

	it('is not summarised: a compaction knows what the server keeps', async () => {
		const summary = (text: string): Answer => [{type: 'tool_call', name: 'write_summary', arguments: {text}}];
		const turns = [says('One.'), says('Two.'), says('Three.')];
		await using server = await dropping(9000, ...turns, summary('Of all.'), says('Done.'));
		const told = await at(server, await tempProject());
		told.pod.subscribe(event => {
			const [ask] = event.type === 'status' ? event.status.asks : [];
			if (ask !== undefined) void told.pod.send({method: 'answer', askId: ask.id, choice: 'send'});
		});
		for (const [n] of turns.entries()) {
			await told.run(`${n} ${long(6000)}`);
			await told.rest();
		}
		expect(notices(told.items())).toHaveLength(1);
		expect(await told.pod.send({method: 'compact'})).toEqual({accepted: true});
		await told.rest();
		expect(told.items().filter(({type}) => type === 'compaction')).toMatchObject([{summary: 'Of all.'}]);
		expect(server.requests[3]!.body.length / 4).toBeLessThan(9000);
	});

	it.each(['send', 'ignore'])('is asked about after a restart, and the answer %s is kept', async choice => {
		await using server = await dropping(7000, says('One.'), says('Two.'), says('Three.'), says('Four.'));
		const project = await tempProject();
		const told = await at(server, project);
		await filled(told);
		await told.pod.send({method: 'shutdown'});
		const again = await at(server, project, {session: await reopened(told)});
		const sent = again.run('And now?');
		await choose(again, choice);
		expect(await sent).toMatchObject({accepted: true});
		await again.rest();
		await again.pod.send({method: 'shutdown'});
		const last = await at(server, project, {session: await reopened(again)});
		await last.run('Once more');
		await last.rest();
		expect(server.requests).toHaveLength(4);
		expect(notices(last.items())).toHaveLength(1);
	});

	it('is asked about within a turn, once, and a denial pauses the turn', async () => {
		const answers = [says('One.'), reads('a.md'), reads('b.md'), says('Done.'), says('Again.')];
		await using server = await dropping(7000, ...answers);
		const told = await at(server, await tempProject({'a.md': long(100), 'b.md': 'b\n'}));
		await told.run(long(20_000));
		await told.rest();
		void told.run(long(20_000));
		await choose(told, 'deny');
		await told.rest();
		expect([outcome(told)?.outcome, told.status().kind, server.requests.length]).toEqual(['paused', 'paused', 2]);
		void told.pod.send({method: 'resume'});
		await choose(told, 'send');
		await told.until(() => outcome(told)?.outcome === 'finished');
		await told.rest();
		await told.run('Once more');
		await told.rest();
		expect(server.requests).toHaveLength(5);
		expect(notices(told.items())).toHaveLength(1);
	});

	it('does not end a run without a user', async () => {
		await using server = await dropping(7000, says('One.'), reads('a.md'), says('Done.'));
		const told = await at(server, await tempProject({'a.md': 'a\n'}), {attended: false});
		await filled(told);
		expect(outcome(told)).toMatchObject({outcome: 'finished'});
		expect(server.requests).toHaveLength(3);
		expect(notices(told.items())).toHaveLength(1);
		expect(told.events.filter(event => event.type === 'alert' && event.alert.text.includes('kept'))).toHaveLength(
			1,
		);
	});

	it('is not looked for if the user says that the counts are not comparable', async () => {
		await using server = await dropping(7000, says('One.'), says('Two.'));
		const facts = {'ollama/qwen3': {counts: 'ignore'}} as const;
		const told = await at(server, await tempProject(), {facts});
		await told.run(long(20_000));
		await told.rest();
		await told.run(long(20_000));
		await told.rest();
		expect(notices(told.items())).toEqual([]);
		expect(told.context()).toMatchObject({exact: false});
	});
});

describe('a request that the window cannot hold', () => {
	const facts = (window: number) => ({facts: {'ollama/qwen3': {window}}});

	it.each([true, false])(
		'is not sent if inkpod itself needs more than the window (with a user: %s)',
		async attended => {
			await using server = await dropping(1000, says('Never sent.'));
			const told = await at(server, await tempProject(), {attended, ...facts(1000)});
			await told.run('Hello');
			await told.rest();
			expect(outcome(told)).toMatchObject({
				outcome: 'error',
				cause: expect.stringMatching(
					/^Not sent: inkpod itself needs about \d+ tokens, and the window of ollama\/qwen3 has 1000\. Give Ollama/,
				),
			});
			expect(server.requests).toEqual([]);
		},
	);

	it('is not sent if only the server states the window, which is asked for first', async () => {
		await using server = await dropping(1000, says('Never sent.'));
		const told = await at(server, await tempProject(), {describe: async () => ({window: 1000})});
		await told.run('Hello');
		await told.rest();
		expect(outcome(told)).toMatchObject({outcome: 'error', cause: expect.stringContaining('inkpod itself needs')});
		expect(server.requests).toEqual([]);
	});

	it('is not sent without a user, if compaction does not help', async () => {
		await using server = await dropping(8000, says('Never sent.'));
		const told = await at(server, await tempProject(), {attended: false, ...facts(8000)});
		await told.run(long(20_000));
		await told.rest();
		expect(outcome(told)).toMatchObject({
			outcome: 'error',
			cause: expect.stringMatching(/^Not sent: the request has about \d+ tokens, and the window has 8000\./),
		});
		expect(server.requests).toEqual([]);
	});

	it('is reported at once if it was sent, and filled the window', async () => {
		await using server = await dropping(8000, says('One.'));
		const told = await at(server, await tempProject(), facts(8000));
		await told.run(long(20_000));
		await told.rest();
		expect(notices(told.items())).toHaveLength(1);
	});
});

describe('a request that the server read completely', () => {
	const quiet = async (told: TestPod) => {
		await told.rest();
		expect(notices(told.items())).toEqual([]);
	};

	it('is not reported after a drop, a prune, a rewind, or a compaction', async () => {
		const summary: Answer = [{type: 'tool_call', name: 'write_summary', arguments: {text: 'All was read.'}}];
		await using server = await dropping(
			1_000_000,
			reads('a.md'),
			says('One.'),
			says('Two.'),
			says('Three.'),
			says('Four.'),
			summary,
			says('Done.'),
			says('Five.'),
		);
		const told = await at(server, await tempProject({'a.md': long(8000)}));
		await told.run(long(3000));
		await quiet(told);
		const result = told.items().find(item => item.type === 'tool_result')!;
		await told.pod.send({method: 'context', op: 'prune', ids: [result.id]});
		await told.run('Two?');
		await quiet(told);
		const first = told.items().find(item => item.type === 'message' && item.role === 'user')!;
		await told.pod.send({method: 'context', op: 'drop', ids: [first.id]});
		await told.run('Three?');
		await quiet(told);
		const answer = told.items().findLast(item => item.type === 'run_end')!;
		await told.run(long(9000));
		await quiet(told);
		await told.pod.send({method: 'rewind', to: answer.id});
		await told.pod.send({method: 'compact'});
		await told.rest();
		await told.run('Five?');
		await quiet(told);
		expect(server.refusals).toEqual([]);
	});
});
