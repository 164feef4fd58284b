import {en} from '../../../language/index.ts';
import type {NamedTool, ToolCall, ToolDefinition} from '../../../worker/index.ts';
import {isRecord} from '../../ground/values/is-record.ts';
import {callToolName, namedCall} from '../../protocol/named-call.ts';
import {findToolsFacts} from '../../protocol/tool-definitions.ts';
import type {OfferedTools} from './deferral.ts';
import {nearestTools} from './find.ts';

/**
Returns the call to run: for `call_tool` the call that it names. Returns a sentence for the model if it names none of
the servers' tools. A direct call of a deferred tool runs, too.
*/
export function nameCall(call: ToolCall, {own, ofServers, isDenied}: OfferedTools): NamedTool {
	if (ofServers.length === 0) return {ok: true, call};
	const named = namedCall(call);
	const isInner = named !== call;
	const isOwn = own.some(({definition}) => definition.name === named.name);
	const tool = ofServers.find(({definition}) => definition.name === named.name);
	const problem = isInner && tool !== undefined ? argumentProblem(tool.definition, named.arguments) : undefined;
	if (problem !== undefined) return {ok: false, sentence: problem};
	if (tool !== undefined) return {ok: true, call: named};
	if (isInner && (isOwn || named.name === findToolsFacts.name))
		return {ok: false, sentence: en`call_tool does not run ${named.name}. Call ${named.name} directly.`};
	if (isInner && named.name === callToolName)
		return {ok: false, sentence: en`call_tool does not run itself. Give it the name of a tool.`};
	if (!isInner && (isOwn || call.name === callToolName || call.name === findToolsFacts.name)) return {ok: true, call};
	const tools = ofServers.map(({definition}) => definition).filter(({name}) => !isDenied(name));
	const written = JSON.stringify(named.name.slice(0, maxName).toWellFormed());
	const near = nearestTools(tools, named.name);
	const hint = near.length === 0 ? en`Search with find_tools.` : en`Did you mean ${near.join(en` or `)}?`;
	return {ok: false, sentence: en`There is no tool ${written}. ${hint}`};
}

const maxName = 100;

/** The model may not have seen the schema, so the sentence names the arguments. The server checks their values. */
function argumentProblem({name, parameters}: ToolDefinition, written: string): string | undefined {
	const args = parsed(written);
	if (args === undefined) return undefined;
	const {properties, required, additionalProperties} = parameters;
	const names = isRecord(properties) ? Object.keys(properties) : [];
	const missing = Array.isArray(required) ? required.find(key => !Object.hasOwn(args, String(key))) : undefined;
	const unknown = additionalProperties === false ? Object.keys(args).find(key => !names.includes(key)) : undefined;
	if (missing === undefined && unknown === undefined) return undefined;
	const what =
		missing === undefined
			? en`there is no ${JSON.stringify((unknown ?? '').slice(0, maxName).toWellFormed())}`
			: en`${JSON.stringify(missing)} is missing`;
	const known = names.length === 0 ? en`It has no arguments.` : en`They are: ${names.slice(0, maxNames).join(', ')}.`;
	return en`The arguments of ${name} do not fit: ${what}. ${known}`;
}

const maxNames = 40;

function parsed(text: string): Readonly<Record<string, unknown>> | undefined {
	try {
		const value: unknown = JSON.parse(text);
		return isRecord(value) ? value : undefined;
	} catch {
		return undefined;
	}
}
