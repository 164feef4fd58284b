import {en} from '../../../../language/index.ts';
import type {Stop, Usage} from '../../../history/item.ts';
import {storableUsage} from '../../events.ts';
import {fieldOf} from '../../values.ts';
import type {AnswerEvent} from '../answer-event.ts';
import type {AnswerNotes} from '../answer-notes.ts';
import {faultOf, isErrorWord} from '../error-words.ts';
import {countOf, textIn} from '../fields.ts';
import type {MessageCounts} from './messages-blocks.ts';

/** Collects the token counts and the stop reason of a message from all of its events. */
export type MessageEnd = {
	/** Reads the usage and the stop reason in an event. */
	note(event: unknown): void;
	/** Tells whether the server said why it stopped. */
	hasStop(): boolean;
	/** Returns the token counts that are known. */
	usage(): Usage;
	/** Returns the last event of the message if the server failed. */
	fault(): AnswerEvent | undefined;
	/** Returns the last event of the message. */
	finished(counts: MessageCounts): AnswerEvent;
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
		const forAnHour = countOf(fieldOf(fieldOf(value, 'cache_creation'), 'ephemeral_1h_input_tokens'));
		if (forAnHour !== undefined && (forAnHour > 0 || !usage.has(hourly))) usage.set(hourly, forAnHour);
		const thinking = countOf(fieldOf(fieldOf(value, 'output_tokens_details'), 'thinking_tokens'));
		if (thinking !== undefined) usage.set('thinking_tokens', thinking);
	}

	/** `input` includes the tokens that are read from a cache or written to it. */
	function inputCounts(): InputCounts | undefined {
		if (!inputNames.some(name => usage.has(name))) return undefined;
		const [fresh = 0, cacheRead = 0, cacheWrite = 0] = inputNames.map(name => usage.get(name) ?? 0);
		const cacheWriteHour = Math.min(usage.get(hourly) ?? 0, cacheWrite);
		return {
			input: fresh + cacheRead + cacheWrite,
			cacheRead,
			cacheWrite,
			...(cacheWriteHour > 0 && {cacheWriteHour}),
		};
	}

	function allCounts(): Usage {
		const {input, ...cached} = inputCounts() ?? {};
		const [output, reasoning] = [usage.get('output_tokens'), usage.get('thinking_tokens')];
		return storableUsage({input, output, ...cached, reasoning});
	}

	return {
		note(event) {
			// The start event of a message does not yet count the output.
			const names = fieldOf(event, 'type') === 'message_start' ? inputNames : allNames;
			for (const place of [event, fieldOf(event, 'message'), fieldOf(event, 'delta')]) {
				noteUsage(fieldOf(place, 'usage'), names);
				reason = textIn(place, 'stop_reason') ?? reason;
				details = fieldOf(place, 'stop_details') ?? details;
			}
		},
		hasStop: () => reason !== undefined,
		usage: allCounts,
		fault: () => (isErrorWord(reason) ? faultOf(reason, allCounts()) : undefined),
		finished(counts) {
			const {stop, explanation} = endOf(stopReason(reason, counts), details);
			if (explanation !== undefined) notes.setEnd({explanation});
			return {type: 'finish', stop, usage: allCounts()};
		},
	};
}

type InputCounts = Readonly<Record<'input' | 'cacheRead' | 'cacheWrite', number>> & {readonly cacheWriteHour?: number};

/** The part of `cache_creation_input_tokens` that is cached for an hour. Only some servers report it. */
const hourly = 'ephemeral_1h_input_tokens';

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

/** Maps the stop reasons of other APIs to those of this API, because some servers send them. */
const otherWords: Readonly<Record<string, string>> = {
	stop: 'end_turn',
	length: 'max_tokens',
	tool_calls: 'tool_use',
	function_call: 'tool_use',
	content_filter: 'refusal',
};

/**
Returns the stop reason of this API. Whether the message ends with calls is determined from the calls themselves,
because some servers report it wrongly.
*/
function stopReason(reason: string | undefined, {calls, namelessCalls}: MessageCounts): string {
	const said = reason === undefined ? 'end_turn' : Object.hasOwn(otherWords, reason) ? otherWords[reason] : reason;
	if (namelessCalls > 0 && calls === 0) return 'nameless_call';
	if (said === 'end_turn' || said === 'tool_use') return calls > 0 ? 'tool_use' : 'end_turn';
	return said ?? 'end_turn';
}

type Ending = {readonly stop: Stop; readonly explanation?: string};

/** Returns how an answer ended (platform.claude.com/docs/en/build-with-claude/handling-stop-reasons). */
function endOf(reason: string, details: unknown): Ending {
	const plain = Object.hasOwn(plainStops, reason) ? plainStops[reason] : undefined;
	if (plain !== undefined) return {stop: plain};
	if (reason === 'model_context_window_exceeded') return {stop: 'length', explanation: reason};
	if (reason === 'nameless_call') return {stop: 'unread_call', explanation: namelessCall};
	const words = textIn(details, 'explanation') ?? textIn(details, 'category');
	const explanation = words === undefined ? {} : {explanation: words};
	if (reason === 'refusal') return {stop: 'refused', ...explanation};
	if (reason === 'pause_turn') return {stop: 'paused', ...explanation};
	return {stop: 'other', explanation: words ?? reason};
}

const plainStops: Readonly<Record<string, Stop>> = {
	end_turn: 'end',
	stop_sequence: 'end',
	tool_use: 'tool_calls',
	max_tokens: 'length',
};
const namelessCall = en`The server sent the arguments of a call without its name.`;
