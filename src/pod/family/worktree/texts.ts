import {en, t} from '../../../language/index.ts';

/** The texts about the worktrees of child sessions, for the user and for the model. */
export const worktreeTexts = {
	noRepository: en`A worktree needs a git repository, and this directory is not in one.`,
	noCommit: en`A worktree needs a commit, and this repository has none. Commit first.`,
	dirty: en`A worktree needs a clean working tree. Commit or stash the changes first.`,
	submodules: en`A repository with submodules cannot have a worktree for a child. Start the child without one.`,
	readOnly: en`A worktree needs a writable working directory.`,
	unattended: en`A worktree needs the approval of the user, who cannot be asked here.`,
	denied: en`The user does not want a worktree.`,
	gone: (path: string) => en`The worktree ${path} does not exist any more.`,
	failed: (sentence: string) => en`The worktree could not be created. ${sentence}`,
	/** The texts of the cards. */
	create: (title: string) => t`Create a git worktree for the child session “${title}”?`,
	createDetail: (path: string) => `git worktree add --detach ${path}`,
	yes: t`Yes`,
	no: t`No`,
	merge: (title: string) => t`Merge what the child session “${title}” changed?`,
	runLater: (names: string) => t`The child changed files that other programs run: ${names}`,
	mergeYes: t`Merge into the working directory`,
	mergeKeep: t`Keep the worktree`,
	mergeDiscard: t`Discard the changes`,
	/** The lines after the child's answer. */
	unchanged: en`[The child changed no files.]`,
	merged: en`[The changes of the child were merged into the working directory.]`,
	discarded: en`[The user discarded the changes of the child.]`,
	kept: (path: string) => en`[The changes of the child are in the worktree ${path}. They are not merged.]`,
	notMerged: (path: string, reason: string) =>
		en`[The changes of the child could not be merged: ${reason} They are in the worktree ${path}.]`,
	tooLarge: en`The diff is too large.`,
	/** The last line of a diff that is too long to show. */
	cut: t`The rest of the diff is not shown.`,
} as const;
