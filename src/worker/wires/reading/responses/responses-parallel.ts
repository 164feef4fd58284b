import type {ToolDefinition} from '../../../history/item.ts';
import {elementsOf, fieldOf, isRecord, parseJson} from '../../values.ts';
import type {AnswerEvent} from '../answer-event.ts';

/**
Takes the calls of one call apart. Models of OpenAI sometimes put several calls into a call of a tool `parallel` that
nobody declared. Without its parts such a call would fail.
*/
type ParallelCalls = {
	/** Returns the events with the calls in place of the one that contains them. It is held back until it is whole. */
	pass(events: readonly AnswerEvent[]): readonly AnswerEvent[];
	/** Returns what is held back, where the answer breaks off. */
	rest(): readonly AnswerEvent[];
};

/** `tools`: the tools of the request. Only they can be called. */
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

/** What precedes the names of tools inside the call. */
const prefix = 'functions.';

type CallEnd = Extract<AnswerEvent, {type: 'call_end'}>;

/** Returns the events of a call that contains no others. Its arguments are a piece, if they did not come in pieces. */
function whole(events: readonly AnswerEvent[], {id, text}: CallEnd): readonly AnswerEvent[] {
	const hasPieces = events.some(event => event.type === 'delta');
	if (hasPieces || text === '') return events;
	return [...events.slice(0, -1), {type: 'delta', kind: 'tool_call', id: String(id), text}, ...events.slice(-1)];
}

type Declared = {readonly names: ReadonlySet<string>; readonly dataKey: string};

/** Returns the events of the calls in a call, or `undefined` if any of them is not a call of a declared tool. */
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
