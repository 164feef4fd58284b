import {z} from 'zod';
import {eventSchema, itemSchema, snapshotSchema} from '../../protocol/event.ts';
import {methodSchema, receiptSchema, type Method} from '../../protocol/method.ts';
import {queries, queryNames, type Queries, type QueryName, type QuerySchemas} from '../../protocol/queries.ts';
import {liveStates} from '../../protocol/live-state.ts';
import {sentence} from '../../protocol/refusals.ts';

/** The version of the protocol. Each side sends it in its first line, and different versions do not work together. */
export const wireVersion = 2;

const id = z.number().int().nonnegative();

/** The maximum length of a client's line, in bytes. The longest lines contain a message with pastes. */
export const maxClientLineBytes = 32 * 1024 * 1024;

/** The maximum length of the first line of either side, in bytes. */
export const maxGreetingBytes = 65_536;

/** The maximum length of a server's line, in bytes. The item of a message contains the message's text twice. */
export const maxServerLineBytes = 2 * maxClientLineBytes + maxGreetingBytes;

/**
One line of a client. The first line is `attach`. If it contains `child`, the client attaches to the child session with
this id. A method or query has an id that no other pending request of the connection has. `cancel` is the id of a query
whose answer the client no longer needs.
*/
export type ClientMessage =
	| z.infer<typeof attachSchema>
	| z.infer<typeof cancelSchema>
	| {readonly id: number; readonly method: Method}
	| {readonly id: number; readonly ask: BoundQuery};
const attachSchema = z.object({attach: z.number(), child: z.string().max(26).optional()});
const cancelSchema = z.object({cancel: id});
const methodLineSchema = z.object({id}).and(methodSchema);
const queryLineSchema = z.looseObject({id, ask: z.string()});

/** A function that sends a parsed query to a pod. */
type BoundQuery = (pod: Queries, signal: AbortSignal) => Promise<unknown>;

const clientParsers: Parsers<ClientMessage> = [
	['method', parseMethod],
	['ask', parseQuery],
	['cancel', line => cancelSchema.safeParse(line).data],
	['attach', line => attachSchema.safeParse(line).data],
];

/**
Parses a client's line with the parser of its kind. A key in the line tells the kind. Returns `undefined` for an unknown
or invalid line.
*/
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

/** The first line that a server sends to every client. */
export type Hello = z.infer<typeof helloSchema>;
const helloSchema = z.object({
	/** The server's version of the protocol. */
	inkpod: z.number(),
	session: z.string(),
	/** The session's working directory, as a real path. */
	pwd: z.string(),
	pid: z.number().int().positive(),
	/** The state of the session when the client connects. Earlier versions do not send it. */
	state: z.enum(liveStates).optional(),
});

/** A server's message about its pod: an event, or a piece of a snapshot. */
export type PodMessage = z.infer<typeof podMessageSchema>;
const podMessageSchema = z.discriminatedUnion('type', [
	eventSchema,
	snapshotSchema,
	z.object({type: z.literal('items'), items: z.array(itemSchema)}),
]);

/** The reply to the method or query with the same id. */
export type Reply = z.infer<typeof receiptLineSchema> | z.infer<typeof answerSchema> | z.infer<typeof problemSchema>;
const receiptLineSchema = z.object({id, receipt: receiptSchema});
/** `answer` is checked later by the schema of the query. */
const answerSchema = z.object({id, answer: z.unknown()});
/** The reason why a query has no answer. */
const problemSchema = z.object({id, problem: sentence});

/** The reason why the server closes the connection. This is its last line. */
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

/**
Parses a server's line with the parser of its kind. A key in the line tells the kind. Returns `undefined` for an unknown
or invalid line.
*/
export function parseServerMessage(line: unknown): ServerMessage | undefined {
	return parseByKey(serverParsers, line);
}

type Parsers<Message> = ReadonlyArray<readonly [key: string, parse: (line: object) => Message | undefined]>;

/** Parses a line with the first parser whose key is in the line. */
function parseByKey<Message>(parsers: Parsers<Message>, line: unknown): Message | undefined {
	if (typeof line !== 'object' || line === null) return undefined;
	const found = parsers.find(([key]) => Object.hasOwn(line, key));
	return found?.[1](line);
}
