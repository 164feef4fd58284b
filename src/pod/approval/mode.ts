/**
What the person lets tools do without asking: nothing but reading, changes of files too, or everything. Loads nothing:
the command line knows them as well.
*/
export const approvalModes = ['ask', 'accept-edits', 'auto'] as const;
export type ApprovalMode = (typeof approvalModes)[number];
