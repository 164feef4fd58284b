import {z} from 'zod';
import {cutText, parseItem} from '../../worker/index.ts';
import {
	approvalModes,
	ledgerKinds,
	methodSchema,
	refFailures,
	refusals,
	segmentSchema,
	type Item,
} from '../protocol.ts';
import {confirmedSchema, rangeSchema} from '../protocol/segment.ts';

/** Both sides say it first. Another number is another language. */
export const wireVersion = 1;

const id = z.number().int().nonnegative();

/** What the other side says in words is shown or printed: a sentence and no more of it. */
const sentence = z.string().transform(text => cutText(text, maxSentenceBytes).text);
const maxSentenceBytes = 4096;

/** Longest line that a client may say, in bytes: a submission with its pastes. */
export const maxClientLineBytes = 32 * 1024 * 1024;

/** Longest first line of either side, in bytes. */
export const maxGreetingBytes = 65_536;

/** Longest line that a client takes from its server, in bytes: a submission, whose item has its text twice. */
export const maxServerLineBytes = 2 * maxClientLineBytes + maxGreetingBytes;

const querySchema = z.object({kind: z.enum(['path', 'workflow']), text: z.string(), limit: z.number()});

/** What can be asked of a pod beside its methods, each answered by `answerSchemas`. */
export type Question = z.infer<typeof questionSchema>;
const questionSchema = z.discriminatedUnion('ask', [
	z.object({ask: z.literal('complete'), query: querySchema}),
	z.object({ask: z.literal('preflight'), segments: z.array(segmentSchema)}),
	z.object({ask: z.literal('workflows')}),
	z.object({ask: z.literal('mcp')}),
	z.object({ask: z.literal('background_output'), background: z.string()}),
	z.object({ask: z.literal('stale'), ids: z.array(z.string())}),
	z.object({ask: z.literal('ledger')}),
	z.object({ask: z.literal('files_since'), to: z.string()}),
]);

/**
One line of a client. The first is `attach`; nothing is told before it. A method and a question have an id that no other
of the connection has.
*/
export type ClientMessage = z.infer<(typeof clientSchemas)[keyof typeof clientSchemas]>;
const clientSchemas = {
	method: z.object({id}).and(methodSchema),
	ask: z.object({id}).and(questionSchema),
	/** The answer to a question is not wanted any more. */
	cancel: z.object({cancel: id}),
	attach: z.object({attach: z.number()}),
};

/** A client's line, by the key that says what it is. `undefined` when it is none. */
export function parseClientMessage(line: unknown): ClientMessage | undefined {
	return parseByKey(clientSchemas, line);
}

/** As a line of a history is read: keys that this version does not know are kept. */
const itemSchema = z.custom<Item>(value => parseItem(value) !== undefined, 'This is no item.');

const askSchema = z.object({
	id: z.string(),
	callId: z.string().optional(),
	title: z.string(),
	detail: z.string(),
	shows: z.enum(['command', 'diff', 'text']).optional(),
	choices: z.array(
		z.object({
			choice: z.string(),
			label: z.string(),
			refuses: z.boolean().optional(),
			reason: z.boolean().optional(),
			rule: z.string().optional(),
		}),
	),
});
const count = z.number().nonnegative();
const contextSchema = z.object({
	tokens: count,
	exact: z.boolean(),
	window: count.optional(),
	cached: z.number().min(0).max(1).optional(),
	cost: z.object({usd: count, known: count, unknown: count}).optional(),
});
export const statusSchema = z.object({
	kind: z.enum(['idle', 'running', 'paused']),
	step: z.enum(['resolving', 'requesting', 'streaming', 'tools', 'compacting']).optional(),
	asks: z.array(askSchema),
	approval: z.enum(approvalModes).optional(),
	queue: z.array(z.array(segmentSchema)),
	context: contextSchema.optional(),
	background: z
		.array(z.object({id: z.string(), call: z.string(), command: z.string(), since: z.number()}))
		.optional(),
	retryAt: z.number().optional(),
});
const rates = {input: count, output: count, cacheRead: count.optional(), cacheWrite: count.optional()};
const pricesSchema = z.array(
	z.object({...rates, from: z.string().optional(), above: z.object({tokens: count, ...rates}).optional()}),
);
const sessionSchema = z.object({
	id: z.string(),
	model: z.string(),
	scope: z.object({pwd: z.string(), writable: z.boolean(), readRoots: z.array(z.string())}),
	prices: z.record(z.string(), pricesSchema).optional(),
});

/** What happens, as it is told, but for `snapshot`, which does not fit in a line. */
export const eventSchema = z.discriminatedUnion('type', [
	z.object({type: z.literal('item'), item: itemSchema}),
	z.object({type: z.literal('delta'), id: z.string(), text: z.string(), begin: itemSchema.optional()}),
	z.object({type: z.literal('status'), status: statusSchema}),
	z.object({type: z.literal('alert'), alert: z.object({level: z.enum(['info', 'warn', 'error']), text: sentence})}),
	z.object({type: z.literal('closed'), sentence: sentence.optional()}),
]);

/**
A snapshot, of which the `count` items follow in lines of their own; events come behind the last of them.
A snapshot that follows before that takes its place.
*/
export const snapshotSchema = z.object({
	type: z.literal('snapshot'),
	session: sessionSchema,
	tail: z.array(itemSchema),
	status: statusSchema,
	count: z.number().int().nonnegative(),
});

export const receiptSchema = z.union([
	z.object({accepted: z.literal(true)}),
	z.object({accepted: z.literal(false), code: z.enum(refusals), sentence}),
]);

const marks = z.array(z.number());
const matchSchema = z.discriminatedUnion('type', [
	z.object({type: z.literal('path'), path: z.string(), directory: z.boolean(), ignored: z.boolean(), marks}),
	z.object({type: z.literal('workflow'), slug: z.string(), description: z.string(), marks}),
]);
const fileRefSchema = z.object({
	type: z.literal('file_ref'),
	path: z.string(),
	range: rangeSchema.optional(),
	confirmed: confirmedSchema.optional(),
	outcome: z.union([z.object({item: z.string()}), z.object({failed: z.enum(refFailures)})]).optional(),
});
const forecastSchema = z.discriminatedUnion('ok', [
	z.object({
		ref: fileRefSchema,
		ok: z.literal(true),
		kind: z.enum(['file', 'dir']),
		bytes: z.number(),
		totalBytes: z.number(),
		lines: z.number(),
		truncated: z.boolean(),
		tokens: z.number(),
	}),
	z.object({
		ref: fileRefSchema,
		ok: z.literal(false),
		reason: z.enum(refFailures),
		sentence: z.string(),
		real: z.string().optional(),
	}),
]);

const workflowSchema = z.object({
	slug: z.string(),
	description: z.string(),
	source: z.enum(['project', 'user', 'skill']),
	file: z.string(),
	userInvocable: z.boolean(),
	modelInvocation: z.boolean(),
	requires: z.array(z.string()),
	error: z.string().optional(),
	remarks: z.array(z.string()).optional(),
	shadows: z.array(z.string()).optional(),
});

const mcpServerSchema = z.object({
	name: z.string(),
	source: z.enum(['user', 'project']),
	transport: z.enum(['stdio', 'http']),
	target: z.string(),
	state: z.enum(['idle', 'starting', 'ready', 'failed', 'untrusted']),
	tools: z.array(z.object({name: z.string(), description: z.string()})),
	sentence: z.string().optional(),
});
const fileStates = z.enum(['same', 'changed', 'gone', 'unknown']);
const ledgerKind = z.enum(ledgerKinds);
const ledgerRowSchema = z.object({
	id: z.string().optional(),
	kind: ledgerKind,
	label: z.string(),
	bytes: z.number(),
	tokens: z.number(),
	path: z.string().optional(),
	range: rangeSchema.optional(),
	body: z.object({bytes: z.number(), totalBytes: z.number()}).optional(),
	pinned: z.boolean().optional(),
	dropped: z.boolean().optional(),
	summarised: z.number().optional(),
	state: fileStates.optional(),
});
const ledgerTotalSchema = z.object({kind: ledgerKind, rows: z.number(), bytes: z.number(), tokens: z.number()});
const changedFileSchema = z.object({
	state: z.enum(['tools', 'others', 'lost']),
	real: z.string(),
	path: z.string(),
	present: z.string().optional(),
	removes: z.boolean().optional(),
	diff: z.string(),
	sentence: z.string().optional(),
});

/** The answer to each question. */
export const answerSchemas = {
	complete: z.object({
		query: querySchema,
		matches: z.array(matchSchema),
		indexing: z.boolean(),
		note: z.string().optional(),
	}),
	preflight: z.object({
		segments: z.array(segmentSchema),
		refs: z.array(forecastSchema),
		tokens: z.number(),
		rejection: z.string().optional(),
	}),
	workflows: z.array(workflowSchema),
	mcp: z.array(mcpServerSchema),
	/** `null`: none of that id runs. */
	background_output: z.object({text: z.string(), bytes: count, file: z.string()}).nullable(),
	stale: z.array(z.object({id: z.string(), state: fileStates})),
	ledger: z.object({
		model: z.string(),
		rows: z.array(ledgerRowSchema),
		totals: z.array(ledgerTotalSchema),
		bytes: z.number(),
		tokens: z.number(),
		window: z.number().optional(),
	}),
	files_since: z.array(changedFileSchema),
};

/** What a server says at once to whoever connects. */
export type Hello = z.infer<typeof helloSchema>;
const helloSchema = z.object({
	/** Its version of the wire. */
	inkpod: z.number(),
	session: z.string(),
	/** Where the session works, a real path. */
	pwd: z.string(),
	pid: z.number().int().positive(),
});

/** One line of a server. */
export type ServerMessage = z.infer<(typeof serverSchemas)[keyof typeof serverSchemas]>;
const serverSchemas = {
	inkpod: helloSchema,
	type: z.discriminatedUnion('type', [
		eventSchema,
		snapshotSchema,
		z.object({type: z.literal('items'), items: z.array(itemSchema)}),
	]),
	receipt: z.object({id, receipt: receiptSchema}),
	/** `answerSchemas` knows the answer, by its question. */
	answer: z.object({id, answer: z.unknown()}),
	/** Why there is no answer to a question. */
	problem: z.object({id, problem: sentence}),
	/** Why the connection is closed; the last line. */
	error: z.object({error: sentence}),
};

/** A server's line, by the key that says what it is. `undefined` when it is none. */
export function parseServerMessage(line: unknown): ServerMessage | undefined {
	return parseByKey(serverSchemas, line);
}

function parseByKey<Schemas extends Readonly<Record<string, z.ZodType>>>(
	schemas: Schemas,
	line: unknown,
): z.infer<Schemas[keyof Schemas]> | undefined {
	if (typeof line !== 'object' || line === null) return undefined;
	const key = Object.keys(schemas).find(name => Object.hasOwn(line, name));
	return key === undefined
		? undefined
		: (schemas[key]!.safeParse(line).data as z.infer<Schemas[keyof Schemas]> | undefined);
}
