import {
	HistoryError,
	stamp,
	type Clock,
	type Draft,
	type History,
	type Message,
	type Model,
	type RunOptions,
	type RunResult,
	type Worker,
} from '../../worker/index.ts';
import {closingResults, interruption, missingRunEnd} from '../history/reader.ts';
import type {Approvals} from '../approval/approvals.ts';
import {confirmCalls} from '../approval/confirm.ts';
import type {Asks} from '../status/asks.ts';
import type {Compacted, Compaction} from '../compaction/automatic.ts';
import type {Pending} from '../controller/controller.ts';
import type {Env} from '../env/env.ts';
import type {Hub} from '../status/hub.ts';
import {composeInterceptors} from './compose-interceptors.ts';
import type {Instructions} from '../instructions/instructions.ts';
import {closureCauses, interruptItems} from '../prompts/interrupt.ts';
import type {Limits} from '../config/limits.ts';
import type {Mcp} from '../mcp/mcp.ts';
import {confirmWorkingDirectory} from './working-directory.ts';
import {commitNotifications, notification} from './notification.ts';
import type {Ask, Item, Refusal, Segment} from '../protocol.ts';
import {guardRepeats} from '../approval/guard-repeats.ts';
import type {Scope} from '../scope/scope.ts';
import type {Session} from '../session/session.ts';
import type {Steering} from './steering.ts';
import type {Rejection, resolveSubmission} from '../submission/submission.ts';
import {hookCalls, type ToolHooks} from '../hooks/tool-hooks.ts';
import type {JobEnd} from '../status/job.ts';

/** What the turns of a session are made with. */
export type Turns = {
	readonly options: {
		readonly session: Session;
		readonly scope: Scope;
		readonly limits: Limits;
		readonly clock: Clock;
		readonly model: {readonly load: () => Promise<Model>};
		readonly env: Env;
		readonly attended: boolean;
		readonly isFolderChosen?: boolean;
		readonly toolHooks?: ToolHooks;
	};
	readonly history: History;
	readonly hub: Hub;
	readonly asks: Asks;
	readonly worker: Worker;
	readonly mcp: Mcp;
	/** What the next request is made with. */
	readonly setup: () => Promise<Draft<'setup'>>;
	readonly resolve: Resolve;
	readonly steering: Steering;
	readonly approvals: Approvals;
	readonly instructions: Instructions;
	readonly compaction: Compaction;
	/** Lets the folders of the skills among these items be read. */
	readonly widen: (items: readonly Item[]) => Promise<void>;
	readonly run: CurrentRun;
};

export type Resolve = (segments: readonly Segment[], signal: AbortSignal) => ReturnType<typeof resolveSubmission>;

export type CurrentRun = {
	/** Why the last run has no run_end in history, when it could not be saved. */
	lostEnd?: string | undefined;
};

/**
Does a piece of work. The signal's reason is `pause` or `cancel`; `committed` is called when its first commit is
durable.
*/
export async function startTurn(
	turns: Turns,
	pending: Pending,
	signal: AbortSignal,
	committed: () => void,
): Promise<JobEnd> {
	return savedOrTold(turns, async () => begin(turns, pending, signal, committed));
}

/** Gives the paused turn up: its calls are closed, and the run counts as cancelled. */
export async function abandonTurn(turns: Turns): Promise<JobEnd> {
	const {
		history,
		options: {clock},
		run,
	} = turns;
	return savedOrTold(turns, async () => {
		const lost = await lostBy(turns);
		const end = stamp(clock, {type: 'run_end', outcome: 'cancelled'});
		await history.append([
			...lost,
			...missingRunEnd(history.items, clock, run.lostEnd),
			...closingResults([...history.items, ...lost], closureCauses.cancelled, clock),
			end,
		]);
		run.lostEnd = undefined;
		return {type: 'ended', outcome: 'cancelled'};
	});
}

/** Runs a command of the person's beside the conversation: whether a turn is interrupted stays as it was. */
export async function runShell(
	{options, history, hub}: Turns,
	cwd: string,
	command: string,
	signal: AbortSignal,
): Promise<JobEnd> {
	const {env, clock, limits} = options;
	const {runCommand} = await import('../processes/shell.ts');
	try {
		const ran = await runCommand(command, {
			cwd,
			env,
			clock,
			maxBytes: limits.tools.maxOutputBytes,
			signal,
			onDelta: delta => hub.delta(delta),
		});
		if (!ran.ok) return {type: 'refused', code: ran.code, sentence: ran.sentence};
		await history.append([ran.item]);
		return {type: 'done'};
	} catch (error) {
		hub.dropTail();
		if (error instanceof HistoryError) return {type: 'unsaved', sentence: error.message};
		throw error;
	}
}

/**
Compacts the context at the person's word. The signal's reason makes no difference: stopped, it has left no trace.
*/
export async function compactContext(turns: Turns, hint: string | undefined, signal: AbortSignal): Promise<JobEnd> {
	return savedOrTold(turns, async () => {
		const moved = await moveHere(turns, signal);
		if (!moved.ok) return {type: 'refused', code: moved.code, sentence: moved.sentence};
		const done = await turns.compaction.compact(hint, signal);
		if (done.ok) return {type: 'done'};
		return done.reason === 'unsaved'
			? {type: 'unsaved', sentence: done.sentence}
			: {type: 'refused', code: refusals[done.reason], sentence: done.sentence};
	});
}

const refusals = {nothing: 'empty', aborted: 'aborted', hook: 'hook', failed: 'compaction'} as const satisfies {
	readonly [Reason in Exclude<Extract<Compacted, {ok: false}>['reason'], 'unsaved'>]: Refusal;
};

/** What ended with the session is said to whoever opens it again. */
export async function tellLast({history, options: {clock, limits}}: Turns, texts: readonly string[]): Promise<void> {
	if (texts.length === 0) return;
	const receipt = await commitNotifications(
		history,
		texts.map(text => notification(text, {clock, maxBytes: limits.tools.maxOutputBytes, forRun: false})),
	);
	if (!receipt.accepted) throw new Error(receipt.sentence);
}

/** Tells what has to be said of a submission, taken or not. */
export function tellAlerts(hub: Hub, {alerts = []}: Pick<Rejection, 'alerts'>): void {
	for (const alert of alerts) hub.alert(alert);
}

async function begin(turns: Turns, pending: Pending, signal: AbortSignal, committed: () => void): Promise<JobEnd> {
	const moved = await moveHere(turns, signal);
	return moved.ok
		? work[pending.type](turns, pending as never, signal, committed)
		: {type: 'refused', code: moved.code, sentence: moved.sentence};
}

async function moveHere(
	{options: {session, scope, clock, attended, isFolderChosen = false}, history, asks}: Turns,
	signal: AbortSignal,
): ReturnType<typeof confirmWorkingDirectory> {
	return confirmWorkingDirectory(
		{history, clock, from: session.cwd, to: scope.pwd, isChosen: isFolderChosen, ...(attended && {asks})},
		signal,
	);
}

type Work<Type extends Pending['type']> = (
	turns: Turns,
	pending: Extract<Pending, {type: Type}>,
	signal: AbortSignal,
	committed: () => void,
) => Promise<JobEnd>;

const work: {readonly [Type in Pending['type']]: Work<Type>} = {
	async run(turns, {segments}, signal, committed) {
		const {history, hub, worker, options} = turns;
		const submission = await turns.resolve(segments, signal);
		if (!submission.ok) return {type: 'refused', code: submission.code, sentence: submission.sentence};
		const model = await options.model.load();
		await turns.mcp.prepare(signal);
		if (signal.aborted) return stopped;
		tellAlerts(hub, submission);
		await turns.widen(submission.attachments);
		const before = interruptItems(history.items, {
			clock: options.clock,
			follows: 'words',
			lostEnd: turns.run.lostEnd,
			lost: await lostBy(turns),
		});
		return endOf(
			turns,
			await worker.run([...(await turns.instructions.due(submission.attachments, signal)), submission.user], {
				...(await runOptions(turns, model, signal, committed, submission.attachments)),
				before,
			}),
		);
	},
	async runForNotification(turns, {text}, signal, committed) {
		const {
			history,
			worker,
			options: {clock, limits, model},
		} = turns;
		await turns.mcp.prepare(signal);
		if (signal.aborted) return stopped;
		const run = await runOptions(turns, await model.load(), signal, committed);
		const before = interruptItems(history.items, {
			clock,
			follows: 'notification',
			lostEnd: turns.run.lostEnd,
			lost: await lostBy(turns),
		});
		return endOf(
			turns,
			await worker.run(
				[
					...(await turns.instructions.due([], signal)),
					notification(text, {clock, maxBytes: limits.tools.maxOutputBytes, forRun: true}),
				],
				{...run, before},
			),
		);
	},
	async resume(turns, _pending, signal, committed) {
		const model = await turns.options.model.load();
		await turns.mcp.prepare(signal);
		if (signal.aborted) return stopped;
		const before = await lostBy(turns);
		return endOf(
			turns,
			await turns.worker.resume({...(await runOptions(turns, model, signal, committed)), before}),
		);
	},
};

/** What the commands of an interrupted run wrote that is not in history. */
async function lostBy({history, options: {session, clock, limits}}: Turns): Promise<readonly Item[]> {
	if (interruption(history.items) === undefined) return [];
	const {lostOutputs} = await import('../command/lost-output.ts');
	return lostOutputs(history.items, {sessionDir: session.dir, clock, maxBytes: limits.tools.maxOutputBytes});
}

/** Before anything was committed. */
const stopped: JobEnd = {type: 'refused', code: 'aborted', sentence: 'It was stopped before it began.'};

/** The interceptor is made for one run: it holds what this submission brings, and delivers what is said meanwhile. */
async function runOptions(
	{options, hub, asks, setup, steering, approvals, instructions, compaction, run}: Turns,
	model: Model,
	signal: AbortSignal,
	onCommit: () => void,
	attachments: readonly Message[] = [],
): Promise<RunOptions> {
	const ask = options.attended ? async (question: Omit<Ask, 'id'>) => asks.ask(question, signal) : undefined;
	const calls = hookCalls(options.toolHooks ?? {}, signal, {onAlert: alert => hub.alert(alert)});
	const interceptor = composeInterceptors(
		{...(attachments.length > 0 && {onPromptSubmit: () => ({type: 'continueWith', items: attachments})})},
		...calls.first,
		approvals.interceptor(signal),
		guardRepeats(ask),
		confirmCalls(ask),
		...calls.last,
		compaction.interceptor(signal),
		instructions.interceptor(steering.interceptor(signal), signal),
	);
	return {model, setup: await setup(), interceptor, signal, onCommit, lostEnd: run.lostEnd};
}

function endOf(turns: Turns, result: RunResult): JobEnd {
	if (result.type === 'unsaved') return unsaved(turns, result.error);
	if (result.type === 'refused') return {type: 'refused', code: 'hook', sentence: result.reason};
	turns.run.lostEnd = undefined;
	return {type: 'ended', outcome: result.outcome};
}

/** Nothing is shown as saved that is not: what was streaming goes, and the next run says why this one has no end. */
function unsaved({hub, run}: Turns, error: HistoryError): JobEnd {
	hub.dropTail();
	run.lostEnd = error.message;
	return {type: 'unsaved', sentence: error.message};
}

async function savedOrTold(turns: Turns, step: () => Promise<JobEnd>): Promise<JobEnd> {
	try {
		return await step();
	} catch (error) {
		if (error instanceof HistoryError) return unsaved(turns, error);
		throw error;
	}
}
