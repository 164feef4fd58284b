import {z} from 'zod';

/** A range of a file's lines, 1-based and inclusive. If `last` is absent, the range goes to the end. */
export type Range = z.infer<typeof rangeSchema>;
export const rangeSchema = z.object({first: z.number().int().positive(), last: z.number().int().positive().optional()});

/** The reasons why a file ref was not attached. Their sentences are in pod/references/submission/texts.ts. */
export const refFailures = [
	'out_of_scope',
	'not_found',
	'binary',
	'not_a_file',
	'too_large',
	'bad_range',
	'too_many',
	'budget',
	'denied',
	'model',
	'fetch',
	'resource',
	'aborted',
	'io',
] as const;
export type RefFailure = (typeof refFailures)[number];

/** A reference to a file. For a web page, `path` is its address. */
export const fileRefSchema = z.object({
	type: z.literal('file_ref'),
	path: z.string(),
	range: rangeSchema.optional(),
	/**
	The real path of a file that looks like a secret, after the user's confirmation. inkpod then reads only this file. A
	boolean value comes from an older session and confirms nothing.
	*/
	confirmed: z.union([z.string(), z.boolean()]).optional(),
	/** The hash of a pasted image. The pod stores the image's bytes, and `path` is only a name for the image. */
	pasted: z
		.string()
		.regex(/^[\da-f]{64}$/)
		.optional(),
	/**
	The text that an editor sent for the ref. inkpod then reads no file. In history, only the attached item contains
	this text.
	*/
	sent: z.object({uri: z.string(), mime: z.string().optional(), text: z.string()}).optional(),
	/** The result of resolving the ref: the id of the attached item, or the reason for a failure. */
	outcome: z.union([z.object({item: z.string()}), z.object({failed: z.enum(refFailures)})]).optional(),
});

/** Tells whether a ref names a web page. */
export function isWebRef({path}: Pick<FileRef, 'path'>): boolean {
	return /^https?:\/\/[^/\\]/i.test(path);
}

/**
Returns the server and the URI of a ref that may name a resource of an MCP server: `server:scheme:rest`. Only the pod
knows whether a server with this name exists.
*/
export function resourceOf({path}: Pick<FileRef, 'path'>): {readonly server: string; readonly uri: string} | undefined {
	const [, server, uri] = /^([^\s/\\:@]{1,64}):([a-z][a-z\d+.-]*:\S.*)$/is.exec(path) ?? [];
	return server === undefined || uri === undefined ? undefined : {server, uri};
}

/**
The user's message, piece by piece. Clients send `text`, `paste` and picked `file_ref`s.
The pod finds other refs and workflows in `text`.
*/
export type Segment = z.infer<typeof segmentSchema>;
export type SegmentOf<Type extends Segment['type']> = Extract<Segment, {type: Type}>;
export type FileRef = SegmentOf<'file_ref'>;
export const segmentSchema = z.discriminatedUnion('type', [
	z.object({type: z.literal('text'), text: z.string()}),
	z.object({type: z.literal('paste'), id: z.string(), chars: z.number(), lines: z.number(), content: z.string()}),
	fileRefSchema,
	z.object({type: z.literal('workflow'), slug: z.string(), arguments: z.string().optional()}),
]);
