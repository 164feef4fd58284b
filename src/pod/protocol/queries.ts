import {z} from 'zod';
import {segmentSchema} from './segment.ts';
import {completionQuerySchema, completionsSchema} from './completion.ts';
import type {Immutable} from './immutable.ts';
import {fileStateSchema, ledgerSchema} from './ledger.ts';
import {mcpServerInfoSchema, workflowInfoSchema} from './lists.ts';
import {preflightSchema} from './preflight.ts';

export type {McpServerInfo} from './lists.ts';

/** The end of a background command's output so far. It is untrusted text. */
export type BackgroundOutput = Immutable<z.infer<typeof backgroundOutputSchema>>;
const backgroundOutputSchema = z.object({text: z.string(), bytes: z.number().nonnegative(), file: z.string()});

/** A file that tools have changed since a point of the conversation, and the effect of a restore. */
export type ChangedFile = Immutable<z.infer<typeof changedFileSchema>>;
const changedFileSchema = z.object({
	/**
	`tools`: only tools have changed the file. `lost`: it cannot be restored, and `sentence` tells why.
	`others`: it was also changed outside inkpod. A restore loses that change, and `sentence` describes it.
	*/
	state: z.enum(['tools', 'others', 'lost']),
	/** The real path. `restore_files` uses it as the file's name. */
	real: z.string(),
	/** The path as the model wrote it. It is untrusted text. */
	path: z.string(),
	/** The sha256 of the current contents, in hex. It is absent if the file is missing or unreadable. */
	present: z.string().optional(),
	/** Whether a restore deletes the file, because it did not exist. */
	removes: z.boolean().optional(),
	/** The effect of a restore as a unified diff. It is empty for a file that is not text. */
	diff: z.string(),
	sentence: z.string().optional(),
});

/**
Every query to a pod. `ask` is its name on the wire, and `key` the key of its argument there.
Server, client and reconnecting client use this table. The answer `undefined` is `null` on the wire.
*/
const table = {
	/** Returns completions for the text that the user types. */
	complete: {ask: 'complete', key: 'query', argument: completionQuerySchema, answer: completionsSchema},
	/** Returns the effect of a draft if it is sent now. */
	preflight: {ask: 'preflight', key: 'segments', argument: z.array(segmentSchema), answer: preflightSchema},
	/** Returns all current workflows, including broken ones. */
	workflows: {ask: 'workflows', argument: z.void(), answer: z.array(workflowInfoSchema)},
	/** Returns all configured MCP servers and their states. It starts none. */
	mcp: {ask: 'mcp', argument: z.void(), answer: z.array(mcpServerInfoSchema)},
	/** Returns the output of a background command so far, or `undefined` if no command with this id runs. */
	backgroundOutput: {
		ask: 'background_output',
		key: 'background',
		argument: z.string(),
		answer: backgroundOutputSchema.optional(),
	},
	/** Tells whether the files of these items still match the model's view. It leaves out items without a file. */
	stale: {ask: 'stale', key: 'ids', argument: z.array(z.string()), answer: z.array(fileStateSchema)},
	/** Returns the contents of the next request, item by item. */
	ledger: {ask: 'ledger', argument: z.void(), answer: ledgerSchema},
	/**
	Returns the files that tools have changed since the item, except those that have their earlier contents again.
	*/
	filesSince: {ask: 'files_since', key: 'to', argument: z.string(), answer: z.array(changedFileSchema)},
} as const;

export type QueryName = keyof typeof table;
export type Argument<Name extends QueryName> = Immutable<z.infer<(typeof table)[Name]['argument']>>;
export type Answer<Name extends QueryName> = Immutable<z.infer<(typeof table)[Name]['answer']>>;

/** Asks a pod. An aborted signal makes the promise reject with the signal's reason. */
export type Query<Name extends QueryName> = (argument: Argument<Name>, signal?: AbortSignal) => Promise<Answer<Name>>;

/** The queries of a pod. */
export type Queries = {readonly [Name in QueryName]: Query<Name>};

/** The schemas of a query on the wire. A query without a `key` has no argument. */
export type QuerySchemas<Name extends QueryName> = {
	readonly ask: string;
	readonly key?: string;
	readonly argument: z.ZodType<Argument<Name>>;
	readonly answer: z.ZodType<Answer<Name>>;
};

export const queries: {readonly [Name in QueryName]: QuerySchemas<Name>} = table;

/** Creates an object with a function for every query. */
export function eachQuery(make: <Name extends QueryName>(name: Name) => Query<Name>): Queries {
	return Object.fromEntries(queryNames.map(name => [name, make(name)])) as Queries;
}

export const queryNames = Object.keys(table) as QueryName[];
