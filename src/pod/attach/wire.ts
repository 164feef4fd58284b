import {z} from 'zod';
import {eventSchema, itemSchema, snapshotSchema} from '../protocol/event.ts';
import {methodSchema, receiptSchema, type Method} from '../protocol/method.ts';
import {queries, queryNames, type Queries, type QueryName, type QuerySchemas} from '../protocol/queries.ts';
import {sentence} from '../protocol/sentence.ts';

/** Each side sends it first. Peers with different numbers do not understand each other. */
export const wireVersion = 1;

const id = z.number().int().nonnegative();

/** Maximum length of a client's line, in bytes: a submission with its pastes. */
export const maxClientLineBytes = 32 * 1024 * 1024;

/** Maximum length of the first line of either side, in bytes. */
export const maxGreetingBytes = 65_536;

/** Maximum length of a server's line, in bytes: the item of a submission contains its text twice. */
export const maxServerLineBytes = 2 * maxClientLineBytes + maxGreetingBytes;

/**
One line of a client. The first is `attach`; the server answers nothing before it. A method and a query have an id that
is unique on the connection; `cancel` is the id of a query whose answer is no longer needed.
*/
export type ClientMessage =
	| z.infer<typeof attachSchema>
	| z.infer<typeof cancelSchema>
	| {readonly id: number; readonly method: Method}
	| {readonly id: number; readonly ask: BoundQuery};
const attachSchema = z.object({attach: z.number()});
const cancelSchema = z.object({cancel: id});
const methodLineSchema = z.object({id}).and(methodSchema);
const queryLineSchema = z.looseObject({id, ask: z.string()});

/** A query with its argument: asks a pod. */
export type BoundQuery = (pod: Queries, signal: AbortSignal) => Promise<unknown>;

const clientParsers: Parsers<ClientMessage> = [
	['method', parseMethod],
	['ask', parseQuery],
	['cancel', line => cancelSchema.safeParse(line).data],
	['attach', line => attachSchema.safeParse(line).data],
];

/** A client's line, by the key that names its kind. `undefined` for an unknown or invalid one. */
export function parseClientMessage(line: unknown): ClientMessage | undefined {
	return parseByKey(clientParsers, line);
}

function parseMethod(line: object): ClientMessage | undefined {
	const parsed = methodLineSchema.safeParse(line).data;
	if (parsed === undefined) return undefined;
	const {id: lineId, ...method} = parsed;
	return {id: lineId, method};
}

function parseQuery(line: object): ClientMessage | undefined {
	const parsed = queryLineSchema.safeParse(line).data;
	const name = queryNames.find(each => queries[each].ask === parsed?.ask);
	if (parsed === undefined || name === undefined) return undefined;
	const ask = bindQuery(name, queries[name], parsed);
	return ask === undefined ? undefined : {id: parsed.id, ask};
}

type Line = Readonly<Record<string, unknown>>;

function bindQuery<Name extends QueryName>(
	name: Name,
	schemas: QuerySchemas<Name>,
	line: Line,
): BoundQuery | undefined {
	const {key, argument} = schemas;
	const parsed = argument.safeParse(key === undefined ? undefined : line[key]);
	return parsed.success ? async (pod, signal) => pod[name](parsed.data, signal) : undefined;
}

/** What a server sends at once to every client that connects. */
export type Hello = z.infer<typeof helloSchema>;
const helloSchema = z.object({
	/** The server's version of the wire. */
	inkpod: z.number(),
	session: z.string(),
	/** The session's working directory, a real path. */
	pwd: z.string(),
	pid: z.number().int().positive(),
});

/** What a server sends about its pod: events, and a snapshot in pieces. */
export type PodMessage = z.infer<typeof podMessageSchema>;
const podMessageSchema = z.discriminatedUnion('type', [
	eventSchema,
	snapshotSchema,
	z.object({type: z.literal('items'), items: z.array(itemSchema)}),
]);

/** The reply to the method or query of this id. */
export type Reply = z.infer<typeof receiptLineSchema> | z.infer<typeof answerSchema> | z.infer<typeof problemSchema>;
const receiptLineSchema = z.object({id, receipt: receiptSchema});
/** The answer is parsed by its query's schema. */
const answerSchema = z.object({id, answer: z.unknown()});
/** Why a query has no answer. */
const problemSchema = z.object({id, problem: sentence});

/** Why the server closes the connection: its last line. */
const errorSchema = z.object({error: sentence});

/** One line of a server. */
export type ServerMessage = Hello | PodMessage | Reply | z.infer<typeof errorSchema>;

const serverParsers: Parsers<ServerMessage> = [
	['inkpod', line => helloSchema.safeParse(line).data],
	['type', line => podMessageSchema.safeParse(line).data],
	['receipt', line => receiptLineSchema.safeParse(line).data],
	['answer', line => answerSchema.safeParse(line).data],
	['problem', line => problemSchema.safeParse(line).data],
	['error', line => errorSchema.safeParse(line).data],
];

/** A server's line, by the key that names its kind. `undefined` for an unknown or invalid one. */
export function parseServerMessage(line: unknown): ServerMessage | undefined {
	return parseByKey(serverParsers, line);
}

type Parsers<Message> = ReadonlyArray<readonly [key: string, parse: (line: object) => Message | undefined]>;

/** The first key that the line has decides. */
function parseByKey<Message>(parsers: Parsers<Message>, line: unknown): Message | undefined {
	if (typeof line !== 'object' || line === null) return undefined;
	const found = parsers.find(([key]) => Object.hasOwn(line, key));
	return found?.[1](line);
}
