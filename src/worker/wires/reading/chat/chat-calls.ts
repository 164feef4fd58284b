import {elementsOf, fieldOf, isRecord} from '../../values.ts';
import type {AnswerEvent} from '../answer-event.ts';
import type {AnswerNotes} from '../answer-notes.ts';
import type {Fields} from './chat-choice.ts';
import {argumentsText, isObject} from '../fields.ts';
import {plainCopy, plainRecord} from '../plain-copy.ts';
import {unreadPart} from '../unread.ts';

/**
The calls of one answer. Every call gets a unique id. A server may leave out the index (Mistral) or the id (Gemini). It
may give all calls the index 0 (Gemini) or the same id. It may send the name late or again with every piece, or send the
arguments as an object (Ollama).
*/
export class ChatCalls {
	readonly #notes: AnswerNotes;
	readonly #calls: Call[] = [];
	/** The calls by their choices and indexes. */
	readonly #byIndex = new Map<string, Call>();
	readonly #byId = new Map<string, Call>();
	/** The calls that have begun, by their ids, in the order in which they began. */
	readonly #begun = new Map<string, Call>();
	/** The number to try next for each known id, because a server may give all calls the same id. */
	readonly #numbers = new Map<string, number>();
	/** The pieces of calls of unknown types. */
	readonly #others = new Map<string, unknown[]>();

	constructor(notes: AnswerNotes) {
		this.#notes = notes;
	}

	/** The ids of the calls that have begun, in order. */
	ids(): readonly string[] {
		return [...this.#begun.keys()];
	}

	hasAny(): boolean {
		return this.#begun.size > 0;
	}

	/**
	Returns the events of a `tool_calls` field in any form. A call begins when its name is known. `choice`: the number
	of the choice, because each choice counts its calls from 0.
	*/
	add(list: unknown, choice = 0): readonly AnswerEvent[] {
		const raws = Array.isArray(list) ? elementsOf(list) : [list];
		return raws.flatMap((raw, at) => this.#addOne(raw, raws.length > 1 ? at : undefined, choice));
	}

	/**
	Returns the ends of the calls. Call this only if the answer is complete, because a call that was cut off has no end.
	*/
	ends(): readonly AnswerEvent[] {
		return [...this.#begun].map(([id, {name, pieces}]) => ({type: 'call_end', id, name, text: pieces.join('')}));
	}

	/**
	Records the calls that cannot be read: those without a name, and those of unknown types. Returns the number of these
	calls.
	*/
	noteUnread(): number {
		const nameless = this.#calls.filter(({id}) => id === undefined);
		for (const {givenId, pieces} of nameless)
			this.#notes.addUnread(unreadPart('tool_call', {id: givenId ?? null, arguments: pieces.join('')}));
		for (const raws of this.#others.values())
			this.#notes.addUnread(unreadPart(typeOf(raws), raws.length === 1 ? raws[0] : raws));
		return nameless.length + this.#others.size;
	}

	#addOne(raw: unknown, position: number | undefined, choice: number): readonly AnswerEvent[] {
		if (!isObject(raw) || this.#isOtherType(raw)) return [];
		const given = givenCall(raw, position, choice);
		const known = this.#find(given);
		if (known === undefined && isNothing(given)) return [];
		const call = known === undefined || isOther(known, given) ? this.#create(choice) : known;
		if (given.index !== undefined) this.#byIndex.set(placeOf(given.index, choice), call);
		if (given.id !== undefined) this.#byId.set(given.id, call);
		return this.#grow(call, given);
	}

	/**
	Tells whether a piece belongs to a call that is not a function call, and stores the piece if so. Only the first
	piece of such a call may have the type.
	*/
	#isOtherType(raw: Fields): boolean {
		const {type, index, id, function: body, name} = raw;
		if (isRecord(body) || typeof name === 'string') return false;
		const key = JSON.stringify(plainCopy(index ?? id ?? null));
		const known = this.#others.get(key);
		if (known !== undefined) known.push(raw);
		else if (typeof type === 'string' && !functionTypes.has(type)) this.#others.set(key, [raw]);
		return this.#others.has(key);
	}

	/** Returns the call that a piece names by its index or id. If the piece has neither, it continues the last call. */
	#find({index, id, name, choice}: GivenCall): Call | undefined {
		const indexed = index === undefined ? undefined : this.#byIndex.get(placeOf(index, choice));
		if (indexed !== undefined) return indexed;
		const known = id === undefined ? undefined : this.#byId.get(id);
		if (known !== undefined && (index === undefined || name === undefined)) return known;
		return index === undefined && (id === undefined || name === undefined)
			? this.#calls.findLast(call => call.choice === choice)
			: undefined;
	}

	#create(choice: number): Call {
		this.#notes.countPart();
		const call: Call = {choice, givenId: undefined, name: '', id: undefined, pieces: [], meter: createJsonMeter()};
		this.#calls.push(call);
		return call;
	}

	#grow(call: Call, given: GivenCall): readonly AnswerEvent[] {
		call.givenId ??= given.id;
		if (call.name === '') call.name = given.name ?? '';
		const text = isRepeat(call, given) ? '' : given.text;
		if (text !== '') call.pieces.push(text);
		call.meter.add(text);
		if (given.extra !== undefined) call.extra = Object.assign(call.extra ?? {}, given.extra);
		const {id} = call;
		if (id === undefined) return call.name === '' ? [] : this.#begin(call);
		if (given.extra !== undefined) this.#keepExtra(call, id);
		return argumentsOf(id, text);
	}

	#begin(call: Call): readonly AnswerEvent[] {
		const id = this.#uniqueId(call.givenId);
		call.id = id;
		this.#begun.set(id, call);
		// Under the rules of 0.1.0, a signature is sent back from this field.
		const signature = fieldOf(fieldOf(call.extra, 'google'), 'thought_signature');
		if (typeof signature === 'string' && signature !== '')
			this.#notes.keep('tool_call', {thoughtSignature: signature}, id);
		this.#keepExtra(call, id);
		return [{type: 'call_start', id, name: call.name}, ...argumentsOf(id, call.pieces.join(''))];
	}

	/**
	Records the server's additional data of a call, such as a signature
	(ai.google.dev/gemini-api/docs/thought-signatures#openai).
	*/
	#keepExtra({extra}: Call, id: string): void {
		if (extra !== undefined) this.#notes.keep('tool_call', {extra_content: extra}, id);
	}

	/** Returns an id that no other call of the answer has. */
	#uniqueId(given: string | undefined): string {
		const stem = given ?? 'call';
		let number = Math.max(this.#begun.size + 1, this.#numbers.get(stem) ?? 0);
		let id = given ?? `call_${number}`;
		for (; this.#begun.has(id); number += 1) id = `${stem}_${number}`;
		this.#numbers.set(stem, number);
		return id;
	}
}

function argumentsOf(id: string, text: string): readonly AnswerEvent[] {
	return text === '' ? [] : [{type: 'delta', kind: 'tool_call', id, text}];
}

type Call = {
	readonly choice: number;
	givenId: string | undefined;
	name: string;
	/** The unique id of the call. Absent while the call has no name. */
	id: string | undefined;
	readonly pieces: string[];
	readonly meter: JsonMeter;
	/** The object is changed in place, because each piece of a call may add to it. */
	extra?: Record<string, unknown>;
};

function placeOf(index: number, choice: number): string {
	return `${choice} ${index}`;
}

type GivenCall = {
	readonly choice: number;
	readonly index: number | undefined;
	readonly id: string | undefined;
	readonly name: string | undefined;
	readonly text: string;
	readonly extra: Record<string, unknown> | undefined;
};

/** Reads what a piece says about its call. */
function givenCall(raw: Fields, position: number | undefined, choice: number): GivenCall {
	const body = isObject(raw['function']) ? raw['function'] : raw;
	const index = typeof raw['index'] === 'string' ? Number.parseInt(raw['index'], 10) : raw['index'];
	const extra = raw['extra_content'] ?? body['extra_content'];
	return {
		choice,
		index: typeof index === 'number' && Number.isInteger(index) ? index : position,
		id: textOf(raw['id']) ?? (typeof raw['id'] === 'number' ? String(raw['id']) : undefined),
		name: textOf(body['name']) ?? textOf(raw['function']),
		text: writtenArguments(body['arguments'] ?? body['parameters']),
		extra: isRecord(extra) ? plainRecord(extra) : undefined,
	};
}

function isNothing({id, name, text, extra}: GivenCall): boolean {
	return id === undefined && name === undefined && text === '' && extra === undefined;
}

const functionTypes: ReadonlySet<string> = new Set(['', 'function', 'builtin_function']);

/**
Returns the arguments in a piece. An empty object is a placeholder: either the arguments follow, or there are none.
*/
function writtenArguments(args: unknown): string {
	return isObject(args) && Object.keys(args).length === 0 ? '' : argumentsText(args);
}

/** Tells whether a piece belongs to another call than the call that its index or id names. */
function isOther(call: Call, {id, name, text}: GivenCall): boolean {
	if (name === undefined) return false;
	const differs = id !== undefined && call.givenId !== undefined && id !== call.givenId;
	if (call.name === '') return differs;
	if (name !== call.name) return true;
	if (differs) return call.meter.length() === 0 || call.meter.isComplete();
	return call.meter.isComplete() && text.trim() !== '' && !isEqual(call, text);
}

/** Tells whether a piece repeats a complete call, because some servers send all calls again at the end. */
function isRepeat(call: Call, {name, text}: GivenCall): boolean {
	return name !== undefined && call.meter.isComplete() && isEqual(call, text);
}

function isEqual({meter, pieces}: Call, text: string): boolean {
	return meter.length() === text.length && pieces.join('') === text;
}

function typeOf(raws: readonly unknown[]): string {
	const [type = 'tool_call'] = raws.map(raw => fieldOf(raw, 'type')).filter(value => typeof value === 'string');
	return type;
}

function textOf(value: unknown): string | undefined {
	return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

/** Finds the end of a JSON object or array that arrives in pieces. Reads each piece once. */
type JsonMeter = {
	add(piece: string): void;
	/** Tells whether the added text is a complete object or array. */
	isComplete(): boolean;
	/** Returns the length of the added text. */
	length(): number;
};

function createJsonMeter(): JsonMeter {
	let length = 0;
	let depth = 0;
	let inText = false;
	let isEscaped = false;
	let state: 'empty' | 'open' | 'complete' | 'other' = 'empty';

	function read(character: string): void {
		if (inText) {
			if (isEscaped) isEscaped = false;
			else if (character === '\\') isEscaped = true;
			else if (character === '"') inText = false;
		} else if (character === '"') inText = true;
		else if (character === '{' || character === '[') depth += 1;
		else if (character === '}' || character === ']') depth -= 1;
	}

	function step(character: string): void {
		if (state === 'open') {
			read(character);
			if (depth === 0) state = 'complete';
		} else if (!/\s/.test(character)) {
			state = state === 'empty' && (character === '{' || character === '[') ? 'open' : 'other';
			depth = 1;
		}
	}

	return {
		add(piece) {
			length += piece.length;
			if (state !== 'other') for (const character of piece) step(character);
		},
		isComplete: () => state === 'complete',
		length: () => length,
	};
}
