import type {Feature} from '../core/feature.ts';
import type {CoreOptions} from '../core/options.ts';
import type {PodParts} from '../core/pod-parts.ts';
import type {WorkflowSource} from '../references/submission/workflow.ts';
import {accepted} from '../run/status/job.ts';
import type {EditorServers} from '../servers/mcp/editor-servers.ts';
import {createMcp, type Mcp} from '../servers/mcp/mcp.ts';
import {offeredResources} from '../servers/mcp/offered-resources.ts';
import {offeredPrompts, promptSlug, withPrompts} from '../servers/mcp/prompt-source.ts';
import {resourceReader} from '../servers/mcp/offered-resources.ts';
import {dirname} from 'node:path';
import {recordPrompts} from '../disk/prompt-history/record-prompts.ts';
import type {UsedNames} from '../disk/prompt-history/used-names.ts';
import type {Query} from '../protocol/queries.ts';

export type McpFeatureOptions = {
	/** The MCP servers that an editor passed with the session. */
	readonly editorServers?: EditorServers;
};

/** The MCP servers: their tools, prompts and resources. A child session uses the servers of its parent. */
export function mcpFeature(pod: PodParts<CoreOptions & McpFeatureOptions>): Feature {
	const inherited = pod.options.child?.features.find(feature => feature.name === name);
	return inherited === undefined ? ownServers(pod) : {...inherited, start: undefined, stop: undefined};
}

/**
The user's prompts and commands in all sessions of the project. inkpod does not store the prompts of print mode, because
a script may send them.
*/
export function promptHistoryFeature({
	options: {session: stored, attended},
	session: {history, warn},
}: PodParts): Feature {
	const place = () => ({project: dirname(stored.dir), session: stored.id});
	const recorder = attended ? recordPrompts({history, place, onProblem: warn}) : undefined;
	let search: Promise<Query<'prompts'>> | undefined;
	let usedNames: Promise<UsedNames> | undefined;
	return {
		name: 'prompt_history',
		queries: {
			async prompts(query, signal) {
				search ??= import('../disk/prompt-history/prompt-search.ts').then(({createPromptSearch}) =>
					createPromptSearch(place),
				);
				return (await search)(query, signal);
			},
			async used(command) {
				if (command !== undefined) await recorder?.use(command);
				usedNames ??= import('../disk/prompt-history/used-names.ts').then(({createUsedNames}) =>
					createUsedNames(() => place().project),
				);
				return (await usedNames)();
			},
		},
		stop: recorder?.stop,
	};
}

const name = 'mcp';

function ownServers({
	options: {env, attended, editorServers},
	session: {scope, hub, user, warn, closing},
	permissions: {trust},
}: PodParts<CoreOptions & McpFeatureOptions>): Feature {
	const {pwd, owners} = scope;
	const {signal} = closing;
	const onStart = () => hub.setStatus({step: 'resolving'});
	const mcp = createMcp({pwd, env, owners, trust, attended, onStart, onWarning: warn, editorServers, ...user});
	return {
		name,
		changingTools: {...mcp, areDeferrable: true},
		methods: {
			async change_mcp({server, action}) {
				const trouble = await mcp.change(server, action, signal);
				return trouble === undefined ? accepted : {accepted: false, code: 'no_such_server', sentence: trouble};
			},
		},
		queries: {mcp: async () => mcp.list()},
		references: {
			workflows: earlier => withPrompts(earlier, mcp),
			preview: earlier => previewOf(earlier, mcp),
			offered: async () => offeredPrompts(mcp, signal),
			resources: resourceReader(mcp),
			offeredResources: async text => offeredResources(mcp, text, signal),
		},
		setup: async () => ({hasServers: mcp.tools().length > 0}),
		start() {
			if (user.ask !== undefined) void mcp.askTrust(signal);
		},
		stop: async () => mcp.close(),
	};
}

/**
Returns the workflows for a preview. A preview sends nothing to a server, so the messages of MCP prompts are missing.
*/
function previewOf(preview: WorkflowSource, mcp: Mcp): WorkflowSource {
	return {
		...preview,
		prompts: async () => mcp.names(),
		invoke: async (slug, args, signal) =>
			promptSlug.test(slug) ? {ok: true, drafts: []} : preview.invoke(slug, args, signal),
	};
}
