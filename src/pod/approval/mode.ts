/**
What tools may do without asking: only read, change files too, or everything. Loads nothing, because the command line
reads it, too.
*/
export const approvalModes = ['ask', 'accept-edits', 'auto'] as const;
export type ApprovalMode = (typeof approvalModes)[number];
