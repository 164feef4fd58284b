import {z} from 'zod';
import {
	createHistory,
	createWorker,
	defineTool,
	memoryLog,
	stamp,
	type CallFacts,
	type Clock,
	type Interceptor,
	type Item,
	type Model,
	type ModelFailureReason,
	type RunResult,
	type Settings,
	type ToolCall,
	type Usage,
} from '../../worker/index.ts';
import {context, originRules} from '../history/reader.ts';
import {retryWaits, type Limits} from '../config/limits.ts';
import type {RefusesReading} from '../scope/read.ts';
import type {Scope} from '../scope/scope.ts';
import {readFileTool} from '../tools/read-file.ts';
import {errorOutput, plural} from '../tools/output.ts';
import type {Wanted} from './auto-read.ts';
import {createAutoReadChoice, type Refused} from './auto-read-choice.ts';
import {askAgain, summaryPrompt, summaryTask, toolTexts, type TaskFacts} from './prompts.ts';

/**
What stands between the worker that makes a summary and the world, as before every call: rules and hooks. Nobody is
asked.
*/
export type Guards = {
	/**
	Judges each call. `onRefused` hears of one that is not run, with the end of a sentence about what it was about.
	`own`: a tool through which this worker answers; of rules only one that denies it by its name counts.
	*/
	readonly calls: (
		signal: AbortSignal,
		onRefused: OnRefused,
		own: string,
	) => Pick<Interceptor, 'preToolCall' | 'postToolCall'>;
	/** Judges each file that is read beside calls. */
	readonly refusesReading: RefusesReading;
};

export type OnRefused = (call: ToolCall, facts: Pick<CallFacts, 'args'>, why: string) => void;

export type SummariseOptions = TaskFacts & {
	readonly guards: Guards;
	readonly model: Model;
	readonly settings: Settings;
	readonly scope: Scope;
	readonly limits: Limits;
	readonly clock: Clock;
	readonly random: () => number;
	readonly estimate: (text: string) => number;
	/** Of the model, where it is known. */
	readonly window?: number | undefined;
	readonly signal: AbortSignal;
};

/** `usage` is of all requests that were made. `too_long`: the provider refused the part for its length. */
export type Summarised = {readonly usage: Usage} & (
	| {
			readonly ok: true;
			readonly summary: string;
			readonly wanted: readonly Wanted[];
			readonly refs: readonly string[];
			readonly refused: readonly Refused[];
	  }
	| {readonly ok: false; readonly reason: 'aborted' | 'too_long' | 'no_summary' | 'failed'; readonly sentence: string}
);

/**
Has a part of a conversation summarised by a worker of its own, which is gone afterwards: a history in memory, four
tools that read, and limits of requests and of input tokens. It is asked once more when it marks no file although there
are some, or writes no summary.
*/
export async function summarise(options: SummariseOptions): Promise<Summarised> {
	const {model, settings, scope, limits, clock, random, estimate, window, signal, files, autoReadTokens, guards} =
		options;
	const history = createHistory(memoryLog);
	const {maxScanBytes} = limits.fileRefs;
	const nominations = createAutoReadChoice({
		scope,
		refuses: guards.refusesReading,
		maxScanBytes,
		estimate,
		budget: autoReadTokens,
	});
	const written = createSummaryTool(estimate);
	const maxOutputBytes = Math.max(
		1024,
		Math.min(limits.tools.maxOutputBytes, window === undefined ? Infinity : Math.floor(window / 4)),
	);
	const tools = [readFileTool({scope, maxOutputBytes, maxScanBytes}), ...nominations.tools, written.tool];
	const watch = createWatch(() => history.items, {estimate, window});
	const worker = createWorker({
		history,
		clock,
		origins: originRules,
		tools: () => tools,
		limits: {maxTurns: maxRequests, maxOutputBytes, retry: {...retryWaits, maxAttempts: limits.retry.maxAttempts}},
		onDelta() {},
		onStep() {},
		random,
	});
	const setup = {
		type: 'setup',
		model: model.name,
		prompt: summaryPrompt,
		tools: tools.map(({definition}) => definition),
		settings,
	} as const;
	const own = written.tool.definition.name;
	const onRefused: OnRefused = ({name}, {args}, why) => {
		const path = pathIn(args);
		if (path !== undefined) nominations.refuse(path, why);
		if (name === own) written.refuse(why);
	};
	const {preToolCall, postToolCall} = guards.calls(signal, onRefused, own);
	const interceptor = {...watch.interceptor, ...(preToolCall && {preToolCall}), ...(postToolCall && {postToolCall})};
	const run = {model, setup, signal, interceptor};
	const say = async (text: string) => worker.run([stamp(clock, {type: 'message', role: 'user', text})], run);

	let result = await say(summaryTask(options));
	const marksFiles = files.length > 0 && nominations.wanted().length === 0 && nominations.refused().length === 0;
	if (isDone(result) && (marksFiles || written.text() === undefined))
		result = await say(askAgain({marksFiles, hasSummary: written.text() !== undefined}));
	const usage = sumUsage(history.items);
	const summary = written.text();
	if (signal.aborted) return {ok: false, reason: 'aborted', sentence: 'The compaction was stopped.', usage};
	if (summary !== undefined)
		return {
			ok: true,
			summary,
			wanted: nominations.wanted(),
			refs: nominations.refs(),
			refused: nominations.refused(),
			usage,
		};
	const refusal = written.refusal();
	const none = refusal === undefined ? `${model.name} wrote no summary.` : `No summary was written: ${refusal}`;
	if (isDone(result)) return {ok: false, reason: 'no_summary', sentence: none, usage};
	return {
		ok: false,
		reason: watch.failure() === 'too_long' ? 'too_long' : 'failed',
		sentence: sentenceOf(result),
		usage,
	};
}

function isDone(result: RunResult): boolean {
	return result.type === 'ended' && result.outcome === 'finished';
}

function sentenceOf(result: RunResult): string {
	if (result.type !== 'ended') return 'The summary was not made.';
	return result.outcome === 'limit'
		? `The summary took more than ${maxRequests} requests.`
		: (result.cause ?? 'The summary was not made.');
}

const maxRequests = 20;
/**
All requests together may send this many times what the first one holds, and these tokens beside: what is read for it.
*/
const inputFactor = 4;
const inputBeside = 100_000;

type Watch = {
	readonly interceptor: Interceptor;
	/** Why the last request failed that did. */ readonly failure: () => ModelFailureReason | undefined;
};

/** Ends what sends too much, over both times that the model is asked. */
function createWatch(
	items: () => readonly Item[],
	{estimate, window}: Pick<SummariseOptions, 'estimate' | 'window'>,
): Watch {
	let [requests, sent, most] = [0, 0, 0];
	let failure: ModelFailureReason | undefined;
	return {
		failure: () => failure,
		interceptor: {
			preRequest() {
				const size = estimate(JSON.stringify(context(items()).messages));
				requests++;
				sent += size;
				most ||= size * inputFactor + inputBeside;
				if (requests > maxRequests)
					return {type: 'cancel', reason: `The summary took more than ${maxRequests} requests.`};
				if (sent > most) return {type: 'cancel', reason: `The summary took more than ${most} tokens of input.`};
				return window !== undefined && size > window
					? {type: 'cancel', reason: 'What was read for the summary does not fit the model’s window.'}
					: {type: 'continue'};
			},
			onRequestFailure({reason}) {
				failure = reason;
				return {type: 'fail'};
			},
		},
	};
}

function createSummaryTool(estimate: (text: string) => number) {
	let text: string | undefined;
	let refusal: string | undefined;
	const tool = defineTool({
		name: 'write_summary',
		description: toolTexts.summary,
		effect: 'read',
		input: z.object({text: z.string().describe(toolTexts.summaryText)}),
		async execute(args) {
			const written = args.text.toWellFormed().trim();
			if (written === '') return errorOutput('The summary is empty.');
			const tokens = estimate(written);
			if (tokens > maxSummaryTokens)
				return errorOutput(
					`The summary takes about ${plural(tokens, 'token')}; ${maxSummaryTokens} are the most. Write it shorter.`,
				);
			text = written;
			return {summary: plural(tokens, 'token'), content: 'The summary is taken.'};
		},
	});
	return {tool, text: () => text, refusal: () => refusal, refuse: (why: string) => void (refusal = why)};
}

function pathIn(args: unknown): string | undefined {
	const path: unknown = typeof args === 'object' && args !== null && 'path' in args ? args.path : undefined;
	return typeof path === 'string' ? path : undefined;
}

const maxSummaryTokens = 8000;

function sumUsage(items: readonly Item[]): Usage {
	const sums: Usage = {};
	for (const item of items) {
		if (item.type !== 'request') continue;
		for (const [key, value] of Object.entries(item.usage))
			if (typeof value === 'number') sums[key as keyof Usage] = (sums[key as keyof Usage] ?? 0) + value;
	}
	return sums;
}
