import type {ToolDefinition, Usage} from '../../../history/item.ts';
import {AnswerRefused} from '../../http/refusal.ts';
import type {AnswerNotes} from '../answer-notes.ts';
import {createCitations} from '../citations.ts';
import type {AnswerEvent} from '../answer-event.ts';
import type {EventReader} from '../event-reader.ts';
import {textIn} from '../fields.ts';
import {errorIn} from '../stream-error.ts';
import {createLeftovers, unreadPart, withUnreadLimit, type Leftovers} from '../unread.ts';
import {elementsOf, fieldOf} from '../../values.ts';
import {addArguments, identify, indexOf, setArguments, type Call} from './responses-call.ts';
import {endOfResponse, errorEvent, faultIn, responseIn, usageIn} from './responses-end.ts';
import {ResponseItems} from './responses-items.ts';
import {createParallelCalls} from './responses-parallel.ts';
import {
	addAnnotation,
	addRefusal,
	addText,
	addThought,
	addWhole,
	type MessageItem,
	type TextNotes,
} from './responses-text.ts';

/** What the reader needs to know about the request. `dataKey`: the key of the server's own data. */
type Asked = {readonly dataKey: string; readonly tools: readonly ToolDefinition[]};

/** Reads the events of the Responses API (developers.openai.com/api/reference/resources/responses/streaming-events). */
export function createResponsesReader(
	answerNotes: AnswerNotes,
	{dataKey, tools}: Asked = {dataKey: 'openai', tools: []},
): EventReader {
	const notes = withUnreadLimit(answerNotes);
	const response = new ResponseReading(notes, dataKey);
	const parallel = createParallelCalls(tools, dataKey);
	return {
		read(event) {
			if (event === undefined) notes.addUnread(unreadPart('event', 'not valid JSON'));
			return parallel.pass(
				Array.isArray(event) ? event.flatMap(one => response.read(one)) : response.read(event),
			);
		},
		readWhole(answer) {
			const events = response.readWhole(answer);
			return events === undefined ? undefined : parallel.pass(events);
		},
		end: isDone => [...parallel.pass(response.end(isDone)), ...parallel.rest()],
		usage: () => response.usage,
	};
}

type Events = readonly AnswerEvent[];

class ResponseReading {
	readonly #notes: AnswerNotes;
	readonly #leftovers: Leftovers;
	readonly #texts: TextNotes;
	readonly #items: ResponseItems;
	/** The token counts that the server has sent. */
	usage: Usage = {};
	#isFinished = false;
	/** The numbers of events that belong to this API, and of other events. */
	#known = 0;
	#unknown = 0;

	constructor(notes: AnswerNotes, dataKey: string) {
		this.#notes = notes;
		this.#leftovers = createLeftovers(notes);
		this.#texts = {notes, citations: createCitations(notes), dataKey, refusal: {text: ''}};
		this.#items = new ResponseItems(this.#texts);
	}

	read(event: unknown): Events {
		const type = textIn(event, 'type') ?? '';
		this.#noteAnswered(fieldOf(event, 'response'));
		const reader = Object.hasOwn(readers, type) ? readers[type] : undefined;
		const error = reader === undefined && !lastTypes.has(type) ? errorIn(event) : undefined;
		if (reader !== undefined || error !== undefined || lastTypes.has(type)) this.#known += 1;
		if (error !== undefined) {
			this.#noteUsage(event);
			return [errorEvent(error)];
		}
		if (lastTypes.has(type)) return this.#finish(event);
		if (reader !== undefined) return this.#isFinished ? [] : reader(this.#items, event, this.#texts);
		this.#unknown += 1;
		const delta = fieldOf(event, 'delta');
		// The end event of an item that cannot be read repeats its pieces, so they are ignored here.
		if (typeof delta === 'string' && !this.#items.isUnread(event)) this.#leftovers.add(type, delta);
		return [];
	}

	readWhole(answer: unknown): Events | undefined {
		if (Array.isArray(answer)) return answer.some(isEvent) ? this.#readAll(answer) : undefined;
		if (isEvent(answer)) return this.#readAll([answer]);
		if (!Array.isArray(fieldOf(responseIn(answer), 'output'))) return undefined;
		this.#noteAnswered(responseIn(answer));
		return this.#finish(answer);
	}

	end(isDone: boolean): Events {
		if (this.#isFinished) return [];
		if (this.#known === 0 && this.#unknown > 0) throw new AnswerRefused('not_an_answer', '');
		return isDone && this.#items.counts.items > 0 ? this.#finish({}) : [];
	}

	#readAll(events: readonly unknown[]): Events {
		return [...events.flatMap(event => this.read(event)), ...this.end(true)];
	}

	#finish(event: unknown): Events {
		if (this.#isFinished) return [];
		this.#isFinished = true;
		this.#noteUsage(event);
		const fault = faultIn(event, this.usage);
		if (fault !== undefined) return [fault];
		const events = this.#items.finishAll(elementsOf(fieldOf(responseIn(event), 'output')));
		this.#leftovers.flush();
		const {counts} = this.#items;
		const facts = {counts, refusal: this.#texts.refusal.text, notes: this.#notes, usage: this.usage};
		return [...events, endOfResponse(event, facts)];
	}

	#noteAnswered(response: unknown): void {
		this.#notes.noteAnswered({model: fieldOf(response, 'model'), id: fieldOf(response, 'id')});
	}

	#noteUsage(event: unknown): void {
		this.usage = {...this.usage, ...usageIn(event)};
	}
}

type ReadEvent = (items: ResponseItems, event: unknown, texts: TextNotes) => Events;

/** Returns the reader for an event of a message. `add` returns the events that result from the event. */
function ofMessage(add: (item: MessageItem, event: unknown, texts: TextNotes) => Events): ReadEvent {
	return (items, event, texts) => {
		const {item, events} = items.message(event);
		const added = add(item, event, texts);
		return events.length === 0 ? added : [...events, ...added];
	};
}

function ofThought(kind: 's' | 't', indexName: string): ReadEvent {
	return (items, event, texts) => {
		const {item, events} = items.reasoning(event);
		const thought = {kind, index: indexOf(event, indexName) ?? 0, delta: fieldOf(event, 'delta')};
		const added = addThought(item, thought, texts);
		return events.length === 0 ? added : [...events, ...added];
	};
}

function ofCall(add: (call: Call, event: unknown) => Events): ReadEvent {
	return (items, event) => {
		const {item, events} = items.call(event);
		const added = add(item, event);
		return events.length === 0 ? added : [...events, ...added];
	};
}

const addDelta = ofMessage((item, event) => addText(item, event, fieldOf(event, 'delta')));
const addPiece = ofCall((call, event) => addArguments(call, fieldOf(event, 'delta')));
const takeWhole = ofCall((call, event) => {
	identify(call, event);
	setArguments(call, event);
	return [];
});

const readers: Readonly<Record<string, ReadEvent>> = {
	'response.output_item.added': (items, event) => items.add(event),
	'response.output_item.done': (items, event) => items.finish(event),
	'response.output_text.delta': addDelta,
	'response.text.delta': addDelta,
	'response.output_text.done': ofMessage((item, event, texts) =>
		addWhole(item, event, fieldOf(event, 'text'), texts),
	),
	'response.output_text.annotation.added': ofMessage((_item, event, texts) => {
		addAnnotation(fieldOf(event, 'annotation'), texts);
		return [];
	}),
	'response.refusal.delta': ofMessage((item, event, texts) =>
		addRefusal(item, event, fieldOf(event, 'delta'), texts),
	),
	'response.refusal.done': ofMessage((item, event, texts) => addWhole(item, event, undefined, texts)),
	'response.reasoning_summary_text.delta': ofThought('s', 'summary_index'),
	'response.reasoning_text.delta': ofThought('t', 'content_index'),
	'response.function_call_arguments.delta': addPiece,
	'response.function_call_arguments.done': takeWhole,
	'response.custom_tool_call_input.delta': addPiece,
	'response.custom_tool_call_input.done': takeWhole,
};

const lastTypes: ReadonlySet<string> = new Set([
	'response.completed',
	'response.incomplete',
	'response.failed',
	'response.cancelled',
	'response.done',
]);

/** Tells whether a whole body is a single event, such as an error. */
function isEvent(answer: unknown): boolean {
	const type = textIn(answer, 'type') ?? '';
	return Object.hasOwn(readers, type) || lastTypes.has(type) || isError(answer);
}

/**
Tells whether a body is an error and not a response. A complete response also has the field `error`, usually null.
*/
function isError(answer: unknown): boolean {
	return errorIn(answer) !== undefined && !Array.isArray(fieldOf(answer, 'output'));
}
