import type {Clock, History, Tool} from '../../../worker/index.ts';
import {createBackground, type Background} from '../../tools/processes/background.ts';
import {keptOutputs, outputDir} from '../../tools/processes/output-file.ts';
import type {Env} from '../../ground/env/env.ts';
import type {Hub} from '../../run/status/hub.ts';
import type {Limits} from '../../config/limits.ts';
import type {Method, Receipt} from '../../protocol.ts';
import type {Scope} from '../../scope/scope.ts';
import {askTool, type AskToolOptions} from '../../tools/talk/ask.ts';
import {bashStopTool, bashTool, type BashConfinement} from '../../tools/commands/bash.ts';
import {planTool, type PlanToolOptions} from '../../tools/talk/plan.ts';
import {tasksTool} from '../../tools/talk/tasks.ts';
import {createTools} from '../../tools/tools.ts';
import {workflowTool, type WorkflowToolOptions} from '../../references/workflows/workflow-tool.ts';
import {endNotReported, endReportedLater} from './texts.ts';

type PodToolsOptions = {
	readonly scope: Scope;
	readonly limits: Limits;
	readonly env: Env;
	readonly clock: Clock;
	readonly history: History;
	readonly hub: Hub;
	readonly sessionDir: string;
	/** Makes folders readable. */
	readonly widen: (folders: readonly string[]) => Promise<void>;
	/** Notifies the pod that a background command has ended. */
	readonly send: (method: Method) => Promise<Receipt>;
	readonly workflow: WorkflowToolOptions;
	/** Confines the model's commands. */
	readonly confine?: BashConfinement;
	readonly questions: AskToolOptions & Pick<PlanToolOptions, 'mode'>;
};

/** The pod's own tools, and the background commands that they started. */
type PodTools = {readonly tools: readonly Tool[]; readonly background: Background};

export function createPodTools({
	scope,
	limits,
	env,
	clock,
	history,
	hub,
	sessionDir,
	widen,
	send,
	workflow,
	confine,
	questions,
}: PodToolsOptions): PodTools {
	const outputs = outputDir(sessionDir);
	const background = createBackground({
		clock,
		dir: outputs,
		async onEnd(text, {id, run, isStopped}) {
			const receipt = await send({method: 'notify', text, run});
			// A run has taken the notification, or it has ended without a further request.
			const isLater = hub.status().kind === 'paused' || (!run && hub.status().kind === 'idle');
			if (receipt.accepted && isLater && !isStopped) hub.alert({level: 'info', text: endReportedLater(id)});
			return isReported(receipt, hub);
		},
		onChange: running => hub.setStatus({background: running.length === 0 ? undefined : running}),
	});
	const commands = {
		scope,
		env,
		clock,
		maxOutputBytes: limits.tools.maxOutputBytes,
		maxScanBytes: limits.fileRefs.maxScanBytes,
		outputDir: outputs,
		background,
		onKept: async () => widen(keptOutputs(sessionDir)),
		confine,
	};
	return {
		tools: [
			...createTools({scope, limits, env, sessionDir, items: () => history.items}),
			workflowTool(workflow),
			bashTool(commands),
			bashStopTool(commands),
			askTool(questions),
			tasksTool(),
			planTool({...questions, clock, setMode: async mode => send({method: 'approval', mode})}),
		],
		background,
	};
}

/**
Tells whether the end of a background command needs no further report. If the pod refuses because it is closing, the
end is reported once more at its close.
*/
function isReported(receipt: Receipt, hub: Hub): boolean {
	if (receipt.accepted || receipt.code === 'closed') return receipt.accepted;
	hub.alert({level: 'error', text: endNotReported(receipt.sentence)});
	return true;
}
