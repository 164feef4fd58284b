import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import type {Item} from '../../../../src/pod/protocol.ts';
import type {Answer} from '../../../../src/worker/index.ts';
import {reopened, testPod} from '../../../helpers/pod.ts';
import {tempProject} from '../../../helpers/temp-project.ts';
import {startServer, wires} from '../../../helpers/wire-servers/index.ts';
import {modelAt} from '../../../worker/wires/wire-model.ts';

const files = {
	'.inkpod/workflows/audit.md':
		'---\ndescription: Review code\nrequires: [style, api]\nmodel_invocation: true\n---\nReview $ARGUMENTS.\n',
	'.inkpod/knowledge/style.md': 'Tabs 日本.\n',
	'.inkpod/knowledge/api.md': 'Small.\n',
};

const answers: readonly Answer[] = [
	[{type: 'text', text: 'Reviewed.'}],
	[
		{type: 'tool_call', callId: 'call_1', name: 'workflow', arguments: {slug: 'audit', arguments: 'again'}},
		{type: 'tool_call', callId: 'call_2', name: 'glob', arguments: {pattern: '*'}},
	],
	[{type: 'text', text: 'Again.'}],
];

const documents = (args: string) => [
	'[Workflow /audit requires Knowledge #style]\nTabs 日本.',
	'[Workflow /audit requires Knowledge #api]\nSmall.',
	`[Workflow /audit]\nReview ${args}.`,
];

/**
Invokes a workflow as the user, resumes the session from disk, and invokes one as the model. Returns the requests to the
server, and the items.
*/
async function held(
	wire: (typeof wires)[number],
	reopen: boolean,
): Promise<{readonly bodies: readonly string[]; readonly items: readonly Item[]}> {
	const project = await tempProject(files);
	const env = {HOME: join(project.dir, '../home')};
	await using server = await startServer(wire, answers);
	let told = await testPod(project, {model: await modelAt(wire, server), env});
	expect(await told.run('/audit this')).toEqual({accepted: true});
	await told.rest();
	if (reopen) {
		await told.pod.send({method: 'shutdown'});
		told = await testPod(project, {model: await modelAt(wire, server), env, session: await reopened(told)});
	}
	await told.run('once more');
	await told.rest();
	expect(server.refusals).toEqual([]);
	return {
		bodies: server.requests.map(({body}) =>
			body.replaceAll(project.dir, '/project').replaceAll(told.session.id, 'S'),
		),
		items: told.items(),
	};
}

describe('the invocation of a workflow', () => {
	it.each(wires)(
		'keeps the order of items in every request over the %s wire, and a resume sends the same bytes',
		async wire => {
			const [one, other] = [await held(wire, false), await held(wire, true)];
			expect(one.bodies).toHaveLength(answers.length);
			expect(other.bodies).toEqual(one.bodies);
			const texts = other.items.flatMap(item =>
				item.type === 'message' && item.role === 'system' ? [item.text] : [],
			);
			expect(texts).toEqual([...documents('this'), ...documents('again')]);
			for (const [body, expected] of [
				[one.bodies[0]!, documents('this')],
				[one.bodies[1]!, documents('this')],
				[one.bodies[2]!, [...documents('this'), ...documents('again')]],
			] as const) {
				let from = 0;
				for (const text of expected) {
					const at = body.indexOf(JSON.stringify(text).slice(1, -1), from);
					expect(at).toBeGreaterThanOrEqual(from);
					from = at + 1;
				}
			}
		},
	);
});
