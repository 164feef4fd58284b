import {en} from '../../language/index.ts';
import type {CallFacts, Interceptor} from './interceptor.ts';
import type {EarlierRuns} from './interruption.ts';
import type {ToolCall} from '../history/item.ts';
import {isBeginning} from './json-beginning.ts';
import type {Tool, ToolInspection, ToolOutput} from './tool.ts';

/** A call that may run, because no check refused it. */
export type Execution = {
	readonly type: 'execute';
	readonly call: ToolCall;
	readonly tool: Tool;
	readonly args: unknown;
	/** The path for which the decisions were made (see `Tool.target`). */
	readonly target: string | undefined;
	readonly isRunLater: boolean;
	readonly isNew: boolean;
};

/** A call that may run, or the result of a call that does not run. */
export type Prepared = Execution | {readonly type: 'answer'; readonly call: ToolCall; readonly output: ToolOutput};

export type PrepareResult = Prepared | {readonly type: 'pause'} | {readonly type: 'abort'; readonly reason: string};

/**
The call that is prepared and run in place of the call that the model wrote, or a sentence for the model if there is no
such call. The call has the ids of the written call, whose item does not change.
*/
export type NamedTool = {readonly ok: true; readonly call: ToolCall} | {readonly ok: false; readonly sentence: string};

/** The parts of a run that are needed to prepare a call. */
export type PrepareContext = {
	readonly tools: ReadonlyMap<string, Tool>;
	/**
	Returns the call to run in place of a written call (see `NamedTool`). If this function is absent, the written call
	runs.
	*/
	readonly named?: ((call: ToolCall) => NamedTool) | undefined;
	readonly interceptor: Interceptor;
	readonly signal: AbortSignal;
	/** The earlier runs of calls that may have run already. */
	readonly earlierRuns: EarlierRuns;
};

/**
Checks a call's arguments and asks the interceptor. Both steps use the call that `named` returns. `isAfterChanges`:
earlier calls of the batch may change the situation before this call runs.
*/
export async function prepareCall(
	written: ToolCall,
	isAfterChanges: boolean,
	run: PrepareContext,
): Promise<PrepareResult> {
	const named = run.named?.(written) ?? {ok: true, call: written};
	if (!named.ok) return refuse(written, named.sentence);
	const {call} = named;
	const checked = check(call, run);
	if (!checked.ok) return refuse(call, checked.sentence);
	const {tool, args} = checked;
	const target = await tool.target?.(args);
	const isRunLater = target !== undefined && (await tool.isRunLater?.(target)) === true;
	const isNew = target !== undefined && (await tool.isNew?.(target)) === true;
	const inspection = {target, isRunLater, isNew, signal: run.signal};
	const earlierRun = run.earlierRuns.get(call.id);
	const facts: CallFacts = {
		effect: tool.effect,
		mayHaveRun: earlierRun !== undefined,
		earlierRun,
		...(isAfterChanges && {isAfterChanges}),
		args,
		target,
		...(isRunLater && {isRunLater}),
		...(isNew && {isNew}),
		...inspectionsOf(tool, args, inspection),
	};
	const verdict = (await run.interceptor.preToolCall?.(call, facts)) ?? {type: 'continue'};
	if (verdict.type === 'result') return {type: 'answer', call, output: verdict.output};
	return verdict.type === 'continue' ? {type: 'execute', call, tool, args, target, isRunLater, isNew} : verdict;
}

function inspectionsOf(
	tool: Tool,
	args: unknown,
	inspection: ToolInspection,
): Pick<CallFacts, 'preview' | 'confirmation'> {
	const preview = tool.preview?.bind(tool, args, inspection);
	const confirmation = tool.confirmation?.bind(tool, args, inspection);
	return {preview, confirmation};
}

type Checked =
	| {readonly ok: true; readonly tool: Tool; readonly args: unknown}
	| {readonly ok: false; readonly sentence: string};

function check({name, arguments: written}: ToolCall, {tools}: PrepareContext): Checked {
	const tool = tools.get(name);
	if (tool === undefined)
		return {ok: false, sentence: en`There is no tool ${name}. The tools are: ${[...tools.keys()].join(', ')}.`};
	const refuses = (what: string) => ({ok: false, sentence: en`The arguments of ${name} ${what}`}) as const;
	if (written.length > maxArguments) return refuses(en`are larger than 1 MB. Make several smaller calls.`);
	const parsed = parseArguments(written);
	if (!parsed.ok) return refuses(parsed.message);
	const checked = tool.check(parsed.value);
	return checked.ok ? {ok: true, tool, args: checked.args} : refuses(en`do not fit: ${checked.message}`);
}

function refuse(call: ToolCall, sentence: string): Prepared {
	return {type: 'answer', call, output: {summary: sentence, content: sentence, isError: true}};
}

/**
The maximum length of arguments, in UTF-16 units. No model writes this much in one call. Longer arguments would block
the process while they are checked or shown.
*/
const maxArguments = 1024 * 1024;

/**
The maximum depth of arguments. No tool needs more levels. A recursive check or preview can handle many more without a
stack overflow.
*/
const maxDepth = 256;

type Parsed = {readonly ok: true; readonly value: unknown} | {readonly ok: false; readonly message: string};

/**
Parses the arguments of a call. A blank text becomes an empty object, because some models write nothing if there are no
arguments.
*/
function parseArguments(text: string): Parsed {
	if (text.trim() === '') return {ok: true, value: {}};
	try {
		const value: unknown = JSON.parse(text);
		return isTooDeep(value) ? {ok: false, message: en`nest deeper than ${maxDepth} levels.`} : {ok: true, value};
	} catch (error) {
		if (isBeginning(text))
			return {
				ok: false,
				message: en`were cut before they were complete, and the call was not run. Make it again with shorter
					arguments, or split it into several calls.`,
			};
		return {ok: false, message: en`are not valid JSON: ${error instanceof Error ? error.message : String(error)}`};
	}
}

function isTooDeep(value: unknown): boolean {
	let level = [value];
	for (let depth = 0; level.length > 0; depth++) {
		if (depth > maxDepth) return true;
		level = level.flatMap(one => (typeof one === 'object' && one !== null ? Object.values(one) : []));
	}
	return false;
}
