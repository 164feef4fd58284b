import type {AnswerEvent} from '../answer-event.ts';
import {citationOf, type Citations} from '../citations.ts';
import type {AnswerNotes} from '../answer-notes.ts';
import {countOf, textIn} from '../fields.ts';
import {hasContent, unreadPart} from '../unread.ts';
import {elementsOf, fieldOf} from '../../values.ts';

/** A message that is being read. */
export type MessageItem = {
	readonly kind: 'message';
	/** The unique id of the message's text in the answer. The server's ids may repeat. */
	readonly part: string;
	readonly id: string;
	readonly phase: string | undefined;
	/** The indexes of the content parts whose text was passed on. */
	readonly passed: Set<number>;
	/** Whether all earlier events named the content part to which they belong. */
	isIndexed: boolean;
};

/** A reasoning item that is being read. */
export type ReasoningItem = {
	readonly kind: 'reasoning';
	/** The beginning of the unique ids of the item's thoughts in the answer. */
	readonly part: string;
	readonly id: string;
	/** Whether the server gave the item an id. An item without an id cannot be sent back. */
	readonly hasId: boolean;
	/** The encrypted content in the start event of the item. The end event contains the final content. */
	readonly encrypted: string | null;
	/** The position of each summary or text that was passed on, by kind and index. */
	readonly places: Map<string, number>;
};

/** The notes and citations of an answer's texts. `dataKey`: the key of the server's own data. */
export type TextNotes = {
	readonly notes: AnswerNotes;
	readonly citations: Citations;
	readonly dataKey: string;
	/** The model's words when it declines to answer. */
	readonly refusal: {text: string};
};

type Events = readonly AnswerEvent[];

export function startOfMessage({part, id, phase}: MessageItem, {dataKey}: TextNotes): AnswerEvent {
	const data = {itemId: id, ...(phase !== undefined && {phase})};
	return {type: 'start', kind: 'text', id: part, data: {[dataKey]: data}};
}

/**
Returns the start of the item's first thought. Each summary becomes a separate thought. The first thought begins with
the item, so that the user sees that the model is thinking.
*/
export function startOfReasoning(item: ReasoningItem, texts: TextNotes): AnswerEvent {
	return startOfThought(item, 0, texts);
}

function startOfThought(item: ReasoningItem, place: number, {dataKey}: TextNotes): AnswerEvent {
	const data = {itemId: item.id, reasoningEncryptedContent: item.encrypted};
	return {type: 'start', kind: 'reasoning', id: thoughtOf(item, place), data: {[dataKey]: data}};
}

function thoughtOf({part}: ReasoningItem, place: number): string {
	return `${part}:${place}`;
}

/** Returns the encrypted content of a reasoning item, or `null` if there is none or if the item has no id. */
export function encryptedContent(item: unknown, hasId: boolean): string | null {
	return (hasId ? textIn(item, 'encrypted_content') : undefined) ?? null;
}

/** Returns the phase of a message, which is sent back to the server with the text. */
export function phaseOf(item: unknown): string | undefined {
	const phase = fieldOf(item, 'phase');
	return phase === 'commentary' || phase === 'final_answer' ? phase : undefined;
}

export function addText(item: MessageItem, event: unknown, delta: unknown): Events {
	const text = typeof delta === 'string' ? delta : textIn(delta, 'text');
	const index = countOf(fieldOf(event, 'content_index'));
	item.isIndexed &&= index !== undefined;
	if (text === undefined || text === '') return [];
	item.passed.add(index ?? 0);
	return [{type: 'delta', kind: 'text', id: item.part, text}];
}

export function addRefusal(item: MessageItem, event: unknown, delta: unknown, {refusal}: TextNotes): Events {
	const events = addText(item, event, delta);
	if (typeof delta === 'string' && refusal.text.length < maxRefusal) refusal.text += delta;
	return events;
}

const maxRefusal = 4096;

/** Returns the whole text of a content part, unless the text already arrived in pieces. */
export function addWhole(item: MessageItem, event: unknown, text: unknown, texts: TextNotes): Events {
	const index = countOf(fieldOf(event, 'content_index'));
	const isPassed = index === undefined || !item.isIndexed ? item.passed.size > 0 : item.passed.has(index);
	if (isPassed) return [];
	return textIn(event, 'refusal') === undefined
		? addText(item, event, text)
		: addRefusal(item, event, fieldOf(event, 'refusal'), texts);
}

/** Reads the content of a complete message: the text that did not arrive in pieces, and the annotations. */
export function addContent(item: MessageItem, message: unknown, texts: TextNotes): Events {
	const content = fieldOf(message, 'content');
	if (typeof content === 'string') return addWhole(item, {}, content, texts);
	const isWhole = item.passed.size === 0;
	return elementsOf(content).flatMap((part, index) => {
		for (const annotation of elementsOf(fieldOf(part, 'annotations'))) addAnnotation(annotation, texts);
		const text = textIn(part, 'text', 'refusal');
		if (text === undefined) {
			if (hasContent(part)) texts.notes.addUnread(unreadPart(textIn(part, 'type') ?? 'content_part', part));
			return [];
		}
		if (!isWhole && !item.isIndexed) return [];
		return addWhole(item, {...texted(part), content_index: index}, text, texts);
	});
}

function texted(part: unknown): {readonly refusal?: string} {
	const refusal = textIn(part, 'text') === undefined ? textIn(part, 'refusal') : undefined;
	return refusal === undefined ? {} : {refusal};
}

/** Adds a citation (developers.openai.com/api/docs/guides/tools-web-search, "Output and citations"). */
export function addAnnotation(annotation: unknown, {notes, citations}: TextNotes): void {
	const citation = citationOf(annotation);
	if (citation !== undefined) citations.add(citation);
	else if (hasContent(annotation))
		notes.addUnread(unreadPart(textIn(annotation, 'type') ?? 'annotation', annotation));
}

/** Adds to a summary (`s`) or to a text (`t`) of a reasoning item. */
export function addThought(item: ReasoningItem, {kind, index, delta}: Thought, texts: TextNotes): Events {
	const text = typeof delta === 'string' ? delta : textIn(delta, 'text');
	if (text === undefined || text === '') return [];
	const {places} = item;
	const key = `${kind}${index}`;
	const place = places.get(key) ?? places.size;
	const isNew = !places.has(key);
	places.set(key, place);
	const isLast = place === places.size - 1;
	const own = {data: {[texts.dataKey]: {itemId: item.id}}};
	const event: AnswerEvent = {
		type: 'delta',
		kind: 'reasoning',
		id: thoughtOf(item, place),
		text,
		// If this thought has already ended, the delta begins the thought again, so the delta needs the data.
		...(!isLast && own),
	};
	if (!isNew || place === 0) return [event];
	const end: AnswerEvent = {type: 'end', kind: 'reasoning', id: thoughtOf(item, place - 1), ...own};
	return [end, startOfThought(item, place, texts), event];
}

type Thought = {readonly kind: 's' | 't'; readonly index: number; readonly delta: unknown};

/** Adds the texts of a complete reasoning item, unless the texts already arrived in pieces. */
export function addThoughts(item: ReasoningItem, reasoning: unknown, texts: TextNotes): Events {
	if (item.places.size > 0) return [];
	const textsIn = (name: string) => elementsOf(fieldOf(reasoning, name)).map(part => fieldOf(part, 'text'));
	return [
		...textsIn('summary').flatMap((delta, index) => addThought(item, {kind: 's', index, delta}, texts)),
		...textsIn('content').flatMap((delta, index) => addThought(item, {kind: 't', index, delta}, texts)),
	];
}

export function endOfMessage({part, id}: MessageItem, message: unknown, {dataKey}: TextNotes): AnswerEvent {
	const phase = phaseOf(message);
	const data = {itemId: id, ...(phase !== undefined && {phase})};
	return {type: 'end', kind: 'text', id: part, data: {[dataKey]: data}};
}

/** The encrypted content belongs to the last thought. */
export function endOfReasoning(item: ReasoningItem, reasoning: unknown, {dataKey}: TextNotes): AnswerEvent {
	const data = {itemId: item.id, reasoningEncryptedContent: encryptedContent(reasoning, item.hasId)};
	const last = Math.max(0, item.places.size - 1);
	return {type: 'end', kind: 'reasoning', id: thoughtOf(item, last), data: {[dataKey]: data}};
}
