import type {CallFacts, Interceptor} from './interceptor.ts';
import type {EarlierRun} from './interruption.ts';
import type {ToolCall} from './item.ts';
import type {Tool, ToolOutput} from './tool.ts';

/** A call that may run: nothing refused it. */
export type Execution = {
	readonly type: 'execute';
	readonly call: ToolCall;
	readonly tool: Tool;
	readonly args: unknown;
	/** What was decided about; see `Tool.target`. */
	readonly target: string | undefined;
	readonly isRunLater: boolean;
};

/** A call that may run, or its result without a run. */
export type Prepared = Execution | {readonly type: 'answer'; readonly call: ToolCall; readonly output: ToolOutput};

export type PrepareEnd = Prepared | {readonly type: 'pause'} | {readonly type: 'abort'; readonly reason: string};

/** What preparing needs to know of a run. */
export type Preparing = {
	readonly tools: ReadonlyMap<string, Tool>;
	readonly interceptor: Interceptor;
	readonly signal: AbortSignal;
	/** The calls that may have run already, by the ids of their items. */
	readonly earlierRuns: ReadonlyMap<string, EarlierRun>;
};

/**
Checks a call's arguments and asks the interceptor. `isAfterChanges`: calls before it in the batch may change what it
finds.
*/
export async function prepareCall(call: ToolCall, isAfterChanges: boolean, run: Preparing): Promise<PrepareEnd> {
	const checked = check(call, run);
	if (!checked.ok) return refuse(call, checked.sentence);
	const {tool, args} = checked;
	const target = await tool.target?.(args);
	const isRunLater = target !== undefined && (await tool.isRunLater?.(target)) === true;
	const look = {target, isRunLater, signal: run.signal};
	const earlierRun = run.earlierRuns.get(call.id);
	const facts: CallFacts = {
		effect: tool.effect,
		mayHaveRun: earlierRun !== undefined,
		...(earlierRun && {earlierRun}),
		...(isAfterChanges && {isAfterChanges}),
		args,
		...(target !== undefined && {target}),
		...(isRunLater && {isRunLater}),
		...(tool.preview && {preview: async () => tool.preview!(args, look)}),
		...(tool.confirmation && {confirmation: async () => tool.confirmation!(args, look)}),
	};
	const verdict = (await run.interceptor.preToolCall?.(call, facts)) ?? {type: 'continue'};
	if (verdict.type === 'result') return {type: 'answer', call, output: verdict.output};
	return verdict.type === 'continue' ? {type: 'execute', call, tool, args, target, isRunLater} : verdict;
}

type Checked =
	| {readonly ok: true; readonly tool: Tool; readonly args: unknown}
	| {readonly ok: false; readonly sentence: string};

function check({name, arguments: written}: ToolCall, {tools}: Preparing): Checked {
	const tool = tools.get(name);
	if (tool === undefined)
		return {ok: false, sentence: `There is no tool ${name}. The tools are: ${[...tools.keys()].join(', ')}.`};
	const refuses = (what: string) => ({ok: false, sentence: `The arguments of ${name} ${what}`}) as const;
	if (written.length > maxArguments) return refuses('are larger than 1 MB. Make several smaller calls.');
	const parsed = parseArguments(written);
	if (!parsed.ok) return refuses(parsed.message);
	const checked = tool.check(parsed.value);
	return checked.ok ? {ok: true, tool, args: checked.args} : refuses(`do not fit: ${checked.message}`);
}

function refuse(call: ToolCall, sentence: string): Prepared {
	return {type: 'answer', call, output: {summary: sentence, content: sentence, isError: true}};
}

/**
In UTF-16 units. No model writes as much in one call; a check, a diff and a card of it would take all of the time.
*/
const maxArguments = 1024 * 1024;

/** Deeper than any tool needs, and far from what a recursive check or preview survives. */
const maxDepth = 256;

type Parsed = {readonly ok: true; readonly value: unknown} | {readonly ok: false; readonly message: string};

/** A model that calls a tool without arguments may write nothing at all. */
function parseArguments(text: string): Parsed {
	if (text.trim() === '') return {ok: true, value: {}};
	try {
		const value: unknown = JSON.parse(text);
		return isTooDeep(value) ? {ok: false, message: `nest deeper than ${maxDepth} levels.`} : {ok: true, value};
	} catch (error) {
		return {ok: false, message: `are not valid JSON: ${error instanceof Error ? error.message : String(error)}`};
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
