import {t} from '../../language/index.ts';

/** The texts about the worktrees of child sessions, for the user and for the model. */
export const worktreeTexts = {
	noRepository: 'A worktree needs a git repository, and this directory is in none.',
	noCommit: 'A worktree needs a commit, and this repository has none. Commit first.',
	noGit: 'A worktree needs git, which was not found.',
	dirty: 'A worktree needs a clean working tree. Commit or stash the changes first.',
	submodules: 'A repository with submodules cannot have a worktree for a child. Start the child without one.',
	readOnly: 'A worktree needs a writable working directory.',
	unattended: 'A worktree needs the approval of the user, who cannot be asked here.',
	denied: 'The user does not want a worktree.',
	gone: (path: string) => `The worktree ${path} does not exist any more.`,
	failed: (sentence: string) => `The worktree could not be made. ${sentence}`,
	/** The cards. */
	create: (title: string) => t`Create a git worktree for the child session “${title}”?`,
	createDetail: (path: string) => `git worktree add --detach ${path}`,
	yes: t`Yes`,
	no: t`No`,
	merge: (title: string) => t`Merge what the child session “${title}” changed?`,
	mergeYes: t`Merge into the working directory`,
	mergeKeep: t`Keep the worktree`,
	mergeDiscard: t`Discard the changes`,
	/** The lines that follow the child's answer. */
	unchanged: '[The child changed no files.]',
	merged: '[The changes of the child were merged into the working directory.]',
	discarded: '[The user discarded the changes of the child.]',
	kept: (path: string) => `[The changes of the child are in the worktree ${path}. They are not merged.]`,
	notMerged: (path: string, reason: string) =>
		`[The changes of the child could not be merged: ${reason} They are in the worktree ${path}.]`,
	tooLarge: 'The diff is too large.',
	/** The end of a shown diff that was cut. */
	cut: t`The rest of the diff is not shown.`,
} as const;
