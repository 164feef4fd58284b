import {en} from '../../../../language/index.ts';
import type {AnswerNotes} from '../answer-notes.ts';
import {countOf, textIn, unknownCount} from '../fields.ts';
import {fieldOf} from '../../values.ts';
import type {MessageCounts} from './messages-blocks.ts';

/** Collects the counts and the end of a message, from whichever events contain them. */
export type MessageEnd = {
	/** Reads the usage and the stop of an event. */
	note(event: unknown): void;
	/** Tells whether the server said why it stopped. */
	hasStop(): boolean;
	/** Returns the start of the message with its counts, if these are known. */
	started(): readonly unknown[];
	/** Returns the last events of the message. */
	finished(counts: MessageCounts): readonly unknown[];
};

export function createMessageEnd(notes: AnswerNotes): MessageEnd {
	const usage = new Map<string, number>();
	let reason: string | undefined;
	let details: unknown;

	function noteUsage(value: unknown, names: readonly UsageName[]): void {
		for (const name of names) {
			const count = countOf(fieldOf(value, name)) ?? countOf(fieldOf(value, otherNames[name]));
			// Some servers later repeat a count as 0, which is ignored.
			if (count !== undefined && (count > 0 || !usage.has(name))) usage.set(name, count);
		}
		const thinking = countOf(fieldOf(fieldOf(value, 'output_tokens_details'), 'thinking_tokens'));
		if (thinking !== undefined) usage.set('thinking_tokens', thinking);
	}

	function inputCounts(): Record<string, number> {
		const isKnown = inputNames.some(name => usage.has(name));
		return Object.fromEntries(inputNames.map(name => [name, usage.get(name) ?? (isKnown ? 0 : unknownCount)]));
	}

	return {
		note(event) {
			// The start of a message does not count the output yet.
			const names = fieldOf(event, 'type') === 'message_start' ? inputNames : allNames;
			for (const place of [event, fieldOf(event, 'message'), fieldOf(event, 'delta')]) {
				noteUsage(fieldOf(place, 'usage'), names);
				reason = textIn(place, 'stop_reason') ?? reason;
				details = fieldOf(place, 'stop_details') ?? details;
			}
		},
		hasStop: () => reason !== undefined,
		started: () =>
			inputNames.some(name => usage.has(name)) ? [{type: 'message_start', message: {usage: inputCounts()}}] : [],
		finished(counts) {
			const stop = stopReason(reason, counts);
			noteEnd(notes, stop, details);
			const thinking = usage.get('thinking_tokens');
			return [
				{
					type: 'message_delta',
					delta: {stop_reason: stop},
					usage: {
						...inputCounts(),
						output_tokens: usage.get('output_tokens') ?? unknownCount,
						...(thinking !== undefined && {output_tokens_details: {thinking_tokens: thinking}}),
					},
				},
				{type: 'message_stop'},
			];
		},
	};
}

const inputNames = ['input_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens'] as const;

const allNames = [...inputNames, 'output_tokens'] as const;
type UsageName = (typeof allNames)[number];

/** The names that other servers use for the counts. */
const otherNames: Readonly<Record<UsageName, string>> = {
	input_tokens: 'prompt_tokens',
	cache_read_input_tokens: 'cached_tokens',
	cache_creation_input_tokens: 'cache_write_tokens',
	output_tokens: 'completion_tokens',
};

/** The reasons to stop, in the words of other wires. */
const otherWords: Readonly<Record<string, string>> = {
	stop: 'end_turn',
	length: 'max_tokens',
	tool_calls: 'tool_use',
	function_call: 'tool_use',
	content_filter: 'refusal',
};

/**
Returns the stop reason in the words of the API. Whether a message waits for results depends on its calls, whatever the
server says.
*/
function stopReason(reason: string | undefined, {calls, namelessCalls}: MessageCounts): string {
	const said = reason === undefined ? 'end_turn' : Object.hasOwn(otherWords, reason) ? otherWords[reason] : reason;
	if (namelessCalls > 0 && calls === 0) return 'nameless_call';
	if (said === 'end_turn' || said === 'tool_use') return calls > 0 ? 'tool_use' : 'end_turn';
	return said ?? 'end_turn';
}

/**
Records what the package does not report about the end.
(platform.claude.com/docs/en/build-with-claude/handling-stop-reasons)
*/
function noteEnd(notes: AnswerNotes, reason: string, details: unknown): void {
	const words = textIn(details, 'explanation') ?? textIn(details, 'category');
	const explanation = words === undefined ? {} : {explanation: words};
	if (plainReasons.has(reason)) return;
	if (reason === 'refusal') notes.setEnd({stop: 'refused', ...explanation});
	else if (reason === 'pause_turn') notes.setEnd({stop: 'paused', ...explanation});
	else if (reason === 'model_context_window_exceeded') notes.setEnd({stop: 'length', explanation: reason});
	else if (reason === 'nameless_call') notes.setEnd({stop: 'unread_call', explanation: namelessCall});
	else notes.setEnd({stop: 'other', explanation: words ?? reason});
}

const plainReasons: ReadonlySet<string> = new Set(['end_turn', 'stop_sequence', 'tool_use', 'max_tokens']);
const namelessCall = en`The server sent the arguments of a call without its name.`;
