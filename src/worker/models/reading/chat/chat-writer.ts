import type {AnswerNotes} from '../answer-notes.ts';
import type {CallDelta} from './chat-calls.ts';
import {createReasoningDetails} from './reasoning-details.ts';

/** Writes an answer as the provider package reads it, and knows which of its parts are open there. */
export type ChatWriter = {
	addText(text: string): void;
	addRefusal(text: string): void;
	/** `field`: where the server wrote the thought. */
	addThought(text: string, field: string): void;
	addDetails(fragments: unknown): void;
	addCalls(calls: readonly CallDelta[]): void;
	/** Ends the thoughts: their data is noted. `callId`: the first call of the answer. */
	end(callId: string | undefined): void;
	/** Whether any text was written. */
	hasText(): boolean;
	/** Whether the model declined to answer. */
	hasRefusal(): boolean;
	/** The text and the thoughts so far. */
	text(): string;
	thoughts(): string;
	/** The events since the last time. */
	take(): readonly unknown[];
};

/**
The package ends the thoughts where text or a call begins, and a text where a thought begins. Data of thoughts is noted
while they are open. `reasoning_details` that come when no thought is open are kept with the next thoughts, else with
the first call, else with the text: in the order of the parts they are in the order of the server.
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
			events.add({tool_calls: calls});
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

type TextDelta = Record<string, string>;

/** Collects events. Texts of one field that follow each other are one event: a server may send very many at once. */
function createEvents(): {
	readonly add: (delta: object) => void;
	readonly addText: (field: string, text: string) => void;
	readonly take: () => readonly unknown[];
} {
	let events: unknown[] = [];
	/** The delta of the last event, if it has only a text. */
	let last: TextDelta | undefined;

	function add(delta: object): void {
		last = undefined;
		events.push({choices: [{delta}]});
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
			add(delta);
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
