import type {ToolDefinition} from '../../../history/item.ts';
import {elementsOf, fieldOf, isRecord, parseJson} from '../../values.ts';
import type {AnswerEvent} from '../answer-event.ts';

/**
Splits a call that contains other calls. Models of OpenAI sometimes put several calls into one call of a tool
`parallel`, which the request does not declare. If it were not split, such a call would fail.
*/
type ParallelCalls = {
	/**
	Returns the events, in which the inner calls replace the call that contains them. The events of that call are held
	back until the call is complete.
	*/
	pass(events: readonly AnswerEvent[]): readonly AnswerEvent[];
	/** Returns the events that are held back, if the answer ends too early. */
	rest(): readonly AnswerEvent[];
};

/** `tools`: the tools of the request. Only these tools can be called. */
export function createParallelCalls(tools: readonly ToolDefinition[], dataKey: string): ParallelCalls {
	const names: ReadonlySet<string> = new Set(tools.map(tool => tool.name));
	const held = new Map<unknown, AnswerEvent[]>();

	function passed(event: AnswerEvent): readonly AnswerEvent[] {
		if (event.type === 'call_start' && event.name === wrapper) {
			held.set(event.id, [event]);
			return [];
		}
		const isOfCall = event.type === 'call_end' || (event.type === 'delta' && event.kind === 'tool_call');
		const before = isOfCall ? held.get(event.id) : undefined;
		if (before === undefined) return [event];
		before.push(event);
		if (event.type !== 'call_end') return [];
		held.delete(event.id);
		return expanded(event, {names, dataKey}) ?? whole(before, event);
	}

	return {
		pass(events) {
			if (names.has(wrapper)) return events;
			const isIdle = held.size === 0 && !events.some(event => event.type === 'call_start');
			return isIdle ? events : events.flatMap(passed);
		},
		rest: () => [...held.values()].flat(),
	};
}

const wrapper = 'parallel';

/** The prefix of the names of tools inside the call. */
const prefix = 'functions.';

type CallEnd = Extract<AnswerEvent, {type: 'call_end'}>;

/**
Returns the events of a call that contains no other calls. If its arguments did not arrive in deltas, adds a delta with
all of them.
*/
function whole(events: readonly AnswerEvent[], {id, text}: CallEnd): readonly AnswerEvent[] {
	const hasPieces = events.some(event => event.type === 'delta');
	if (hasPieces || text === '') return events;
	return [...events.slice(0, -1), {type: 'delta', kind: 'tool_call', id: String(id), text}, ...events.slice(-1)];
}

type Declared = {readonly names: ReadonlySet<string>; readonly dataKey: string};

/**
Returns the events of the calls in a call, or `undefined` if one of the inner calls is not a call of a declared tool.
*/
function expanded({id, name, text, data}: CallEnd, {names, dataKey}: Declared): readonly AnswerEvent[] | undefined {
	const uses = elementsOf(fieldOf(parseJson(text), 'tool_uses')).map(use => toolUse(use, names));
	const calls = uses.filter(use => use !== undefined);
	if (calls.length === 0 || calls.length < uses.length) return undefined;
	const itemId = fieldOf(data?.[dataKey], 'itemId');
	return calls.flatMap((call, index): readonly AnswerEvent[] => {
		const own = {id: `${String(id)}_${index}`, name: call.name};
		const parallelToolCall = {
			itemId,
			toolCallId: id,
			toolName: name,
			...(index === 0 && {input: text}),
			index,
			count: calls.length,
		};
		return [
			{type: 'call_start', ...own},
			{type: 'delta', kind: 'tool_call', id: own.id, text: call.text},
			{type: 'call_end', ...own, text: call.text, data: {[dataKey]: {parallelToolCall}}},
		];
	});
}

function toolUse(use: unknown, names: ReadonlySet<string>): {readonly name: string; readonly text: string} | undefined {
	const recipient = fieldOf(use, 'recipient_name');
	const parameters = fieldOf(use, 'parameters');
	if (typeof recipient !== 'string' || !recipient.startsWith(prefix) || !isRecord(parameters)) return undefined;
	const name = recipient.slice(prefix.length);
	return names.has(name) ? {name, text: JSON.stringify(parameters)} : undefined;
}
