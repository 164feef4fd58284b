import {describe, expect, it} from 'vitest';
import type {Item} from '../../../../src/pod/protocol.ts';
import {requestSettings, type Answer} from '../../../../src/worker/index.ts';
import {loadModel, type ModelSpec} from '../../../../src/worker/wires/load.ts';
import {reopened, testPod, type TestPod} from '../../../helpers/pod.ts';
import {tempProject, type TempProject} from '../../../helpers/temp-project.ts';
import {startServer, type HttpAnswer} from '../../../helpers/wire-servers/index.ts';
import {specAt} from '../../../worker/wires/wire-model.ts';

const answers: readonly Answer[] = [
	[
		{type: 'text', text: 'Let me look.'},
		{type: 'tool_call', callId: 'call_first_1', name: 'glob', arguments: {pattern: '*.ts'}},
	],
	[{type: 'text', text: 'There is none.'}],
	[{type: 'text', text: 'As I said.'}],
];

async function podAt(project: TempProject, spec: ModelSpec, before?: TestPod): Promise<TestPod> {
	await before?.pod.send({method: 'shutdown'});
	return testPod(project, {
		model: await loadModel(spec),
		settings: requestSettings(spec),
		...(before && {session: await reopened(before)}),
	});
}

async function say(pod: TestPod, text: string): Promise<void> {
	expect(await pod.run(text)).toEqual({accepted: true});
	await pod.rest();
}

function dialectsIn(items: readonly Item[]): readonly unknown[] {
	return items.flatMap(item => (item.type === 'setup' ? [item.settings['dialect']] : []));
}

function outcomesIn(items: readonly Item[]): readonly string[] {
	return items.flatMap(item => (item.type === 'run_end' ? [item.outcome] : []));
}

function refusal(words: string, status = 400): HttpAnswer {
	return {status, body: JSON.stringify({error: {message: words}})};
}

const wantsNine = 'Tool call id was x but must be a-z, A-Z, 0-9, with a length of 9.';

describe('a server that refuses the form of a request', () => {
	it.each(['safe', 'vllm', 'llama.cpp'] as const)(
		'gets the strict form for the %s dialect, as a setup item records, and the session keeps it',
		async dialect => {
			const project = await tempProject();
			await using server = await startServer('openai-compatible', answers, {dialect: 'mistral'});
			const spec = specAt(dialect, server);
			const first = await podAt(project, spec);
			await say(first, 'What is here?');
			expect(server.refusals).toHaveLength(1);
			const second = await podAt(project, spec, first);
			await say(second, 'Say it again.');
			const items = second.items();
			expect(server.refusals).toHaveLength(1);
			expect(dialectsIn(items)).toEqual([dialect, 'strict']);
			expect(outcomesIn(items)).toEqual(['finished', 'finished']);
			const types = items.map(({type}) => type);
			const strict = types.lastIndexOf('setup');
			expect(types.slice(strict - 1, strict + 2)).toEqual(['request_end', 'setup', 'request']);
		},
	);

	it.each([400, 422, 500])(
		'gets the strict form once, and no third request, when it refuses again with %i',
		async status => {
			const project = await tempProject();
			const again = refusal(wantsNine, status);
			await using server = await startServer('openai-compatible', [again, again, again, again]);
			const spec = specAt('safe', server);
			const first = await podAt(project, spec);
			await say(first, 'What is here?');
			expect(server.requests).toHaveLength(2);
			await say(first, 'And now?');
			expect(server.requests).toHaveLength(3);
			expect(dialectsIn(first.items())).toEqual(['safe', 'strict']);
			expect(outcomesIn(first.items())).toEqual(['error', 'error']);
		},
	);

	it('gets no second request when its error is about something else, or when its dialect is known', async () => {
		for (const [dialect, words] of [
			['safe', 'bad tool schema'],
			['groq', wantsNine],
			['strict', wantsNine],
		] as const) {
			await using server = await startServer('openai-compatible', [refusal(words)], {dialect});
			const pod = await podAt(await tempProject(), specAt(dialect, server));
			await say(pod, 'What is here?');
			expect(server.requests).toHaveLength(1);
			expect(dialectsIn(pod.items())).toEqual([dialect]);
		}
	});

	it('gets the strict form only for the model that needed it', async () => {
		const project = await tempProject();
		await using strict = await startServer('openai-compatible', [refusal(wantsNine), ...answers.slice(1)]);
		await using other = await startServer('openai-compatible', answers.slice(1));
		const first = await podAt(project, specAt('safe', strict));
		await say(first, 'One.');
		const second = await podAt(project, {...specAt('safe', other), model: 'other'}, first);
		await say(second, 'Two.');
		const third = await podAt(project, specAt('safe', strict), second);
		await say(third, 'Three.');
		expect(dialectsIn(third.items())).toEqual(['safe', 'strict', 'safe', 'strict']);
	});
});
