import {citationOf, type Citations} from '../citations.ts';
import type {AnswerNotes} from '../answer-notes.ts';
import {countOf, textIn} from '../fields.ts';
import {hasContent, unreadPart} from '../unread.ts';
import {elementsOf, fieldOf} from '../../values.ts';

/** A message that is being read. */
export type MessageItem = {
	readonly kind: 'message';
	readonly out: number;
	readonly id: string;
	readonly phase: string | undefined;
	/** The content parts of which text was passed on. */
	readonly passed: Set<number>;
	/** Whether all events so far named the content part to which they belong. */
	isIndexed: boolean;
};

/** A reasoning item that is being read. */
export type ReasoningItem = {
	readonly kind: 'reasoning';
	readonly out: number;
	readonly id: string;
	/** Whether the server gave the item an id. An item without an id cannot be sent back. */
	readonly hasId: boolean;
	/** The position of each summary or text that was passed on, by kind and index. */
	readonly places: Map<string, number>;
};

/** The notes and citations of an answer's texts. */
export type TextNotes = {
	readonly notes: AnswerNotes;
	readonly citations: Citations;
	/** The model's words when it declines to answer. */
	readonly refusal: {text: string};
};

export function startOfMessage({out, id, phase}: MessageItem): unknown {
	const item = {type: 'message', id, ...(phase !== undefined && {phase})};
	return {type: 'response.output_item.added', output_index: out, item};
}

export function startOfReasoning({out, id, hasId}: ReasoningItem, item: unknown): unknown {
	const encrypted = hasId ? textIn(item, 'encrypted_content') : undefined;
	const fields = {type: 'reasoning', id, ...(encrypted !== undefined && {encrypted_content: encrypted})};
	return {type: 'response.output_item.added', output_index: out, item: fields};
}

/** The phase of a message. It is sent back to the server with the text. */
export function phaseOf(item: unknown): string | undefined {
	const phase = fieldOf(item, 'phase');
	return phase === 'commentary' || phase === 'final_answer' ? phase : undefined;
}

export function addText(item: MessageItem, event: unknown, delta: unknown): readonly unknown[] {
	const text = typeof delta === 'string' ? delta : textIn(delta, 'text');
	const index = countOf(fieldOf(event, 'content_index'));
	item.isIndexed &&= index !== undefined;
	if (text === undefined || text === '') return [];
	item.passed.add(index ?? 0);
	return [{type: 'response.output_text.delta', item_id: item.id, delta: text}];
}

export function addRefusal(
	item: MessageItem,
	event: unknown,
	delta: unknown,
	{refusal}: TextNotes,
): readonly unknown[] {
	const events = addText(item, event, delta);
	if (typeof delta === 'string' && refusal.text.length < maxRefusal) refusal.text += delta;
	return events;
}

const maxRefusal = 4096;

/** Returns the whole text of a content part, unless the text came in pieces. */
export function addWhole(item: MessageItem, event: unknown, text: unknown, texts: TextNotes): readonly unknown[] {
	const index = countOf(fieldOf(event, 'content_index'));
	const isPassed = index === undefined || !item.isIndexed ? item.passed.size > 0 : item.passed.has(index);
	if (isPassed) return [];
	return textIn(event, 'refusal') === undefined
		? addText(item, event, text)
		: addRefusal(item, event, fieldOf(event, 'refusal'), texts);
}

/** Reads the content of a whole message: the text that did not come in pieces, and the annotations. */
export function addContent(item: MessageItem, message: unknown, texts: TextNotes): readonly unknown[] {
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

/** (developers.openai.com/api/docs/guides/tools-web-search, "Output and citations") */
export function addAnnotation(annotation: unknown, {notes, citations}: TextNotes): void {
	const citation = citationOf(annotation);
	if (citation !== undefined) citations.add(citation);
	else if (hasContent(annotation))
		notes.addUnread(unreadPart(textIn(annotation, 'type') ?? 'annotation', annotation));
}

/** Adds to a summary (`s`) or to a text (`t`) of a reasoning item. */
export function addThought(item: ReasoningItem, kind: 's' | 't', index: number, delta: unknown): readonly unknown[] {
	const text = typeof delta === 'string' ? delta : textIn(delta, 'text');
	if (text === undefined || text === '') return [];
	const key = `${kind}${index}`;
	const known = item.places.get(key);
	const place = known ?? item.places.size;
	const at = {item_id: item.id, summary_index: place};
	const event = {type: 'response.reasoning_summary_text.delta', ...at, delta: text};
	if (known !== undefined) return [event];
	item.places.set(key, place);
	if (place === 0) return [event];
	return [
		{type: 'response.reasoning_summary_part.done', ...at, summary_index: place - 1},
		{type: 'response.reasoning_summary_part.added', ...at},
		event,
	];
}

/** Adds the texts of a complete reasoning item, unless they came in pieces. */
export function addThoughts(item: ReasoningItem, reasoning: unknown): readonly unknown[] {
	if (item.places.size > 0) return [];
	const texts = (name: string) => elementsOf(fieldOf(reasoning, name)).map(part => fieldOf(part, 'text'));
	return [
		...texts('summary').flatMap((text, index) => addThought(item, 's', index, text)),
		...texts('content').flatMap((text, index) => addThought(item, 't', index, text)),
	];
}

export function endOfMessage({out, id}: MessageItem, message: unknown): unknown {
	const phase = phaseOf(message);
	const item = {type: 'message', id, ...(phase !== undefined && {phase})};
	return {type: 'response.output_item.done', output_index: out, item};
}

export function endOfReasoning({out, id, hasId}: ReasoningItem, reasoning: unknown): unknown {
	const encrypted = hasId ? (textIn(reasoning, 'encrypted_content') ?? null) : null;
	const item = {type: 'reasoning', id, encrypted_content: encrypted};
	return {type: 'response.output_item.done', output_index: out, item};
}
