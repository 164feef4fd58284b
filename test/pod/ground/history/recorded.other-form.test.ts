import {describe, expect, it} from 'vitest';
import {verifyRequests} from '../../../../src/pod/disk/check/verify-requests.ts';
import {attributeRequest} from '../../../../src/pod/ground/history/reader.ts';
import type {Item} from '../../../../src/pod/protocol.ts';
import {
	requestSettings,
	type Answer,
	type DialectName,
	type FormName,
	type Settings,
} from '../../../../src/worker/index.ts';
import {loadModel, type ModelSpec} from '../../../../src/worker/wires/load.ts';
import {reopened, testPod, type TestPod} from '../../../helpers/pod.ts';
import {tempProject, type TempProject} from '../../../helpers/temp-project.ts';
import {startServer, type HttpAnswer, type WireName, type WireServer} from '../../../helpers/wire-servers/index.ts';
import type {Json} from '../../../helpers/wire-servers/speech.ts';
import {modelNames, specAt, testKey} from '../../../worker/wires/wire-model.ts';

const answers: readonly Answer[] = [
	[
		{type: 'reasoning', text: 'I should look.'},
		{type: 'tool_call', callId: 'call_first_1', name: 'glob', arguments: {pattern: '*.ts'}},
	],
	[{type: 'text', text: 'There is none.'}],
	[
		{type: 'reasoning', text: 'I look again.'},
		{type: 'tool_call', callId: 'call_second_1', name: 'glob', arguments: {pattern: '*.md'}},
	],
	[{type: 'text', text: 'As I said.'}],
	[{type: 'text', text: 'And again.'}],
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

function formsIn(items: readonly Item[]): readonly unknown[] {
	return items.flatMap(item => (item.type === 'setup' ? [item.settings['forms']] : []));
}

function outcomesIn(items: readonly Item[]): readonly string[] {
	return items.flatMap(item => (item.type === 'run_end' ? [item.outcome] : []));
}

function refusal(words: string, status = 400): HttpAnswer {
	return {status, body: JSON.stringify({error: {message: words}})};
}

const wantsNine = 'Tool call id was x but must be a-z, A-Z, 0-9, with a length of 9.';

/** Checks that each request can be made again, and that each of its bytes has a source. */
async function expectVerified(items: readonly Item[], {requests}: WireServer): Promise<void> {
	expect(await verifyRequests(items)).toMatchObject({same: requests.length, different: 0, unmade: 0});
	const sent = items.flatMap((item, index) => (item.type === 'request' ? [items.slice(0, index)] : []));
	for (const [n, before] of sent.entries())
		expect(await attributeRequest(before)).toMatchObject({
			attribution: {unknown: [], body: requests[n]?.body},
		});
}

type Row = {
	readonly form: FormName;
	readonly dialect: DialectName;
	readonly settings?: Settings;
	/** Returns the words for a request that the server refuses. */
	readonly refuses: (body: Json) => string | false;
};

const assistants = ({messages}: Json): readonly Json[] => messages.filter(({role}: Json) => role === 'assistant');
const withCalls = (body: Json): readonly Json[] => assistants(body).filter(({tool_calls: calls}) => calls);

const rows: readonly Row[] = [
	{
		form: 'no_stream_options',
		dialect: 'safe',
		refuses: ({stream_options: field}) => field && 'Unrecognized request argument supplied: stream_options',
	},
	{
		form: 'max_completion_tokens',
		dialect: 'safe',
		settings: {maxOutputTokens: 999},
		refuses: ({max_tokens: field, max_completion_tokens: other}) =>
			(field !== undefined || other !== 999) &&
			"Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
	},
	{
		form: 'empty_content',
		dialect: 'safe',
		refuses: body =>
			assistants(body).some(({content}) => content === null) &&
			"Invalid value for 'content': expected a string, got null.",
	},
	{
		form: 'reasoning_content',
		dialect: 'safe',
		refuses: body =>
			!assistants(body).every(({reasoning_content: field}) => typeof field === 'string') &&
			'The `reasoning_content` in the thinking mode must be passed back to the API.',
	},
	{
		form: 'reasoning_content',
		dialect: 'vllm',
		refuses: body =>
			!withCalls(body).every(({reasoning_content: field}) => (field ?? '') !== '') &&
			'thinking is enabled but reasoning_content is missing in assistant tool call message at index 2',
	},
	{
		form: 'no_thoughts',
		dialect: 'deepseek',
		refuses: body =>
			assistants(body).some(message => 'reasoning_content' in message) &&
			"'messages.2' : for 'role:assistant' the following must be satisfied" +
				"[('messages.2' : property 'reasoning_content' is unsupported)]",
	},
	{
		form: 'call_marks',
		dialect: 'safe',
		refuses: body =>
			withCalls(body).some(({tool_calls: [call]}) => call.extra_content === undefined) &&
			'Function call is missing a thought_signature in functionCall parts.',
	},
	{
		form: 'short_ids',
		dialect: 'groq',
		refuses: body => withCalls(body).some(({tool_calls: [{id}]}) => !/^[a-zA-Z0-9]{9}$/.test(id)) && wantsNine,
	},
	{
		form: 'prompt_in_message',
		dialect: 'safe',
		refuses: ({messages}) => messages.some(({role}: Json) => role === 'system') && 'System role not supported',
	},
	{
		form: 'bare_calls',
		dialect: 'gemini',
		refuses: body =>
			withCalls(body).some(({tool_calls: [call]}) => call.extra_content !== undefined) &&
			'Unknown name "extra_content" at \'messages[2].tool_calls[0]\': Cannot find field.',
	},
];

describe('a server that refuses the form of a request', () => {
	it.each(rows)(
		'gets the change $form once for the dialect $dialect, as a setup records, and the session keeps it',
		async ({form, dialect, settings = {}, refuses}) => {
			const project = await tempProject();
			await using server = await startServer('openai-compatible', answers, {
				refuses: body => toRefusal(refuses(body)),
			});
			const spec = {...specAt(dialect, server), settings};
			const first = await podAt(project, spec);
			await say(first, 'What is here?');
			expect(server.refusals).toHaveLength(1);
			const second = await podAt(project, spec, first);
			await say(second, 'Say it again.');
			await say(second, 'And again.');
			const items = second.items();
			expect(server.refusals).toHaveLength(1);
			expect(formsIn(items)).toEqual([undefined, [form]]);
			expect(outcomesIn(items)).toEqual(['finished', 'finished', 'finished']);
			const types = items.map(({type}) => type);
			const changed = types.lastIndexOf('setup');
			expect(types.slice(changed - 1, changed + 2)).toEqual(['request_end', 'setup', 'request']);
			await expectVerified(items, server);
		},
	);

	it('gets one change after another, each once', async () => {
		await using server = await startServer('openai-compatible', answers, {
			refuses: ({stream_options: options, messages}) =>
				toRefusal(
					(options && 'Extra inputs are not permitted, field: stream_options') ||
						(messages[0].role === 'system' && 'System role not supported'),
				),
		});
		const pod = await podAt(await tempProject(), specAt('safe', server));
		await say(pod, 'What is here?');
		expect(formsIn(pod.items())).toEqual([
			undefined,
			['no_stream_options'],
			['no_stream_options', 'prompt_in_message'],
		]);
		expect(outcomesIn(pod.items())).toEqual(['finished']);
		await expectVerified(pod.items(), server);
	});

	it('gets the change when it refuses inside the stream', async () => {
		await using server = await startServer('openai-compatible', answers, {
			refuses: ({stream_options: options}) =>
				options && {
					status: 200,
					headers: {'content-type': 'text/event-stream'},
					body: `data: ${JSON.stringify({error: {message: 'Unknown field: stream_options', code: 400}})}\n\n`,
				},
		});
		const pod = await podAt(await tempProject(), specAt('safe', server));
		await say(pod, 'What is here?');
		expect(formsIn(pod.items())).toEqual([undefined, ['no_stream_options']]);
		expect(outcomesIn(pod.items())).toEqual(['finished']);
	});

	it.each(['safe', 'vllm', 'llama.cpp'] as const)('gets what Mistral wants from the %s dialect', async dialect => {
		const project = await tempProject();
		const error: Answer = [{type: 'error', reason: 'other', message: 'No.'}];
		const failing = [...answers.slice(0, 1), error, ...answers.slice(1, 2)];
		await using server = await startServer('openai-compatible', failing, {dialect: 'mistral'});
		const first = await podAt(project, specAt(dialect, server));
		await say(first, 'What is here?');
		expect(formsIn(first.items())).toEqual([undefined, ['short_ids']]);
		const second = await podAt(project, specAt(dialect, server), first);
		await say(second, 'And now?');
		// The dialects of local servers separate the roles already.
		const forms = dialect === 'safe' ? [['short_ids', 'separate_roles']] : [];
		expect(formsIn(second.items())).toEqual([undefined, ['short_ids'], ...forms]);
		expect(outcomesIn(second.items())).toEqual(['error', 'finished']);
		expect(server.refusals).toHaveLength(1 + forms.length);
		await expectVerified(second.items(), server);
	});

	it.each([400, 422, 500])(
		'gets each change once, and no third request, when it refuses again with %i',
		async status => {
			const again = refusal(wantsNine, status);
			await using server = await startServer('openai-compatible', [again, again, again, again]);
			const first = await podAt(await tempProject(), specAt('safe', server));
			await say(first, 'What is here?');
			expect(server.requests).toHaveLength(2);
			await say(first, 'And now?');
			expect(server.requests).toHaveLength(3);
			expect(formsIn(first.items())).toEqual([undefined, ['short_ids']]);
			expect(outcomesIn(first.items())).toEqual(['error', 'error']);
			const end = first.items().findLast(item => item.type === 'run_end');
			expect(end).toMatchObject({cause: expect.stringContaining(wantsNine)});
		},
	);

	it('gets no second request when its error is about something else, or when its dialect has the form', async () => {
		for (const [dialect, words] of [
			['safe', 'bad tool schema'],
			['groq', 'The reasoning of this request is too expensive'],
			['mistral', wantsNine],
			['strict', wantsNine],
		] as const) {
			await using server = await startServer('openai-compatible', [refusal(words)], {dialect});
			const pod = await podAt(await tempProject(), specAt(dialect, server));
			await say(pod, 'What is here?');
			expect(server.requests).toHaveLength(1);
			expect(formsIn(pod.items())).toEqual([undefined]);
		}
	});

	it('gets the change only for the model that needed it', async () => {
		const project = await tempProject();
		await using strict = await startServer('openai-compatible', [refusal(wantsNine), ...answers.slice(3)]);
		await using other = await startServer('openai-compatible', answers.slice(3));
		const first = await podAt(project, specAt('safe', strict));
		await say(first, 'One.');
		const second = await podAt(project, {...specAt('safe', other), model: 'other'}, first);
		await say(second, 'Two.');
		const third = await podAt(project, specAt('safe', strict), second);
		await say(third, 'Three.');
		expect(formsIn(third.items())).toEqual([undefined, ['short_ids'], undefined, ['short_ids']]);
	});
});

it('gets no beta features of Anthropic when it refuses one', async () => {
	const project = await tempProject();
	const words = 'tools.0.custom.eager_input_streaming: Extra inputs are not permitted';
	await using server = await startServer('anthropic', answers, {
		refuses: ({tools}) => toRefusal(tools.some((tool: Json) => 'eager_input_streaming' in tool) && words),
	});
	const spec = {provider: 'anthropic', model: modelNames.anthropic, apiKey: testKey, baseURL: server.url};
	const first = await podAt(project, spec);
	await say(first, 'What is here?');
	await say(first, 'Say it again.');
	expect(server.refusals).toHaveLength(1);
	expect(formsIn(first.items())).toEqual([undefined, ['no_betas']]);
	expect(outcomesIn(first.items())).toEqual(['finished', 'finished']);
	expect(server.requests.map(({headers}) => headers['anthropic-beta'])).toEqual([
		'structured-outputs-2025-11-13',
		...Array.from({length: 4}, () => undefined),
	]);
	await expectVerified(first.items(), server);
});

const signatureWords: ReadonlyArray<readonly [WireName, string]> = [
	['anthropic', 'messages.1.content.0: Invalid `signature` in `thinking` block'],
	['openai', 'The encrypted content for item rs_1 could not be verified.'],
	['google', 'Corrupted thought signature.'],
];

describe('a server that no longer accepts the signatures of old thoughts', () => {
	it.each(signatureWords)('%s gets the conversation without them, but with newer ones', async (wire, words) => {
		const project = await tempProject();
		let hasOtherKey = false;
		const isOld = (body: Json) => JSON.stringify(body).includes('I should look.');
		await using server = await startServer(wire, answers, {
			refuses: body => toRefusal(hasOtherKey && isOld(body) && words),
		});
		const spec = {provider: wire, model: modelNames[wire], apiKey: testKey, baseURL: server.url};
		const first = await podAt(project, spec);
		await say(first, 'What is here?');
		hasOtherKey = true;
		const second = await podAt(project, spec, first);
		await say(second, 'Say it again.');
		await say(second, 'And again.');
		const items = second.items();
		expect(server.refusals).toHaveLength(1);
		expect(formsIn(items)).toEqual([undefined, ['old_thoughts']]);
		expect(outcomesIn(items)).toEqual(['finished', 'finished', 'finished']);
		expect(server.requests.at(-1)?.body).toContain('I look again.');
		await expectVerified(items, server);
	});
});

function toRefusal(words: string | false | undefined): HttpAnswer | undefined {
	return words === false || words === undefined ? undefined : refusal(words);
}
