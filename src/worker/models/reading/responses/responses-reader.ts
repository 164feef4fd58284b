import type {AnswerNotes} from '../answer-notes.ts';
import {createCitations} from '../citations.ts';
import type {EventReader} from '../event-reader.ts';
import {textIn} from '../fields.ts';
import {errorIn} from '../stream-error.ts';
import {createLeftovers, unreadPart} from '../unread.ts';
import {elementsOf, fieldOf} from '../../values.ts';
import {addArguments, identify, indexOf, setArguments} from './responses-call.ts';
import {endOfResponse, errorEvent, responseIn} from './responses-end.ts';
import {createResponseItems} from './responses-items.ts';
import {addAnnotation, addRefusal, addText, addThought, addWhole} from './responses-text.ts';

type ReadEvent = (event: unknown) => readonly unknown[];

/** The events of the Responses API. (developers.openai.com/api/reference/resources/responses/streaming-events) */
export function createResponsesReader(notes: AnswerNotes): EventReader {
	const leftovers = createLeftovers(notes);
	const refusal = {text: ''};
	const texts = {notes, citations: createCitations(notes), refusal};
	const items = createResponseItems(texts);
	let isFinished = false;
	let understood = 0;
	let unknown = 0;

	function finish(event: unknown): readonly unknown[] {
		if (isFinished) return [];
		isFinished = true;
		const events = items.finishAll(elementsOf(fieldOf(responseIn(event), 'output')));
		leftovers.flush();
		return [...events, ...endOfResponse(event, {counts: items.counts, refusal: refusal.text, notes})];
	}

	const ofMessage =
		(
			add: (item: ReturnType<typeof items.of<'message'>>['item'], event: unknown) => readonly unknown[],
		): ReadEvent =>
		event => {
			const {item, events} = items.of('message', event);
			return [...events, ...add(item, event)];
		};
	const ofThought =
		(kind: 's' | 't', indexName: string): ReadEvent =>
		event => {
			const {item, events} = items.of('reasoning', event);
			return [...events, ...addThought(item, kind, indexOf(event, indexName) ?? 0, fieldOf(event, 'delta'))];
		};
	const ofCall =
		(
			add: (item: ReturnType<typeof items.of<'function_call'>>['item'], event: unknown) => readonly unknown[],
		): ReadEvent =>
		event => {
			const {item, events} = items.of('function_call', event);
			return [...events, ...add(item, event)];
		};

	const addDelta = ofMessage((item, event) => addText(item, event, fieldOf(event, 'delta')));
	const addPiece = ofCall((item, event) => addArguments(item, fieldOf(event, 'delta')));
	const takeWhole = ofCall((item, event) => {
		identify(item, event);
		setArguments(item, event);
		return [];
	});

	const readers: Readonly<Record<string, ReadEvent>> = {
		'response.output_item.added': items.add,
		'response.output_item.done': items.finish,
		'response.output_text.delta': addDelta,
		'response.text.delta': addDelta,
		'response.output_text.done': ofMessage((item, event) => addWhole(item, event, fieldOf(event, 'text'), texts)),
		'response.output_text.annotation.added': ofMessage((item, event) => {
			addAnnotation(item, fieldOf(event, 'annotation'), texts);
			return [];
		}),
		'response.refusal.delta': ofMessage((item, event) => addRefusal(item, event, fieldOf(event, 'delta'), texts)),
		'response.refusal.done': ofMessage((item, event) => addWhole(item, event, fieldOf(event, 'refusal'), texts)),
		'response.reasoning_summary_text.delta': ofThought('s', 'summary_index'),
		'response.reasoning_text.delta': ofThought('t', 'content_index'),
		'response.function_call_arguments.delta': addPiece,
		'response.function_call_arguments.done': takeWhole,
		'response.custom_tool_call_input.delta': addPiece,
		'response.custom_tool_call_input.done': takeWhole,
		'response.completed': finish,
		'response.incomplete': finish,
		'response.failed': finish,
		'response.cancelled': finish,
		'response.done': finish,
	};

	function readOne(event: unknown): readonly unknown[] {
		const type = textIn(event, 'type') ?? '';
		const reader = Object.hasOwn(readers, type) ? readers[type] : undefined;
		if (reader !== undefined) {
			understood += 1;
			return isFinished ? [] : reader(event);
		}
		const error = errorIn(event);
		if (error !== undefined) {
			understood += 1;
			return [errorEvent(error)];
		}
		unknown += 1;
		const delta = fieldOf(event, 'delta');
		// The pieces of an unread item come again when it ends.
		if (typeof delta === 'string' && delta !== '' && !items.isUnread(event)) leftovers.add(type, delta);
		return [];
	}

	return {
		read(event) {
			if (Array.isArray(event)) return event.flatMap(readOne);
			if (event === undefined) notes.addUnread(unreadPart('invalid event', undefined));
			return readOne(event);
		},
		readWhole: answer => (Array.isArray(fieldOf(responseIn(answer), 'output')) ? finish(answer) : undefined),
		end(isDone) {
			if (isFinished) return [];
			if (understood === 0 && unknown > 0) return [errorEvent({message: otherProtocol})];
			return isDone && items.counts.items > 0 ? finish({}) : [];
		},
	};
}

const otherProtocol = 'The server sent no event of the Responses API.';
