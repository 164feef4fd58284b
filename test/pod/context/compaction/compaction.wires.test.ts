import {describe, expect, it} from 'vitest';
import {verifyRequests} from '../../../../src/pod/disk/check/verify-requests.ts';
import type {Answer} from '../../../../src/worker/index.ts';
import {compactionLimits, words} from '../../../helpers/compacting.ts';
import {testPod} from '../../../helpers/pod.ts';
import {tempProject} from '../../../helpers/temp-project.ts';
import {startServer, wires} from '../../../helpers/wire-servers/index.ts';
import {modelAt} from '../../../worker/wires/wire-model.ts';

const talk = (input: number): Answer => [
	{type: 'reasoning', text: 'Hm.'},
	{type: 'text', text: words(80, 'talk')},
	{type: 'usage', input, output: 90},
];
const summary: Answer = [
	{type: 'reasoning', text: 'What matters?'},
	{type: 'tool_call', callId: 'toolu_mark', name: 'mark_read_required', arguments: {path: 'a.ts'}},
	{type: 'tool_call', callId: 'toolu_write', name: 'write_summary', arguments: {text: 'They talked.'}},
];
const reading: Answer = [
	{type: 'reasoning', text: 'Look.'},
	{type: 'tool_call', callId: 'toolu_a', name: 'read_file', arguments: {path: 'a.ts'}},
	{type: 'tool_call', callId: 'toolu_b', name: 'read_file', arguments: {path: 'b.ts'}},
	{type: 'usage', input: 1900, output: 90},
];

describe.each(wires)('a session over the %s wire', wire => {
	it('compacts and retries once when a request is refused as too long, and every request can be rebuilt', async () => {
		const project = await tempProject({'a.ts': 'a\n', 'b.ts': 'b\n'});
		const tooLong = {
			status: 400,
			body: JSON.stringify({
				error: {
					message: 'prompt is too long: 210000 tokens > 200000 maximum',
					type: 'invalid_request_error',
					code: 400,
					status: 'INVALID_ARGUMENT',
				},
			}),
		};
		await using server = await startServer(wire, [
			talk(1700),
			talk(1800),
			reading,
			tooLong,
			summary,
			[{type: 'text', text: 'Done.'}],
			talk(1700),
		]);
		const told = await testPod(project, {
			model: await modelAt(wire, server),
			limits: compactionLimits({retainedTokens: 60}),
		});
		for (const text of ['Earliest', 'Second', 'Third']) {
			expect(await told.run(text)).toEqual({accepted: true});
			await told.rest();
		}
		const items = told.items();
		expect(server.refusals).toEqual([]);
		expect(items.filter(({type}) => type === 'compaction')).toMatchObject([{summary: 'They talked.', refused: []}]);
		expect(items.flatMap(item => (item.type === 'run_end' ? [item.outcome] : []))).toEqual([
			'finished',
			'finished',
			'finished',
		]);
		const [summarising, retried] = [server.requests[4]!.body, server.requests.at(-1)!.body];
		expect(summarising).toContain('Earliest');
		expect(retried).toContain('They talked.');
		expect(retried).toContain('[Auto-read file: a.ts]');
		expect(retried).not.toContain('Earliest');
		expect(await verifyRequests(items)).toMatchObject({different: 0, unmade: 0});
	});
});
