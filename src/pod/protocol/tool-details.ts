import {z} from 'zod';
import type {ToolResult} from '../../worker/index.ts';
import {webFactsSchema} from './origin.ts';
import {approvalModes} from './approval-mode.ts';
import {taskSchema} from './tasks.ts';

/** What decided about a call before it ran. `Approval` (approvals.ts) describes the fields. */
export type ApprovalNote = z.infer<typeof approvalNoteSchema>;
const approvalNoteSchema = z.object({
	at: z.string(),
	by: z.enum(['user', 'rule', 'mode']),
	allowed: z.boolean(),
	choice: z.string().optional(),
	reason: z.string().optional(),
	from: z.string().optional(),
	rule: z.string().optional(),
	source: z.enum(['user', 'project', 'answered']).optional(),
	mode: z.enum(approvalModes).optional(),
});

/** The facts that a tool's result records in addition to its text. Hashes are sha256 of whole files, in hex. */
export type ToolDetails = z.infer<typeof toolDetailsSchema>;
const toolDetailsSchema = z.object({
	/** The lines that the result contains. `path` is the path as the model wrote it, and `real` is the real path. */
	read: z
		.object({
			path: z.string(),
			real: z.string(),
			sha256: z.string(),
			first: z.number(),
			last: z.number(),
			totalLines: z.number(),
			whole: z.boolean(),
		})
		.optional(),
	/**
	The file's hashes before and after the change. `before` is absent for a new file. The session has a backup of the
	contents with the hash `before`.
	*/
	changed: z
		.array(z.object({path: z.string(), real: z.string(), before: z.string().optional(), after: z.string()}))
		.optional(),
	/**
	The change of a file as a unified diff, which may be cut. The model wrote the change, so it does not get this diff.
	*/
	diff: z.string().optional(),
	/**
	The end of a command. `bytes` is the size of the whole output, and `file` is the file with this output. Only a
	background command has an `id`.
	*/
	command: z
		.object({
			/** The exit code. It is absent if a signal or the time-out ended the command. */
			exitCode: z.number().optional(),
			signal: z.string().optional(),
			timedOut: z.boolean().optional(),
			background: z.boolean().optional(),
			id: z.string().optional(),
			/** The network of a confined command. Absent if it was not confined. */
			confined: z.enum(['open', 'none']).optional(),
			/** Whether the user let this command run unconfined, although commands are usually confined. */
			unconfined: z.boolean().optional(),
			/**
			The numbers of files that the command added, changed and deleted. Absent if it did not work on a layer.
			`others`: it changed no file, but folders, modes or repositories.
			*/
			effects: z
				.object({added: z.number(), changed: z.number(), deleted: z.number(), others: z.boolean().optional()})
				.optional(),
			/** Whether inkpod discarded all changes of the command. */
			discarded: z.boolean().optional(),
			bytes: z.number(),
			file: z.string().optional(),
		})
		.optional(),
	/**
	The fetched page. The result contains the bytes of the page's text from `first` (inclusive) to `next` (exclusive).
	*/
	web: webFactsSchema.extend({first: z.number(), next: z.number()}).optional(),
	/**
	A denied call that did not run. `subject` is its command or path. `reason` is a sentence, or a rule's pattern.
	*/
	denied: z
		.object({
			by: z.enum(['user', 'rule', 'hook', 'unattended']),
			subject: z.string().optional(),
			reason: z.string().optional(),
		})
		.optional(),
	/**
	What let the call run, or why it did not run, in order: an answer on a card, a rule, or the approval mode. A call that
	needs no approval has none. `choice`: the code of the choice on the card. The call and the diff of its result contain
	what the card showed.
	*/
	approvals: z.array(approvalNoteSchema).optional(),
	/** The user's answers to the questions of a call, in order. An entry without `answer` was not answered. */
	answers: z.array(z.object({title: z.string(), answer: z.string().optional()})).optional(),
	/** The child session that a call started. A background call gets its result before the child has ended. */
	child: z.object({id: z.string(), outcome: z.string().optional()}).optional(),
	/** The whole list of tasks after a call. */
	tasks: z.array(taskSchema).optional(),
	/**
	The decision about a plan. `mode` is the mode in which an accepted plan is carried out. `reason` is the change that
	the user asked for. `unattended`: nobody could decide.
	*/
	plan: z
		.object({
			sha256: z.string(),
			outcome: z.enum(['accepted', 'changes', 'kept', 'unattended']),
			mode: z.enum(approvalModes).optional(),
			reason: z.string().optional(),
		})
		.optional(),
	/**
	A call that was stopped or never ran. The value is the text after the word "interrupted", such as ` by user`.
	*/
	interrupted: z.string().optional(),
});

/** Narrows a result's details. The result is empty if the details are absent or invalid. */
export function narrowDetails(details: ToolResult['details']): ToolDetails {
	return toolDetailsSchema.safeParse(details).data ?? {};
}

/**
Returns what a user sees of a result: the diff of a change with the notes below it, or the content that the model read.
*/
export function shownResult({content, summary, details}: Pick<ToolResult, 'content' | 'summary' | 'details'>): string {
	const diff = details?.['diff'] === undefined ? undefined : narrowDetails(details).diff;
	if (diff === undefined) return content;
	const notes = content.startsWith(summary) ? content.slice(summary.length) : `\n${content}`;
	return `${diff}${notes}`;
}
