import {loadModel} from '../../../../../../src/worker/wires/load.ts';
import type {ModelEvent} from '../../../../../../src/worker/history/model.ts';
import {seededRandom} from '../../../../../helpers/random.ts';
import {ask, collect, type Collected} from '../../../../../helpers/collect.ts';
import type {CorpusStream, Expected} from './stream.ts';

/** How the bytes of a stream arrive. */
export type Variant = {
	readonly seed: number;
	readonly lineEnd: '\n' | '\r\n' | '\r';
	readonly hasLastLineEnd: boolean;
	/** Unknown fields at every level, unknown events, comments and other fields of the stream. */
	readonly hasUnknown: boolean;
};

/** Returns the answer that a real model makes of a stream. */
export async function played(stream: CorpusStream, variant: Variant): Promise<Expected> {
	const bytes = Buffer.from(bodyOf(stream, variant));
	const type = stream.isWhole === true ? 'application/json' : 'text/event-stream; charset=utf-8';
	const model = await loadModel({
		provider: 'corpus',
		server: {wire: 'openai-compatible', dialect: stream.dialect},
		model: 'm',
		baseURL: 'http://127.0.0.1:9',
		options: {
			fetch: async () => new Response(inPieces(bytes, variant.seed), {headers: {'content-type': type}}),
		},
	});
	const settings = {rules: 2, dialect: stream.dialect};
	return summary(await collect(model, ask([{role: 'user', text: 'Hello.'}], {settings})));
}

function bodyOf(stream: CorpusStream, {seed, lineEnd, hasLastLineEnd, hasUnknown}: Variant): string {
	const random = seededRandom(seed);
	const events = hasUnknown ? stream.events.map(event => withUnknown(event, random)) : stream.events;
	if (stream.isWhole === true) return typeof events[0] === 'string' ? events[0] : JSON.stringify(events[0]);
	const texts = events.map(event => (typeof event === 'string' ? event : `data: ${JSON.stringify(event)}`));
	const noisy = hasUnknown ? texts.flatMap(text => [pick(noise, random), text]) : texts;
	const all = stream.isDone === false ? noisy : [...noisy, 'data: [DONE]'];
	const body = all.join('\n\n') + (hasLastLineEnd ? '\n\n' : '');
	return body.replaceAll('\n', lineEnd);
}

function inPieces(bytes: Buffer, seed: number): ReadableStream<Uint8Array> {
	const random = seededRandom(seed + 1);
	const longest = pick([3, 40, 4000], random);
	let at = 0;
	return new ReadableStream({
		pull(controller) {
			const end = at + 1 + Math.floor(random() * longest);
			if (at < bytes.length) controller.enqueue(bytes.subarray(at, end));
			else controller.close();
			at = end;
		},
	});
}

/** What a server may send between two events. */
const noise = [
	': keep-alive',
	':',
	'event: ping\ndata: {}',
	'id: 7\nretry: 100',
	'data: {"object":"unknown.event","x":[{"y":null}],"choices":[]}',
	'data: {"choices":null}',
	'data: null',
	'data: [1, "two"]',
	'data:',
	'data: {"choices":[{"index":0,"delta":{}}]}',
];

/** Fields whose content goes back to the server, or is the model's own. */
const asTheyAre: ReadonlySet<string> = new Set(['arguments', 'reasoning_details', 'extra_content', 'custom', 'images']);

function withUnknown(value: unknown, random: () => number): unknown {
	if (Array.isArray(value)) return value.map(element => withUnknown(element, random));
	if (typeof value !== 'object' || value === null) return value;
	const fields = Object.entries(value).map(([name, field]) => [
		name,
		asTheyAre.has(name) ? field : withUnknown(field, random),
	]);
	const name = pick(['x_new', 'obfuscation', 'service_tier', 'p', 'provider_specific_fields'], random);
	return Object.fromEntries([[name, pick(strange, random)], ...fields]);
}

const strange: readonly unknown[] = [null, 0, -1, 'text', true, [], {}, [{a: [null]}], {b: {c: 'd'}}, [[[]]]];

function pick<Value>(values: readonly Value[], random: () => number): Value {
	return values[Math.floor(random() * values.length)]!;
}

function summary({events, parts, stop, usage, error}: Collected): Expected {
	const said = (type: 'text' | 'reasoning') => textsOf(events, type).join('');
	const calls = parts.flatMap(part => (part.type === 'tool_call' ? [[part.name, part.arguments] as const] : []));
	const unread = events.flatMap(event =>
		event.type === 'start' && event.part.type === 'unread' ? [event.part.kind] : [],
	);
	const data = parts.flatMap(({provider}) => (provider === undefined ? [] : [provider['corpus']]));
	return {
		...(said('text') !== '' && {text: said('text')}),
		...(said('reasoning') !== '' && {thoughts: said('reasoning')}),
		...(calls.length > 0 && {calls}),
		...(usage !== undefined && Object.keys(usage).length > 0 && {usage}),
		...(stop !== undefined && {stop}),
		...(error !== undefined && {error: error.message}),
		...(unread.length > 0 && {unread}),
		...(data.length > 0 && {data}),
	};
}

/** The texts of the deltas, including those of a cut part. */
function textsOf(events: readonly ModelEvent[], type: string): readonly string[] {
	const proven = new Set(events.flatMap(event => (event.type === 'end' && event.isThought ? [event.key] : [])));
	const keys = new Set(
		events.flatMap(event => {
			if (event.type !== 'start') return [];
			return (proven.has(event.key) ? 'reasoning' : event.part.type) === type ? [event.key] : [];
		}),
	);
	return events.flatMap(event => (event.type === 'delta' && keys.has(event.key) ? [event.text] : []));
}
