import {elementsOf, fieldOf, isRecord} from '../../values.ts';
import type {AnswerNotes} from '../answer-notes.ts';
import type {AddedText} from '../event-reader.ts';
import type {CallDelta} from './chat-calls.ts';
import {createReasoningDetails} from './reasoning-details.ts';

/** Writes an answer in the form that the provider package reads, and records which parts are open in that form. */
type ChatWriter = {
	addText(text: string): void;
	addRefusal(text: string): void;
	/** `field`: the field in which the server wrote the thought. */
	addThought(text: string, field: string): void;
	addDetails(fragments: unknown): void;
	addCalls(calls: readonly CallDelta[]): void;
	addError(error: unknown): void;
	/** Ends the thoughts after their data is recorded. `callId`: the first call of the answer. */
	end(callId: string | undefined): void;
	/** Tells whether any text was written. */
	hasText(): boolean;
	/** Tells whether the model declined to answer. */
	hasRefusal(): boolean;
	/** The text and the thoughts so far. */
	text(): string;
	thoughts(): string;
	/** Returns the events since the last call. */
	take(): readonly unknown[];
};

/**
The package ends the thoughts when text or a call begins, and ends a text when a thought begins. The data of thoughts is
recorded while they are open. `reasoning_details` that come when no thought is open are kept with the next thoughts,
otherwise with the first call, otherwise with the text. Sorted by parts, they are then in the server's order.
*/
export function createChatWriter(notes: AnswerNotes): ChatWriter {
	let open: 'text' | 'reasoning' | undefined;
	const details = createReasoningDetails(() => notes.countPart());
	let written = '';
	let thoughts = '';
	let hasRefusal = false;
	const events = createEvents();

	function begin(kind: 'text' | 'reasoning'): void {
		if (open === kind) return;
		if (open === 'reasoning') keepDetails('reasoning');
		open = kind;
		notes.begin(kind);
	}

	function keepDetails(kind: 'text' | 'reasoning' | 'tool_call', callId?: string): void {
		const blocks = details.take();
		if (blocks.length > 0) notes.keep(kind, {reasoning_details: blocks}, callId);
	}

	return {
		addText(text) {
			begin('text');
			written += text;
			events.addText('content', text);
		},
		addRefusal(text) {
			begin('text');
			hasRefusal = true;
			events.addText('refusal', text);
		},
		addThought(text, field) {
			const isNew = open !== 'reasoning';
			begin('reasoning');
			if (isNew) notes.keep('reasoning', {field});
			thoughts += text;
			events.addText('reasoning_content', text);
		},
		addDetails(fragments) {
			details.add(fragments);
		},
		addCalls(calls) {
			if (calls.length === 0) return;
			if (open === 'reasoning') {
				keepDetails('reasoning');
				open = undefined;
			}
			events.add({choices: [{delta: {tool_calls: calls}}]});
		},
		addError(error) {
			// The package keeps the unknown fields of an error only in an event that also has choices.
			events.add({choices: [], error});
		},
		end(callId) {
			if (open === 'reasoning' || callId === undefined) {
				if (open !== undefined) keepDetails(open);
			} else keepDetails('tool_call', callId);
		},
		hasText: () => written !== '' || hasRefusal,
		hasRefusal: () => hasRefusal,
		text: () => written,
		thoughts: () => thoughts,
		take: () => events.take(),
	};
}

/** Reads an event of this writer: a text, a thought, or arguments of a call that has begun. */
export function addedText(event: unknown): AddedText | undefined {
	const delta = fieldOf(elementsOf(fieldOf(event, 'choices'))[0], 'delta');
	const [field, ...more] = isRecord(delta) ? Object.keys(delta) : [];
	if (field === undefined || more.length > 0) return undefined;
	const value = fieldOf(delta, field);
	if (typeof value === 'string')
		return {place: field, text: value, event: text => ({choices: [{delta: {[field]: text}}]})};
	const [call, ...others] = elementsOf(value);
	const args = fieldOf(fieldOf(call, 'function'), 'arguments');
	if (typeof args !== 'string' || others.length > 0 || fieldOf(call, 'id') !== undefined) return undefined;
	const index = fieldOf(call, 'index');
	return {
		place: `call ${String(index)}`,
		text: args,
		event: text => ({choices: [{delta: {tool_calls: [{index, function: {arguments: text}}]}}]}),
	};
}

type TextDelta = Record<string, string>;

/** Collects events. Consecutive texts of one field become one event, because a server may send very many at once. */
function createEvents(): {
	readonly add: (event: object) => void;
	readonly addText: (field: string, text: string) => void;
	readonly take: () => readonly unknown[];
} {
	let events: unknown[] = [];
	/** Returns the delta of the last event, if the delta has only a text. */
	let last: TextDelta | undefined;

	function add(event: object): void {
		last = undefined;
		events.push(event);
	}

	return {
		add,
		addText(field, text) {
			const before = last?.[field];
			if (last !== undefined && before !== undefined) {
				last[field] = before + text;
				return;
			}
			const delta: TextDelta = {[field]: text};
			add({choices: [{delta}]});
			last = delta;
		},
		take() {
			const taken = events;
			events = [];
			last = undefined;
			return taken;
		},
	};
}
