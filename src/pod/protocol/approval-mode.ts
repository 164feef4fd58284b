/**
The modes that determine what tools may do without approval: only read (`ask`), also change files (`accept-edits`), or
everything (`auto`). In `plan` the scope is read-only, and every command needs approval. This file imports nothing, so
that the parser of the command line can use it at no cost.
*/
export const approvalModes = ['ask', 'accept-edits', 'plan', 'auto'] as const;
export type ApprovalMode = (typeof approvalModes)[number];

/** Returns the stricter of two modes. */
export function stricterMode(one: ApprovalMode, other: ApprovalMode): ApprovalMode {
	return strictFirst.find(mode => mode === one || mode === other) ?? 'plan';
}

const strictFirst: readonly ApprovalMode[] = ['plan', 'ask', 'accept-edits', 'auto'];
