import {z} from 'zod';
import {quickCheck, type Check} from './quick-check.ts';

/**
An entry of history. Entries never change. docs/history.md describes their keys. Unknown keys are kept, so keys of a
newer inkpod survive an older version.
*/
export type Item = z.infer<typeof itemSchema>;
export type ItemType = Item['type'];
export type ItemOf<Type extends ItemType> = Extract<Item, {type: Type}>;
export type Message = ItemOf<'message'>;
export type Reasoning = ItemOf<'reasoning'>;
export type ToolCall = ItemOf<'tool_call'>;
export type ToolResult = ItemOf<'tool_result'>;
export type Setup = ItemOf<'setup'>;
export type RequestItem = ItemOf<'request'>;
export type RequestEnd = ItemOf<'request_end'>;
export type RunEnd = ItemOf<'run_end'>;
export type Usage = RequestEnd['usage'];
export type AnsweredBy = NonNullable<RequestEnd['answered']>;
export type ToolDefinition = Setup['tools'][number];
export type Settings = Setup['settings'];
export type Outcome = RunEnd['outcome'];
export type Stop = RequestEnd['stop'];

/**
The reason why a message is in the history. The worker does not read this value. The pod's protocol narrows its type by
`kind`.
*/
export type RawOrigin = z.infer<typeof originSchema>;

/** A provider's own metadata, by provider name. inkpod stores it and sends it back unchanged, without reading it. */
export type ProviderData = z.infer<typeof providerSchema>;

/** An item without its id and time. */
export type Draft<Type extends ItemType = ItemType> = Type extends ItemType ? Omit<ItemOf<Type>, 'id' | 'at'> : never;

const base = {id: z.string().min(1), at: z.string()};
const originSchema = z.looseObject({kind: z.string()});
const providerSchema = z.record(z.string(), z.unknown());
const tokens = z.number().nonnegative().optional();
/**
A provider's token counts, with the same meaning for every provider. `input` counts everything sent, including the
tokens that were read from the cache (`cacheRead`) or written to it (`cacheWrite`). `cacheWriteHour` is the part of
`cacheWrite` that is cached for an hour. `output` counts everything received, including `reasoning`. An absent count is
unknown.
*/
export const usageSchema = z.object({
	input: tokens,
	output: tokens,
	cacheRead: tokens,
	cacheWrite: tokens,
	cacheWriteHour: tokens,
	reasoning: tokens,
});
const toolSchema = z.object({
	name: z.string(),
	description: z.string(),
	parameters: z.record(z.string(), z.unknown()),
	/**
	The number of tools that the model calls through this tool and that are not in the list. No request contains it.
	*/
	deferred: z.number().optional(),
});

const message = z.object({
	...base,
	type: z.literal('message'),
	role: z.enum(['user', 'assistant', 'system']),
	text: z.string(),
	origin: originSchema.optional(),
	/** The reason why the text of an answer was interrupted. Absent if the text is complete. */
	stop: z.string().optional(),
	provider: providerSchema.optional(),
	/**
	A part of the answer that inkpod cannot read. In this case, the assistant message has no text. This part is never
	sent.
	*/
	unread: z.object({type: z.string(), data: z.string().optional()}).optional(),
});
const reasoning = z.object({
	...base,
	type: z.literal('reasoning'),
	text: z.string(),
	ms: z.number(),
	provider: providerSchema.optional(),
	stop: z.string().optional(),
});
const toolCall = z.object({
	...base,
	type: z.literal('tool_call'),
	callId: z.string(),
	name: z.string(),
	/** The JSON text as the model wrote it. The text may be invalid JSON. */
	arguments: z.string(),
	provider: providerSchema.optional(),
});
const toolResult = z.object({
	...base,
	type: z.literal('tool_result'),
	callId: z.string(),
	/** One line for the screen. */
	summary: z.string(),
	/** The text that the model reads. */
	content: z.string(),
	isError: z.boolean(),
	ms: z.number(),
	/** Facts from the tool that are not in the text, for code that knows the tool. No request contains them. */
	details: z.record(z.string(), z.unknown()).optional(),
	/**
	The item id of the stopped call that printed this output. An item with this key does not answer the call, and no
	request contains the item.
	*/
	partialOf: z.string().optional(),
});
const setup = z.object({
	...base,
	type: z.literal('setup'),
	model: z.string(),
	prompt: z.string(),
	tools: z.array(toolSchema),
	settings: z.record(z.string(), z.unknown()),
});
const stopSchema = z.enum([
	'end',
	'tool_calls',
	/** The answer reached the output limit. */
	'length',
	/** The model declined to answer. */
	'refused',
	/** The provider's filter stopped the prompt or the answer. */
	'blocked',
	/** The answer has no text and no call. */
	'empty',
	/** The answer has a call that the provider itself could not read. */
	'unread_call',
	/** The provider stopped in the middle and expects a continuation. */
	'paused',
	'aborted',
	'cut',
	/** The provider sent an error. */
	'error',
	'other',
]);
const rewriteSchema = z.looseObject({rule: z.string(), where: z.array(z.string()), more: z.number().optional()});
/**
The item is committed before the request is sent. In 0.1.0 the item followed the answer and included the end of the
answer.
*/
const request = z.object({
	...base,
	type: z.literal('request'),
	model: z.string(),
	usage: usageSchema.optional(),
	/** The sha256 of the request body, in hex. Empty if the model sent no body. */
	requestHash: z.string(),
	startedAt: z.string(),
	/**
	The places where the request deviates from the plain text of its items (rewrites.ts). Absent if there are none, or
	if an older version wrote the item.
	*/
	rewrites: z.array(rewriteSchema).optional(),
	endedAt: z.string().optional(),
	stop: stopSchema.optional(),
	explanation: z.string().optional(),
});
/**
What the server says about the answer: the name of the model that wrote it, the version of that model's setup, the
place of the server, and the server's id for the answer.
*/
const answeredSchema = z.looseObject({
	model: z.string(),
	fingerprint: z.string().optional(),
	region: z.string().optional(),
	id: z.string().optional(),
});
const requestEnd = z.object({
	...base,
	type: z.literal('request_end'),
	/** The id of the request. */
	request: z.string(),
	usage: usageSchema,
	endedAt: z.string(),
	stop: stopSchema,
	/** The reason why the answer ended, in the provider's own words. */
	explanation: z.string().optional(),
	/** Absent if the server did not name the model, or if an older version wrote the item. */
	answered: answeredSchema.optional(),
});
const runEnd = z.object({
	...base,
	type: z.literal('run_end'),
	outcome: z.enum(['finished', 'limit', 'cancelled', 'paused', 'error']),
	cause: z.string().optional(),
	/** Whether the provider refused the key, so that another key may help. */
	keyRefused: z.literal(true).optional(),
});
const compaction = z.object({
	...base,
	type: z.literal('compaction'),
	summary: z.string(),
	firstKept: z.string(),
	keptIds: z.array(z.string()),
	refs: z.array(z.string()),
	refused: z.array(z.object({path: z.string(), reason: z.string()})),
	/**
	The number of items in the context that the summary replaces. Absent in older histories, which did not count them.
	*/
	summarised: z.number().optional(),
	before: z.number(),
	after: z.number(),
	model: z.string(),
	usage: usageSchema,
	/**
	The side session that wrote the summary: the number of its items, and the last checksum of its chain. Absent in
	older histories, which did not keep side sessions.
	*/
	conversation: z.object({items: z.number(), chain: z.string()}).optional(),
});
const rewind = z.object({...base, type: z.literal('rewind'), to: z.string()});
const contextChange = z.object({
	...base,
	type: z.literal('context'),
	op: z.enum(['drop', 'restore', 'pin', 'prune']),
	ids: z.array(z.string()),
	/** Set if inkpod changed the context by itself: the reason, and the number of bytes that it left out. */
	rule: z.object({reason: z.enum(['cache_expired', 'too_long']), bytes: z.number()}).optional(),
});

/** The start of a child session. It is committed before the child's first request. No request contains it. */
const childStarted = z.object({
	...base,
	type: z.literal('child_started'),
	/** The id of the child, which is the name of its folder. */
	child: z.string(),
	/** The id of the call's item. Absent if the user started the child. */
	call: z.string().optional(),
	title: z.string(),
	task: z.string(),
	model: z.string(),
	/** The first content of the child: only its task, or a copy of this session. */
	context: z.enum(['fresh', 'fork']),
	scope: z.object({pwd: z.string(), writable: z.boolean()}),
	/** The git worktree of the child: its folder, the top of the parent's working tree, and its first commit. */
	worktree: z.object({path: z.string(), root: z.string(), base: z.string()}).optional(),
	/** The tools that a child may call, if they are limited. */
	tools: z.array(z.string()).optional(),
	background: z.literal(true).optional(),
});
/** The end of a child session's work, and the part of its history whose cost this session counts. */
const childEnded = z.object({
	...base,
	type: z.literal('child_ended'),
	child: z.string(),
	/** `interrupted`: the child can be resumed. */
	outcome: z.enum(['finished', 'failed', 'stopped', 'interrupted']),
	/** The number of items of the child's history, and the checksum of its last line. */
	head: z.object({items: z.number(), chain: z.string()}).optional(),
	/** The number of requests, and their total usage. */
	requests: z.number(),
	usage: usageSchema,
	/** The cost in US dollars, if it is known completely. */
	cost: z.number().optional(),
	/** The time from start to end, in milliseconds. */
	ms: z.number(),
});

/** Records that the user named the session. No request contains it. */
const titled = z.object({...base, type: z.literal('title'), title: z.string().max(200)});

/**
The user's settings for the session: how calls are approved, whether it is read-only, the folders that it may also read,
and its limits. An absent key means the default. Each such item contains all values, so only the last item applies. No
request contains it.
*/
const mode = z.object({
	...base,
	type: z.literal('mode'),
	approval: z.string().max(100).optional(),
	readOnly: z.literal(true).optional(),
	addDirs: z.array(z.string()).optional(),
	limits: z
		.object({maxTurns: z.number().positive().optional(), maxCost: z.number().positive().optional()})
		.optional(),
});

/**
Records that the user removed texts from this history. Each entry names a line that was changed: the item, the checksum
of the line before it, the marks in its texts, and the sha256 of the line as it is now. A mark is at a JSON pointer into
the item and at a byte of the text there. `bytes` is the length of the removed text. `requests` has the hashes of the
bodies of earlier requests, built again from the changed items. `files` has the names of images, documents and
backups whose contents were removed. No request contains this item.
*/
const redaction = z.object({
	...base,
	type: z.literal('redaction'),
	/** The number of marks. */
	count: z.number(),
	lines: z.array(
		z.object({
			id: z.string(),
			after: z.string(),
			rule: z.string(),
			marks: z.array(z.object({path: z.string(), from: z.number(), bytes: z.number()})),
			newHash: z.string(),
		}),
	),
	requests: z.array(z.object({id: z.string(), hash: z.string()})).optional(),
	files: z.array(z.string()).optional(),
});

const kinds = [
	message,
	reasoning,
	toolCall,
	toolResult,
	setup,
	request,
	requestEnd,
	runEnd,
	compaction,
	rewind,
	contextChange,
	childStarted,
	childEnded,
	titled,
	mode,
	redaction,
] as const;

const itemSchema = z.discriminatedUnion('type', kinds);
const looseKinds = [
	message.loose(),
	reasoning.loose(),
	toolCall.loose(),
	toolResult.loose(),
	setup.loose(),
	request.loose().refine(hasWholeEnd),
	requestEnd.loose(),
	runEnd.loose(),
	compaction.loose(),
	rewind.loose(),
	contextChange.loose(),
	childStarted.loose(),
	childEnded.loose(),
	titled.loose(),
	mode.loose(),
	redaction.loose(),
] as const;
const looseItemSchema = z.discriminatedUnion('type', looseKinds);
const quickChecks = new Map<unknown, Check>(looseKinds.map(kind => [kind.shape.type.value, quickCheck(kind)]));

/** The item types of this version. A newer version of inkpod may write other types. */
export const itemTypes: ReadonlySet<string> = new Set(kinds.map(kind => kind.shape.type.value));

/** Parses a JSON value as an item and keeps its unknown keys. Returns `undefined` if the value is not an item. */
export function parseItem(value: unknown): Item | undefined {
	if (isItem(value)) return value;
	const parsed = looseItemSchema.safeParse(value);
	return parsed.success ? parsed.data : undefined;
}

/**
Recognizes most items without the schema. A history may have hundreds of thousands of items, and the schema would copy
each item.
*/
function isItem(value: unknown): value is Item {
	if (typeof value !== 'object' || value === null || !('type' in value)) return false;
	return quickChecks.get(value.type)?.(value) === true;
}

/** Tells whether a request has all keys of its end (as in 0.1.0) or none of them. */
function hasWholeEnd({usage, endedAt, stop}: z.infer<typeof request>): boolean {
	const keys = [usage, endedAt, stop].filter(value => value !== undefined);
	return keys.length === 0 || keys.length === 3;
}
