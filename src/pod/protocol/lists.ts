import {z} from 'zod';
import type {Immutable} from './immutable.ts';

/** A workflow in a list. A broken one has an `error`: the end of a sentence about its file. */
export type WorkflowInfo = Immutable<z.infer<typeof workflowInfoSchema>>;
export const workflowInfoSchema = z.object({
	slug: z.string(),
	/** The description on one line. It is empty if it cannot be read. */
	description: z.string(),
	source: z.enum(['project', 'user', 'skill']),
	/** The file's path: from `pwd`, from `~`, or absolute. */
	file: z.string(),
	userInvocable: z.boolean(),
	modelInvocation: z.boolean(),
	/** The slugs of the required Knowledge. */
	requires: z.array(z.string()),
	error: z.string().optional(),
	/** Warnings as ends of a sentence about the file. */
	remarks: z.array(z.string()).optional(),
	/** The user's files that this workflow replaces. */
	shadows: z.array(z.string()).optional(),
});

/** An MCP server in a list. Names and texts come from files and servers, so they are untrusted. */
export type McpServerInfo = Immutable<z.infer<typeof mcpServerInfoSchema>>;
export const mcpServerInfoSchema = z.object({
	name: z.string(),
	/** The kind of file that configures it: the user's mcp.json, or the project's .mcp.json. */
	source: z.enum(['user', 'project']),
	transport: z.enum(['stdio', 'http']),
	/** The configured command line, or the address without its query. */
	target: z.string(),
	/** `idle`: not started yet. `untrusted`: a server of the project that is not trusted in its current form. */
	state: z.enum(['idle', 'starting', 'ready', 'failed', 'untrusted']),
	/** The tools for the model. The list is empty unless the server is `ready`. */
	tools: z.array(z.object({name: z.string(), description: z.string()})),
	/** A text for the user about failures and omissions. It may have several lines. */
	sentence: z.string().optional(),
});
