import {join} from 'node:path';
import {
	createHistory,
	memoryLog,
	runToolCalls,
	stamp,
	systemClock,
	type Clock,
	type Item,
	type Tool,
	type ToolOutput,
} from '../../../worker/index.ts';
import {createApprovals} from '../../permissions/approval/approvals.ts';
import {createConfinement} from '../../permissions/confine/confinement.ts';
import {withoutNamedKeys} from '../../ground/env/child-env.ts';
import type {Env} from '../../ground/env/env.ts';
import {createBackground} from '../../tools/processes/background.ts';
import type {Plan} from '../start/plan.ts';
import {bashStopTool, bashTool} from '../../tools/commands/bash.ts';
import {confinementOfBash} from '../../tools/commands/bash-confinement.ts';
import {createTools} from '../../tools/tools.ts';

type ToolboxOptions = {
	readonly plan: Pick<Plan, 'scope' | 'owners' | 'limits' | 'confine' | 'approval' | 'keyNames'>;
	readonly env: Env;
	/** The folder of backups and long outputs. The plan's scope can read this folder. */
	readonly folder: string;
	/** Whether the toolbox offers the tools that change files. */
	readonly write: boolean;
	/** Whether the toolbox offers the tools for commands. Rules decide about each command. */
	readonly commands: boolean;
	readonly onWarning: (sentence: string) => void;
};

/** The pod's own tools without a session, for another program. */
export type Toolbox = {
	readonly tools: ReadonlyArray<Tool['definition']>;
	/**
	Runs a call with the same checks, rules and limits as a call of the model. No user can answer, so calls that need
	approval are refused. Rejects only with the signal's reason.
	*/
	call(name: string, args: unknown, signal: AbortSignal): Promise<Pick<ToolOutput, 'content' | 'isError'>>;
	/** Stops the commands that still run. */
	close(): Promise<void>;
};

export function createToolbox(options: ToolboxOptions): Toolbox {
	const {plan, folder, write, commands, onWarning} = options;
	const env = withoutNamedKeys(options.env, plan.keyNames);
	const clock = systemClock();
	const scope = {...plan.scope, owners: plan.owners};
	const confinement =
		plan.confine.mode === 'off' ? undefined : createConfinement({settings: plan.confine, scope, env});
	const approvals = createApprovals({
		...plan.approval,
		scope,
		env,
		mode: write ? 'accept-edits' : 'ask',
		onTrouble: onWarning,
		...(confinement !== undefined && {unconfined: async () => confinement.missing()}),
	});
	/**
	The earlier calls and results, without their contents. A tool that changes a file needs to know which files were
	read.
	*/
	const seen: Item[] = [];
	const background = createBackground({clock, dir: join(folder, 'outputs'), onEnd: async () => true});
	const {maxOutputBytes} = plan.limits.tools;
	const bash = {
		scope,
		env,
		clock,
		maxOutputBytes,
		maxScanBytes: plan.limits.fileRefs.maxScanBytes,
		outputDir: join(folder, 'outputs'),
		onKept: async () => {},
		background,
		...confinementOfBash(confinement, {user: {}, hub: {alert: ({text}) => onWarning(text)}}, approvals),
	};
	const own = createTools({scope, limits: plan.limits, env, sessionDir: folder, items: () => seen});
	const offered = [
		...own.filter(({effect}) => write || effect === 'read'),
		...(commands ? [bashTool(bash), bashStopTool(bash)] : []),
	];
	const tools = new Map(offered.map(tool => [tool.definition.name, tool]));
	return {
		tools: offered.map(({definition}) => definition),
		call: async (name, args, signal) =>
			callTool(
				{name, args},
				{tools, clock, maxOutputBytes, signal, seen, interceptor: approvals.interceptor(signal)},
			),
		async close() {
			await background.close();
		},
	};
}

type Calling = {
	readonly tools: ReadonlyMap<string, Tool>;
	readonly clock: Clock;
	readonly maxOutputBytes: number;
	readonly signal: AbortSignal;
	readonly interceptor: ReturnType<ReturnType<typeof createApprovals>['interceptor']>;
	readonly seen: Item[];
};

async function callTool(
	{name, args}: {readonly name: string; readonly args: unknown},
	{seen, ...run}: Calling,
): Promise<Pick<ToolOutput, 'content' | 'isError'>> {
	const {clock, signal} = run;
	const history = createHistory(memoryLog, []);
	const call = stamp(clock, {type: 'tool_call', callId: clock.id(), name, arguments: JSON.stringify(args ?? {})});
	await history.append([call]);
	await runToolCalls([call], {...run, history, earlierRuns: new Map(), onDelta: () => {}});
	signal.throwIfAborted();
	const result = history.items.find(item => item.type === 'tool_result');
	if (result === undefined) return {content: `${name} was not run.`, isError: true};
	if (result.details !== undefined) seen.push({...call, arguments: '{}'}, {...result, content: ''});
	return {content: result.content, isError: result.isError};
}
