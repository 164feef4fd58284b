import {z} from 'zod';
import type {RawOrigin} from '../../worker/index.ts';
import {approvalModes} from './approval-mode.ts';
import {rangeSchema, segmentSchema} from './segment.ts';

/** The facts about a file that was read. A new fact must be optional, because older histories lack it. */
export type FileFacts = z.infer<typeof fileFactsSchema>;
const fileFactsSchema = z.object({
	/** The sizes of the sent body and of the file on disk, in bytes. */
	bytes: z.number(),
	totalBytes: z.number(),
	/** The number of lines of the sent body. */
	lines: z.number(),
	truncated: z.boolean(),
	sha256: z.string(),
	mtimeMs: z.number(),
});

const fileFields = {
	/** The file's path as the user or the compaction wrote it. */
	path: z.string(),
	range: rangeSchema.optional(),
	...fileFactsSchema.shape,
};

/** The facts about a fetched page. All texts come from the server or the model. */
export type WebFacts = z.infer<typeof webFactsSchema>;
export const webFactsSchema = z.object({
	/** The requested address of the page, and its address after all redirects. */
	url: z.string(),
	finalUrl: z.string(),
	status: z.number(),
	mediaType: z.string(),
	/**
	The size of the page after decoding and the size of its whole text, in bytes. `sha256` is the hash of the page.
	*/
	bytes: z.number(),
	textBytes: z.number(),
	sha256: z.string(),
	fetchedAt: z.string(),
});

const mediaFields = {
	path: z.string(),
	bytes: z.number().int().nonnegative(),
	sha256: z.string().regex(/^[\da-f]{64}$/),
};

/** The reason why a message is in history. Clients accept unlisted kinds and show them generically. */
export type Origin = z.infer<typeof originSchema>;
export type OriginOf<Kind extends Origin['kind']> = Extract<Origin, {kind: Kind}>;
const originSchema = z.discriminatedUnion('kind', [
	/** `id` is the client's id of the message, if the client sent one. */
	z.object({kind: z.literal('submit'), segments: z.array(segmentSchema), id: z.string().optional()}),
	z.object({kind: z.literal('file'), ...fileFields}),
	/** A text that an editor sent with the message. `bytes`, `lines` and `sha256` describe the text. */
	z.object({
		kind: z.literal('editor'),
		path: z.string(),
		uri: z.string(),
		mime: z.string().optional(),
		bytes: z.number(),
		lines: z.number(),
		sha256: z.string(),
	}),
	z.object({kind: z.literal('auto_read'), ...fileFields, compaction: z.string()}),
	z.object({kind: z.literal('dir'), path: z.string(), entries: z.number(), truncated: z.boolean()}),
	/**
	The image is stored beside the history, in a file with the name `sha256`. `path` is the path as the user wrote it.
	*/
	z.object({
		kind: z.literal('image'),
		...mediaFields,
		mime: z.enum(['image/png', 'image/jpeg', 'image/gif', 'image/webp']),
		width: z.number().int().positive(),
		height: z.number().int().positive(),
	}),
	z.object({kind: z.literal('document'), ...mediaFields, mime: z.literal('application/pdf')}),
	/** A web page that the user named. `sentBytes` is the size of the sent text. */
	z.object({kind: z.literal('web'), ...webFactsSchema.shape, sentBytes: z.number(), truncated: z.boolean()}),
	/**
	A resource of an MCP server that the user named. The byte counts are the sizes of the sent text and of the whole
	text.
	*/
	z.object({
		kind: z.literal('resource'),
		server: z.string(),
		uri: z.string(),
		mime: z.string().optional(),
		bytes: z.number(),
		totalBytes: z.number(),
		lines: z.number(),
		truncated: z.boolean(),
		sha256: z.string(),
	}),
	/** A prompt of an MCP server that the user invoked. `sha256` is the hash of its messages as they were sent. */
	z.object({
		kind: z.literal('prompt'),
		server: z.string(),
		name: z.string(),
		arguments: z.string().optional(),
		messages: z.number(),
		sha256: z.string(),
	}),
	z.object({kind: z.literal('workflow'), slug: z.string(), invocation: z.string(), arguments: z.string().optional()}),
	z.object({kind: z.literal('knowledge'), slug: z.string(), workflow: z.string(), invocation: z.string()}),
	z.object({kind: z.literal('interrupt'), cause: z.string()}),
	/**
	`path` is relative to `pwd` and has no line breaks. `file` is absolute. The byte counts are the sizes of the sent
	body and of the file. `sha256` covers the whole file. `gone`: the instructions no longer apply.
	*/
	z.object({
		kind: z.literal('instructions'),
		path: z.string(),
		truncated: z.boolean(),
		file: z.string().optional(),
		bytes: z.number().optional(),
		totalBytes: z.number().optional(),
		sha256: z.string().optional(),
		gone: z.boolean().optional(),
	}),
	/**
	A change of plan mode, as the model reads it. `accepted`: the user accepted the plan with this hash, and the model
	carries it out in `mode`.
	*/
	z.object({
		kind: z.literal('plan'),
		state: z.enum(['on', 'off', 'accepted']),
		sha256: z.string().optional(),
		mode: z.enum(approvalModes).optional(),
	}),
	/** `run` marks a notification that a run must answer. */
	z.object({kind: z.literal('notice'), about: z.string(), run: z.boolean().optional()}),
	/** The new lines that a command of `[diagnostics]` reported after an edit. */
	z.object({kind: z.literal('diagnostics'), command: z.string(), findings: z.number()}),
	/** The task of a child session. `parent` is the id of the session that started it. */
	z.object({kind: z.literal('task'), parent: z.string()}),
	/** The answer to a side question that the user attached. `model` is the model that answered, as `provider/name`. */
	z.object({kind: z.literal('btw'), question: z.string(), model: z.string()}),
	/**
	A command that the user ran. The byte counts are the sizes of the sent output and of the whole output. If `exitCode`
	is absent, a signal ended the command. An item with `started` records the start of the command. The item with the
	output follows it, and its `start` is the id of the first item.
	*/
	z.object({
		kind: z.literal('shell'),
		command: z.string(),
		id: z.string().optional(),
		exitCode: z.number().optional(),
		bytes: z.number(),
		totalBytes: z.number(),
		truncated: z.boolean(),
		started: z.literal(true).optional(),
		start: z.string().optional(),
	}),
]);

/** The names of the origin kinds in history. */
export const originKinds = originSchema.options.map(({shape}) => shape.kind.value);

/** Narrows an item's origin. Returns `undefined` for an absent, unknown or invalid origin. */
export function narrowOrigin(origin: RawOrigin | undefined): Origin | undefined {
	if (origin === undefined) return undefined;
	const parsed = originSchema.safeParse(origin);
	return parsed.success ? parsed.data : undefined;
}
