import {
	createWorker,
	HistoryError,
	lastSetup,
	stamp,
	type CallFacts,
	type Clock,
	type History,
	type Interceptor,
	type Model,
	type RunResult,
	type Settings,
	type ToolCall,
	defineTool,
	type Tool,
	type ModelFailureReason,
} from '../../../worker/index.ts';
import {originRules, context, projectedItems} from '../../ground/history/reader.ts';
import {retryWaits, type Limits} from '../../config/limits.ts';
import type {RefusesReading} from '../../scope/read.ts';
import type {Scope} from '../../scope/scope.ts';
import {readFileTool} from '../../tools/files/read-file.ts';
import type {Wanted} from './auto-read.ts';
import {createAutoReadChoice, type AutoReadChoice} from './auto-read.ts';
import type {Refused} from './auto-read.ts';
import {askAgain, summaryPrompt, summaryTask, type TaskFacts, toolTexts} from './prompts.ts';
import {compactionTexts} from './texts.ts';
import {enCount} from '../../../language/index.ts';
import {z} from 'zod';
import {summaryToolNames} from '../../protocol/tool-definitions.ts';
import {errorOutput} from '../../ground/values/is-record.ts';
import type {AnsweredGuard} from '../answered/answered.ts';
import {lastTruncation, type ServerFacts} from '../truncation/truncation.ts';

/** The rules and hooks for each call of the worker that writes a summary. They never ask the user about a call. */
export type Guards = {
	/**
	Creates the interceptor that decides about each call. `onRefused` receives a refused call and the reason. `own` is
	the name of the tool that writes the summary. A rule applies to this tool only if the rule denies it by name.
	*/
	readonly calls: (
		signal: AbortSignal,
		onRefused: OnRefused,
		own: string,
	) => Pick<Interceptor, 'preToolCall' | 'postToolCall'>;
	/** Decides about each file that inkpod reads without a tool call. */
	readonly refusesReading: RefusesReading;
	/** Reports answers from a model that inkpod did not request. With `model.exact` it asks the user. */
	readonly answered: Pick<AnsweredGuard, 'beside' | 'noticesOf'>;
};

type OnRefused = (call: ToolCall, facts: Pick<CallFacts, 'args'>, why: string) => void;

type SummariseOptions = TaskFacts & {
	/**
	The history of the conversation in which the model writes the summary. The history contains the earlier attempts.
	*/
	readonly history: History;
	readonly guards: Guards;
	readonly model: Model;
	readonly settings: Settings;
	readonly scope: Scope;
	readonly limits: Limits;
	readonly clock: Clock;
	readonly random: () => number;
	readonly estimate: (text: string) => number;
	/** The window of the model, if it is known. */
	readonly window?: number | undefined;
	/** The window of the model's server and the meaning of its token counts, as far as they are known. */
	readonly server: ServerFacts;
	readonly signal: AbortSignal;
};

/**
The result of the attempt to get a summary. `too_long`: the provider refused or truncated the part. `failed`: any other
failure, for example, inkpod could not record the conversation.
*/
export type Summarised =
	| {
			readonly ok: true;
			readonly summary: string;
			readonly wanted: readonly Wanted[];
			readonly refs: readonly string[];
			readonly refused: readonly Refused[];
	  }
	| {
			readonly ok: false;
			readonly reason: 'aborted' | 'too_long' | 'no_summary' | 'failed';
			readonly sentence: string;
	  };

/**
Gets a summary of a part of a conversation. A separate worker writes the summary. The worker has its own history, four
tools that change no files, and limits on requests and input tokens. The model is asked once more if it marks none of
the available files, or writes no summary.
*/
export async function summarise(options: SummariseOptions): Promise<Summarised> {
	const {history, guards, scope, limits, estimate, autoReadTokens, signal, files} = options;
	const unsaved = await beginAgain(history, options.clock);
	if (unsaved !== undefined) return {ok: false, reason: 'failed', sentence: unsaved.message};
	const {maxScanBytes} = limits.fileRefs;
	const refuses = guards.refusesReading;
	const choice = createAutoReadChoice({scope, refuses, maxScanBytes, estimate, budget: autoReadTokens});
	const summary = createSummaryTool(estimate);
	const watch = createSummaryWatch(options);
	const send = createSender({choice, summary, watch}, options);

	let result = await send(summaryTask(options));
	const marksFiles = files.length > 0 && choice.wanted().length === 0 && choice.refused().length === 0;
	if (isDone(result) && !watch.isTruncated() && (marksFiles || summary.text() === undefined))
		result = await send(askAgain({marksFiles, hasSummary: summary.text() !== undefined}));
	const text = summary.text();
	if (signal.aborted) return {ok: false, reason: 'aborted', sentence: compactionTexts.aborted};
	if (result.type === 'unsaved') return {ok: false, reason: 'failed', sentence: result.error.message};
	if (watch.isTruncated()) return {ok: false, reason: 'too_long', sentence: compactionTexts.truncated};
	const otherModel = watch.otherModel();
	if (otherModel !== undefined) return {ok: false, reason: 'failed', sentence: otherModel};
	if (text === undefined) return {ok: false, ...failureOf(result, summary, watch)};
	const [wanted, refs, refused] = [choice.wanted(), choice.refs(), choice.refused()];
	return {ok: true, summary: text, wanted, refs, refused};
}

/** Rewinds the history of an earlier attempt to its setup, so that the next attempt does not see it. */
async function beginAgain(history: History, clock: Clock): Promise<HistoryError | undefined> {
	const setup = lastSetup(history.items);
	if (setup === undefined) return undefined;
	try {
		await history.append([stamp(clock, {type: 'rewind', to: setup.id})]);
		return undefined;
	} catch (error) {
		if (error instanceof HistoryError) return error;
		throw error;
	}
}

type Parts = {readonly choice: AutoReadChoice; readonly summary: SummaryTool; readonly watch: SummaryWatch};

/** Creates the function that sends one message at a time to the model. */
function createSender(
	{choice, summary, watch}: Parts,
	options: SummariseOptions,
): (text: string) => Promise<RunResult> {
	const {history, model, clock, limits, random, signal} = options;
	const maxOutputBytes = outputBytesOf(options);
	const reader = readFileTool({scope: options.scope, maxOutputBytes, maxScanBytes: limits.fileRefs.maxScanBytes});
	const tools = [reader, ...choice.tools, summary.tool];
	const worker = createWorker({
		history,
		clock,
		origins: originRules,
		tools: () => tools,
		// The summary watch limits the requests instead, because its limit applies to both messages together.
		limits: {maxTurns: Infinity, maxOutputBytes, retry: {...retryWaits, ...limits.retry}},
		onDelta() {},
		onStep() {},
		random,
	});
	const setup = {
		type: 'setup',
		model: model.name,
		prompt: summaryPrompt,
		tools: tools.map(({definition}) => definition),
		settings: options.settings,
	} as const;
	const run = {model, setup, signal, interceptor: {...watch.interceptor, ...judges({choice, summary}, options)}};
	return async text => worker.run([stamp(clock, {type: 'message', role: 'user', text})], run);
}

/** Creates the interceptors that decide about the calls, and records the calls that they refuse. */
function judges(
	{choice, summary}: Pick<Parts, 'choice' | 'summary'>,
	{guards, signal}: SummariseOptions,
): Pick<Interceptor, 'preToolCall' | 'postToolCall'> {
	const own = summary.tool.definition.name;
	const onRefused: OnRefused = ({name}, {args}, why) => {
		const path = pathIn(args);
		if (path !== undefined) choice.refuse(path, why);
		if (name === own) summary.refuse(why);
	};
	const {preToolCall, postToolCall} = guards.calls(signal, onRefused, own);
	return {preToolCall, postToolCall};
}

function outputBytesOf({limits, window}: SummariseOptions): number {
	const share = window === undefined ? Infinity : Math.floor(window / 4);
	return Math.max(1024, Math.min(limits.tools.maxOutputBytes, share));
}

function failureOf(
	result: RunResult,
	summary: SummaryTool,
	watch: SummaryWatch,
): {readonly reason: 'no_summary' | 'too_long' | 'failed'; readonly sentence: string} {
	const refusal = summary.refusal();
	const cause = result.type === 'ended' ? result.cause : undefined;
	const none = refusal === undefined ? compactionTexts.noSummary(cause) : compactionTexts.summaryRefused(refusal);
	if (isDone(result)) return {reason: 'no_summary', sentence: none};
	const reason = watch.failure() === 'too_long' ? 'too_long' : 'failed';
	return {reason, sentence: cause ?? compactionTexts.notMade};
}

function isDone(result: RunResult): boolean {
	return result.type === 'ended' && result.outcome === 'finished';
}

function pathIn(args: unknown): string | undefined {
	const path: unknown = typeof args === 'object' && args !== null && 'path' in args ? args.path : undefined;
	return typeof path === 'string' ? path : undefined;
}

/** The tool that the model calls to write the summary. */
type SummaryTool = {
	readonly tool: Tool;
	/** Returns the summary, or `undefined` before it is written. */
	text(): string | undefined;
	/** Returns the reason why a call of the tool was refused. */
	refusal(): string | undefined;
	refuse(why: string): void;
};

function createSummaryTool(estimate: (text: string) => number): SummaryTool {
	let text: string | undefined;
	let refusal: string | undefined;
	const tool = defineTool({
		name: summaryToolNames.write,
		description: toolTexts.summary,
		effect: 'read',
		input: z.object({text: z.string().describe(toolTexts.summaryText)}),
		async execute(args) {
			const written = args.text.toWellFormed().trim();
			if (written === '') return errorOutput('The summary is empty.');
			const tokens = estimate(written);
			const size = enCount(tokens, 'token');
			if (tokens > maxSummaryTokens)
				return errorOutput(
					`The summary has about ${size}; the limit is ${maxSummaryTokens}. Write a shorter one.`,
				);
			text = written;
			return {summary: size, content: 'The summary is saved.'};
		},
	});
	return {tool, text: () => text, refusal: () => refusal, refuse: why => void (refusal = why)};
}

const maxSummaryTokens = 8000;

const maxRequests = 20;

/**
All requests together may send this many times the tokens of the first request, plus `extraInput` tokens for the files
that the model reads.
*/
const inputFactor = 4;

const extraInput = 100_000;

type SummaryWatch = {
	readonly interceptor: Interceptor;
	/** Returns the reason why the last failed request failed. */
	readonly failure: () => ModelFailureReason | undefined;
	/** Tells whether the server dropped the beginning of a request. In this case a summary would omit that part. */
	readonly isTruncated: () => boolean;
	/** Returns a sentence if another model answered and the user does not allow that. */
	readonly otherModel: () => string | undefined;
};

/**
Creates a watch that ends a run if the run sends too many requests or tokens. The watch counts the requests for both
messages to the model.
*/
function createSummaryWatch({history, guards, signal, estimate, window, server}: SummariseOptions): SummaryWatch {
	let [requests, sent, maxSent] = [0, 0, 0];
	let failure: ModelFailureReason | undefined;
	let isTruncated = false;
	let otherModel: string | undefined;
	const {onRequestEnd, preRequest: confirm} = guards.answered.beside(history, signal);
	const cancel = (reason: string) => ({type: 'cancel', reason}) as const;
	return {
		failure: () => failure,
		isTruncated: () => isTruncated,
		otherModel: () => otherModel,
		interceptor: {
			onRequestEnd,
			onAnswer() {
				isTruncated ||= lastTruncation(history.items, projectedItems, server) !== undefined;
				return {type: 'continue'};
			},
			async preRequest() {
				if (isTruncated) return cancel(compactionTexts.truncated);
				const confirmed = await confirm();
				if (confirmed.type === 'cancel') otherModel = confirmed.reason;
				if (confirmed.type !== 'continue') return confirmed;
				const size = estimate(JSON.stringify(context(history.items).messages));
				requests++;
				sent += size;
				maxSent ||= size * inputFactor + extraInput;
				if (requests > maxRequests) return cancel(compactionTexts.tooManyRequests(maxRequests));
				if (sent > maxSent) return cancel(compactionTexts.tooMuchInput(maxSent));
				return window !== undefined && size > window ? cancel(compactionTexts.notFitting) : {type: 'continue'};
			},
			onRequestFailure({reason}) {
				failure = reason;
				return {type: 'fail'};
			},
		},
	};
}
