import {existsSync} from 'node:fs';
import {resolve} from 'node:path';
import type {PrintLaunch} from './start/launch.ts';
import {
	historyFile,
	planStart,
	printMaxTurns,
	limitMemory,
	startPod,
	unwritableHome,
	type Env,
	type Plan,
	type Started,
} from '../pod/index.ts';
import type {Event, Item, PodClient, Receipt, Segment, Status} from '../pod/protocol.ts';
import {sanitize, sanitizeLine} from '../text/sanitize.ts';
import {inertJson} from './output/output.ts';
import {deniedCalls, deniedSentence} from './print/run-result.ts';
import {exitCode} from './print/run-result.ts';
import {isWhole, runResult, type RunResult} from './print/run-result.ts';
import {readSchema, repairSegments, type AnswerSchema, type CheckedAnswer} from './print/schema.ts';
import type {StreamInput} from './print/stream.ts';
import {
	noModel,
	noPrompt,
	notText,
	onlyInChat,
	resumeHint,
	schemaTexts,
	stillRunning,
	streamTexts,
	unfinished,
	unusable,
} from './print/texts.ts';

export type PrintIo = {
	readonly env: Env;
	readonly stdout: Writer & {readonly isTTY?: boolean};
	readonly stderr: Writer;
	/** The text from stdin; absent when stdin is a terminal. */
	readonly piped: string | undefined;
	/** The methods on stdin, if the launch reads them. */
	readonly input?: StreamInput | undefined;
	/** Aborts with an `ExitReason` when the program has to exit. */
	readonly signal: AbortSignal;
	/** Sets the text that a second signal prints before the program exits immediately. */
	readonly setLastWords?: (write: (() => void) | undefined) => void;
};

type Writer = {write(text: string): unknown};

/** Writes a sentence to stderr. */
type Warn = (sentence: string) => void;

/**
Runs one message without a screen. Prints the answer on stdout and warnings on stderr. Resolves with the exit code.
*/
export async function print(launch: PrintLaunch, io: PrintIo): Promise<number> {
	const {signal} = io;
	const warn = createWarn(io);
	const refuse = (sentence: string) => {
		warn(sentence);
		return exitCode({signal, isUsageError: true});
	};
	const read = await readMessage(launch, io);
	if (!read.ok) return refuse(read.sentence);
	const planned = await planStart(launch, io.env);
	if (!planned.ok) return refuse(planned.sentence);
	if (isGuideOnly(planned.plan)) return refuse(noModel);
	const unsaved = planned.plan.session.kind === 'new' ? await unwritableHome(io.env) : undefined;
	if (unsaved !== undefined) return refuse(unsaved);
	for (const warning of warningsOf(planned.plan)) warn(warning);
	limitMemory();
	const started = await startPod(planned.plan, io.env, {
		attended: read.input !== undefined,
		maxTurns: printMaxTurns,
		trust: launch.trust === true,
		isFolderChosen: launch.cwd !== undefined,
	});
	if (!started.ok) return refuse(started.sentence);
	if (started.unusable !== undefined) {
		await started.pod.send({method: 'shutdown'});
		return refuse(unusable(started.unusable));
	}
	if (started.notice !== undefined) warn(started.notice);
	for (const warning of started.warnings) warn(warning);
	return printSession(launch, io, read, {started, warn});
}

type Read = {
	readonly ok: true;
	readonly segments: readonly Segment[];
	readonly schema?: AnswerSchema | undefined;
	readonly input?: StreamInput | undefined;
};

/** Reads the message of the launch before a session is opened. */
async function readMessage(
	{prompt, schema: file, cwd = '.', isStream = false}: PrintLaunch,
	{piped, input}: PrintIo,
): Promise<Read | {readonly ok: false; readonly sentence: string}> {
	const segments = segmentsOf(prompt, piped);
	if (isStream) return input === undefined ? {ok: false, sentence: streamTexts.noPipe} : {ok: true, segments, input};
	if (segments.length === 0) return {ok: false, sentence: noPrompt};
	if (file === undefined) return {ok: true, segments};
	const read = await readSchema(resolve(cwd, file));
	return read.ok ? {ok: true, segments: [...segments, ...read.schema.segments], schema: read.schema} : read;
}

/** Runs the message in an open session, and prints the result. */
async function printSession(
	{format}: PrintLaunch,
	io: PrintIo,
	{segments, schema, input}: Read,
	{started, warn}: {readonly started: Extract<Started, {ok: true}>; readonly warn: Warn},
): Promise<number> {
	const {signal} = io;
	const {pod, session} = started;
	io.setLastWords?.(() => existsSync(historyFile(session.dir)) && warn(resumeHint(session.id)));
	if (signal.aborted) {
		await pod.send({method: 'shutdown'});
		return exitCode({signal});
	}
	const write = (text: string) => void (isWritable(signal) && io.stdout.write(text));
	const relay = (event: Event) => format === 'stream-json' && write(`${inertJson(event)}\n`);
	const watched = watch(pod, warn, relay);
	const run = {pod, segments, watched, signal};
	const {receipt, answer, isUsageError} =
		input === undefined
			? await runToEnd(run, schema)
			: await runStream(run, input, line => write(`${inertJson(line)}\n`));
	if (!receipt.accepted) warn((await commandOnly(receipt, segments)) ?? receipt.sentence);
	if (answer?.ok === false) warn(schemaTexts.failed);
	const result = resultOf(receipt, watched.items, {answer, isStream: input !== undefined});
	io.setLastWords?.(undefined);
	write(resultText(result, session.id, format, io.stdout.isTTY === true));
	if (receipt.accepted && !isDone(result) && (format === 'text' || !signal.aborted))
		warn(unfinished(result.outcome, result.cause, session.id));
	const {outcome, denied} = result;
	const isWholeAnswer = isWhole(result) && answer?.ok !== false;
	return exitCode({
		signal,
		receipt,
		outcome,
		isWhole: isWholeAnswer,
		denied: denied.length,
		...(isUsageError && {isUsageError}),
	});
}

/** Returns a sentence if the message was refused because it is a command of the chat. */
async function commandOnly(receipt: Receipt, [first]: readonly Segment[]): Promise<string | undefined> {
	if (receipt.accepted || receipt.code !== 'workflow' || first?.type !== 'text') return undefined;
	const [, name = ''] = /^\/([\w-]+)(?:\s|$)/.exec(first.text) ?? [];
	const {isCommandName} = await import('../screen/model/commands/commands.ts');
	return isCommandName(name) ? onlyInChat(name) : undefined;
}

/** Returns the result of the run. An input stream may end without a run. */
function resultOf(
	receipt: Receipt,
	items: readonly Item[],
	{answer, isStream}: {readonly answer: CheckedAnswer | undefined; readonly isStream: boolean},
): RunResult {
	const result = runResult(receipt, items);
	const isIdle = isStream && !items.some(({type}) => type === 'run_end');
	return {
		...result,
		...(isIdle && {outcome: 'finished'}),
		...(answer?.ok === true && {structured: answer.value}),
	};
}

/** Tells whether the result is complete. */
function isDone(result: RunResult): boolean {
	return result.outcome === 'finished' && isWhole(result);
}

/**
Tells whether only the offline guide is available. Print mode must not use it unless the script or the session has
chosen it.
*/
function isGuideOnly({model: {source}}: Plan): boolean {
	return source === 'default';
}

function warningsOf({warnings, untrusted}: Plan): readonly string[] {
	return untrusted === undefined ? warnings : [...warnings, untrusted.warning];
}

type Run = {
	readonly pod: PodClient;
	readonly segments: readonly Segment[];
	readonly watched: Watched;
	readonly signal: AbortSignal;
};

/** `answer`: the result of checking the last answer against the schema. Absent if there is no schema. */
type Ended = {readonly receipt: Receipt; readonly answer?: CheckedAnswer; readonly isUsageError?: boolean};

/**
Sends the prompt, waits until the run ends, and closes the session. If the answer does not match the schema, the model
gets one more attempt.
*/
async function runToEnd({pod, segments, watched, signal}: Run, schema: AnswerSchema | undefined): Promise<Ended> {
	const stop = () => void pod.send({method: 'pause'});
	signal.addEventListener('abort', stop);
	const runOnce = async (message: readonly Segment[]) => {
		const receipt = await pod.send({method: 'run', segments: [...message]});
		if (receipt.accepted) await watched.ended();
		return receipt;
	};
	let receipt = await runOnce(segments);
	const check = () => {
		const result = runResult(receipt, watched.items);
		return schema === undefined || !receipt.accepted || !isDone(result) ? undefined : schema.check(result.answer);
	};
	let answer = check();
	if (answer?.ok === false && !signal.aborted) {
		receipt = await runOnce(repairSegments(answer.problem));
		answer = check() ?? answer;
	}
	signal.removeEventListener('abort', stop);
	watched.reportRest();
	await pod.send({method: 'shutdown'});
	return {receipt, answer};
}

/** Sends the prompt, if there is one, then carries out the methods of an input, and closes the session. */
async function runStream(
	{pod, segments, watched, signal}: Run,
	input: StreamInput,
	write: (line: object) => void,
): Promise<Ended> {
	const stop = () => void pod.send({method: 'pause'});
	signal.addEventListener('abort', stop);
	const receipt: Receipt =
		segments.length === 0 ? {accepted: true} : await pod.send({method: 'run', segments: [...segments]});
	const {serveStream} = await import('./print/stream.ts');
	const {isBad} = await serveStream({pod, input, write, signal});
	signal.removeEventListener('abort', stop);
	watched.reportRest();
	await pod.send({method: 'shutdown'});
	return {receipt, isUsageError: isBad};
}

/** If there is a prompt, stdin becomes a paste. Otherwise stdin is the prompt. */
function segmentsOf(prompt: string, piped = ''): Segment[] {
	if (prompt.trim() === '') return piped.trim() === '' ? [] : [{type: 'text', text: piped}];
	if (piped === '') return [{type: 'text', text: prompt}];
	const paste: Segment = {
		type: 'paste',
		id: '1',
		chars: piped.length,
		lines: piped.replace(/\n$/, '').split('\n').length,
		content: piped,
	};
	return [{type: 'text', text: `${prompt}\n\n`}, paste];
}

type Watched = {
	readonly items: readonly Item[];
	/** Resolves when the pod's current run has ended. */
	readonly ended: () => Promise<void>;
	/** Warns about each background command and each child that still runs, because they end with the session. */
	readonly reportRest: () => void;
};

/** Collects the items of the run. Denied calls and alerts become warnings. */
function watch(pod: PodClient, warn: Warn, relay: (event: Event) => void): Watched {
	const items: Item[] = [];
	let over = Promise.withResolvers<void>();
	let ran = false;
	let rest: Pick<Status, 'background' | 'children'> = {};
	pod.subscribe(event => {
		relay(event);
		if (event.type === 'item') {
			items.push(event.item);
			for (const call of deniedCalls(items, event.item)) warn(deniedSentence(call));
			if (event.item.type === 'message' && event.item.unread !== undefined) warn(notText(event.item.unread.type));
		}
		if (event.type === 'alert' && event.alert.level !== 'info') warn(event.alert.text);
		if (event.type !== 'status') return;
		rest = event.status;
		if (event.status.kind === 'running') ran = true;
		else if (ran) over.resolve();
	});
	return {
		items,
		async ended() {
			await over.promise;
			over = Promise.withResolvers();
			ran = false;
		},
		reportRest() {
			for (const {id, command} of rest.background ?? []) warn(stillRunning.command(id, command));
			for (const {id, title, state} of rest.children ?? [])
				if (state !== 'paused') warn(stillRunning.child(id, title));
		},
	};
}

function resultText(result: RunResult, session: string, format: PrintLaunch['format'], isTerminal: boolean): string {
	if (format === 'json') return `${inertJson({session, ...result})}\n`;
	if (format === 'stream-json') return `${inertJson({type: 'result', session, ...result})}\n`;
	return answerText(result, isTerminal);
}

/** Sanitises the answer for a terminal. If stdout is not a terminal, the answer is printed as the model wrote it. */
function answerText({answer}: RunResult, isTerminal: boolean): string {
	const text = isTerminal ? sanitize(answer) : answer;
	return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}

function isWritable({aborted, reason}: AbortSignal): boolean {
	return !aborted || reason === 'SIGINT' || reason === 'SIGTERM';
}

/** Writes each sentence once, sanitised. */
function createWarn({stderr}: PrintIo): Warn {
	const written = new Set<string>();
	return sentence => {
		if (written.has(sentence)) return;
		written.add(sentence);
		stderr.write(`inkpod: ${sanitizeLine(sentence)}\n`);
	};
}
