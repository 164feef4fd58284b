import {setImmediate as nextTurn} from 'node:timers/promises';
import type {NamedTool, Tool, ToolCall, ToolDefinition} from '../../worker/index.ts';
import {deniesAll} from '../permissions/approval/rule.ts';
import {callToolFacts, findToolsFacts} from '../protocol/tool-definitions.ts';
import {composeDefinitions, type OfferedTools} from '../tools/deferred/deferral.ts';
import {callTool, findToolsTool} from '../tools/deferred/definitions.ts';
import {nameCall} from '../tools/deferred/name-call.ts';
import type {PodParts} from './pod-parts.ts';

/**
Returns the tool definitions of the next request. Tools that can change come last, so that the beginning of the request
stays the same.
*/
export async function nextDefinitions(pod: PodParts): Promise<readonly ToolDefinition[]> {
	// The window decides whether tools are deferred, and a local server may not have reported its window yet.
	if (toolsOf(pod).ofServers.length > 0) await pod.session.meter.learnWindow();
	return composeDefinitions(toolsOf(pod));
}

/** Returns all tools that a call can run, whether they are deferred or not. */
export function callableTools(pod: PodParts): readonly Tool[] {
	const offered = toolsOf(pod);
	const {own, ofServers, isDenied} = offered;
	const areDeferred = composeDefinitions(offered).some(({name}) => name === findToolsFacts.name);
	if (!areDeferred) return [...own, ...ofServers];
	const listed = () => ofServers.map(({definition}) => definition).filter(({name}) => !isDenied(name));
	return [...own, ...ofServers, findToolsTool(listed), callTool()];
}

/**
Returns the call to run: for `call_tool`, the call that its arguments name. Returns the reason if there is no such call.
*/
export function calledTool(pod: PodParts, call: ToolCall): NamedTool {
	return nameCall(call, toolsOf(pod));
}

/**
Creates the JSON schemas of the tools before the first request needs them. Each schema gets its own turn of the event
loop.
*/
export async function describeTools(pod: PodParts): Promise<void> {
	for (const {definition} of toolsOf(pod).own) {
		await nextTurn();
		if (pod.session.closing.signal.aborted) return;
		void definition.parameters;
	}
}

/** Returns the tools that the pod offers. A child that may use `call_tool` may use the tools of all MCP servers. */
function toolsOf({features, options: {child}, session: {meter}, permissions: {approvals}}: PodParts): OfferedTools {
	const isOffered = ({definition}: Tool) => child?.tools?.includes(definition.name) !== false;
	const changing = features.flatMap(({changingTools}) => changingTools ?? []);
	const changed = (areDeferrable: boolean) =>
		changing.filter(tools => (tools.areDeferrable === true) === areDeferrable).flatMap(({tools}) => tools());
	const ofServers = changed(true);
	const {user, project} = approvals.rules();
	return {
		own: [...features.flatMap(({tools = []}) => tools), ...changed(false)].filter(isOffered),
		ofServers: child?.tools?.includes(callToolFacts.name) === true ? ofServers : ofServers.filter(isOffered),
		isDenied: name => [user, project].some(rules => deniesAll(rules, name)),
		window: meter.window(),
	};
}
