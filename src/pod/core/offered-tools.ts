import {setImmediate as nextTurn} from 'node:timers/promises';
import type {NamedTool, Tool, ToolCall, ToolDefinition} from '../../worker/index.ts';
import {deniesAll} from '../permissions/approval/rule.ts';
import {callToolFacts, findToolsFacts} from '../protocol/tool-definitions.ts';
import {composeDefinitions, type OfferedTools} from '../tools/deferred/deferral.ts';
import {callTool, findToolsTool} from '../tools/deferred/definitions.ts';
import {nameCall} from '../tools/deferred/name-call.ts';
import type {PodParts} from './pod-parts.ts';

/**
Returns the definitions of the next request. Those that change come last, so that the beginning of a request stays.
*/
export async function nextDefinitions(pod: PodParts): Promise<readonly ToolDefinition[]> {
	// Whether tools are deferred depends on the window, and a local server may not have reported it yet.
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

/** Returns the call that a call names, or why there is none. */
export function calledTool(pod: PodParts, call: ToolCall): NamedTool {
	return nameCall(call, toolsOf(pod));
}

/** Makes the JSON schemas of the tools before the first request needs them, each in a turn of its own. */
export async function describeTools(pod: PodParts): Promise<void> {
	for (const {definition} of toolsOf(pod).own) {
		await nextTurn();
		if (pod.session.closing.signal.aborted) return;
		void definition.parameters;
	}
}

/** A child that may use `call_tool` may use all tools of servers. */
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
