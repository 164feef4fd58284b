import type {AnswerEvent} from '../answer-event.ts';
import type {AnswerNotes} from '../answer-notes.ts';
import {createReasoningDetails} from './reasoning-details.ts';

/** Writes the events of an answer, and keeps track of the open part. */
type ChatWriter = {
	addText(text: string): void;
	addRefusal(text: string): void;
	/** `field`: the field in which the server sent the thought. */
	addThought(text: string, field: string): void;
	/** Adds text to the current text part, and ends the part as a thought. */
	endAsThought(text: string): void;
	addDetails(fragments: unknown): void;
	/** Adds the beginnings and the arguments of calls. */
	addCalls(events: readonly AnswerEvent[]): void;
	addError(error: unknown): void;
	/** Records the `reasoning_details` that are left at the end. `callId`: the first call of the answer. */
	keepDetails(callId: string | undefined): void;
	/** Ends the part that is open. */
	endPart(): void;
	/** Tells whether any text was written. */
	hasText(): boolean;
	/** Tells whether the model declined to answer. */
	hasRefusal(): boolean;
	/** Returns all thoughts that were written. */
	thoughts(): string;
	/** Returns the events since the last call. */
	take(): readonly AnswerEvent[];
};

/**
A thought ends when a text or a call begins, and a text ends when a thought begins. The data of a thought is recorded
while the thought is open. `reasoning_details` that arrive when no thought is open are kept with the next thought. If no
thought follows, they are kept with the first call, or else with the text. So reading them part by part gives the
server's order.
*/
export function createChatWriter(notes: AnswerNotes): ChatWriter {
	let open: PartKind | undefined;
	const details = createReasoningDetails(() => notes.countPart());
	let written = '';
	let thoughts = '';
	let hasRefusal = false;
	let events: AnswerEvent[] = [];

	function addDelta(kind: PartKind, text: string): void {
		if (open !== kind) begin(kind);
		// Only one part is open at a time, so its kind can be its id.
		events.push({type: 'delta', kind, id: kind, text});
	}

	function begin(kind: PartKind): void {
		if (open === 'reasoning') keepBlocks('reasoning');
		endPart();
		open = kind;
		notes.begin(kind);
	}

	function endPart(): void {
		if (open !== undefined) events.push({type: 'end', kind: open, id: open});
		open = undefined;
	}

	function keepBlocks(kind: PartKind | 'tool_call', callId?: string): void {
		const blocks = details.take();
		if (blocks.length > 0) notes.keep(kind, {reasoning_details: blocks}, callId);
	}

	return {
		addText(text) {
			addDelta('text', text);
			written += text;
		},
		addRefusal(text) {
			addDelta('text', text);
			hasRefusal = true;
		},
		addThought(text, field) {
			const isNew = open !== 'reasoning';
			addDelta('reasoning', text);
			if (isNew) notes.keep('reasoning', {field});
			thoughts += text;
		},
		endAsThought(text) {
			if (text !== '') addDelta('text', text);
			notes.keep('text', {field: 'think'});
			events.push({type: 'end', kind: 'text', id: 'text', isThought: true});
			open = undefined;
			thoughts += written + text;
			written = '';
		},
		addDetails: fragments => details.add(fragments),
		addCalls(calls) {
			if (calls.length === 0) return;
			if (open === 'reasoning') {
				keepBlocks('reasoning');
				endPart();
			}
			for (const event of calls) events.push(event);
		},
		addError: error => void events.push({type: 'error', error}),
		keepDetails(callId) {
			if (open !== 'reasoning' && callId !== undefined) keepBlocks('tool_call', callId);
			else if (open !== undefined) keepBlocks(open);
		},
		endPart,
		hasText: () => written !== '' || hasRefusal,
		hasRefusal: () => hasRefusal,
		thoughts: () => thoughts,
		take() {
			const taken = events;
			events = [];
			return taken;
		},
	};
}

type PartKind = 'text' | 'reasoning';
