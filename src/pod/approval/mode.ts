/**
The modes that determine what tools may do without asking: only read, also change files, or everything. In `plan` the
scope is read-only, and commands always ask. This file loads nothing, because the command line also uses it.
*/
export const approvalModes = ['ask', 'accept-edits', 'plan', 'auto'] as const;
export type ApprovalMode = (typeof approvalModes)[number];
