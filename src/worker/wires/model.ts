import type {Usage} from '../history/item.ts';
import type {Model, ModelEvent, ModelFailure, ModelRequest} from '../history/model.ts';
import {within} from './answer-end.ts';
import {createAnswerLimit, maxAnswerBytes} from './answer-limit.ts';
import {createTranslator, type Translator} from './events.ts';
import {aborted, answerTooLong, cut, failureOf, tooManyParts, type FailureContext} from './failure.ts';
import {createGrowingBodies, type SentBody} from './growing-body.ts';
import {connectEarly} from './http/guarded-fetch.ts';
import {createKeyMask} from './key-mask.ts';
import {prepareWire, type PreparedWire} from './prepare-wire.ts';
import {readAnswer} from './reading/answer-body.ts';
import {answeredInHeaders} from './reading/answered-by.ts';
import type {AnswerEvent} from './reading/answer-event.ts';
import {createAnswerNotes, maxParts, type AnswerNotes, type TakenNotes} from './reading/answer-notes.ts';
import type {EventSource} from './reading/event-source.ts';
import {makeBody, readyRequest} from './ready-request.ts';
import {Silence, silenceLimits} from './silence.ts';
import {createStallTimeout, type WaitResult} from './stall-timeout.ts';
import {endedWithError} from './texts.ts';
import {sendToModel, type IncomingAnswer, type OutgoingRequest} from './transport.ts';
import type {Wire} from './wire.ts';

/**
Returns a model that uses a wire. Each request is one HTTP request, without retries. The model reads no environment
variables, only the options of the wire.
*/
export function wireModel(wire: Wire): Model {
	const name = `${wire.provider}/${wire.options.model}`;
	const prepared = prepareWire(wire);
	if ('reason' in prepared) return {name, stream: () => single(failed(prepared))};
	const bodyOf = createGrowingBodies(async request => makeBody(wire, request));
	const {fetch: base, network} = wire.options;
	return {
		name,
		...(base === undefined && {connect: () => void connectEarly(new URL(prepared.baseURL), network)}),
		stream: (request, signal) => streamAnswer({wire, prepared, bodyOf}, request, signal),
	};
}

async function* single(event: ModelEvent): AsyncGenerator<ModelEvent> {
	yield event;
}

type Sender = {
	readonly wire: Wire;
	readonly prepared: PreparedWire;
	readonly bodyOf: (request: ModelRequest) => Promise<SentBody>;
};

/**
Sends a request and streams the answer. This is a single generator, because each nested generator would add several
microtasks per event.
*/
async function* streamAnswer(
	{wire, prepared, bodyOf}: Sender,
	request: ModelRequest,
	signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
	const stall = createStallTimeout(signal, silenceLimits(wire.options, prepared.context.isLocal).firstMs);
	const silence = new Silence(stall, wire.options, prepared.context.isLocal);
	const masked = createKeyMask(prepared.keys);
	const notes = createAnswerNotes(wire.facts.dataKey, wire.options.model);
	const translator = createTranslator(request, notes);
	let usage = (): Usage | undefined => undefined;
	const limited = createAnswerLimit(maxAnswerBytes, () =>
		failed(answerTooLong(prepared.context, maxAnswerBytes), usage()),
	);
	try {
		const ready = await stall.wait(preparedRequest({wire, prepared, bodyOf}, request, stall.signal));
		if (ready.type !== 'value') {
			yield failed(failureOfWait(ready, {context: prepared.context, silence, began: false}));
			return;
		}
		const {outgoing, body} = ready.value;
		yield {type: 'sending', hash: body.sha256, rewrites: body.notes};
		const sent = send(wire, {ready: outgoing, request, notes, silence});
		const opened = await stall.wait(sent);
		if (opened.type !== 'value') {
			yield failed(failureOfWait(opened, {context: prepared.context, silence, began: false}));
			return;
		}
		const {source} = opened.value;
		({usage} = opened.value);
		const answer: AnswerContext = {translator, notes, context: prepared.context, ...opened.value};
		for (let ended = false; !ended;) {
			const read = await stall.wait(nextOf(source, answer));
			const {events, isLast} =
				read.type === 'value'
					? translated(read.value, answer)
					: endedBy(failureOfWait(read, {...answer, silence, began: true}), usage());
			silence.onEvents(events);
			const kept = limited(events);
			for (const event of kept) for (const one of masked(event)) yield one;
			ended = isLast || kept.at(-1)?.type === 'error';
		}
	} catch (error) {
		for (const event of masked(failed(failureOf(error, prepared.context, false)))) yield event;
	} finally {
		stall.end();
	}
}

type AnswerContext = {
	readonly translator: Translator;
	readonly notes: TakenNotes;
	readonly context: FailureContext;
	/** The headers of the answer, which may say how long to wait. */
	readonly headers: IncomingAnswer['headers'];
	readonly usage: () => Usage;
	/** The first error that the server sent, and the time until which inkpod waits for the token counts. */
	failure?: {readonly error: ModelFailure; readonly until: number};
};

/** How long to wait for the token counts after an error, in milliseconds. */
const countsMs = 500;

/** `isLast`: whether these events end the answer. */
type Translated = {readonly events: readonly ModelEvent[]; readonly isLast: boolean};

function endedBy(failure: ModelFailure, usage: Usage | undefined): Translated {
	return {events: [failed(failure, usage)], isLast: true};
}

/**
Returns the next events. After an error, waits only a moment for the token counts, and ignores a broken connection.
*/
async function nextOf(source: EventSource, {failure}: AnswerContext): Promise<readonly AnswerEvent[] | undefined> {
	if (failure === undefined) return source.next();
	const left = failure.until - performance.now();
	return left <= 0
		? undefined
		: within(
				source.next().catch(() => undefined),
				left,
			);
}

/**
Translates the events of one read. `read` is `undefined` if the answer ended without an event that says so. After an
error, only the token counts are used.
*/
function translated(read: readonly AnswerEvent[] | undefined, answer: AnswerContext): Translated {
	const {translator, notes, context, headers, usage} = answer;
	const by = notes.takeAnswered();
	const events: ModelEvent[] = by === undefined ? [] : [{type: 'answered', by}];
	const end = (last: readonly ModelEvent[]): Translated => ({events: [...events, ...last], isLast: true});
	for (const event of answer.failure === undefined ? (read ?? []) : []) {
		if (translator.parts() > maxParts) return end([failed(tooManyParts(context, maxParts), usage())]);
		if (event.type === 'error') {
			const error = failureOf(event.error, context, true, headers);
			answer.failure = {error, until: performance.now() + countsMs};
			break;
		}
		if (event.type === 'finish') return end(lastEvents(event, answer));
		events.push(...translator.translate(event));
	}
	const {failure} = answer;
	if (failure !== undefined && (read === undefined || usage().output !== undefined))
		return end([failed(failure.error, usage())]);
	return read === undefined ? end([failed(cut(context), usage())]) : {events, isLast: false};
}

/** Returns the last events of an answer whose last event says why the answer ended. */
function lastEvents(
	{stop: said, raw, usage}: Extract<AnswerEvent, {type: 'finish'}>,
	{translator, notes, context}: AnswerContext,
): readonly ModelEvent[] {
	const {stop: noted, explanation} = notes.end();
	const stop = noted ?? said;
	if (stop === 'interrupted') return [failed(cut(context), usage)];
	// The server does not say what went wrong, so the same request may succeed.
	const fault = {message: endedWithError(raw), code: raw, type: 'server_error'};
	if (stop === 'error') return [failed(failureOf(fault, context, true), usage)];
	const finish = {type: 'finish', stop, usage, ...(explanation !== undefined && {explanation})} as const;
	return [...translator.close(), finish];
}

type WaitContext = Pick<AnswerContext, 'context' | 'failure'> & {readonly silence: Silence; readonly began: boolean};

/** Returns the failure of a wait that ended without a value. */
function failureOfWait(
	waited: Exclude<WaitResult<never>, {type: 'value'}>,
	{context, failure, silence, began}: WaitContext,
): ModelFailure {
	if (waited.type === 'error') return failureOf(waited.error, context, began);
	return waited.why === 'aborted' ? aborted() : (failure?.error ?? silence.failure(context));
}

type Prepared = {readonly outgoing: OutgoingRequest; readonly body: SentBody};

async function preparedRequest(
	{wire, prepared, bodyOf}: Sender,
	request: ModelRequest,
	signal: AbortSignal,
): Promise<Prepared> {
	const body = await bodyOf(request);
	return {outgoing: await readyRequest(wire, prepared, {...body, body: body.bytes, signal}), body};
}

type SendContext = {
	readonly ready: OutgoingRequest;
	readonly request: ModelRequest;
	readonly notes: AnswerNotes;
	readonly silence: Silence;
};

/** `usage` returns the token counts that the server has already sent. */
type Opened = {
	readonly headers: IncomingAnswer['headers'];
	readonly source: EventSource;
	readonly usage: () => Usage;
};

async function send(wire: Wire, {ready, request, notes, silence}: SendContext): Promise<Opened> {
	const {fetch: base, network} = wire.options;
	silence.onSend();
	const {headers, source} = await sendToModel(ready, silence, {base, network, ending: wire.ending});
	notes.noteAnswered(answeredInHeaders(headers));
	const reader = wire.reader(notes, request.settings, request.tools);
	const events =
		wire.readFrames === undefined
			? readAnswer(source, reader, headers['content-type'] ?? null)
			: wire.readFrames(source, reader);
	return {headers, source: events, usage: () => reader.usage()};
}

/**
Returns the last event of a failed answer. If the server could not read the model's call, the answer ends with
`unread_call`, so that the run can ask the model again.
*/
function failed(error: ModelFailure, usage?: Usage): ModelEvent {
	const {unreadCall} = error;
	if (unreadCall !== undefined)
		return {type: 'finish', stop: 'unread_call', usage: usage ?? {}, explanation: unreadCall};
	return {type: 'error', error, ...(usage === undefined ? {} : {usage})};
}
