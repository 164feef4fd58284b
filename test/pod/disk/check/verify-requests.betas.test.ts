import {describe, expect, it} from 'vitest';
import {verifyRequests} from '../../../../src/pod/disk/check/verify-requests.ts';
import {requestSettings, type Item} from '../../../../src/worker/index.ts';
import {startServer} from '../../../helpers/wire-servers/index.ts';
import {modelAt, modelNames} from '../../../worker/wires/wire-model.ts';
import {setUp} from '../../../worker/worker-setup.ts';

describe('a session of a user with own beta features', () => {
	it.each(['mine-1', 'a-1,b-2,c-3,d-4,e-5,f-6'])('names them with the request, and verifies: %s', async betas => {
		const items = await asked(betas);
		const [request] = items.filter(item => item.type === 'request');
		expect(request?.rewrites?.find(({rule}) => rule === 'beta_header')?.where).toContain(betas.split(',').at(-1));
		expect(await verifyRequests(items)).toMatchObject({same: 1, different: 0});
	});

	it('does not verify without a beta feature that the request needs', async () => {
		const items = (await asked('mine-1')).map(item =>
			item.type === 'request'
				? {...item, rewrites: item.rewrites?.map(rewrite => ({...rewrite, where: rewrite.where.slice(-1)}))}
				: item,
		);
		expect(await verifyRequests(items)).toMatchObject({same: 0, different: 1});
	});
});

async function asked(betas: string): Promise<readonly Item[]> {
	await using server = await startServer('anthropic', [[{type: 'text', text: 'Said.'}]]);
	const {worker, history, options, user, setup} = setUp();
	const model = await modelAt('anthropic', server, {headers: {'anthropic-beta': betas}});
	const settings = requestSettings({provider: 'anthropic', model: modelNames.anthropic});
	const run = {...options(model), setup: {...setup, model: model.name, tools: [...setup.tools], settings}};
	await worker.run(user('Speak.'), run);
	return history.items;
}
