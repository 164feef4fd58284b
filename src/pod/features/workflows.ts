import type {Feature} from '../core/feature.ts';
import type {PodParts} from '../core/pod-parts.ts';
import type {Item, WorkflowInfo} from '../protocol.ts';
import type {OfferedWorkflow} from '../references/workflows/workflow-info.ts';
import {workflowTool} from '../references/workflows/workflow-tool.ts';
import {createWorkflows} from '../references/workflows/workflows.ts';

/** The workflows and the Knowledge files of the project and the user. */
export function workflowsFeature({
	options: {env, clock},
	session: {scope, widen: widenScope, warn},
	permissions: {approvals, trust},
}: PodParts): Feature {
	const {pwd, owners} = scope;
	const {refusesReading} = approvals;
	const workflows = createWorkflows({pwd, env, owners, refusesReading, clock, trust, onWarning: warn});
	const widen = async (items: readonly Item[]) => widenScope(workflows.folders(items));
	const tool = workflowTool({workflows, clock, widen});
	let hasOffers = false;
	async function offered(): Promise<readonly OfferedWorkflow[]> {
		const all = await workflows.offered();
		hasOffers = all.length > 0;
		return all;
	}
	return {
		name: 'workflows',
		// The tool is offered only if there is a workflow that the model may invoke. Otherwise a useless tool would
		// make each request longer.
		changingTools: {
			tools: () => (hasOffers ? [tool] : []),
			prepare: async () => void (await offered()),
			renew: async () => false,
		},
		queries: {workflows: async () => workflows.list()},
		references: {
			workflows: () => workflows.source,
			preview: () => workflows.preview,
			offered: async () => (await workflows.list()).filter(isPickable),
			accept: widen,
		},
		setup: async () => ({workflows: await offered()}),
		// Listing the workflows shows the warnings about their files.
		start: () => void setImmediate(() => void workflows.list()),
	};
}

/** Tells whether the completion popup offers a workflow. A message with any other workflow would be refused. */
function isPickable({userInvocable, error}: WorkflowInfo): boolean {
	return userInvocable && error === undefined;
}
