import {en, t} from '../../../language/index.ts';
import type {ApprovalMode} from '../../protocol.ts';

/** The messages about plan mode that the model reads. */
export const planNotices = {
	on:
		'[Plan mode] Plan mode is on. Read and search until you understand the task, then call the tool plan with a plan ' +
		'in Markdown. Nothing may be changed before the user accepts it: the scope is read-only, and every command and ' +
		'MCP tool asks the user.',
	off: '[Plan mode] Plan mode is off. The approval mode decides again which tools ask the user.',
	accepted: (sha256: string, mode: CarryOutMode) =>
		`[Plan mode] The user accepted the plan with the sha256 ${sha256}. Plan mode is off. Carry the plan out now. ` +
		`Approval mode: ${mode}.`,
} as const;

export type CarryOutMode = Exclude<ApprovalMode, 'plan'>;

/** The results of the tool that the model reads. The summaries are for the row. */
export const planResults = {
	off: en`Plan mode is off: carry out what the user asked for, without this tool.`,
	accepted: {
		summary: en`accepted`,
		content: en`The user accepted the plan. The next message says how to carry it out.`,
	},
	changes: (reason: string) => ({
		summary: en`changes requested`,
		content: en`The user did not accept the plan and asks for changes: ${reason}\nPlan mode stays on.`,
	}),
	kept: {
		summary: en`not accepted yet`,
		content: en`The user did not accept the plan yet. Plan mode stays on. Ask what is missing, or improve the plan and
				call this tool again.`,
	},
	unattended: {
		summary: en`printed, not carried out`,
		content: en`The plan is printed for the user. Nobody can accept it here, so nothing is carried out. End your turn now,
				without repeating the plan.`,
	},
} as const;

/** The card of a plan. */
export const planCard = {
	title: t`Carry out this plan?`,
	ask: t`Yes, and ask before each change`,
	'accept-edits': t`Yes, and edit files without asking`,
	auto: t`Yes, and run everything without asking`,
	keep: t`No, keep planning`,
} as const satisfies Record<CarryOutMode | 'title' | 'keep', string>;
