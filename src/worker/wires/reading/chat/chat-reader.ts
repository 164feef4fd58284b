import type {Usage} from '../../../history/item.ts';
import type {EndFacts} from '../../answer-end.ts';
import {isRecord} from '../../values.ts';
import type {AnswerEvent} from '../answer-event.ts';
import type {AnswerNotes} from '../answer-notes.ts';
import {ChatCalls} from './chat-calls.ts';
import {createChatCitations} from './chat-citations.ts';
import {choicesOf, deltaOf, numberOf, type Fields} from './chat-choice.ts';
import {errorIn} from './chat-error.ts';
import {finishIn, settledFinish, stops, type Finish} from './chat-finish.ts';
import {createChatMedia} from './chat-media.ts';
import {partsOf, type ChatPart} from './chat-parts.ts';
import {countsIn, usageOf, withCounts, type ChatCounts} from './chat-usage.ts';
import {createChatWriter} from './chat-writer.ts';
import type {EventReader} from '../event-reader.ts';
import {isObject} from '../fields.ts';
import {plainRecord} from '../plain-copy.ts';
import type {ThinkPiece} from './channels.ts';
import {createThinkTags} from './think-tags.ts';

type ChatReaderOptions = {
	/** Whether `<think>…</think>` at the beginning of an answer is a thought. */
	readonly thinkTags?: boolean;
};

/**
Reads chat completions from any server. The reader passes on texts, thoughts and calls as they arrive. It passes on the
finish with the usage when the stream ends, because servers send them at different places and in any order.
*/
export function createChatReader(notes: AnswerNotes, {thinkTags = false}: ChatReaderOptions = {}): EventReader {
	const answer = new ChatAnswer(notes, thinkTags);
	return {
		read(event) {
			if (event === undefined) answer.noteBrokenEvent();
			return answer.read(eventsOf(event));
		},
		readWhole(whole) {
			const events = eventsOf(whole);
			return events.some(isAnswer) ? [...answer.read(events), ...answer.end(true)] : undefined;
		},
		end: isDone => answer.end(isDone && answer.hasContent()),
		usage: () => answer.usage(),
	};
}

/** Returns what an event says about the end of its answer. */
export function endFactsOf(event: unknown): EndFacts {
	if (!isObject(event)) return {};
	const choices = placesIn(event);
	const hasFinish = choices.some(choice => finishIn(event, choice) !== undefined);
	const hasUsage = choices.some(choice => countsIn(event, choice) !== undefined);
	return {...(hasFinish && {hasFinish}), ...(hasUsage && {hasUsage})};
}

function eventsOf(value: unknown): readonly Fields[] {
	return Array.isArray(value) ? value.filter(isObject) : isObject(value) ? [value] : [];
}

function isAnswer(event: Fields): boolean {
	return Array.isArray(event['choices']) || choicesOf(event).length > 0 || errorIn(event, undefined) !== undefined;
}

/**
Returns the choices of an event, or one `undefined` if the event has no choices. Such an event may still have a finish
or token counts.
*/
function placesIn(event: Fields): readonly (Fields | undefined)[] {
	const choices = choicesOf(event);
	return choices.length === 0 ? [undefined] : choices;
}

class ChatAnswer {
	readonly #notes: AnswerNotes;
	readonly #writer;
	readonly #calls;
	readonly #media;
	readonly #citations = createChatCitations();
	readonly #tags;
	#counts: ChatCounts | undefined;
	/** The content of the answer as the server wrote it, with its tags. */
	#content = '';
	/** The reason why each choice ended, by the number of the choice. */
	readonly #finishes = new Map<number, Finish>();

	constructor(notes: AnswerNotes, thinkTags: boolean) {
		this.#notes = notes;
		this.#writer = createChatWriter(notes);
		this.#calls = new ChatCalls(notes);
		this.#media = createChatMedia(notes);
		this.#tags = thinkTags ? createThinkTags() : undefined;
	}

	hasContent(): boolean {
		return this.#writer.hasText() || this.#calls.hasAny() || this.#tags?.isHolding() === true;
	}

	noteBrokenEvent(): void {
		this.#media.noteUnread('event', 'not valid JSON');
	}

	read(events: readonly Fields[]): readonly AnswerEvent[] {
		for (const event of events) this.#readOne(event);
		return this.#writer.take();
	}

	/** Reads one event. If the event has an error, its other content is still read. */
	#readOne(event: Fields): void {
		const {model, system_fingerprint: fingerprint, id} = event;
		this.#notes.noteAnswered({model, fingerprint, id});
		const places = placesIn(event);
		for (const [position, choice] of places.entries()) this.#readChoice(event, choice, position);
		const errors = places.map(choice => errorIn(event, choice));
		const error = errors.find(one => one !== undefined);
		if (error !== undefined) this.#writer.addError(error);
	}

	#readChoice(event: Fields, choice: Fields | undefined, position: number): void {
		const number = numberOf(choice ?? {}, position);
		const finish = finishIn(event, choice);
		if (finish !== undefined) this.#finishes.set(number, finish);
		const counts = countsIn(event, choice);
		if (counts !== undefined) this.#counts = withCounts(this.#counts ?? {}, counts);
		const {delta, isWhole} = deltaOf(choice);
		this.#citations.add(event, delta);
		if (delta !== undefined) this.#readDelta(delta, isWhole, number);
	}

	/** `isWhole`: whether the answer is complete even without a finish. */
	end(isWhole: boolean): readonly AnswerEvent[] {
		this.#write(this.#tags?.flush() ?? []);
		const finish = unusualFirst(this.#finishes) ?? (isWhole ? {kind: 'stop', raw: 'stop'} : undefined);
		if (finish !== undefined) return this.#finishAnswer(finish);
		this.#writer.endPart();
		return this.#writer.take();
	}

	#finishAnswer(finish: Finish): readonly AnswerEvent[] {
		const [firstCall] = this.#calls.ids();
		this.#writer.keepDetails(firstCall);
		const citations = this.#citations.list();
		if (citations.length > 0) this.#notes.keep('text', {citations});
		this.#media.end();
		const {kind, raw} = this.#settled(finish);
		const finished = {type: 'finish', stop: stops[kind], raw, usage: this.usage()} as const;
		if (kind === 'error') return [...this.#writer.take(), finished];
		if (kind === 'other') this.#notes.setEnd({explanation: raw});
		this.#writer.endPart();
		return [...this.#writer.take(), ...this.#calls.ends(), finished];
	}

	usage(): Usage {
		return usageOf(this.#counts ?? {}, this.#calls.hasAny() || this.#writer.hasText());
	}

	/** Returns the finish that fits the parts of the answer. Also records the calls that cannot be read. */
	#settled(finish: Finish): Finish {
		const hasUnread = this.#calls.noteUnread() > 0;
		const settled = settledFinish(finish, {
			hasCalls: this.#calls.hasAny(),
			hasText: this.#writer.hasText(),
			hasUnread,
		});
		return settled.kind === 'stop' && this.#writer.hasRefusal() ? {...settled, kind: 'refused'} : settled;
	}

	#readDelta(delta: Fields, isWhole: boolean, choice: number): void {
		const {reasoning_details, tool_calls, function_call, extra_content} = delta;
		if (reasoning_details !== undefined) this.#writer.addDetails(reasoning_details);
		for (const part of partsOf(delta)) this.#readPart(part, isWhole);
		// Gemini also signs texts (ai.google.dev/gemini-api/docs/thought-signatures).
		if (isObject(extra_content) && this.#writer.hasText())
			this.#notes.keep('text', {extra_content: plainRecord(extra_content)});
		if (isRecord(tool_calls)) this.#readCalls(tool_calls, choice);
		// This field has been deprecated since 2023 (platform.openai.com/docs/api-reference/chat/streaming).
		if (isRecord(function_call)) this.#readCalls([{index: -1, function: function_call}], choice);
		this.#media.add(delta);
	}

	#readPart(part: ChatPart, isWhole: boolean): void {
		const {kind} = part;
		if (kind === 'refusal') this.#writer.addRefusal(part.text);
		else if (kind === 'unread') this.#media.noteUnread(part.type, part.value);
		else if (kind === 'citation') this.#citations.add({}, {annotations: [part.value]});
		else if (kind === 'reasoning') {
			const text = isWhole ? newText(part.text, this.#writer.thoughts()) : part.text;
			if (text === '') return;
			this.#write(this.#tags?.noteThought() ?? []);
			this.#writer.addThought(text, part.field);
		} else {
			const text = isWhole ? newText(part.text, this.#content) : part.text;
			this.#content += text;
			this.#write(this.#tags === undefined ? [{kind: 'text', text}] : this.#tags.push(text));
		}
	}

	#readCalls(list: unknown, choice: number): void {
		const pieces = this.#calls.add(list, choice);
		if (pieces.length > 0) this.#write(this.#tags?.flush() ?? []);
		this.#writer.addCalls(pieces);
	}

	#write(pieces: readonly ThinkPiece[]): void {
		for (const {kind, text} of pieces) {
			if (kind === 'unopened') this.#writer.endAsThought(text);
			if (kind === 'unopened' || text === '') continue;
			if (kind === 'reasoning') this.#writer.addThought(text, 'think');
			else this.#writer.addText(text);
		}
	}
}

/** Returns the finish of an answer. An answer with several choices is complete only if each choice is complete. */
function unusualFirst(finishes: ReadonlyMap<number, Finish>): Finish | undefined {
	const all = [...finishes.values()];
	return all.find(({kind}) => kind !== 'stop' && kind !== 'tool_calls') ?? all.at(-1);
}

/**
Returns the text that a message adds to the earlier text (`before`). If `before` is short, the next piece may begin with
the same characters by chance.
*/
function newText(text: string, before: string): string {
	// A short piece cannot repeat a longer text, so the two are not compared.
	if (text.length < before.length) return text;
	return text.startsWith(before) && (before.length >= 8 || before === text) ? text.slice(before.length) : text;
}
