import type {Tool, ToolDefinition} from '../../../worker/index.ts';
import {estimateTokens} from '../../ground/text/tokens.ts';
import {callTool, findToolsDefinition} from './definitions.ts';

/** The tools of a session. Only the tools of MCP servers may be deferred. */
export type OfferedTools = {
	readonly own: readonly Tool[];
	readonly ofServers: readonly Tool[];
	/** Whether a rule denies every call of a tool. The list of deferred tools leaves out such a tool. */
	readonly isDenied: (name: string) => boolean;
	/** The model's window in tokens, if it is known. */
	readonly window: number | undefined;
};

/** The maximum number of definitions in a request without deferred tools. */
export const maxDefinitions = 40;

/**
Returns the definitions of a request. If there are more than 40 definitions, or they take more than a tenth of the
window, `find_tools` and `call_tool` replace the tools of servers. The same tools and the same window give the same
result, so a resumed session defers the same tools.
*/
export function composeDefinitions({own, ofServers, isDenied, window}: OfferedTools): readonly ToolDefinition[] {
	const ownDefinitions = own.map(({definition}) => definition);
	const whole = ofServers.map(({definition}) => definition);
	const direct = [...ownDefinitions, ...whole];
	const isMany = direct.length > maxDefinitions;
	if (whole.length === 0 || (!isMany && tokensOf(direct) <= maxShare * (window ?? Infinity))) return direct;
	const shown = whole.filter(({name}) => !isDenied(name));
	if (shown.length === 0) return ownDefinitions;
	const deferred = [findToolsDefinition(shown, listTokens(window)), callTool().definition];
	// A few small tools of servers may be shorter than the two tools that would replace them.
	return tokensOf(deferred) < tokensOf(whole) ? [...ownDefinitions, ...deferred] : direct;
}

/** The maximum share of the window for the definitions in a request without deferred tools. */
const maxShare = 0.1;

/**
The maximum estimated tokens of the list. The tools of a request, including inkpod's own, then have at most 6,000.
*/
const maxListTokens = 3200;

function listTokens(window = Infinity): number {
	return Math.min(maxListTokens, maxShare * window);
}

function tokensOf(definitions: readonly ToolDefinition[]): number {
	return definitions.reduce((sum, definition) => sum + estimate(definition), 0);
}

/** Each definition is estimated only once, because the tools of servers stay the same for many requests. */
function estimate(definition: ToolDefinition): number {
	const tokens = estimates.get(definition) ?? estimateTokens(JSON.stringify(definition));
	estimates.set(definition, tokens);
	return tokens;
}

const estimates = new WeakMap<ToolDefinition, number>();
