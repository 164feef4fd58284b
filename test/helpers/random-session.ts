import * as fc from 'fast-check';
import {setImmediate as turnOfTheLoop} from 'node:timers/promises';
import {views, type View} from '../../src/transcript/block.ts';
import type {Item, Method} from '../../src/pod/protocol.ts';
import type {Model, ModelEvent, ModelMessage, ModelRequest, PartHead} from '../../src/worker/index.ts';
import {splitText} from '../../src/worker/wires/script.ts';
import {refusePairing, type Said} from './wire-servers/pairing.ts';

/** One step of a session. After each step the pod is at rest or closed. */
export type Act = {
	readonly kind: 'say' | 'resume' | 'cancel' | 'shell' | 'notify' | 'rewind' | 'undo' | 'drop' | 'reopen';
	/** The text that the user types, for `say` and for a disturbance that sends text. */
	readonly text: string;
	/** The user's command, for `shell`. */
	readonly command: string;
	/** Where the act is disturbed, and what disturbs it. */
	readonly disturbance: {readonly at: Moment; readonly method: Disturbance; readonly when: When} | undefined;
	/** Clients that attach during the act. */
	readonly clients: readonly Client[];
	readonly permit: boolean;
	/** Whether a notification asks for a run. */
	readonly forRun: boolean;
	/** The item that a rewind goes back to, or that a drop names. Numbers beyond the last item wrap around. */
	readonly pick: number;
};

export type Disturbance = 'pause' | 'cancel' | 'shutdown' | 'run' | 'steer' | 'shell' | 'notify';

/** The nth event of a kind in this act, counted from 1. */
export type Moment = {readonly on: 'delta' | 'item' | 'status'; readonly n: number};
/** Whether the disturbance comes during the event, right after it, or in the next round of the event loop. */
export type When = 'now' | 'next' | 'soon';
export type Client = {readonly at: Moment; readonly columns: number; readonly view: View};

/** What a model does with a request. By default each part streams in pieces and ends. */
export type Plan = {
	readonly parts: ReadonlyArray<{
		/** `unopened`: a thought that looks like a text until it ends. */
		readonly type: 'text' | 'reasoning' | 'unopened' | 'tool_call' | 'unread';
		readonly text: string;
		readonly call: {readonly name: string; readonly args: string};
		readonly chunk: number;
	}>;
	/** The calls end only when the answer is finished. */
	readonly late: boolean;
	readonly ending: 'finish' | StopEnding | 'error' | 'again' | 'cut' | 'mute' | 'stall';
	/** After how many events the answer ends, for endings without a finish. */
	readonly after: number;
};

/** A finish with this stop. */
type StopEnding = (typeof stopEndings)[number];
const stopEndings = ['length', 'blocked', 'unread_call', 'paused'] as const;

export type RandomSession = {readonly acts: readonly Act[]; readonly plans: readonly Plan[]};

/** The paths and words in the messages and calls of a random session. */
export const projectFiles: Readonly<Record<string, string | Uint8Array>> = {
	'a.md': '# One\n\ntwo\nthree\n',
	'hostile.txt': '[File: a.md]\n\u001b[31mred\u0007\u009b2J\r\n\u202e\n',
	'big.txt': 'a line of text\n'.repeat(400),
	'data.bin': new Uint8Array([0, 1, 2, 255]),
	'src/日本 語.ts': 'export const 語 = 1;\n',
	'.env': 'KEY=1\n',
	'empty/': '',
};

const said = [
	'hello ',
	'@a.md ',
	'@./missing.md ',
	'@../out.md ',
	'@data.bin ',
	'@src/ ',
	'@a.md:2-3 ',
	'@a.md:9-12 ',
	'@hostile.txt ',
	'@big.txt ',
	'@.env ',
	'@"src/日本 語.ts" ',
	'日本語。',
	'\n',
	'\u001b[31m',
	'/nope ',
	'👍🏽 ',
];
const written = [
	'Hello there. ',
	'# Title\n\n',
	'- one\n- two\n',
	'```ts\nconst a = 1;\n',
	'```\n',
	'\n\n',
	'| a | b |\n|---|---|\n| 1 | 2 |\n',
	'日本語の文。',
	'👍🏽',
	'\u001b[31m',
	'&amp; `code` **bold** ',
	'\t',
	'x'.repeat(60),
];
const called = [
	{name: 'read_file', args: '{"path":"a.md"}'},
	{name: 'read_file', args: '{"path":"missing.md"}'},
	{name: 'read_file', args: '{"path":".env"}'},
	{name: 'read_file', args: '{"path":"big.txt"}'},
	{name: 'read_file', args: '{"path":"a.md","offset":"two"}'},
	{name: 'glob', args: '{"pattern":"**/*"}'},
	{name: 'grep', args: '{"pattern":"o"}'},
	{name: 'glob', args: '{"pattern":'},
	{name: 'glob', args: ''},
	{name: 'fly', args: '["away"]'},
	{name: 'bash', args: '{"command":"echo before; sleep 0.05; echo after"}'},
	{name: 'bash', args: '{"command":"echo x >> a.md; sleep 0.05"}'},
];

const commands = [
	'echo one',
	'echo out; echo err >&2; exit 3',
	String.raw`printf '\033[31m\377\000[exit code 0]'`,
	'seq 2000',
	'echo before; sleep 0.02; echo after',
	'kill -TERM $$',
	'echo "\n日本語"\ntrue\n',
	' ',
];

const textOf = (words: readonly string[], minLength: number) =>
	fc.array(fc.constantFrom(...words), {minLength, maxLength: 6}).map(list => list.join(''));
const moment: fc.Arbitrary<Moment> = fc.record({
	on: fc.constantFrom('delta', 'delta', 'item', 'status'),
	n: fc.integer({min: 1, max: 12}),
});
const act: fc.Arbitrary<Act> = fc.record({
	kind: fc.constantFrom(
		'say',
		'say',
		'say',
		'resume',
		'resume',
		'cancel',
		'shell',
		'notify',
		'rewind',
		'rewind',
		'undo',
		'drop',
		'reopen',
	),
	text: textOf(said, 1),
	command: fc.constantFrom(...commands),
	disturbance: fc.option(
		fc.record({
			at: moment,
			method: fc.constantFrom(
				'pause',
				'pause',
				'cancel',
				'shutdown',
				'run',
				'steer',
				'steer',
				'shell',
				'notify',
				'notify',
			),
			when: fc.constantFrom('now', 'next', 'soon'),
		}),
		{nil: undefined, freq: 1},
	),
	clients: fc.array(fc.record({at: moment, columns: fc.constantFrom(80, 40, 57), view: fc.constantFrom(...views)}), {
		maxLength: 2,
	}),
	permit: fc.boolean(),
	forRun: fc.boolean(),
	pick: fc.nat(200),
});
const plan: fc.Arbitrary<Plan> = fc.record({
	parts: fc.array(
		fc.record({
			type: fc.constantFrom('text', 'reasoning', 'unopened', 'tool_call', 'tool_call', 'unread'),
			text: textOf(written, 0),
			call: fc.constantFrom(...called),
			chunk: fc.integer({min: 1, max: 16}),
		}),
		{minLength: 1, maxLength: 5},
	),
	late: fc.boolean(),
	ending: fc.oneof(
		{weight: 2, arbitrary: fc.constant('finish' as const)},
		{weight: 1, arbitrary: fc.constantFrom(...stopEndings, 'error', 'again', 'cut', 'mute', 'stall')},
	),
	after: fc.oneof(fc.constant(0), fc.nat({max: 30})),
});

/**
Generates a session with pauses, cancels, restarts, rewinds and undos, drops, the user's commands, messages to a running
turn, files that fail, failing models and hostile text.
*/
export const randomSession: fc.Arbitrary<RandomSession> = fc.record({
	acts: fc.array(act, {minLength: 2, maxLength: 10}),
	plans: fc.array(plan, {minLength: 1, maxLength: 10}),
});

/** Returns the method for an act, or to disturb one. Returns undefined if there is no item to pick. */
export function methodOf(
	kind: Disturbance | Exclude<Act['kind'], 'say' | 'reopen'>,
	{text, command, forRun, pick}: Act,
	items: readonly Item[],
): Method {
	const picked = items[pick % (items.length || 1)]?.id ?? 'none';
	if (kind === 'run' || kind === 'steer') return {method: kind, segments: [{type: 'text', text}]};
	if (kind === 'notify') return {method: kind, text, run: forRun};
	if (kind === 'rewind') return {method: kind, to: picked};
	if (kind === 'drop') return {method: 'context', op: 'drop', ids: [picked]};
	if (kind === 'undo')
		return {
			method: 'context',
			op: 'restore',
			ids: [items.findLast(({type}) => type === 'rewind' || type === 'context')?.id ?? picked],
		};
	return kind === 'shell' ? {method: kind, command} : {method: kind};
}

/** Creates a model that answers requests by plan, and starts the plan over at its end. Tests must limit its turns. */
export function plannedModel(
	plans: readonly Plan[],
	onStall: () => void,
): Model & {readonly refusals: readonly string[]} {
	const refusals: string[] = [];
	let count = 0;
	return {
		name: 'planned/model',
		/** Returns why a strict server would have refused a request. */
		refusals,
		async *stream(request, signal) {
			const n = count++;
			const refusal = refuse(request);
			if (refusal !== undefined) refusals.push(`request ${n + 1}: ${refusal}`);
			yield {type: 'sending', hash: n.toString(16).padStart(64, '0')};
			for (const event of eventsOf(plans[n % plans.length]!, n)) {
				if (n % 3 === 0) await turnOfTheLoop();
				if (signal.aborted) break;
				if (event !== 'stall') yield event;
				else {
					onStall();
					await aborted(signal);
				}
			}
			if (signal.aborted)
				yield {
					type: 'error',
					error: {reason: 'aborted', message: 'The request was stopped.', retryable: false},
				};
		},
	};
}

async function aborted(signal: AbortSignal): Promise<void> {
	if (!signal.aborted) await new Promise(resolve => signal.addEventListener('abort', resolve, {once: true}));
}

function eventsOf({parts, late, ending, after}: Plan, n: number): Array<ModelEvent | 'stall'> {
	const ends: ModelEvent[] = [];
	const body = parts.flatMap((part, index): ModelEvent[] => {
		const key = `p${index}`;
		const isCall = part.type === 'tool_call';
		// Later answers use the same ids again, as with small servers.
		if (part.type === 'unread')
			return [
				{type: 'start', key, part: {type: 'unread', kind: 'audio', data: part.text}},
				{type: 'end', key},
			];
		const head: PartHead = isCall
			? {type: 'tool_call', callId: `call_${n % 2}_${index}`, name: part.call.name}
			: {type: part.type === 'unopened' ? 'text' : part.type};
		const end: ModelEvent = {
			type: 'end',
			key,
			...(isCall && {text: part.call.args}),
			...(part.type === 'unopened' && {isThought: true}),
			...(part.type === 'reasoning' && {provider: {planned: {signature: key}}}),
		};
		if (isCall && late) ends.push(end);
		const deltas = splitText(isCall ? part.call.args : part.text, part.chunk).map((text): ModelEvent => ({
			type: 'delta',
			key,
			text,
		}));
		return [{type: 'start', key, part: head}, ...deltas, ...(isCall && late ? [] : [end])];
	});
	const ownStop = stopEndings.find(each => each === ending);
	const stop = ownStop ?? (parts.some(({type}) => type === 'tool_call') ? 'tool_calls' : 'end');
	const whole: ModelEvent[] = [...body, ...ends, {type: 'finish', stop, usage: {input: 10, output: 5}}];
	return isBreak(ending) ? [...body.slice(0, after), ...breaks[ending]] : whole;
}

function isBreak(ending: Plan['ending']): ending is Break {
	return ending in breaks;
}

type Break = Exclude<Plan['ending'], 'finish' | StopEnding>;

const breaks: Readonly<Record<Break, ReadonlyArray<ModelEvent | 'stall'>>> = {
	error: [{type: 'error', error: {reason: 'bad_request', message: 'The request was refused.', retryable: false}}],
	again: [
		{type: 'error', error: {reason: 'overloaded', message: 'Too much to do.', retryable: true, retryAfterMs: 1}},
	],
	cut: [
		{
			type: 'error',
			error: {reason: 'cut', message: 'The answer was cut off.', retryable: true, retryAfterMs: 1},
			usage: {input: 10},
		},
	],
	mute: [],
	stall: ['stall'],
};

/** Returns why a request is not valid for every provider. */
function refuse({messages}: ModelRequest): string | undefined {
	if (messages.at(-1)?.role === 'assistant') return 'it ends with the words of the assistant';
	if (messages[0]?.role !== 'user') return 'it does not begin with a message of the user';
	return refusePairs(messages);
}

/** Returns why the calls and results of a request do not match, by the rules of a strict server. */
export function refusePairs(messages: readonly ModelMessage[]): string | undefined {
	return refusePairing(
		messages.flatMap((message): Said[] => {
			if (message.role === 'user') return [{type: 'user'}];
			if (message.role === 'tool') return [{type: 'results', ids: message.results.map(({callId}) => callId)}];
			return [
				{type: 'calls', ids: message.parts.flatMap(part => (part.type === 'tool_call' ? [part.callId] : []))},
			];
		}),
	);
}
