import type {Launch} from '../args.ts';
import {printMaxTurns} from '../pod/limits.ts';
import type {Event, Item, PodClient, Receipt, Refusal, Segment, Usage} from '../pod/protocol.ts';
import {sanitizeLine} from '../tui/screen/sanitize.ts';
import {planStart, type Env} from './plan.ts';
import {startPod} from './start-pod.ts';

export type PrintIo = {
	readonly env: Env;
	readonly stdout: Writer;
	readonly stderr: Writer;
	/** What was piped in; absent when stdin is a terminal. */
	readonly piped: string | undefined;
	/** Aborted with `SIGINT` or `SIGTERM` as its reason when the program is to end. */
	readonly signal: AbortSignal;
};

type Writer = {write(text: string): unknown};

/** One run without a screen: the answer on stdout, what the person should know on stderr. Resolves with the exit code. */
export async function print(launch: Extract<Launch, {command: 'print'}>, io: PrintIo): Promise<number> {
	const segments = segmentsOf(launch.prompt, io.piped);
	if (segments.length === 0) return refuse(io, 'There is nothing to send: give a prompt, or pipe one in.', 2);
	const planned = await planStart(launch, io.env);
	if (!planned.ok) return refuse(io, planned.sentence, 2);
	for (const warning of planned.plan.warnings) tell(io, warning);
	const started = await startPod(planned.plan, io.env, {attended: false, maxTurns: printMaxTurns});
	if (!started.ok) return refuse(io, started.sentence, 2);
	const {pod, session} = started;
	const seen = watch(pod, launch.format === 'stream-json' ? event => io.stdout.write(`${JSON.stringify(event)}\n`) : undefined, io);
	const stop = () => void pod.send({method: 'pause'});
	io.signal.addEventListener('abort', stop);
	const receipt = await pod.send({method: 'run', segments});
	if (receipt.accepted) await seen.ended;
	io.signal.removeEventListener('abort', stop);
	await pod.send({method: 'shutdown'});
	if (!receipt.accepted) tell(io, receipt.sentence);
	const outcome = {session: session.id, ...resultOf(receipt, seen.items)};
	if (launch.format === 'json') io.stdout.write(`${JSON.stringify(outcome)}\n`);
	else if (launch.format === 'text') tellAnswer(io, outcome);
	return exitCode(receipt, outcome.outcome, io.signal);
}

/** With a prompt, what is piped in is material; alone, it is the prompt. */
function segmentsOf(prompt: string, piped = ''): Segment[] {
	if (prompt.trim() === '') return piped.trim() === '' ? [] : [{type: 'text', text: piped}];
	if (piped === '') return [{type: 'text', text: prompt}];
	const paste: Segment = {type: 'paste', id: '1', chars: piped.length, lines: piped.replace(/\n$/, '').split('\n').length, content: piped};
	return [{type: 'text', text: `${prompt}\n\n`}, paste];
}

type Seen = {readonly items: readonly Item[]; readonly ended: Promise<void>};

/** Keeps the items of this run, and says when the pod is not running any more. */
function watch(pod: PodClient, relay: ((event: Event) => void) | undefined, io: PrintIo): Seen {
	const items: Item[] = [];
	const {promise, resolve} = Promise.withResolvers<void>();
	let ran = false;
	pod.subscribe(event => {
		relay?.(event);
		if (event.type === 'item') items.push(event.item);
		if (event.type === 'alert' && event.alert.level !== 'info') tell(io, event.alert.text);
		if (event.type !== 'status') return;
		if (event.status.kind === 'running') ran = true;
		else if (ran) resolve();
	});
	return {items, ended: promise};
}

type Result = {readonly outcome: string; readonly cause?: string; readonly answer: string; readonly usage: Usage};

function resultOf(receipt: Receipt, items: readonly Item[]): Result {
	if (!receipt.accepted) return {outcome: 'refused', cause: receipt.sentence, answer: '', usage: {}};
	const end = items.findLast(item => item.type === 'run_end');
	const texts = items.slice(items.findLastIndex(item => item.type === 'tool_result') + 1).filter(item => item.type === 'message' && item.role === 'assistant');
	const answer = texts.map(item => (item as {text: string}).text).join('\n\n');
	return {outcome: end?.outcome ?? 'unsaved', ...(end?.cause !== undefined && {cause: end.cause}), answer, usage: total(items)};
}

function total(items: readonly Item[]): Usage {
	const sums: Usage = {};
	for (const item of items) {
		if (item.type !== 'request') continue;
		for (const [key, value] of Object.entries(item.usage)) if (typeof value === 'number') sums[key as keyof Usage] = (sums[key as keyof Usage] ?? 0) + value;
	}
	return sums;
}

function tellAnswer(io: PrintIo, {answer, outcome, cause, session}: Result & {readonly session: string}): void {
	if (answer !== '') io.stdout.write(answer.endsWith('\n') ? answer : `${answer}\n`);
	if (outcome === 'refused') return;
	if (outcome !== 'finished') tell(io, `The run ended as ${outcome}${cause === undefined ? '' : `: ${cause}`}. Go on with: inkpod -r ${session}`);
}

const outcomeCodes: Readonly<Record<string, number>> = {finished: 0, limit: 4};
const refusalCodes: Partial<Record<Refusal, number>> = {workflow: 3, hook: 3, untrusted: 3, empty: 2};

function exitCode(receipt: Receipt, outcome: string, signal: AbortSignal): number {
	if (signal.aborted) return signal.reason === 'SIGTERM' ? 143 : 130;
	if (!receipt.accepted) return refusalCodes[receipt.code] ?? 1;
	return outcomeCodes[outcome] ?? 1;
}

function refuse(io: PrintIo, sentence: string, code: number): number {
	tell(io, sentence);
	return code;
}

/** A sentence on stderr, with nothing in it that a terminal would obey. */
function tell({stderr}: PrintIo, sentence: string): void {
	stderr.write(`inkpod: ${sanitizeLine(sentence)}\n`);
}
