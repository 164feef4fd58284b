import type {AnswerEvent} from '../answer-event.ts';
import {argumentsText, countOf, textIn} from '../fields.ts';
import {fieldOf, isRecord, parseJson} from '../../values.ts';

/** A function call that is being read. The call is passed on when its name is known. */
export type Call = {
	readonly kind: 'function_call';
	readonly id: string;
	name: string;
	callId: string;
	/**
	The arguments in the start event, in the deltas and in the end event. If several of them are present, the last is
	used.
	*/
	first: string;
	text: string;
	whole: string;
	isAnnounced: boolean;
	/** Whether the arguments are free text instead of JSON. */
	readonly isFree: boolean;
};

export function createCall(id: string, item: unknown): Call {
	const call: Call = {
		kind: 'function_call',
		id,
		name: '',
		callId: '',
		first: argumentsText(argumentsIn(item)),
		text: '',
		whole: '',
		isAnnounced: false,
		isFree: fieldOf(item, 'type') === 'custom_tool_call',
	};
	identify(call, item);
	return call;
}

/** Reads the name and the call id from an event that contains them. */
export function identify(call: Call, event: unknown): void {
	if (call.isAnnounced) return;
	call.name = textIn(event, 'name') ?? call.name;
	call.callId = textIn(event, 'call_id') ?? call.callId;
}

/** Returns the start event of a call, and the arguments that arrived before the name of the call. */
export function announced(call: Call): readonly AnswerEvent[] {
	if (call.isAnnounced || call.name === '') return [];
	call.isAnnounced = true;
	if (call.callId === '') call.callId = call.id;
	const start: AnswerEvent = {type: 'call_start', id: call.callId, name: call.name};
	return call.text === '' || call.isFree ? [start] : [start, deltaOf(call, call.text)];
}

export function addArguments(call: Call, delta: unknown): readonly AnswerEvent[] {
	const text = argumentsText(delta);
	if (text === '') return [];
	call.text += text;
	return call.isAnnounced && !call.isFree ? [deltaOf(call, text)] : announced(call);
}

/** Stores arguments that arrived in one event. */
export function setArguments(call: Call, event: unknown): void {
	call.whole = argumentsText(argumentsIn(event)) || call.whole;
}

export function endOfCall(call: Call, item: unknown, dataKey: string): AnswerEvent {
	const namespace = textIn(item, 'namespace');
	const caller = knownCaller(fieldOf(item, 'caller'));
	const text = call.whole || call.text || call.first;
	const data = {
		itemId: call.id,
		...(namespace !== undefined && {namespace}),
		...(caller !== undefined && {caller}),
	};
	return {
		type: 'call_end',
		id: call.callId,
		name: call.name,
		text: call.isFree ? freeArguments(text) : text,
		data: {[dataKey]: data},
	};
}

function argumentsIn(item: unknown): unknown {
	return fieldOf(item, 'arguments') ?? fieldOf(item, 'input');
}

function deltaOf({callId}: Call, text: string): AnswerEvent {
	return {type: 'delta', kind: 'tool_call', id: callId, text};
}

/** Returns the input of a custom tool as a JSON object, because each tool of inkpod takes an object. */
function freeArguments(text: string): string {
	const value = parseJson(text);
	return isRecord(value) ? text : JSON.stringify({input: text});
}

/** Returns the caller of a tool, which is sent back to the server. */
function knownCaller(caller: unknown): Record<string, string> | undefined {
	const type = fieldOf(caller, 'type');
	const callerId = fieldOf(caller, 'caller_id');
	if (type === 'direct') return {type};
	return type === 'program' && typeof callerId === 'string' ? {type, callerId} : undefined;
}

/** Returns the index of the item or part to which an event belongs. `name`: the field of the event with the index. */
export function indexOf(event: unknown, name: string): number | undefined {
	return countOf(fieldOf(event, name));
}
