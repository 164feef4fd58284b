import {existsSync} from 'node:fs';
import type {Launch} from '../args.ts';
import {historyFile, planStart, printMaxTurns, startPod, type Env} from '../pod/index.ts';
import type {Event, Item, PodClient, Receipt, Segment, Usage} from '../pod/protocol.ts';
import {sanitize, sanitizeLine} from '../tui/text/sanitize.ts';
import {deniedCalls, deniedSentence, type DeniedCall} from './print/denied-calls.ts';
import {exitCode} from './print/exit-code.ts';
import {inertJson} from './output/inert-json.ts';
import {withFullStop} from './output/with-full-stop.ts';

export type PrintIo = {
	readonly env: Env;
	readonly stdout: Writer & {readonly isTTY?: boolean};
	readonly stderr: Writer;
	/** What was piped in; absent when stdin is a terminal. */
	readonly piped: string | undefined;
	/** Aborted with an `ExitReason` as its reason when the program is to end. */
	readonly signal: AbortSignal;
	/** Sets what is said when a second signal ends the program at once. */
	readonly setLastWords?: (say: (() => void) | undefined) => void;
};

type Writer = {write(text: string): unknown};

/**
One run without a screen: the answer on stdout, what the person should know on stderr. Resolves with the exit code.
*/
export async function print(launch: Extract<Launch, {command: 'print'}>, io: PrintIo): Promise<number> {
	const tell = createTeller(io);
	const refuse = (sentence: string) => {
		tell(sentence);
		return exitCode({left: io.signal, isUsageError: true});
	};
	const segments = segmentsOf(launch.prompt, io.piped);
	if (segments.length === 0) return refuse('There is nothing to send: give a prompt, or pipe one in.');
	const planned = await planStart(launch, io.env);
	if (!planned.ok) return refuse(planned.sentence);
	for (const warning of planned.plan.warnings) tell(warning);
	if (planned.plan.untrusted !== undefined) tell(planned.plan.untrusted.warning);
	const started = await startPod(planned.plan, io.env, {
		attended: false,
		maxTurns: printMaxTurns,
		trust: launch.trust === true,
		isFolderChosen: launch.cwd !== undefined,
	});
	if (!started.ok) return refuse(started.sentence);
	for (const warning of started.warnings) tell(warning);
	const {pod, session} = started;
	io.setLastWords?.(() => existsSync(historyFile(session.dir)) && tell(resumeSentence(session.id)));
	if (io.signal.aborted) {
		await pod.send({method: 'shutdown'});
		return exitCode({left: io.signal});
	}
	const out = (text: string) => void (takesMore(io.signal) && io.stdout.write(text));
	const seen = watch(pod, tell, launch.format === 'stream-json' ? event => out(`${inertJson(event)}\n`) : undefined);
	const receipt = await runToEnd(pod, segments, seen, io.signal);
	if (!receipt.accepted) tell(receipt.sentence);
	const result = resultOf(receipt, seen.items);
	io.setLastWords?.(undefined);
	if (launch.format === 'json') out(`${inertJson({session: session.id, ...result})}\n`);
	else if (launch.format === 'stream-json') out(`${inertJson({type: 'result', session: session.id, ...result})}\n`);
	else if (launch.format === 'text') out(answerText(result, io.stdout.isTTY === true));
	if (launch.format === 'text' && receipt.accepted && result.outcome !== 'finished')
		tell(endSentence(result, session.id));
	return exitCode({left: io.signal, receipt, outcome: result.outcome, denied: result.denied.length});
}

/** Sends the prompt, waits for the end of what it began, and lets go of the session. */
async function runToEnd(
	pod: PodClient,
	segments: readonly Segment[],
	seen: Seen,
	signal: AbortSignal,
): Promise<Receipt> {
	const stop = () => void pod.send({method: 'pause'});
	signal.addEventListener('abort', stop);
	const receipt = await pod.send({method: 'run', segments: [...segments]});
	if (receipt.accepted) await seen.ended;
	signal.removeEventListener('abort', stop);
	await pod.send({method: 'shutdown'});
	return receipt;
}

/** With a prompt, what is piped in is material; alone, it is the prompt. */
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

type Seen = {readonly items: readonly Item[]; readonly ended: Promise<void>};

/** Keeps the items of this run, and says when the pod is not running any more. */
function watch(pod: PodClient, tell: (sentence: string) => void, relay: ((event: Event) => void) | undefined): Seen {
	const items: Item[] = [];
	const {promise, resolve} = Promise.withResolvers<void>();
	let ran = false;
	pod.subscribe(event => {
		relay?.(event);
		if (event.type === 'item') {
			items.push(event.item);
			for (const call of deniedCalls(items, event.item)) tell(deniedSentence(call));
		}
		if (event.type === 'alert' && event.alert.level !== 'info') tell(event.alert.text);
		if (event.type !== 'status') return;
		if (event.status.kind === 'running') ran = true;
		else if (ran) resolve();
	});
	return {items, ended: promise};
}

type Result = {
	readonly outcome: string;
	readonly cause?: string;
	readonly answer: string;
	readonly usage: Usage;
	/** The calls that were not run, in the order in which they were denied. */
	readonly denied: readonly DeniedCall[];
};

function resultOf(receipt: Receipt, items: readonly Item[]): Result {
	if (!receipt.accepted) return {outcome: 'refused', cause: receipt.sentence, answer: '', usage: {}, denied: []};
	const end = items.findLast(item => item.type === 'run_end');
	const texts = items
		.slice(items.findLastIndex(item => item.type === 'tool_result') + 1)
		.filter(item => item.type === 'message' && item.role === 'assistant');
	const answer = texts.map(item => (item as {text: string}).text).join('\n\n');
	const cause = end?.cause === undefined ? {} : {cause: end.cause};
	return {outcome: end?.outcome ?? 'unsaved', ...cause, answer, usage: total(items), denied: deniedCalls(items)};
}

function total(items: readonly Item[]): Usage {
	const sums: Usage = {};
	for (const item of items) {
		if (item.type !== 'request') continue;
		for (const [key, value] of Object.entries(item.usage))
			if (typeof value === 'number') sums[key as keyof Usage] = (sums[key as keyof Usage] ?? 0) + value;
	}
	return sums;
}

function endSentence({outcome, cause}: Result, session: string): string {
	return `${withFullStop(`The run ended as ${outcome}${cause === undefined ? '' : `: ${cause}`}`)} ${resumeSentence(session)}`;
}

function resumeSentence(session: string): string {
	return `Go on with: inkpod -r ${session}`;
}

/** On a terminal nothing in it is obeyed; elsewhere it is what the model wrote. */
function answerText({answer}: Result, isTerminal: boolean): string {
	const text = isTerminal ? sanitize(answer) : answer;
	return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}

function takesMore({aborted, reason}: AbortSignal): boolean {
	return !aborted || reason === 'SIGINT' || reason === 'SIGTERM';
}

/** Sentences on stderr, each once, with nothing in them that a terminal would obey. */
function createTeller({stderr}: PrintIo): (sentence: string) => void {
	const told = new Set<string>();
	return sentence => {
		if (told.has(sentence)) return;
		told.add(sentence);
		stderr.write(`inkpod: ${sanitizeLine(sentence)}\n`);
	};
}
