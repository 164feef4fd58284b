/**
The modes that determine what tools may do without asking: only read, also change files, or everything. In `plan` the
scope is read-only, and commands always ask. This file loads nothing, because the command line also uses it.
*/
export const approvalModes = ['ask', 'accept-edits', 'plan', 'auto'] as const;
export type ApprovalMode = (typeof approvalModes)[number];

/** Returns the stricter one of two modes. */
export function stricterMode(one: ApprovalMode, other: ApprovalMode): ApprovalMode {
	return strictFirst.find(mode => mode === one || mode === other) ?? 'plan';
}

const strictFirst: readonly ApprovalMode[] = ['plan', 'ask', 'accept-edits', 'auto'];
