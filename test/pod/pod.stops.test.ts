import {describe, expect, it} from 'vitest';
import {defaultLimits} from '../../src/pod/config/limits.ts';
import {steadyNow, type Item} from '../../src/pod/protocol.ts';
import {testPod} from '../helpers/pod.ts';
import {tempProject} from '../helpers/temp-project.ts';
import {startServer, wires, type ServerAnswer, type WireName, type WireServer} from '../helpers/wire-servers/index.ts';
import {modelAt} from '../worker/wires/wire-model.ts';

const kinds = (items: readonly Item[]) =>
	items.map(item => (item.type === 'message' ? (item.origin?.kind ?? item.role) : item.type));
const whole: ServerAnswer = [{type: 'text', text: 'The rest.'}];

async function talking(
	wire: WireName,
	server: WireServer,
	{maxTurns, stallTimeoutMs}: {readonly maxTurns?: number; readonly stallTimeoutMs?: number} = {},
) {
	const model = await modelAt(wire, server, stallTimeoutMs === undefined ? {} : {stallTimeoutMs});
	const told = await testPod(await tempProject({'a.md': 'one\n'}), {
		model,
		limits: {...defaultLimits, ...(maxTurns !== undefined && {maxTurns})},
	});
	await told.run('go');
	return told;
}

describe.each(wires)('a run over the %s wire', wire => {
	it('reports when it retries a request; a pause ends the wait, and a resume retries at once', async () => {
		await using server = await startServer(wire, [{status: 429, headers: {'retry-after': '30'}}, whole]);
		const before = steadyNow();
		const {pod, until, status, rest, items} = await talking(wire, server);
		await until(() => status().retryAt !== undefined);
		expect(status()).toMatchObject({kind: 'running', step: 'requesting'});
		expect(status().retryAt! - before).toBeGreaterThanOrEqual(29_000);
		expect(status().retryAt! - before).toBeLessThan(40_000);
		await pod.send({method: 'pause'});
		expect([status(), server.requests.length]).toEqual([{kind: 'paused', asks: [], queue: []}, 1]);
		await pod.send({method: 'resume'});
		await rest();
		expect(kinds(items())).toEqual([
			'setup',
			'submit',
			'request',
			'request_end',
			'run_end',
			'request',
			'assistant',
			'request_end',
			'run_end',
		]);
		expect([server.refusals, server.requests[1]!.body]).toEqual([[], server.requests[0]!.body]);
	});

	it('keeps the text of a stream that breaks, drops the incomplete call, and can be resumed', async () => {
		await using server = await startServer(wire, [
			[{type: 'text', text: 'Half of it', chunk: 4}, {type: 'cut'}],
			whole,
		]);
		const {pod, rest, items, status} = await talking(wire, server);
		await rest();
		expect(kinds(items())).toEqual(['setup', 'submit', 'request', 'assistant', 'request_end', 'run_end']);
		expect([items()[3], items().at(-1), status().kind]).toMatchObject([
			{text: 'Half of it'},
			{outcome: 'error', cause: expect.stringMatching(/\w/) as unknown},
			'paused',
		]);
		await pod.send({method: 'resume'});
		await rest();
		expect(kinds(items()).slice(6)).toEqual(['notice', 'request', 'assistant', 'request_end', 'run_end']);
		expect(server.refusals).toEqual([]);
	});

	it('ends a silent stream with an error, and can be resumed', async () => {
		await using server = await startServer(wire, [[{type: 'text', text: 'Half'}, {type: 'stall'}], whole]);
		const {pod, rest, items, status} = await talking(wire, server, {stallTimeoutMs: 500});
		await rest();
		expect([items().at(-1), status().kind]).toMatchObject([
			{outcome: 'error', cause: expect.stringContaining('sent nothing more for') as unknown},
			'paused',
		]);
		await pod.send({method: 'resume'});
		await rest();
		expect([items().at(-1), server.refusals]).toMatchObject([{outcome: 'finished'}, []]);
	});

	it('ends after one request when no word comes, and asks again only when it is resumed', async () => {
		await using server = await startServer(wire, [[{type: 'stall'}], whole]);
		const {pod, rest, items, status} = await talking(wire, server, {stallTimeoutMs: 500});
		await rest();
		expect([items().at(-1), status().kind, server.requests.length]).toMatchObject([
			{outcome: 'error', cause: expect.stringContaining('model.first_token_timeout') as unknown},
			'paused',
			1,
		]);
		await pod.send({method: 'resume'});
		await rest();
		expect([items().at(-1), server.requests.length]).toMatchObject([{outcome: 'finished'}, 2]);
	});

	it('ends at max_turns when a model always calls tools', async () => {
		const call: ServerAnswer = [{type: 'tool_call', name: 'read_file', arguments: {path: 'a.md'}}];
		await using server = await startServer(wire, [call, call, call, whole]);
		const {run, rest, items, status} = await talking(wire, server, {maxTurns: 3});
		await rest();
		expect([items().at(-1), server.requests.length, status().kind]).toMatchObject([
			{outcome: 'limit', cause: '3 model calls'},
			3,
			'idle',
		]);
		await run('and now');
		await rest();
		expect([items().at(-1), server.refusals]).toMatchObject([{outcome: 'finished'}, []]);
	});
});
