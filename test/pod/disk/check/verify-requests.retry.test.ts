import {describe, expect, it} from 'vitest';
import {verifyRequests} from '../../../../src/pod/disk/check/verify-requests.ts';
import {requestSettings, type Answer, type Item} from '../../../../src/worker/index.ts';
import {startServer, wires, type WireName} from '../../../helpers/wire-servers/index.ts';
import {modelAt, modelNames} from '../../../worker/wires/wire-model.ts';
import {setUp} from '../../../worker/worker-setup.ts';

/** Two attempts break after a thought, the third one answers. */
const answers: readonly Answer[] = [
	[{type: 'reasoning', text: 'Lost once.'}, {type: 'cut'}],
	[{type: 'reasoning', text: 'Lost twice.'}, {type: 'cut'}],
	[{type: 'text', text: 'Said.'}],
];

describe.each(wires)('a retry that threw thoughts away, over the %s wire', wire => {
	it('sends the same body, names the thoughts, and verifies', async () => {
		const items = await retried(wire);
		const requests = items.filter(item => item.type === 'request');
		const left = requests.map(({rewrites = []}) => rewrites.find(({rule}) => rule === 'cut_thought')?.where.length);
		expect(left).toEqual([undefined, 1, 2]);
		expect(new Set(requests.map(({requestHash}) => requestHash)).size).toBe(1);
		expect(await verifyRequests(items)).toMatchObject({same: 3, different: 0, unmade: 0, unchecked: 0});
	});

	it('verifies in a session of a version that named them one request later', async () => {
		const items = (await retried(wire)).map(item =>
			item.type === 'request'
				? {...item, rewrites: (item.rewrites ?? []).filter(({rule}) => rule !== 'cut_thought')}
				: item,
		);
		expect(await verifyRequests(items)).toMatchObject({same: 3, different: 0});
	});

	it('does not verify if another rule is missing', async () => {
		const items = (await retried(wire)).map(item =>
			item.type === 'request'
				? {...item, rewrites: [...(item.rewrites ?? []), {rule: 'gap_line', where: ['x']}]}
				: item,
		);
		expect(await verifyRequests(items)).toMatchObject({same: 0, different: 3});
	});
});

async function retried(wire: WireName): Promise<readonly Item[]> {
	await using server = await startServer(wire, answers);
	const {worker, history, options, user, setup} = setUp();
	const model = await modelAt(wire, server);
	const settings = requestSettings({provider: wire, model: modelNames[wire]});
	const run = {...options(model), setup: {...setup, model: model.name, tools: [...setup.tools], settings}};
	await worker.run(user('Speak.'), run);
	expect(server.refusals).toEqual([]);
	expect(history.items.at(-1)).toMatchObject({type: 'run_end', outcome: 'finished'});
	return history.items;
}
