import {z} from 'zod';
import {segmentSchema} from './segment.ts';
import {completionQuerySchema, completionsSchema} from './completion.ts';
import type {Immutable} from './immutable.ts';
import {fileStateSchema, ledgerSchema} from './ledger.ts';
import {mcpServerInfoSchema, workflowInfoSchema} from './lists.ts';
import {preflightSchema} from './preflight.ts';

export type {McpServerInfo} from './lists.ts';

/** What a background command has written so far, for a page: the end of its output. Untrusted text. */
export type BackgroundOutput = Immutable<z.infer<typeof backgroundOutputSchema>>;
const backgroundOutputSchema = z.object({text: z.string(), bytes: z.number().nonnegative(), file: z.string()});

/** A file that tools have changed since a point of the conversation, and what restoring it would do. */
export type ChangedFile = Immutable<z.infer<typeof changedFileSchema>>;
const changedFileSchema = z.object({
	/**
	`tools`: it is as they left it. `others`: it was also changed outside inkpod; restoring it loses that, and
	`sentence` says what. `lost`: it cannot be restored; `sentence` says why.
	*/
	state: z.enum(['tools', 'others', 'lost']),
	/** A real path, which names the file in `restore_files`. */
	real: z.string(),
	/** As the model wrote it. Untrusted. */
	path: z.string(),
	/** sha256 of its current contents, in hex. Absent: no file, or unreadable. */
	present: z.string().optional(),
	/** Restoring deletes it: there was none. */
	removes: z.boolean().optional(),
	/** What restoring would change, as a unified diff. Empty for a file that is not text. */
	diff: z.string(),
	sentence: z.string().optional(),
});

/**
Every query to a pod: `ask` is its name on the wire, `key` the key of its argument there. Server, client and
reconnecting client are made from this table. A query may answer `undefined`, which is `null` on the wire.
*/
const table = {
	/** Completions for the text that the user types. */
	complete: {ask: 'complete', key: 'query', argument: completionQuerySchema, answer: completionsSchema},
	/** What a draft becomes if it is sent now. */
	preflight: {ask: 'preflight', key: 'segments', argument: z.array(segmentSchema), answer: preflightSchema},
	/** All current workflows, including broken ones. */
	workflows: {ask: 'workflows', argument: z.void(), answer: z.array(workflowInfoSchema)},
	/** All configured MCP servers and their states. Starts none. */
	mcp: {ask: 'mcp', argument: z.void(), answer: z.array(mcpServerInfoSchema)},
	/** What the background command of this id has written so far. `undefined`: no such command runs. */
	backgroundOutput: {
		ask: 'background_output',
		key: 'background',
		argument: z.string(),
		answer: backgroundOutputSchema.optional(),
	},
	/** Whether the files of these items are still what the model saw. Leaves out items without a file. */
	stale: {ask: 'stale', key: 'ids', argument: z.array(z.string()), answer: z.array(fileStateSchema)},
	/** The contents of the next request, item by item. */
	ledger: {ask: 'ledger', argument: z.void(), answer: ledgerSchema},
	/** The files that tools have changed since the item, except those that are back to their contents of then. */
	filesSince: {ask: 'files_since', key: 'to', argument: z.string(), answer: z.array(changedFileSchema)},
} as const;

export type QueryName = keyof typeof table;
export type Argument<Name extends QueryName> = Immutable<z.infer<(typeof table)[Name]['argument']>>;
export type Answer<Name extends QueryName> = Immutable<z.infer<(typeof table)[Name]['answer']>>;

/** Asks a pod. An aborted signal makes the promise reject with the signal's reason. */
export type Query<Name extends QueryName> = (argument: Argument<Name>, signal?: AbortSignal) => Promise<Answer<Name>>;

/** The queries of a pod. */
export type Queries = {readonly [Name in QueryName]: Query<Name>};

/** How a query crosses the wire. Without a `key` it has no argument. */
export type QuerySchemas<Name extends QueryName> = {
	readonly ask: string;
	readonly key?: string;
	readonly argument: z.ZodType<Argument<Name>>;
	readonly answer: z.ZodType<Answer<Name>>;
};

export const queries: {readonly [Name in QueryName]: QuerySchemas<Name>} = table;

/** Makes the function of every query. */
export function eachQuery(make: <Name extends QueryName>(name: Name) => Query<Name>): Queries {
	return Object.fromEntries(queryNames.map(name => [name, make(name)])) as Queries;
}

export const queryNames = Object.keys(table) as QueryName[];
