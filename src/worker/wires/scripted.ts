import {createHash} from 'node:crypto';
import type {Model, ModelEvent, ModelRequest, PartHead} from '../history/model.ts';
import type {Stop, Usage} from '../history/item.ts';
import {wait} from '../history/clock.ts';
import {plainTree} from './encode/plain.ts';
import {aborted} from './failure.ts';
import {argumentsText, splitText, type Answer, type Step, type StepOf} from './script.ts';
import {scriptedCut, scriptEnded, scriptFailed} from './texts.ts';

type ScriptedOptions = {
	/** The name of the model, by default `scripted`. */
	readonly name?: string;
	/** `chunk` and `delayMs` are used for steps that do not have their own. */
	readonly chunk?: number;
	readonly delayMs?: number;
};

/** Returns the answer to request number `n`, counted from 0. */
type Answerer = (request: ModelRequest, n: number) => Answer | Promise<Answer>;

/**
Creates a model that plays a script, or that calls a function for each answer. Each request gets the next answer, even
if the previous request failed. After the last answer, requests fail with an `error` event. The event `sending` contains
the result of `requestHash`.
*/
export function scriptedModel(script: readonly Answer[] | Answerer, options: ScriptedOptions = {}): Model {
	const answerOf: Answerer =
		typeof script === 'function' ? script : (_request, n) => script[n] ?? [endOfScript(script.length, n)];
	let count = 0;
	return {
		name: options.name ?? 'scripted',
		async *stream(request, signal) {
			const n = count;
			count += 1;
			try {
				yield {type: 'sending', hash: requestHash(request)};
				yield* play(await answerOf(request, n), n, options, signal);
			} catch (error) {
				yield {
					type: 'error',
					error: {
						reason: 'other',
						message: scriptFailed(error instanceof Error ? error.message : String(error)),
						retryable: false,
						cause: error,
					},
				};
			}
		},
	};
}

/** Returns the sha256 of the request as JSON with sorted keys, in hex. */
export function requestHash(request: ModelRequest): string {
	return createHash('sha256')
		.update(JSON.stringify(plainTree(request)))
		.digest('hex');
}

function endOfScript(length: number, n: number): Step {
	return {
		type: 'error',
		reason: 'other',
		message: scriptEnded(length, n + 1),
	};
}

async function* play(
	answer: Answer,
	n: number,
	options: ScriptedOptions,
	signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
	let usage: Usage = {};
	let last: ModelEvent | undefined = signal.aborted ? {type: 'error', error: aborted()} : undefined;
	for (const [index, step] of answer.entries()) {
		if (last !== undefined) break;
		if (step.type === 'usage') usage = usageOf(step);
		else if (step.type === 'stall') await untilAborted(signal);
		else if (step.type === 'error' || step.type === 'cut') last = fail(step, usage);
		else if (step.type === 'answered') yield answeredBy(step);
		else if (step.type === 'unread') yield* playUnread(step, `p${index + 1}`);
		else if (step.type !== 'stop')
			yield* playPart(step, `p${index + 1}`, `call_${n + 1}_${index + 1}`, options, signal);
		if (signal.aborted) last = {type: 'error', error: aborted(), usage};
	}
	yield last ?? {type: 'finish', ...endOf(answer), usage};
}

function endOf(answer: Answer): {readonly stop: Stop; readonly explanation?: string} {
	const last = answer.findLast(step => step.type === 'stop');
	if (last === undefined) return {stop: answer.some(step => step.type === 'tool_call') ? 'tool_calls' : 'end'};
	const {stop, explanation} = last;
	return {stop, ...(explanation !== undefined && {explanation})};
}

function answeredBy({type, ...by}: StepOf<'answered'>): ModelEvent {
	return {type, by};
}

function* playUnread({kind, data}: StepOf<'unread'>, key: string): Generator<ModelEvent> {
	yield {type: 'start', key, part: {type: 'unread', kind, ...(data !== undefined && {data})}};
	yield {type: 'end', key};
}

async function* playPart(
	step: StepOf<'text' | 'reasoning' | 'tool_call'>,
	key: string,
	callId: string,
	options: ScriptedOptions,
	signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
	const delayMs = step.delayMs ?? options.delayMs ?? 0;
	const head: PartHead =
		step.type === 'tool_call'
			? {type: 'tool_call', callId: step.callId ?? callId, name: step.name}
			: {type: step.type};
	if (signal.aborted) return;
	yield {type: 'start', key, part: head};
	for (const text of splitText(
		step.type === 'tool_call' ? argumentsText(step) : step.text,
		step.chunk ?? options.chunk,
	)) {
		if (delayMs > 0) await wait(delayMs, signal);
		if (signal.aborted) return;
		yield {type: 'delta', key, text};
	}
	if (signal.aborted) return;
	yield {
		type: 'end',
		key,
		...(step.type === 'tool_call' ? {text: argumentsText(step)} : {}),
		...(step.provider === undefined ? {} : {provider: step.provider}),
	};
}

function usageOf(step: StepOf<'usage'>): Usage {
	const {type: _, ...usage} = step;
	return usage;
}

function fail(step: StepOf<'error' | 'cut'>, usage: Usage): ModelEvent {
	if (step.type === 'cut')
		return {type: 'error', error: {reason: 'cut', message: scriptedCut, retryable: true}, usage};
	const {reason, message, retryable = false, retryAfterMs} = step;
	return {
		type: 'error',
		error: {reason, message, retryable, ...(retryAfterMs === undefined ? {} : {retryAfterMs})},
		usage,
	};
}

async function untilAborted(signal: AbortSignal): Promise<void> {
	if (signal.aborted) return;
	await new Promise<void>(resolve => {
		signal.addEventListener('abort', () => resolve(), {once: true});
	});
}
