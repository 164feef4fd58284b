import type {Usage} from '../../../history/item.ts';
import {AnswerRefused} from '../../http/refusal.ts';
import type {AnswerEvent} from '../answer-event.ts';
import type {AnswerNotes} from '../answer-notes.ts';
import type {EventReader} from '../event-reader.ts';
import {isObject, textIn} from '../fields.ts';
import {errorIn, type StreamError} from '../stream-error.ts';
import {createLeftovers, hasContent, unreadPart, withUnreadLimit, type Leftovers} from '../unread.ts';
import {elementsOf, fieldOf} from '../../values.ts';
import {MessageBlocks} from './messages-blocks.ts';
import {createMessageEnd, type MessageEnd} from './messages-end.ts';

/** Reads the events of the Messages API (platform.claude.com/docs/en/build-with-claude/streaming). */
export function createMessagesReader(answerNotes: AnswerNotes): EventReader {
	const notes = withUnreadLimit(answerNotes);
	const message = new Message(notes);
	return {
		read(event) {
			if (event === undefined) notes.addUnread(unreadPart('event', 'not valid JSON'));
			return Array.isArray(event) ? event.flatMap(one => message.read(one)) : message.read(event);
		},
		readWhole: answer => message.readWhole(answer),
		end: isDone => message.end(isDone),
		usage: () => message.usage(),
	};
}

type Events = readonly AnswerEvent[];

class Message {
	readonly #notes: AnswerNotes;
	readonly #leftovers: Leftovers;
	readonly #blocks: MessageBlocks;
	readonly #end: MessageEnd;
	#isStarted = false;
	#isFinished = false;
	/** Whether a part of the answer has arrived. */
	#isAnswered = false;
	/** The numbers of events that belong to this API, and of other events. */
	#known = 0;
	#unknown = 0;

	constructor(notes: AnswerNotes) {
		this.#notes = notes;
		this.#leftovers = createLeftovers(notes);
		this.#blocks = new MessageBlocks(notes, this.#leftovers);
		this.#end = createMessageEnd(notes);
	}

	read(event: unknown): Events {
		const events = this.#readKnown(textIn(event, 'type'), event);
		const error = events === undefined ? errorIn(event) : undefined;
		if (events === undefined && error === undefined) {
			this.#noteUnknown(event);
			return [];
		}
		this.#known += 1;
		if (error !== undefined) return [errorEvent(error, this.#isAnswered)];
		this.#isAnswered ||= events !== undefined && events.length > 0;
		return events ?? [];
	}

	readWhole(answer: unknown): Events | undefined {
		if (Array.isArray(answer)) return answer.some(isEvent) ? this.#readAll(answer) : undefined;
		if (isEvent(answer)) return this.#readAll([answer]);
		if (!isMessage(answer)) return undefined;
		this.#end.note(answer);
		this.#noteAnswered(answer);
		return [...this.#readBlocks(contentOf(answer)), ...this.#finish()];
	}

	end(isDone: boolean): Events {
		if (this.#isFinished) return [];
		if (this.#known === 0 && this.#unknown > 0) throw new AnswerRefused('not_an_answer', '');
		const isWhole = this.#end.hasStop() || (isDone && this.#blocks.counts.blocks > 0);
		return isWhole ? this.#finish() : [];
	}

	usage(): Usage {
		return this.#end.usage();
	}

	/** Reads an event. Returns `undefined` if the event does not belong to this API. */
	#readKnown(type: string | undefined, event: unknown): Events | undefined {
		if (type === undefined || !types.has(type)) return undefined;
		if (this.#isFinished || type === 'ping') return [];
		const index = fieldOf(event, 'index');
		if (type === 'content_block_delta') return this.#blocks.delta(index, fieldOf(event, 'delta'));
		if (type === 'content_block_start') return this.#blocks.start(index, fieldOf(event, 'content_block'));
		if (type === 'content_block_stop') return this.#blocks.stop(index);
		this.#end.note(event);
		if (type === 'message_start') return this.#start(event);
		return type === 'message_stop' ? this.#finish() : [];
	}

	#start(event: unknown): Events {
		if (this.#isStarted) return [];
		this.#isStarted = true;
		this.#noteAnswered(fieldOf(event, 'message'));
		return this.#readBlocks(contentOf(fieldOf(event, 'message')));
	}

	/**
	`inference_geo` names the place where the model ran (platform.claude.com/docs/en/build-with-claude/data-residency).
	*/
	#noteAnswered(message: unknown): void {
		const region = fieldOf(fieldOf(message, 'usage'), 'inference_geo');
		this.#notes.noteAnswered({
			model: fieldOf(message, 'model'),
			id: fieldOf(message, 'id'),
			...(region !== 'not_available' && {region}),
		});
	}

	#readAll(events: readonly unknown[]): Events {
		return [...events.flatMap(event => this.read(event)), ...this.end(true)];
	}

	#readBlocks(content: readonly unknown[]): Events {
		return content.flatMap((block, index) => [...this.#blocks.start(index, block), ...this.#blocks.stop(index)]);
	}

	#finish(): Events {
		if (this.#isFinished) return [];
		this.#isFinished = true;
		const fault = this.#end.fault();
		if (fault !== undefined) return [fault];
		const events = this.#blocks.stopAll();
		this.#leftovers.flush();
		return [...events, this.#end.finished(this.#blocks.counts)];
	}

	#noteUnknown(event: unknown): void {
		this.#unknown += 1;
		for (const name of ['content_block', 'delta', 'content']) {
			const content = fieldOf(event, name);
			if (typeof content === 'string' || hasContent(content))
				this.#leftovers.add(textIn(event, 'type') ?? 'event', content);
		}
	}
}

const types: ReadonlySet<string> = new Set([
	'message_start',
	'content_block_start',
	'content_block_delta',
	'content_block_stop',
	'message_delta',
	'message_stop',
	'ping',
]);

/** Returns the event for an error. Its status is the one that the server would send for this error outside a stream. */
function errorEvent({type = 'api_error', code, message}: StreamError, isAnswered: boolean): AnswerEvent {
	const statusCode = (Object.hasOwn(statuses, type) ? statuses[type] : undefined) ?? (isAnswered ? undefined : 500);
	return {type: 'error', error: {message, type, code, statusCode}};
}

/** The HTTP status of each type of error (platform.claude.com/docs/en/api/errors). */
const statuses: Readonly<Record<string, number>> = {
	api_error: 500,
	overloaded_error: 529,
	rate_limit_error: 429,
	timeout_error: 504,
	request_too_large: 413,
	authentication_error: 401,
	permission_error: 403,
	not_found_error: 404,
	billing_error: 400,
	invalid_request_error: 400,
};

/** Tells whether a whole body is a single event, such as an error. */
function isEvent(answer: unknown): boolean {
	return types.has(textIn(answer, 'type') ?? '') || errorIn(answer) !== undefined;
}

function isMessage(answer: unknown): boolean {
	if (!isObject(answer)) return false;
	return (
		Array.isArray(answer['content']) || (typeof answer['content'] === 'string' && answer['role'] === 'assistant')
	);
}

/** Returns the blocks of a message. If the message has a text instead of blocks, the text becomes one block. */
function contentOf(message: unknown): readonly unknown[] {
	const content = fieldOf(message, 'content');
	return typeof content === 'string' && content !== '' ? [{type: 'text', text: content}] : elementsOf(content);
}
