import {z} from 'zod';
import type {Immutable} from './immutable.ts';

/** A workflow in a list. A broken workflow has an `error`: the end of a sentence about its file. */
export type WorkflowInfo = Immutable<z.infer<typeof workflowInfoSchema>>;
export const workflowInfoSchema = z.object({
	slug: z.string(),
	/** The workflow's description on one line. It is empty if the description cannot be read. */
	description: z.string(),
	/** `shipped`: a workflow of inkpod, which has no file. */
	source: z.enum(['project', 'user', 'skill', 'shipped']),
	/**
	The path of the file, relative to `pwd`, beginning with `~`, or absolute. For a shipped workflow it is a name.
	*/
	file: z.string(),
	userInvocable: z.boolean(),
	modelInvocation: z.boolean(),
	/** The slugs of the required Knowledge. */
	requires: z.array(z.string()),
	error: z.string().optional(),
	/** The warnings about the file. Each of them is the end of a sentence that begins with the file's name. */
	remarks: z.array(z.string()).optional(),
	/** The files of the user's workflows that this workflow replaces. */
	shadows: z.array(z.string()).optional(),
});

/**
A rule, or a built-in decision about calls that no rule matches. Its text contains commands and paths, so it is
untrusted.
*/
export type PermissionInfo = Immutable<z.infer<typeof permissionInfoSchema>>;
export const permissionInfoSchema = z.object({
	/**
	The id with which the user can remove the rule. It is absent for a rule from a configuration file or from inkpod
	itself.
	*/
	id: z.string().optional(),
	action: z.enum(['allow', 'ask', 'deny']),
	/**
	`user` and `project`: a rule of a configuration file. `saved` and `session`: an answer that the user gave on a card.
	*/
	source: z.enum(['built_in', 'user', 'project', 'saved', 'session']),
	text: z.string(),
});

/** What the user can do with an MCP server in this session. `reconnect` stops the server and starts it again. */
export const mcpActions = ['enable', 'disable', 'reconnect'] as const;
export type McpAction = (typeof mcpActions)[number];

/** An MCP server in a list. Names and texts come from files and servers, so they are untrusted. */
export type McpServerInfo = Immutable<z.infer<typeof mcpServerInfoSchema>>;
export const mcpServerInfoSchema = z.object({
	name: z.string(),
	/**
	The source of the server's configuration: the user's mcp.json, the project's .mcp.json, or the editor that opened
	the session.
	*/
	source: z.enum(['user', 'project', 'editor']),
	transport: z.enum(['stdio', 'http']),
	/** The server's configured command line, or its address without the query. */
	target: z.string(),
	/**
	`idle`: not started yet. `untrusted`: a server of the project that is not trusted in its current form. `disabled`:
	the user disabled it for this session.
	*/
	state: z.enum(['idle', 'starting', 'ready', 'failed', 'untrusted', 'disabled']),
	/** The tools that the model can use. The list is empty unless the server is `ready`. */
	tools: z.array(z.object({name: z.string(), description: z.string()})),
	/** A text for the user about failures and omissions. It may have several lines. */
	sentence: z.string().optional(),
});
