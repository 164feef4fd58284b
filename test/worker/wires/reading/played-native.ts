import type {ModelEvent, ModelFailureReason, ModelRequest} from '../../../../src/worker/history/model.ts';
import type {Stop, Usage} from '../../../../src/worker/history/item.ts';
import {loadModel} from '../../../../src/worker/wires/load.ts';
import {ask} from '../../../helpers/collect.ts';
import {modelNames, testKey} from '../wire-model.ts';

export type NativeWire = 'anthropic' | 'openai' | 'google';

/** The parts of an answer that a user gets. */
export type Seen = {
	readonly texts: readonly string[];
	readonly thoughts: readonly string[];
	readonly calls: ReadonlyArray<readonly [name: string, args: unknown]>;
	/** The types of the parts that cannot be read. */
	readonly unread: readonly string[];
	readonly citations: readonly unknown[];
	readonly usage: Usage;
	readonly stop?: Stop;
	readonly explanation?: string;
	readonly error?: ModelFailureReason;
	readonly errorText?: string;
};

/** A stream that a server may send, and the parts that a user must get. */
export type NativeCase = {
	readonly name: string;
	readonly events: readonly unknown[];
	/** The differences from a plain text that ends normally. */
	readonly seen: Partial<Seen>;
	/** The server ends the stream with `[DONE]`. */
	readonly isDone?: boolean;
};

type Framing = {readonly lineEnd?: string; readonly isCut?: boolean; readonly sizes?: () => number};

/** Returns the bytes of an event stream, in pieces of the given sizes. */
export function framed(
	{events, isDone = false}: NativeCase,
	{lineEnd = '\n', isCut = false, sizes}: Framing = {},
): Uint8Array[] {
	const all = [...events.map(event => JSON.stringify(event)), ...(isDone ? ['[DONE]'] : [])];
	const text = all.map(event => `data: ${event}${lineEnd}${lineEnd}`).join('');
	const bytes = Buffer.from(isCut ? text.trimEnd() : text);
	if (sizes === undefined) return [bytes];
	const pieces: Uint8Array[] = [];
	for (let from = 0, size = sizes(); from < bytes.length; from += size, size = sizes())
		pieces.push(bytes.subarray(from, from + size));
	return pieces;
}

/** Creates a fetch that plays these bytes, and the list of bodies that it gets. */
export function playing(
	pieces: readonly Uint8Array[],
	headers: Readonly<Record<string, string>> = {'content-type': 'text/event-stream'},
): {readonly fetch: typeof globalThis.fetch; readonly bodies: string[]} {
	const bodies: string[] = [];
	return {
		bodies,
		async fetch(_input, init) {
			bodies.push(typeof init?.body === 'string' ? init.body : '');
			const left = [...pieces];
			const body = new ReadableStream<Uint8Array>({
				pull(controller) {
					const piece = left.shift();
					if (piece === undefined) controller.close();
					else controller.enqueue(piece);
				},
			});
			return new Response(body, {headers});
		},
	};
}

/** Returns the answer that a model of this wire makes of these bytes. */
export async function answerTo(
	wire: NativeWire,
	pieces: readonly Uint8Array[],
	request: ModelRequest = ask([{role: 'user', text: 'Hello.'}]),
): Promise<readonly ModelEvent[]> {
	const {fetch} = playing(pieces);
	const model = await loadModel({provider: wire, model: modelNames[wire], apiKey: testKey, options: {fetch}});
	const events: ModelEvent[] = [];
	for await (const event of model.stream(request, new AbortController().signal)) events.push(event);
	return events;
}

/** Returns the ended parts of an answer, and how it ended. */
export function seenIn(events: readonly ModelEvent[]): Seen {
	const texts = new Map<string, string>();
	const ended = new Map<string, Extract<ModelEvent, {type: 'end'}>>();
	for (const event of events) {
		if (event.type === 'delta') texts.set(event.key, (texts.get(event.key) ?? '') + event.text);
		if (event.type === 'end') ended.set(event.key, event);
	}
	const whole = events.flatMap(event =>
		event.type === 'start' && ended.has(event.key)
			? [{part: event.part, text: ended.get(event.key)?.text ?? texts.get(event.key) ?? ''}]
			: [],
	);
	const last = events.at(-1);
	const textsOf = (type: string) => whole.flatMap(({part, text}) => (part.type === type ? [text] : []));
	return {
		texts: textsOf('text').filter(text => text !== ''),
		thoughts: textsOf('reasoning').filter(text => text !== ''),
		calls: whole.flatMap(({part, text}) =>
			part.type === 'tool_call' ? [[part.name, valueOf(text)] as const] : [],
		),
		unread: whole.flatMap(({part}) => (part.type === 'unread' ? [part.kind] : [])),
		citations: [...ended.values()].flatMap(({provider = {}}) => Object.values(provider).flatMap(citationsIn)),
		usage: last?.type === 'finish' ? last.usage : {},
		...(last?.type === 'finish' && {stop: last.stop}),
		...(last?.type === 'finish' && last.explanation !== undefined && {explanation: last.explanation}),
		...(last?.type === 'error' && {error: last.error.reason, errorText: last.error.message}),
	};
}

/** Returns the expected result of a case. */
export function expectedOf({seen}: NativeCase): Seen {
	const plain = {texts: ['Hello'], thoughts: [], calls: [], unread: [], citations: [], usage: {}};
	return {...plain, ...(seen.error === undefined && {stop: 'end'}), ...seen};
}

function valueOf(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return text;
	}
}

function citationsIn(data: unknown): readonly unknown[] {
	const citations: unknown = typeof data === 'object' && data !== null ? Reflect.get(data, 'citations') : undefined;
	return Array.isArray(citations) ? citations : [];
}
