import {en} from '../../../language/index.ts';
import type {NamedTool, ToolCall, ToolDefinition} from '../../../worker/index.ts';
import {isRecord} from '../../ground/values/is-record.ts';
import {callToolName, namedCall} from '../../protocol/named-call.ts';
import {findToolsFacts} from '../../protocol/tool-definitions.ts';
import {maxDefinitions, type OfferedTools} from './deferral.ts';
import {nearestTools} from './find.ts';

/**
Returns the call to run. For a call of `call_tool`, this is the call that it names. If this call cannot run, it returns
a sentence for the model. A direct call of a deferred tool runs, too.
*/
export function nameCall(call: ToolCall, offered: OfferedTools): NamedTool {
	if (offered.ofServers.length === 0) return {ok: true, call};
	const named = namedCall(call);
	const problem = named === call ? directProblem(call, offered) : innerProblem(named, offered);
	return problem === undefined ? {ok: true, call: named} : {ok: false, sentence: problem};
}

/**
Returns a sentence if a direct call names an unknown tool. If there are few tools, the worker itself refuses such a call
with a list of all tools.
*/
function directProblem({name}: ToolCall, {own, ofServers, isDenied}: OfferedTools): string | undefined {
	const all = [...own, ...ofServers].map(({definition}) => definition);
	const isKnown = all.some(tool => tool.name === name) || name === callToolName || name === findToolsFacts.name;
	return isKnown || all.length <= maxDefinitions ? undefined : unknownTool(name, all, isDenied);
}

function innerProblem({name, arguments: args}: ToolCall, {own, ofServers, isDenied}: OfferedTools): string | undefined {
	const tools = ofServers.map(({definition}) => definition);
	const tool = tools.find(each => each.name === name);
	if (tool !== undefined) return isDenied(name) ? undefined : argumentProblem(tool, args);
	if (name === callToolName) return en`call_tool does not run itself. Give it the name of a tool.`;
	if (name === findToolsFacts.name || own.some(({definition}) => definition.name === name))
		return en`call_tool does not run ${name}. Call ${name} directly.`;
	return unknownTool(name, tools, isDenied);
}

function unknownTool(name: string, tools: readonly ToolDefinition[], isDenied: OfferedTools['isDenied']): string {
	const near = nearestTools(
		tools.filter(tool => !isDenied(tool.name)),
		name,
	);
	const hint = near.length === 0 ? en`Search with find_tools.` : en`Did you mean ${near.join(en` or `)}?`;
	return en`There is no tool ${shown(name)}. ${hint}`;
}

/** Returns a name that a model or a server wrote, on one line and cut to a limit. */
function shown(name: string): string {
	return /^[\w.-]{1,100}$/.test(name) ? name : JSON.stringify(name.slice(0, maxName).toWellFormed());
}

const maxName = 100;

/** The model may not have seen the schema, so the sentence names the arguments. The server checks their values. */
function argumentProblem({name, parameters}: ToolDefinition, written: string): string | undefined {
	const args = parsed(written);
	if (args === undefined) return undefined;
	const {properties, required, additionalProperties, patternProperties} = parameters;
	const names = isRecord(properties) ? Object.keys(properties) : [];
	const isClosed = additionalProperties === false && patternProperties === undefined && isRecord(properties);
	const missing = Array.isArray(required) ? required.find(key => !Object.hasOwn(args, String(key))) : undefined;
	const unknown = isClosed ? Object.keys(args).find(key => !names.includes(key)) : undefined;
	if (missing === undefined && unknown === undefined) return undefined;
	const what =
		missing === undefined
			? en`it has no argument ${shown(unknown ?? '')}`
			: en`the argument ${shown(String(missing))} is missing`;
	const known =
		names.length === 0
			? en`The tool has no arguments.`
			: en`The tool has these arguments: ${names.slice(0, maxNames).join(', ')}.`;
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
