import type {Usage} from '../history/item.ts';
import type {Model, ModelEvent, ModelFailure, ModelRequest} from '../history/model.ts';
import {createAnswerLimit, maxAnswerBytes} from './answer-limit.ts';
import {createTranslator, type Translator} from './events.ts';
import {aborted, answerTooLong, cut, failureOf, tooManyParts, type FailureContext} from './failure.ts';
import {createGrowingBodies, type SentBody} from './growing-body.ts';
import {connectEarly} from './http/guarded-fetch.ts';
import {createKeyMask} from './key-mask.ts';
import {prepareWire, type PreparedWire} from './prepare-wire.ts';
import {readAnswer} from './reading/answer-body.ts';
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
Returns the model behind a wire. A request is one HTTP request, without retries. The environment is not read: only the
options of the wire are sent.
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

/** This is a single generator, because each nested generator costs several microtasks for each event. */
async function* streamAnswer(
	{wire, prepared, bodyOf}: Sender,
	request: ModelRequest,
	signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
	const stall = createStallTimeout(signal, silenceLimits(wire.options, prepared.context.isLocal).firstMs);
	const silence = new Silence(stall, wire.options, prepared.context.isLocal);
	const masked = createKeyMask(prepared.keys);
	const notes = createAnswerNotes(wire.facts.dataKey);
	const translator = createTranslator(request, notes);
	const limited = createAnswerLimit(maxAnswerBytes, () =>
		failed(answerTooLong(prepared.context, maxAnswerBytes), translator.usage()),
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
		const {headers, source} = opened.value;
		const answer = {translator, notes, context: prepared.context, headers};
		for (let ended = false; !ended;) {
			const read = await stall.wait(source.next());
			const {events, isLast} =
				read.type === 'value'
					? translated(read.value, answer)
					: endedBy(failureOfWait(read, {context: prepared.context, silence, began: true}), translator);
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
};

/** `isLast`: whether these events end the answer. */
type Translated = {readonly events: readonly ModelEvent[]; readonly isLast: boolean};

function endedBy(failure: ModelFailure, translator: Translator): Translated {
	return {events: [failed(failure, translator.usage())], isLast: true};
}

/** Translates what was read at once. `read` is `undefined` at the end of an answer that did not say that it ended. */
function translated(read: readonly AnswerEvent[] | undefined, answer: AnswerContext): Translated {
	const {translator, context, headers} = answer;
	const events: ModelEvent[] = [];
	const end = (last: readonly ModelEvent[]): Translated => ({events: [...events, ...last], isLast: true});
	if (read === undefined) return end([failed(cut(context), translator.usage() ?? {})]);
	for (const event of read) {
		if (translator.parts() > maxParts) return end([failed(tooManyParts(context, maxParts), translator.usage())]);
		if (event.type === 'error')
			return end([failed(failureOf(event.error, context, true, headers), translator.usage())]);
		if (event.type === 'finish') return end(lastEvents(event, answer));
		events.push(...translator.translate(event));
	}
	return {events, isLast: false};
}

/** Returns the last events of an answer that said why it ended. */
function lastEvents(
	{stop: said, raw, usage: counts}: Extract<AnswerEvent, {type: 'finish'}>,
	{translator, notes, context}: AnswerContext,
): readonly ModelEvent[] {
	const usage = {...translator.usage(), ...counts};
	const {stop: noted, explanation} = notes.end();
	const stop = noted ?? said;
	if (stop === 'interrupted') return [failed(cut(context), usage)];
	if (stop === 'error') return [failed(failureOf(endedWithError(raw), context, true), usage)];
	const finish = {type: 'finish', stop, usage, ...(explanation !== undefined && {explanation})} as const;
	return [...translator.close(), finish];
}

type WaitContext = {readonly context: FailureContext; readonly silence: Silence; readonly began: boolean};

/** Returns the failure of a wait that ended without a value. */
function failureOfWait(
	waited: Exclude<WaitResult<never>, {type: 'value'}>,
	{context, silence, began}: WaitContext,
): ModelFailure {
	if (waited.type === 'error') return failureOf(waited.error, context, began);
	return waited.why === 'aborted' ? aborted() : silence.failure(context);
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

type Opened = {readonly headers: IncomingAnswer['headers']; readonly source: EventSource};

async function send(wire: Wire, {ready, request, notes, silence}: SendContext): Promise<Opened> {
	const {fetch: base, network} = wire.options;
	silence.onSend();
	const {headers, source} = await sendToModel(ready, silence, {base, network, ending: wire.ending});
	const reader = wire.reader(notes, request.settings, request.tools);
	const events =
		wire.readFrames === undefined
			? readAnswer(source, reader, headers['content-type'] ?? null)
			: wire.readFrames(source, reader);
	return {headers, source: events};
}

/** A call of the model that the server could not read is the end of an answer, so the model is asked again. */
function failed(error: ModelFailure, usage?: Usage): ModelEvent {
	const {unreadCall} = error;
	if (unreadCall !== undefined)
		return {type: 'finish', stop: 'unread_call', usage: usage ?? {}, explanation: unreadCall};
	return {type: 'error', error, ...(usage === undefined ? {} : {usage})};
}
