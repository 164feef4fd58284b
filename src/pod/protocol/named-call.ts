import type {ToolCall} from '../../worker/index.ts';

/** The tool that runs a deferred tool: `call_tool {name, arguments}` (docs/mcp.md, "Many tools"). */
export const callToolName = 'call_tool';

/**
Returns the call that a call of `call_tool` names, with the same ids. Returns any other call unchanged, and also a call
whose arguments name no tool. Decisions, hooks and rows use the named call, while the item keeps what the model wrote.
`isOpen`: the arguments are still arriving, so the function parses the part that has arrived.
*/
export function namedCall(call: ToolCall, isOpen = false): ToolCall {
	if (call.name !== callToolName || call.arguments.length > maxArguments) return call;
	const named = isOpen ? beginningOf(call.arguments) : wholeOf(call.arguments);
	return named === undefined ? call : {...call, ...named};
}

type Named = Pick<ToolCall, 'name' | 'arguments'>;

/** The limit for arguments in prepare-call.ts, in UTF-16 code units. inkpod refuses a call with longer arguments. */
const maxArguments = 1024 * 1024;

function wholeOf(text: string): Named | undefined {
	try {
		const value: unknown = JSON.parse(text);
		if (!isRecord(value)) return undefined;
		const {name, arguments: args = {}} = value;
		if (typeof name !== 'string' || name === '') return undefined;
		// Some models write the inner arguments as JSON in a string.
		if (typeof args === 'string') return {name, arguments: args};
		return isRecord(args) ? {name, arguments: JSON.stringify(args)} : undefined;
	} catch {
		// The text is not JSON, or is nested too deeply for `JSON.stringify`. The check of the call reports the
		// problem.
		return undefined;
	}
}

function beginningOf(text: string): Named | undefined {
	const [whole = '', name = ''] = /^\s*\{\s*"name"\s*:\s*"([\w.-]+)"\s*(?:,\s*"arguments"\s*:\s*)?/.exec(text) ?? [];
	return name === '' ? undefined : {name, arguments: text.slice(whole.length)};
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
