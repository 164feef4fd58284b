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

describe('a request whose beginning the server dropped', () => {
	it('is reported in the same turn, with what to do', async () => {
		await using server = await dropping(7000, says('The end is near.'));
		const told = await at(server, await tempProject());
		await told.run(long(20_000));
		await told.rest();
		const [notice] = notices(told.items());
		expect(notice?.text).toMatch(
			/^The server read about \d+ of \d+ tokens: the beginning of the context was dropped\.\n.*OLLAMA_CONTEXT_LENGTH/,
		);
		expect(outcome(told)).toMatchObject({outcome: 'finished'});
		expect(told.events).toContainEqual({
			type: 'alert',
			alert: {level: 'warn', text: notice?.text.replace('\n', ' ')},
		});
	});

	it('is reported from the second turn on, even if only a part of it was dropped', async () => {
		await using server = await dropping(4500, says('One.'), says('Two.'));
		const told = await at(server, await tempProject());
		await told.run(long(2000));
		await told.rest();
		expect(notices(told.items())).toEqual([]);
		await told.run(long(4000));
		await told.rest();
		expect(notices(told.items())).toHaveLength(1);
	});

	it('is reported if the context grows slowly', async () => {
		const answers = Array.from({length: 12}, (_, n) => says(`Answer ${n}.`));
		await using server = await dropping(3000, ...answers);
		const told = await at(server, await tempProject());
		for (let turn = 0; turn < answers.length && notices(told.items()).length === 0; turn++) {
			await told.run(long(150));
			await told.rest();
		}
		expect(notices(told.items())).toHaveLength(1);
	});

	it('does not count for later estimates', async () => {
		await using server = await dropping(7000, says('One.'));
		const told = await at(server, await tempProject());
		await told.run(long(20_000));
		await told.rest();
		expect(told.context()).toMatchObject({exact: false});
		expect(told.context()!.tokens).toBeGreaterThan(20_000);
	});

	it('is asked about before the next turn, and a denial sends nothing and leaves no trace', async () => {
		await using server = await dropping(7000, says('One.'), says('Two.'));
		const told = await at(server, await tempProject());
		await told.run(long(20_000));
		await told.rest();
		const before = told.items().length;
		const refused = told.run('And now?');
		await choose(told, 'deny');
		expect(await refused).toMatchObject({accepted: false, sentence: expect.stringMatching(/^Nothing was sent/)});
		expect([told.items().length, server.requests.length]).toEqual([before, 1]);
		const sent = told.run('And now?');
		await choose(told, 'turn');
		expect(await sent).toEqual({accepted: true});
	});

	it('is not summarised: a compaction tries a smaller part', async () => {
		const summary = (text: string): Answer => [{type: 'tool_call', name: 'write_summary', arguments: {text}}];
		const turns = [says('One.'), says('Two.'), says('Three.')];
		const first = [summary('Of the end.'), says('Done.')];
		await using server = await dropping(9000, ...turns, ...first, summary('Of all.'), says('Done.'));
		const told = await at(server, await tempProject());
		told.pod.subscribe(event => {
			const [ask] = event.type === 'status' ? event.status.asks : [];
			if (ask !== undefined) void told.pod.send({method: 'answer', askId: ask.id, choice: 'session'});
		});
		for (const [n] of turns.entries()) {
			await told.run(`${n} ${long(6000)}`);
			await told.rest();
		}
		expect(await told.pod.send({method: 'compact'})).toEqual({accepted: true});
		await told.rest();
		expect(told.items().filter(({type}) => type === 'compaction')).toMatchObject([{summary: 'Of all.'}]);
	});

	it('is asked about after a restart, too', async () => {
		await using server = await dropping(7000, says('One.'));
		const project = await tempProject();
		const told = await at(server, project);
		await told.run(long(20_000));
		await told.rest();
		await told.pod.send({method: 'shutdown'});
		const again = await at(server, project, {session: await reopened(told)});
		const refused = again.run('And now?');
		await choose(again, 'deny');
		expect(await refused).toMatchObject({accepted: false});
	});

	it('is asked about within a turn, once if it is allowed for the turn, and a denial pauses the turn', async () => {
		await using server = await dropping(7000, reads('a.md'), reads('b.md'), says('Done.'), reads('a.md'));
		const told = await at(server, await tempProject({'a.md': long(100), 'b.md': 'b\n'}));
		const run = told.run(long(20_000));
		await choose(told, 'turn');
		await run;
		await told.rest();
		expect(outcome(told)).toMatchObject({outcome: 'finished'});
		expect(notices(told.items())).toHaveLength(3);
		void told.run('Once more');
		await choose(told, 'turn');
		await told.rest();
	});

	it('is not asked about again in the session if the user chose so', async () => {
		await using server = await dropping(7000, reads('a.md'), says('Done.'), says('Again.'));
		const told = await at(server, await tempProject({'a.md': 'a\n'}));
		const run = told.run(long(20_000));
		await choose(told, 'session');
		await run;
		await told.rest();
		await told.run('Once more');
		await told.rest();
		expect(server.requests).toHaveLength(3);
	});

	it('pauses the turn if the user does not want to send it', async () => {
		await using server = await dropping(7000, reads('a.md'), says('Never sent.'));
		const told = await at(server, await tempProject({'a.md': 'a\n'}));
		void told.run(long(20_000));
		await choose(told, 'deny');
		await told.rest();
		expect([outcome(told)?.outcome, told.status().kind, server.requests.length]).toEqual(['paused', 'paused', 1]);
	});

	it('ends the run before the next request if no user can answer', async () => {
		await using server = await dropping(7000, reads('a.md'), says('Never sent.'));
		const told = await at(server, await tempProject({'a.md': 'a\n'}), {attended: false});
		await told.run(long(20_000));
		await told.rest();
		expect(outcome(told)).toMatchObject({
			outcome: 'error',
			cause: expect.stringMatching(/^The next request was not sent\. The server read about/),
		});
		expect(server.requests).toHaveLength(1);
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
