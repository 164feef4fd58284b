/**
The modes that determine what tools may do without asking: only read, also change files, or everything. This file loads
nothing, because the command line also uses it.
*/
export const approvalModes = ['ask', 'accept-edits', 'auto'] as const;
export type ApprovalMode = (typeof approvalModes)[number];
