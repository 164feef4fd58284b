import {z} from 'zod';
import {segmentSchema} from './segment.ts';
import {approvalSchema} from './approvals.ts';
import {sideQuestionAnswerSchema, sideQuestionStepSchema} from './preflight.ts';
import {sessionChangesSchema} from './changes.ts';
import {completionQuerySchema, completionsSchema} from './completion.ts';
import type {Immutable} from './immutable.ts';
import {itemSchema} from './event.ts';
import {fileStateSchema, ledgerSchema} from './ledger.ts';
import {keptImageSchema} from './kept-image.ts';
import {mcpServerInfoSchema, permissionInfoSchema, workflowInfoSchema} from './lists.ts';
import {askedServersSchema, modelInfoSchema} from './models.ts';
import {preflightSchema} from './preflight.ts';
import {commandNameSchema, foundPromptsSchema, promptQuerySchema} from './prompts.ts';
import {sentence} from './refusals.ts';
import {spendingSchema} from './prices.ts';
import {requestAnswerSchema} from './ledger.ts';

export type {McpServerInfo} from './lists.ts';

/** The end of a background command's output so far. It is untrusted text. */
export type BackgroundOutput = Immutable<z.infer<typeof backgroundOutputSchema>>;
const backgroundOutputSchema = z.object({text: z.string(), bytes: z.number().nonnegative(), file: z.string()});

/** A file that tools have changed since a point of the conversation, and the effect of restoring it. */
export type ChangedFile = Immutable<z.infer<typeof changedFileSchema>>;
const changedFileSchema = z.object({
	/**
	`tools`: only tools have changed the file. `lost`: it cannot be restored, and `sentence` gives the reason. `others`:
	it was also changed outside inkpod. A restore loses that change, and `sentence` describes it.
	*/
	state: z.enum(['tools', 'others', 'lost']),
	/** The real path of the file. `restore_files` uses it as the file's name. */
	real: z.string(),
	/** The path as the model wrote it. It is untrusted text. */
	path: z.string(),
	/** The sha256 of the current contents, in hex. It is absent if the file is missing or unreadable. */
	present: z.string().optional(),
	/** Whether a restore deletes the file, because the file did not exist at that point. */
	removes: z.boolean().optional(),
	/** The effect of a restore as a unified diff. It is empty for a file that is not text. */
	diff: z.string(),
	sentence: z.string().optional(),
});

/** The items of a compaction's own conversation, or a sentence that explains why inkpod cannot show them. */
export type StoredConversation = Immutable<z.infer<typeof conversationSchema>>;
const conversationSchema = z.union([z.object({items: z.array(itemSchema)}), z.object({sentence})]);

/**
The table of all queries to a pod. `ask` is the name of a query on the wire, and `key` is the key of its argument there.
Server, client and reconnecting client use this table. The answer `undefined` is sent as `null`.
*/
const table = {
	/** Returns completions for the text that the user types. */
	complete: {ask: 'complete', key: 'query', argument: completionQuerySchema, answer: completionsSchema},
	/** Returns the effect that a draft would have if it were sent now. */
	preflight: {ask: 'preflight', key: 'segments', argument: z.array(segmentSchema), answer: preflightSchema},
	/** Stores a pasted image for the message that the user is writing. The argument is the image in base64. */
	keepImage: {ask: 'keep_image', key: 'data', argument: z.string(), answer: keptImageSchema},
	/** Returns earlier prompts of the user. */
	prompts: {ask: 'prompts', key: 'query', argument: promptQuerySchema, answer: foundPromptsSchema},
	/** Returns the path of the existing file that a pasted text names, if it names one. */
	namedPath: {ask: 'named_path', key: 'text', argument: z.string(), answer: z.string().optional()},
	/** Returns all current workflows, including broken ones. */
	workflows: {ask: 'workflows', argument: z.void(), answer: z.array(workflowInfoSchema)},
	/** Returns everything that allows, asks about or denies calls now. */
	permissions: {ask: 'permissions', argument: z.void(), answer: z.array(permissionInfoSchema)},
	/** Returns what decided about the calls of the session, the latest first. */
	approvals: {ask: 'approvals', argument: z.void(), answer: z.array(approvalSchema)},
	/** Returns all configured MCP servers and their states. It does not start them. */
	mcp: {ask: 'mcp', argument: z.void(), answer: z.array(mcpServerInfoSchema)},
	/**
	Returns the models that the user can choose, and those that lack something. Without an argument, inkpod asks the
	`local` servers.
	*/
	models: {
		ask: 'models',
		key: 'servers',
		argument: askedServersSchema.optional(),
		answer: z.array(modelInfoSchema),
	},
	/** Returns the output of a background command so far, or `undefined` if no command with this id runs. */
	backgroundOutput: {
		ask: 'background_output',
		key: 'background',
		argument: z.string(),
		answer: backgroundOutputSchema.optional(),
	},
	/** Tells whether the files of these items are still as the model saw them. Items without a file are left out. */
	stale: {ask: 'stale', key: 'ids', argument: z.array(z.string()), answer: z.array(fileStateSchema)},
	/** Returns the contents of the next request, item by item. */
	ledger: {ask: 'ledger', argument: z.void(), answer: ledgerSchema},
	/**
	Returns the files that tools have changed since the item, except those that have their earlier contents again.
	*/
	filesSince: {ask: 'files_since', key: 'to', argument: z.string(), answer: z.array(changedFileSchema)},
	/** Returns the changes of tools in this session, and the uncommitted changes of the git repository. */
	changes: {ask: 'changes', argument: z.void(), answer: sessionChangesSchema},
	/** Returns the tokens and the cost of the session by model. */
	spending: {ask: 'spending', argument: z.void(), answer: spendingSchema},
	/** Returns the conversation in which a compaction's summary was written. */
	conversation: {ask: 'conversation', key: 'compaction', argument: z.string(), answer: conversationSchema},
	/** Asks a side question in a fork of the session, or reads, keeps, attaches or discards its answer. */
	btw: {ask: 'btw', key: 'step', argument: sideQuestionStepSchema, answer: sideQuestionAnswerSchema},
	/**
	Returns the exact body of a request with the source of each piece. The argument is the beginning of the request's
	id. If the argument is empty, it returns the last request.
	*/
	request: {ask: 'request', key: 'request', argument: z.string(), answer: requestAnswerSchema},
	/**
	Returns the names of the slash commands and workflows that the user uses in the project, the most used one first.
	The argument is the name of a command that the user has just used. inkpod stores this name.
	*/
	used: {ask: 'used', key: 'command', argument: commandNameSchema.optional(), answer: z.array(z.string())},
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
