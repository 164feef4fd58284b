import {describe, expect, it} from 'vitest';
import {verifyRequests} from '../../../src/pod/disk/check/verify-requests.ts';
import type {Item} from '../../../src/pod/protocol.ts';
import {requestSettings, type Answer} from '../../../src/worker/index.ts';
import {loadModel} from '../../../src/worker/wires/load.ts';
import {requestBody} from '../../../src/worker/wires/request-body.ts';
import {ask} from '../../helpers/collect.ts';
import {allowed, testPod} from '../../helpers/pod.ts';
import {tempProject} from '../../helpers/temp-project.ts';
import {startServer, type RecordedRequest} from '../../helpers/wire-servers/index.ts';
import {modelNames, testKey} from './wire-model.ts';

const glob: Answer = [{type: 'tool_call', name: 'glob', arguments: {pattern: '*.ts'}}];
const answers: readonly Answer[] = [glob, [{type: 'text', text: 'Here.'}], [{type: 'text', text: 'And here.'}]];

type Step = 'steer' | 'cancel';

/** Holds a session in which the user acts once the model's call is committed, and then says something else. */
async function held(step: Step): Promise<{readonly items: readonly Item[]; readonly requests: RecordedRequest[]}> {
	await using server = await startServer('google', answers, {alternate: true});
	const spec = {provider: 'google', model: modelNames.google, apiKey: testKey, baseURL: server.url};
	const told = await testPod(await tempProject({'a.ts': ''}), {
		model: await loadModel(spec),
		settings: requestSettings(spec),
		...allowed,
	});
	const segments = [{type: 'text', text: 'Look there.'}] as const;
	const undo = told.pod.subscribe(event => {
		if (event.type !== 'item' || event.item.type !== 'tool_call') return;
		undo();
		void told.pod.send(step === 'steer' ? {method: 'steer', segments: [...segments]} : {method: 'cancel'});
	});
	await told.run('Hello.');
	await told.rest();
	if (step === 'cancel') {
		await told.run('And now?');
		await told.rest();
	}
	expect(server.refusals).toEqual([]);
	return {items: told.items(), requests: [...server.requests]};
}

describe('a user message after the results of Gemini’s calls', () => {
	it.each(['steer', 'cancel'] as const)('is in one turn with them (%s)', async step => {
		const {items, requests} = await held(step);
		const parts = requests.at(-1)?.json.contents.at(-1).parts;
		expect(Object.keys(parts[0])).toEqual(['functionResponse']);
		expect(parts.at(-1)).toEqual({text: step === 'steer' ? 'Look there.' : 'And now?'});
		expect(items.at(-1)).toMatchObject({type: 'run_end', outcome: 'finished'});
		expect(await verifyRequests(items)).toMatchObject({different: 0, unmade: 0, unchecked: 0});
	});

	it.each(['google/gemini-3-pro-preview', 'vertex/gemini-2.5-pro'])(
		'is a turn of its own in the sessions of earlier versions (%s)',
		async model => {
			const request = (settings: object) =>
				ask(
					[
						{role: 'user', text: 'Hello.'},
						{role: 'assistant', parts: [{type: 'tool_call', callId: 'a', name: 'glob', arguments: '{}'}]},
						{role: 'tool', results: [{callId: 'a', name: 'glob', content: 'a.ts', isError: false}]},
						{role: 'user', text: 'Look there.'},
					],
					{settings: {...settings}},
				);
			const rolesOf = async (settings: object) => {
				const made = await requestBody(model, request(settings));
				return made.ok ? JSON.parse(made.body).contents.map(({role}: {role: string}) => role) : made.sentence;
			};
			expect(await rolesOf({rules: 2})).toEqual(['user', 'model', 'user', 'user']);
			const [provider = ''] = model.split('/');
			expect(await rolesOf(requestSettings({provider, model: 'm'}))).toEqual(['user', 'model', 'user']);
		},
	);
});
