import {expect, it} from 'vitest';
import {loadModel} from '../../../../src/worker/wires/load.ts';
import {requestSettings, type Answer, type ModelSpec} from '../../../../src/worker/index.ts';
import {allowed, testPod} from '../../../helpers/pod.ts';
import {tempProject} from '../../../helpers/temp-project.ts';
import {startServer, type RecordedRequest, type WireServer} from '../../../helpers/wire-servers/index.ts';

const said = (text: string): Answer => [
	{type: 'text', text},
	{type: 'usage', input: 62, output: 30},
];
const tooLong = {
	status: 400,
	body: JSON.stringify({error: {message: "This model's maximum context length is 16384 tokens.", code: 400}}),
};
const summary: Answer = [{type: 'tool_call', name: 'write_summary', arguments: {text: 'All was said.'}}];
const long = 'It says no more than this. '.repeat(300);

async function podAt(server: WireServer, window?: number) {
	const spec: ModelSpec = {provider: 'openai-compatible', model: 'q', baseURL: server.url};
	const facts = window === undefined ? {} : {facts: {'openai-compatible/q': {window}}};
	const model = await loadModel(spec);
	return testPod(await tempProject(), {model, settings: requestSettings(spec), ...allowed, ...facts});
}

it('continues after an overflow, although the server counts 62 tokens for each request', async () => {
	const turns = Array.from({length: 6}, (_, n) => said(`Answer ${n}.`));
	const answers = [...turns, tooLong, summary, said('Done.'), said('Last.')];
	await using server = await startServer('openai-compatible', answers, {dialect: 'safe'});
	const told = await podAt(server);
	for (let turn = 0; turn <= turns.length; turn++) {
		await told.run(`${turn} ${long}`);
		await told.rest();
	}
	expect(told.items().filter(({type}) => type === 'compaction')).toMatchObject([{summary: 'All was said.'}]);
	expect(told.items().findLast(item => item.type === 'run_end')).toMatchObject({outcome: 'finished'});
	expect(server.refusals).toEqual([]);
});

it('begins before the window is full, although the server counts 62 tokens for each request', async () => {
	const choose = async ({json}: RecordedRequest) => {
		const isSummary = json.tools.some((tool: {function: {name: string}}) => tool.function.name === 'write_summary');
		return isSummary && json.messages.at(-1).role !== 'tool' ? summary : said('Yes.');
	};
	await using server = await startServer('openai-compatible', [], {dialect: 'safe', choose});
	const told = await podAt(server, 11_000);
	for (let turn = 0; turn < 4; turn++) {
		await told.run(`${turn} ${long}`);
		await told.rest();
	}
	expect(told.items().filter(({type}) => type === 'compaction')).toHaveLength(1);
	expect(told.items().findLast(item => item.type === 'run_end')).toMatchObject({outcome: 'finished'});
});
