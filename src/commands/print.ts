import {existsSync} from 'node:fs';
import type {Launch} from '../args.ts';
import {historyFile, planStart, printMaxTurns, startPod, type Env, type Plan} from '../pod/index.ts';
import type {Event, Item, PodClient, Receipt, Segment} from '../pod/protocol.ts';
import {sanitize, sanitizeLine} from '../tui/text/sanitize.ts';
import {inertJson} from './output/inert-json.ts';
import {deniedCalls, deniedSentence} from './print/denied-calls.ts';
import {exitCode} from './print/exit-code.ts';
import {isWhole, runResult, type RunResult} from './print/run-result.ts';
import {noPrompt, resumeHint, notText, unfinished} from './print/texts.ts';

export {readStdin} from './print/read-stdin.ts';

export type PrintIo = {
	readonly env: Env;
	readonly stdout: Writer & {readonly isTTY?: boolean};
	readonly stderr: Writer;
	/** The text from stdin; absent when stdin is a terminal. */
	readonly piped: string | undefined;
	/** Aborts with an `ExitReason` when the program has to exit. */
	readonly signal: AbortSignal;
	/** Sets the text that a second signal prints before the program exits at once. */
	readonly setLastWords?: (write: (() => void) | undefined) => void;
};

type Writer = {write(text: string): unknown};
type PrintLaunch = Extract<Launch, {command: 'print'}>;
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
	const segments = segmentsOf(launch.prompt, io.piped);
	if (segments.length === 0) return refuse(noPrompt);
	const planned = await planStart(launch, io.env);
	if (!planned.ok) return refuse(planned.sentence);
	for (const warning of warningsOf(planned.plan)) warn(warning);
	const started = await startPod(planned.plan, io.env, {
		attended: false,
		maxTurns: printMaxTurns,
		trust: launch.trust === true,
		isFolderChosen: launch.cwd !== undefined,
	});
	if (!started.ok) return refuse(started.sentence);
	if (started.notice !== undefined) warn(started.notice);
	for (const warning of started.warnings) warn(warning);
	const {pod, session} = started;
	io.setLastWords?.(() => existsSync(historyFile(session.dir)) && warn(resumeHint(session.id)));
	if (signal.aborted) {
		await pod.send({method: 'shutdown'});
		return exitCode({signal});
	}
	const write = (text: string) => void (isWritable(signal) && io.stdout.write(text));
	const relay = (event: Event) => launch.format === 'stream-json' && write(`${inertJson(event)}\n`);
	const watched = watch(pod, warn, relay);
	const receipt = await runToEnd(pod, segments, watched, signal);
	if (!receipt.accepted) warn(receipt.sentence);
	const result = runResult(receipt, watched.items);
	io.setLastWords?.(undefined);
	write(resultText(result, session.id, launch.format, io.stdout.isTTY === true));
	if (receipt.accepted && !isDone(result) && (launch.format === 'text' || !signal.aborted))
		warn(unfinished(result.outcome, result.cause, session.id));
	const {outcome, denied} = result;
	return exitCode({signal, receipt, outcome, isWhole: isWhole(result), denied: denied.length});
}

/** Tells whether no other sentence says why the result is not complete. An alert reports a truncated request. */
function isDone(result: RunResult): boolean {
	return (
		result.outcome === 'finished' && (isWhole(result) || (result.truncated === true && result.cause === undefined))
	);
}

function warningsOf({warnings, untrusted}: Plan): readonly string[] {
	return untrusted === undefined ? warnings : [...warnings, untrusted.warning];
}

/** Sends the prompt, waits until the run ends, and closes the session. */
async function runToEnd(
	pod: PodClient,
	segments: readonly Segment[],
	watched: Watched,
	signal: AbortSignal,
): Promise<Receipt> {
	const stop = () => void pod.send({method: 'pause'});
	signal.addEventListener('abort', stop);
	const receipt = await pod.send({method: 'run', segments: [...segments]});
	if (receipt.accepted) await watched.ended;
	signal.removeEventListener('abort', stop);
	await pod.send({method: 'shutdown'});
	return receipt;
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
	/** Resolves when the pod's run has ended. */
	readonly ended: Promise<void>;
};

/** Collects the items of the run. Denied calls and alerts become warnings. */
function watch(pod: PodClient, warn: Warn, relay: (event: Event) => void): Watched {
	const items: Item[] = [];
	const {promise, resolve} = Promise.withResolvers<void>();
	let ran = false;
	pod.subscribe(event => {
		relay(event);
		if (event.type === 'item') {
			items.push(event.item);
			for (const call of deniedCalls(items, event.item)) warn(deniedSentence(call));
			if (event.item.type === 'message' && event.item.unread !== undefined) warn(notText(event.item.unread.type));
		}
		if (event.type === 'alert' && event.alert.level !== 'info') warn(event.alert.text);
		if (event.type !== 'status') return;
		if (event.status.kind === 'running') ran = true;
		else if (ran) resolve();
	});
	return {items, ended: promise};
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
