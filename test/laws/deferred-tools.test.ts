import {describe, expect, it} from 'vitest';
import {verifyRequests} from '../../src/pod/disk/check/verify-requests.ts';
import {attributeRequest} from '../../src/pod/ground/history/reader.ts';
import {requestSettings, type Answer} from '../../src/worker/index.ts';
import {manyToolsServer} from '../helpers/many-tools.ts';
import {configure, writtenServer} from '../helpers/mcp-server.ts';
import {allowed, reopened, testPod} from '../helpers/pod.ts';
import {tempProject} from '../helpers/temp-project.ts';
import {startServer, wires, type RecordedRequest, type WireName} from '../helpers/wire-servers/index.ts';
import {modelAt, modelNames} from '../worker/wires/wire-model.ts';

const turns = 20;

/** Each turn finds a tool, runs it, and answers. */
const answers: readonly Answer[] = Array.from({length: turns}, (_, turn): readonly Answer[] => [
	[{type: 'tool_call', callId: `find_${turn}`, name: 'find_tools', arguments: {query: 'archive a label'}}],
	[
		{
			type: 'tool_call',
			callId: `call_${turn}`,
			name: 'call_tool',
			arguments: {name: 'mcp__hub__archive_label_of_user', arguments: {id: String(turn)}},
		},
	],
	[{type: 'text', text: `Archived ${turn}.`}],
]).flat();

/** Returns the tools and the system prompt, with which providers begin to read a request. */
function headOf({json}: RecordedRequest, wire: WireName): unknown {
	const {tools, system, systemInstruction, messages, input} = json;
	const first = Array.isArray(messages) ? messages[0] : Array.isArray(input) ? input[0] : undefined;
	const prompt = {
		anthropic: system,
		google: systemInstruction,
		openai: first,
		'openai-compatible': first,
	}[wire];
	return [tools, prompt];
}

describe.each(wires)('a session with 400 tools of a server over %s', wire => {
	it('keeps the tools and the prompt of its first request for 20 turns and a resume, and verifies', async () => {
		const project = await tempProject();
		await configure(project, {hub: await writtenServer(project, manyToolsServer)});
		await using server = await startServer(wire, answers);
		const settings = requestSettings({provider: wire, model: modelNames[wire]});
		const open = async (more = {}) =>
			testPod(project, {model: await modelAt(wire, server), settings, ...allowed, ...more});
		let told = await open();
		for (let turn = 0; turn < turns; turn++) {
			if (turn === turns / 2) {
				await told.pod.send({method: 'shutdown'});
				told = await open({session: await reopened(told)});
			}
			expect(await told.run(`Archive label ${turn}.`)).toEqual({accepted: true});
			await told.rest();
		}
		expect(server.refusals).toEqual([]);
		expect(server.requests).toHaveLength(answers.length);
		const heads = server.requests.map(request => JSON.stringify(headOf(request, wire)));
		expect(new Set(heads).size).toBe(1);
		expect(heads[0]).toContain('archive_label_of_user');
		expect(heads[0]).toContain('You are an agent in inkpod');
		const items = told.items();
		expect(items.filter(({type}) => type === 'setup')).toHaveLength(1);
		const ran = items.flatMap(item =>
			item.type === 'tool_result' && item.content.startsWith('ran') ? [item.content] : [],
		);
		expect(ran).toEqual(Array.from({length: turns}, (_, turn) => `ran archive_label_of_user {"id":"${turn}"}`));
		expect(await verifyRequests(items)).toMatchObject({same: answers.length, different: 0, unmade: 0});
		const {body} = server.requests[0]!;
		const before = items.slice(
			0,
			items.findIndex(({type}) => type === 'request'),
		);
		const made = await attributeRequest(before, {received: {body, headers: []}});
		expect(made.ok && made.attribution.unknown).toEqual([]);
	});
});
