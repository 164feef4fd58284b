import type {
	LanguageModelV4,
	LanguageModelV4CallOptions,
	LanguageModelV4FunctionTool,
	LanguageModelV4StreamPart,
	LanguageModelV4StreamResult,
} from '@ai-sdk/provider';
import type {Model, ModelEvent, ModelFailure, ModelRequest} from '../history/model.ts';
import type {Usage} from '../history/item.ts';
import {aborted, answerTooLong, cut, failureOf, stalled, tooManyParts, type FailureContext} from './failure.ts';
import {createAnswerLimit, maxAnswerBytes} from './answer-limit.ts';
import {createTranslator, stops, toUsage, type Translator} from './events.ts';
import {createKeyMask} from './key-mask.ts';
import {createStallTimeout, type StallTimeout, type WaitResult} from './stall-timeout.ts';
import {createTransport} from './transport.ts';
import {callSettings} from './settings.ts';
import {mediaLimits} from './media-limits.ts';
import {loadMedia} from './media-parts.ts';
import {prepareWire, type PreparedWire} from './prepare-wire.ts';
import {toPrompt} from './prompt.ts';
import {createRewriteNotes, type NoteRewrite} from '../history/rewrites.ts';
import {createAnswerNotes, maxParts, type AnswerNotes, type TakenNotes} from './reading/answer-notes.ts';
import {endedWithError} from './texts.ts';
import type {Wire} from './wire.ts';

/**
Returns a Model that uses a provider package. A request is one HTTP request, without retries. The environment is not
read: only the options of the wire are sent.
*/
export function aiSdkModel(wire: Wire): Model {
	const name = `${wire.provider}/${wire.options.model}`;
	const prepared = prepareWire(wire);
	return {
		name,
		stream: (request, signal) =>
			'reason' in prepared ? single(failed(prepared)) : streamAnswer(wire, prepared, request, signal),
	};
}

async function* single(event: ModelEvent): AsyncGenerator<ModelEvent> {
	yield event;
}

/** This is a single generator, because each nested generator costs several microtasks for each event. */
async function* streamAnswer(
	wire: Wire,
	prepared: PreparedWire,
	request: ModelRequest,
	signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
	const stall = createStallTimeout(signal, prepared.firstByteMs);
	const masked = createKeyMask(prepared.keys);
	const notes = createAnswerNotes(wire.facts.dataKey);
	const translator = createTranslator(request, wire.callsSettleLate === true, notes);
	const limited = createAnswerLimit(maxAnswerBytes, () =>
		failed(answerTooLong(prepared.context, maxAnswerBytes), translator.usage()),
	);
	const gate = createGate();
	const rewrites = createRewriteNotes();
	try {
		const {opening, failureOfWait} = sendRequest({
			wire,
			prepared,
			request,
			translator,
			notes,
			stall,
			gate,
			note: rewrites.note,
		});
		const first = await stall.wait(Promise.race([gate.ready, opening.then(async () => gate.ready)]));
		if (first.type === 'value') yield {type: 'sending', hash: first.value, rewrites: rewrites.notes};
		gate.open();
		const opened = await stall.wait(opening);
		if (opened.type !== 'value') {
			yield failureOfWait(opened, false);
			return;
		}
		const reader = opened.value.stream.getReader();
		for (let ended = false; !ended;) {
			const read = await stall.wait(reader.read());
			const last =
				endOf(read, {translator, notes, context: prepared.context}) ??
				(read.type === 'value' ? undefined : [failureOfWait(read, true)]);
			const events =
				last ?? (read.type === 'value' && !read.value.done ? translator.translate(read.value.value) : []);
			const kept = limited(events);
			for (const event of kept) for (const one of masked(event)) yield one;
			ended = last !== undefined || kept.at(-1)?.type === 'error';
		}
	} catch (error) {
		for (const event of masked(failed(failureOf(error, prepared.context, false)))) yield event;
	} finally {
		stall.end();
		// A body that is still waiting is not sent, because its signal is aborted now.
		gate.open();
	}
}

/** Returns the events that end the answer, if this read ends the answer. */
function endOf(
	read: WaitResult<ReadableStreamReadResult<LanguageModelV4StreamPart>>,
	answer: AnswerContext,
): ModelEvent[] | undefined {
	const {translator, context} = answer;
	if (translator.parts() > maxParts) return [failed(tooManyParts(context, maxParts), translator.usage())];
	if (read.type !== 'value') return undefined;
	return read.value.done ? [failed(cut(context), translator.usage())] : lastEvents(read.value.value, answer);
}

type AnswerContext = {
	readonly translator: Translator;
	readonly notes: TakenNotes;
	readonly context: FailureContext;
};

/** The number of milliseconds that the end of an answer may take to pass through the streams. */
const endMs = 1000;

type Sent = {
	readonly opening: Promise<LanguageModelV4StreamResult>;
	/** Returns the event for a wait that ended without a value. */
	readonly failureOfWait: (waited: Exclude<WaitResult<never>, {type: 'value'}>, began: boolean) => ModelEvent;
};

type RequestContext = {
	readonly gate: Gate;
	readonly wire: Wire;
	readonly prepared: PreparedWire;
	readonly request: ModelRequest;
	readonly translator: Translator;
	readonly notes: AnswerNotes;
	readonly stall: StallTimeout;
	readonly note: NoteRewrite;
};

function sendRequest({gate, wire, prepared, request, translator, notes, stall, note}: RequestContext): Sent {
	const {context, stallMs} = prepared;
	let answered = false;
	let silenceMs = stallMs;
	const fetch = createTransport(
		{
			async onReady(hash, headers) {
				for (const name of headers.get(betaHeader)?.split(',') ?? []) note('beta_header', name.trim());
				await gate.wait(hash);
			},
			onBytes() {
				answered = true;
				stall.restart(silenceMs);
			},
			onFinish(ms) {
				silenceMs = Math.max(stallMs, ms + endMs);
				stall.restart(silenceMs);
			},
		},
		{
			base: wire.options.fetch,
			network: wire.options.network,
			query: prepared.query,
			ending: wire.ending,
			reader: wire.reader?.(notes, request.settings),
			cleaner: wire.cleaner === undefined ? undefined : source => wire.cleaner?.(source, notes) ?? source,
		},
	);
	return {
		opening: Promise.resolve().then(async () =>
			open(wire, prepared, fetch).doStream(await callOptions(wire, request, {abortSignal: stall.signal, note})),
		),
		failureOfWait(waited, began) {
			const ms = answered ? stallMs : prepared.firstByteMs;
			const failure =
				waited.type === 'error'
					? failureOf(waited.error, context, began)
					: waited.why === 'aborted'
						? aborted()
						: stalled(context, ms);
			return failed(failure, translator.usage());
		},
	};
}

/** Returns the events that end the answer, if this part ends the answer. */
function lastEvents(
	part: LanguageModelV4StreamPart,
	{translator, notes, context}: AnswerContext,
): ModelEvent[] | undefined {
	if (part.type === 'error') return [failed(failureOf(part.error, context, true), translator.usage())];
	if (part.type !== 'finish') return undefined;
	const usage = {...translator.usage(), ...toUsage(part.usage)};
	const {unified, raw} = part.finishReason;
	const {stop = stops[unified], explanation} = notes.end();
	if (stop !== undefined)
		return [...translator.close(), {type: 'finish', stop, usage, ...(explanation !== undefined && {explanation})}];
	if (unified === 'interrupted') return [failed(cut(context), usage)];
	return [failed(failureOf(endedWithError(raw), context, true), usage)];
}

function failed(error: ModelFailure, usage?: Usage): ModelEvent {
	return {type: 'error', error, ...(usage === undefined ? {} : {usage})};
}

function open(wire: Wire, {baseURL, headers}: PreparedWire, fetch: typeof globalThis.fetch): LanguageModelV4 {
	const {model, apiKey = ''} = wire.options;
	return wire.connect({model, baseURL, apiKey, headers: {...headers}, fetch});
}

/** The header that names Anthropic's beta features. */
const betaHeader = 'anthropic-beta';

type CallContext = {readonly abortSignal: AbortSignal; readonly note: NoteRewrite};

async function callOptions(
	wire: Wire,
	request: ModelRequest,
	{abortSignal, note}: CallContext,
): Promise<LanguageModelV4CallOptions> {
	wire.noteAdditions?.(request, note);
	const {settings} = request;
	const media = await loadMedia(request, mediaLimits(wire.facts.wire, settings));
	const tools = request.tools.map(({name, description, parameters}): LanguageModelV4FunctionTool => ({
		type: 'function',
		name,
		description,
		inputSchema: parameters,
	}));
	const maxOutputTokens = wire.outputLimit?.(settings);
	return {
		prompt: toPrompt(request, wire.dialect(settings), note, media),
		...(maxOutputTokens !== undefined && {maxOutputTokens}),
		...callSettings(settings),
		...(tools.length === 0 ? {} : {tools}),
		...(wire.providerOptions === undefined ? {} : {providerOptions: wire.providerOptions(settings)}),
		abortSignal,
	};
}

/** Holds a body back until the caller of the model wants the body to be sent. */
type Gate = {
	/** Resolves to the hash of the body. */
	readonly ready: Promise<string>;
	readonly wait: (hash: string) => Promise<void>;
	readonly open: () => void;
};

function createGate(): Gate {
	const ready = Promise.withResolvers<string>();
	const opened = Promise.withResolvers<void>();
	return {
		ready: ready.promise,
		open: opened.resolve,
		async wait(hash) {
			ready.resolve(hash);
			await opened.promise;
		},
	};
}
