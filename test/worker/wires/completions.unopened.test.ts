import {describe, expect, it} from 'vitest';
import {verifyRequests} from '../../../src/pod/disk/check/verify-requests.ts';
import {blocksOf} from '../../../src/transcript/state.ts';
import {createTranscriptStore} from '../../../src/screen/rows/store.ts';
import {requestSettings, type Answer} from '../../../src/worker/index.ts';
import type {DialectName} from '../../../src/worker/wires/dialects.ts';
import {loadModel} from '../../../src/worker/wires/load.ts';
import {allowed, testPod, type TestPod} from '../../helpers/pod.ts';
import {tempProject} from '../../helpers/temp-project.ts';
import {startServer, type ServerAnswer, type WireServer} from '../../helpers/wire-servers/index.ts';
import {specAt} from './wire-model.ts';

const thought = 'They greet me. I should look, 二つとも.\n';
const text = (of: string): Answer[number] => ({type: 'text', text: of, chunk: 3});
const glob: Answer[number] = {type: 'tool_call', callId: 'abcdefgh1', name: 'glob', arguments: {pattern: '*.ts'}};

async function at(server: WireServer, dialect: DialectName): Promise<TestPod> {
	const spec = specAt(dialect, server);
	return testPod(await tempProject({'a.ts': ''}), {
		model: await loadModel(spec),
		settings: requestSettings(spec),
		isUnpaced: true,
		...allowed,
	});
}

/** Holds a session of one turn. Returns its types of parts, and the blocks of a live and of a restored client. */
async function held(answers: readonly ServerAnswer[], dialect: DialectName) {
	await using server = await startServer('openai-compatible', answers, {dialect});
	const told = await at(server, dialect);
	const live = createTranscriptStore({columns: 80, view: 'normal'});
	told.pod.subscribe(event => live.dispatch(event));
	await told.run('Hello.');
	await told.rest();
	const restored = createTranscriptStore({columns: 80, view: 'normal'});
	told.pod.subscribe(event => restored.dispatch(event))();
	expect(blocksOf(live.transcript)).toEqual(blocksOf(restored.transcript));
	expect(server.refusals).toEqual([]);
	expect(await verifyRequests(told.items())).toMatchObject({different: 0, unmade: 0, unchecked: 0});
	for (const store of [live, restored]) store.dispose();
	return {told, requests: [...server.requests]};
}

function partsOf({items}: TestPod): readonly (readonly [type: string, text: string])[] {
	return items().flatMap((item): ReadonlyArray<readonly [string, string]> => {
		if (item.type === 'reasoning') return [['thought', item.text]];
		return item.type === 'message' && item.role === 'assistant' ? [['text', item.text]] : [];
	});
}

describe('an answer whose thought was opened by the chat template', () => {
	const dialects = ['safe', 'strict', 'together', 'fireworks', 'perplexity', 'ollama', 'vllm'] as const;

	it.each(dialects)('is a thought and a text, which alone goes back (%s)', async dialect => {
		const {told, requests} = await held([[text(`${thought}</think>\n\nI look.`), glob], [text('Done.')]], dialect);
		expect(partsOf(told)).toEqual([
			['thought', thought],
			['text', 'I look.'],
			['text', 'Done.'],
		]);
		expect(requests[1]?.body).not.toContain('They greet me');
		expect(requests[1]?.body).toContain('I look.');
	});

	it('streams as a text, which becomes a thought under the same id', async () => {
		const {told} = await held([[text(`${thought}</think>\n\nHi.`)]], 'safe');
		const begun = told.events.find(event => event.type === 'delta');
		const item = told.items().find(({type}) => type === 'reasoning');
		expect(begun).toMatchObject({id: item?.id, begin: {type: 'message'}});
	});

	it('is empty when nothing follows the thought', async () => {
		const {told} = await held([[text(`${thought}</think>\n\n`)]], 'safe');
		expect(told.items().findLast(({type}) => type === 'request_end')).toMatchObject({stop: 'empty'});
	});

	it('is tried again after a cut that follows the thought', async () => {
		const {told, requests} = await held([[text(`${thought}</think>\n\n`), {type: 'cut'}], [text('Hi.')]], 'safe');
		expect(requests).toHaveLength(2);
		expect(partsOf(told)).toEqual([
			['thought', thought],
			['text', 'Hi.'],
		]);
	});

	it('is a text for a server that sends thoughts in a field', async () => {
		const answer = `${thought}</think>\n\nHi.`;
		const {told} = await held([[{type: 'text', text: answer}]], 'deepseek');
		expect(partsOf(told)).toEqual([['text', answer]]);
	});
});
