import {z} from 'zod';
import {approvalModes} from '../../protocol/approval-mode.ts';
import {efforts} from '../../protocol/effort-levels.ts';
import type {StartOptions} from '../start/options.ts';

/** A rule "for this session", as an approval card creates it. */
const ruleSchema = z.object({
	tool: z.string().max(1000),
	exact: z.string().max(100_000).optional(),
	begins: z.array(z.string().max(1000)).max(10).optional(),
	action: z.literal('allow'),
});

const path = z.string().max(8192);

/**
All facts that the server needs to open a session in the same way as a terminal. They contain no API keys, because the
server has its own environment.
*/
export type Transfer = z.infer<typeof transferSchema>;
export const transferSchema = z.object({
	/** The directory of the terminal, as an absolute path. */
	cwd: path,
	manifest: path.optional(),
	session: z.discriminatedUnion('kind', [
		z.object({kind: z.enum(['new', 'latest'])}),
		z.object({kind: z.literal('id'), id: z.string().max(26)}),
	]),
	model: z.string().max(1000).optional(),
	effort: z.enum(efforts).optional(),
	/** The model of the terminal's session. */
	like: z.object({name: z.string().max(1000), settings: z.record(z.string(), z.unknown())}).optional(),
	options: z.array(z.string().max(10_000)).max(100).optional(),
	isExact: z.boolean().optional(),
	maxTurns: z.number().int().positive().optional(),
	maxCost: z.number().positive().optional(),
	readOnly: z.boolean(),
	addDirs: z.array(path).max(1000),
	approval: z.enum(approvalModes).optional(),
	trust: z.boolean().optional(),
	trustOwner: z.boolean().optional(),
	noConfine: z.boolean().optional(),
	/** The rules that the user allowed for this session. */
	rules: z.array(ruleSchema).max(5000).optional(),
	/** Whether the server continues the interrupted turn of the session. */
	resumes: z.boolean().optional(),
	/** The first message that the server sends in the session. */
	prompt: z.string().max(1_000_000).optional(),
});

/** Returns the start options in a transfer. */
export function startOptionsOf({rules: _rules, resumes: _resumes, prompt: _prompt, ...start}: Transfer): StartOptions {
	return withoutUndefined(start);
}

function withoutUndefined(options: Omit<Transfer, 'rules' | 'resumes' | 'prompt'>): StartOptions {
	const {
		session,
		readOnly,
		addDirs,
		cwd,
		manifest,
		model,
		effort,
		like,
		isExact,
		maxTurns,
		maxCost,
		approval,
		trust,
		trustOwner,
		noConfine,
	} = options;
	return {
		session,
		readOnly,
		addDirs,
		cwd,
		options: options.options,
		manifest,
		model,
		effort,
		like,
		isExact,
		maxTurns,
		maxCost,
		approval,
		trust,
		trustOwner,
		noConfine,
	};
}
