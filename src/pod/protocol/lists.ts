import {z} from 'zod';
import type {Immutable} from './immutable.ts';

/** A workflow in a list. A broken one has an `error`: the end of a sentence about its file. */
export type WorkflowInfo = Immutable<z.infer<typeof workflowInfoSchema>>;
export const workflowInfoSchema = z.object({
	slug: z.string(),
	/** On one line. Empty if it cannot be read. */
	description: z.string(),
	source: z.enum(['project', 'user', 'skill']),
	/** From `pwd`, or from `~`, or absolute. */
	file: z.string(),
	userInvocable: z.boolean(),
	modelInvocation: z.boolean(),
	/** Slugs of Knowledge. */
	requires: z.array(z.string()),
	error: z.string().optional(),
	/** Warnings, as ends of a sentence about the file. */
	remarks: z.array(z.string()).optional(),
	/** The user's files that it replaces. */
	shadows: z.array(z.string()).optional(),
});

/** An MCP server in a list. Names and texts come from files and servers: untrusted text. */
export type McpServerInfo = Immutable<z.infer<typeof mcpServerInfoSchema>>;
export const mcpServerInfoSchema = z.object({
	name: z.string(),
	/** The file that configures it: the user's mcp.json, or the project's .mcp.json. */
	source: z.enum(['user', 'project']),
	transport: z.enum(['stdio', 'http']),
	/** Its command line as configured, or its address without the query. */
	target: z.string(),
	/** `idle`: not started yet. `untrusted`: the project's, and not trusted in its current form. */
	state: z.enum(['idle', 'starting', 'ready', 'failed', 'untrusted']),
	/** The tools that the model is offered. Empty unless it is `ready`. */
	tools: z.array(z.object({name: z.string(), description: z.string()})),
	/** For the user: why it failed, what was left out. May have several lines. */
	sentence: z.string().optional(),
});
