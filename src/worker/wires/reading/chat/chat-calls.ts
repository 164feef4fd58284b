import {elementsOf, fieldOf, isRecord} from '../../values.ts';
import type {AnswerNotes} from '../answer-notes.ts';
import type {Fields} from './chat-choice.ts';
import {argumentsText, isObject} from '../fields.ts';
import {plainCopy, plainRecord} from '../plain-copy.ts';
import {unreadPart} from '../unread.ts';

/** A piece of a call, as the provider package reads it. The first piece of a call has its id and name. */
export type CallDelta = {
	readonly index: number;
	readonly id?: string;
	readonly function: {readonly name?: string; readonly arguments: string};
	readonly extra_content?: unknown;
};

/**
The calls of one answer. Every call gets its own index and id, so that the provider package need not guess. A server may
leave out the index (Mistral), the id (Gemini), give all calls the index 0 (Gemini) or the same id, send the name late
or again with every piece, or send the arguments as an object (Ollama).
*/
export class ChatCalls {
	readonly #notes: AnswerNotes;
	readonly #calls: Call[] = [];
	readonly #byIndex = new Map<number, Call>();
	readonly #byId = new Map<string, Call>();
	readonly #ids = new Set<string>();
	/** The number to try next for each known id, because a server may give all calls the same id. */
	readonly #numbers = new Map<string, number>();
	/** The pieces of calls of unknown types. */
	readonly #others = new Map<string, unknown[]>();

	constructor(notes: AnswerNotes) {
		this.#notes = notes;
	}

	/** The ids of the calls that were passed on, in order. */
	ids(): readonly string[] {
		return [...this.#ids];
	}

	hasAny(): boolean {
		return this.#ids.size > 0;
	}

	/** Returns the pieces to pass on for a `tool_calls` field of any form. */
	add(list: unknown): readonly CallDelta[] {
		const raws = Array.isArray(list) ? elementsOf(list) : [list];
		return joinPieces(raws.flatMap((raw, at) => this.#addOne(raw, raws.length > 1 ? at : undefined) ?? []));
	}

	/**
	Records the calls that cannot be read: those without a name, and those of unknown types. Returns the number of these
	calls.
	*/
	noteUnread(): number {
		const nameless = this.#calls.filter(({begun}) => begun === undefined);
		for (const {givenId, pieces} of nameless)
			this.#notes.addUnread(unreadPart('tool_call', {id: givenId ?? null, arguments: pieces.join('')}));
		for (const raws of this.#others.values())
			this.#notes.addUnread(unreadPart(typeOf(raws), raws.length === 1 ? raws[0] : raws));
		return nameless.length + this.#others.size;
	}

	#addOne(raw: unknown, position: number | undefined): CallDelta | undefined {
		if (!isObject(raw) || this.#isOtherType(raw)) return undefined;
		const given = givenCall(raw, position);
		const known = this.#find(given);
		if (known === undefined && isNothing(given)) return undefined;
		const call = known === undefined || isOther(known, given) ? this.#create() : known;
		if (given.index !== undefined) this.#byIndex.set(given.index, call);
		if (given.id !== undefined) this.#byId.set(given.id, call);
		return this.#grow(call, given);
	}

	/** Stores the pieces of calls that are not functions. Only the first one may have the type. */
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
	#find({index, id, name}: GivenCall): Call | undefined {
		const indexed = index === undefined ? undefined : this.#byIndex.get(index);
		if (indexed !== undefined) return indexed;
		const known = id === undefined ? undefined : this.#byId.get(id);
		if (known !== undefined && (index === undefined || name === undefined)) return known;
		return index === undefined && (id === undefined || name === undefined) ? this.#calls.at(-1) : undefined;
	}

	#create(): Call {
		this.#notes.countPart();
		const call: Call = {givenId: undefined, name: '', begun: undefined, pieces: [], meter: createJsonMeter()};
		this.#calls.push(call);
		return call;
	}

	#grow(call: Call, given: GivenCall): CallDelta | undefined {
		call.givenId ??= given.id;
		if (call.name === '') call.name = given.name ?? '';
		const text = isRepeat(call, given) ? '' : given.text;
		if (text !== '') call.pieces.push(text);
		call.meter.add(text);
		if (given.extra !== undefined) call.extra = Object.assign(call.extra ?? {}, given.extra);
		const {begun} = call;
		if (begun === undefined) return call.name === '' ? undefined : this.#begin(call);
		if (given.extra !== undefined) this.#keepExtra(call, begun.id);
		return text === '' ? undefined : {index: begun.index, function: {arguments: text}};
	}

	#begin(call: Call): CallDelta {
		const begun = {index: this.#ids.size, id: this.#uniqueId(call.givenId)};
		call.begun = begun;
		this.#keepExtra(call, begun.id);
		// Under the rules of 0.1.0, the signature is sent back as the package reads it.
		const signature = fieldOf(fieldOf(call.extra, 'google'), 'thought_signature');
		const extra = typeof signature === 'string' && {extra_content: {google: {thought_signature: signature}}};
		return {...begun, function: {name: call.name, arguments: call.pieces.join('')}, ...extra};
	}

	/**
	Records the data beside the call, such as a signature (ai.google.dev/gemini-api/docs/thought-signatures#openai).
	*/
	#keepExtra({extra}: Call, id: string): void {
		if (extra !== undefined) this.#notes.keep('tool_call', {extra_content: extra}, id);
	}

	/** Returns an id that no other call of the answer has. */
	#uniqueId(given: string | undefined): string {
		const stem = given ?? 'call';
		let number = Math.max(this.#ids.size + 1, this.#numbers.get(stem) ?? 0);
		let id = given ?? `call_${number}`;
		for (; this.#ids.has(id); number += 1) id = `${stem}_${number}`;
		this.#numbers.set(stem, number);
		this.#ids.add(id);
		return id;
	}
}

/** Joins each run of argument pieces into one piece, because a list may have very many pieces for one call. */
function joinPieces(pieces: readonly CallDelta[]): readonly CallDelta[] {
	const joined: CallDelta[] = [];
	for (const piece of pieces) {
		const last = joined.at(-1);
		if (last === undefined || piece.id !== undefined || piece.index !== last.index) joined.push(piece);
		else {
			const args = last.function.arguments + piece.function.arguments;
			joined[joined.length - 1] = {...last, function: {...last.function, arguments: args}};
		}
	}
	return joined;
}

type Call = {
	givenId: string | undefined;
	name: string;
	/** The index and the id of the call in what is passed on. Absent while the call has no name. */
	begun: {readonly index: number; readonly id: string} | undefined;
	readonly pieces: string[];
	readonly meter: JsonMeter;
	/** The object is changed in place, because each piece of a call may add to it. */
	extra?: Record<string, unknown>;
};

type GivenCall = {
	readonly index: number | undefined;
	readonly id: string | undefined;
	readonly name: string | undefined;
	readonly text: string;
	readonly extra: Record<string, unknown> | undefined;
};

/** Reads the facts about its call from a piece. */
function givenCall(raw: Fields, position: number | undefined): GivenCall {
	const body = isObject(raw['function']) ? raw['function'] : raw;
	const index = typeof raw['index'] === 'string' ? Number.parseInt(raw['index'], 10) : raw['index'];
	const extra = raw['extra_content'] ?? body['extra_content'];
	return {
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

/** An empty object is a placeholder: either the arguments follow, or there are none. */
function writtenArguments(args: unknown): string {
	return isObject(args) && Object.keys(args).length === 0 ? '' : argumentsText(args);
}

/** Tells whether a piece belongs to another call than the one that its index or id names. */
function isOther(call: Call, {id, name, text}: GivenCall): boolean {
	if (name === undefined) return false;
	const differs = id !== undefined && call.givenId !== undefined && id !== call.givenId;
	if (call.name === '') return differs;
	if (name !== call.name) return true;
	if (differs) return call.meter.length() === 0 || call.meter.isComplete();
	return call.meter.isComplete() && text.trim() !== '' && !isEqual(call, text);
}

/** Tells whether a piece repeats a whole call, because some servers send all calls again when they finish. */
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

/** Follows a JSON object or array that arrives in pieces, and reads each piece once. */
type JsonMeter = {
	add(piece: string): void;
	/** Tells whether the text so far is a complete object or array. */
	isComplete(): boolean;
	/** The length of the text so far. */
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
