import type {Feature} from '../core/feature.ts';
import type {PodParts} from '../core/pod-parts.ts';
import type {Item, WorkflowInfo} from '../protocol.ts';
import {workflowTool} from '../references/workflows/workflow-tool.ts';
import {createWorkflows} from '../references/workflows/workflows.ts';

/** The workflows and the Knowledge of the project and the user. */
export function workflowsFeature({
	options: {env, clock},
	session: {scope, widen: widenScope, warn},
	permissions: {approvals, trust},
}: PodParts): Feature {
	const {pwd, owners} = scope;
	const {refusesReading} = approvals;
	const workflows = createWorkflows({pwd, env, owners, refusesReading, clock, trust, onWarning: warn});
	const widen = async (items: readonly Item[]) => widenScope(workflows.folders(items));
	return {
		name: 'workflows',
		tools: [workflowTool({workflows, clock, widen})],
		queries: {workflows: async () => workflows.list()},
		references: {
			workflows: () => workflows.source,
			preview: () => workflows.preview,
			offered: async () => (await workflows.list()).filter(isPickable),
			accept: widen,
		},
		setup: async () => ({workflows: await workflows.offered()}),
		// Listing shows the warnings about files.
		start: () => void setImmediate(() => void workflows.list()),
	};
}

/** Tells whether a popup offers a workflow. A submission would refuse the others. */
function isPickable({userInvocable, error}: WorkflowInfo): boolean {
	return userInvocable && error === undefined;
}
