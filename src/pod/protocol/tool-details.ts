import {z} from 'zod';
import type {ToolResult} from '../../worker/index.ts';

/** What a tool's result records besides its text. Hashes are sha256 of whole files, in hex. */
export type ToolDetails = z.infer<typeof toolDetailsSchema>;
const toolDetailsSchema = z.object({
	/** The lines in the result. `path` as the model wrote it, `real` where it led. */
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
	/** The file's hashes before (absent: no file) and after the change. The session keeps a backup of `before`. */
	changed: z
		.array(z.object({path: z.string(), real: z.string(), before: z.string().optional(), after: z.string()}))
		.optional(),
	/** How a command ended. `bytes` counts all its output, `file` contains it; `id` is set for a background command. */
	command: z
		.object({
			/** Absent: a signal or the time-out ended it. */
			exitCode: z.number().optional(),
			signal: z.string().optional(),
			timedOut: z.boolean().optional(),
			background: z.boolean().optional(),
			id: z.string().optional(),
			bytes: z.number(),
			file: z.string().optional(),
		})
		.optional(),
	/** The call was denied and did not run. `subject`: its command or path. `reason`: a sentence, or a rule's pattern. */
	denied: z
		.object({
			by: z.enum(['user', 'rule', 'hook', 'unattended']),
			subject: z.string().optional(),
			reason: z.string().optional(),
		})
		.optional(),
	/** The call was stopped or never ran; the text that follows the word "interrupted", as ` by user`. */
	interrupted: z.string().optional(),
});

/** Narrows a result's details. Empty if they are absent or invalid. */
export function narrowDetails(details: ToolResult['details']): ToolDetails {
	return toolDetailsSchema.safeParse(details).data ?? {};
}
