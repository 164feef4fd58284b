import {en, t, type Tag} from '../../../language/index.ts';

/** The reasons why commands cannot be confined on this machine. */
export type Unconfinable = 'no_program' | 'forbidden' | 'failed' | 'unsupported' | 'untested';

/**
The sentence for each reason, for the user or for a record. `detail` is the message of the confinement program, on one
line.
*/
export const unconfinableTexts: Readonly<Record<Unconfinable, (t: Tag, detail: string) => string>> = {
	no_program: t => t`bubblewrap (bwrap) is not installed.`,
	forbidden: (t, detail) =>
		detail === ''
			? t`This system does not let bubblewrap create namespaces.`
			: t`This system does not let bubblewrap create namespaces (${detail}).`,
	failed: (t, detail) =>
		detail === '' ? t`bubblewrap does not work here.` : t`bubblewrap does not work here (${detail}).`,
	unsupported: t => t`Commands can be confined on Linux and macOS only.`,
	untested: t => t`Confinement is off, because it has not been tested on macOS.`,
};

/** How the user can make confinement available. */
export const remedies: Readonly<Record<Unconfinable, string>> = {
	no_program: t`Install the package bubblewrap.`,
	forbidden: t`In a container, allow user namespaces (Docker: --security-opt seccomp=unconfined, or --privileged).
			On Ubuntu, allow them for bwrap in AppArmor, or set kernel.apparmor_restrict_unprivileged_userns=0.`,
	failed: t`Run \`bwrap --ro-bind / / true\` to see the error.`,
	unsupported: t`Set [confine] mode = "off" to run commands without confinement.`,
	untested: t`Set [confine] mode = "auto" to use it anyway, or "off" to run commands without it.`,
};

/** The reasons why commands do not work on a layer. */
export type NoCells =
	/** The scope is read-only. */
	| 'read_only'
	| 'no_namespace'
	| 'no_program'
	/** The file system does not record change times, or overlayfs does not support it as a lower layer. */
	| 'file_system'
	/** Other file systems are mounted in the project. A layer would not show them. */
	| 'mounts'
	| 'failed';

/** The reasons why confined commands change the project directly, as parts of a sentence. */
export const noCellsTexts: Readonly<Record<NoCells, string>> = {
	read_only: t`the scope is read-only`,
	no_namespace: t`bubblewrap cannot create user namespaces`,
	no_program: t`mount is not installed`,
	file_system: t`this file system does not support layers`,
	mounts: t`other file systems are mounted in the project`,
	failed: t`overlayfs does not work here`,
};

export const confineTexts = {
	confined: (network: string) => t`Confined: can write this directory and a private /tmp · ${network}`,
	confinedRead: (network: string) => t`Confined: can write only a private /tmp · ${network}`,
	open: t`network open`,
	none: t`no network`,
	unconfined: (why: string) => t`Not confined: ${why}`,
	off: (t: Tag) => t`Not confined: confinement is off.`,
	noTrial: en`Not run: the secrets of the project changed at the same time. Run the command again.`,
	required: (why: string) => en`Not run: commands must be confined here, and cannot be. ${why}`,
	cause: (line: string) => en`Confinement is the likely cause: ${line}`,
	again: t`The command may have failed because it is confined. Run it again?`,
	withNetwork: t`Run once with network`,
	unconfinedOnce: t`Run once without confinement`,
	keep: t`No, keep this result`,
	ranWithNetwork: en`[The user ran the command again with network. This is the new output.]`,
	ranUnconfined: en`[The user ran the command again without confinement. This is the new output.]`,
	triedNetwork: en`The command tried to use the network, but it has no network.`,
	discarded: en`The changes were discarded.`,
	lacked: {
		network: t`It needs the network.`,
		limits: (line: string) => t`It failed within the limits of a trial: ${line}`,
		unknown: t`Files changed during the trial, so inkpod can no longer hide all secrets.`,
		secrets: (names: string) => t`It reads files that look like secrets: ${names}`,
	},
	refusedChanges(reason: string | undefined) {
		if (reason === undefined) return en`The changes were discarded, because nobody can approve them here.`;
		if (reason.trim() === '') return en`The user discarded the changes.`;
		return en`The user discarded the changes. They say: ${reason.trim()}`;
	},
	takenInPart(taken: readonly string[], discarded: readonly string[], reason: string) {
		const chosen = en`The user took these changes: ${taken.join(', ')}.`;
		const others = discarded.length === 0 ? '' : en` The user discarded the others: ${discarded.join(', ')}.`;
		return `${chosen}${others}${reason === '' ? '' : en` They say: ${reason}`}`;
	},
	tooMany: en`The command changed more files than can be checked. The changes were discarded.`,
	notTaken: (code: string) => en`The changes were discarded, because they could not be applied to the project
		(${code}).`,
	takeLater: (code: string) =>
		en`Not all changes are in the project yet (${code}). The rest follows when the session is opened again.`,
	leftOut: {
		conflict: (names: string) => en`Changed outside meanwhile, so these stay as they are: ${names}`,
		protected: (names: string) => en`Not changed in the project, because other programs run these files: ${names}`,
		git: (names: string) => en`Not changed in the project, because git would use these files: ${names}`,
		special: (names: string) => en`Not created in the project, because these are not files, links or folders:
			${names}`,
	},
	takeProtected: t`The command changed files that other programs run. Keep these changes?`,
	takeThem: t`Yes, keep them`,
	leaveThem: t`No, leave these files as they were`,
	finished: t`The changes of an interrupted command are in the project now.`,
	unfinished: (code: string) =>
		t`The changes of an interrupted command could not be applied to the project (${code}). Open the session again to
			try again.`,
	created: (names: string) => en`The command created or replaced files that other programs run: ${names}`,
	setAside: (names: string) =>
		en`New repositories are disabled, because git would run programs through them. Rename this back to
				use them: ${names}`,
} as const;

/** The sentences about git after a command that worked on a layer. */
export const gitCellTexts = {
	readOnly: (folder: string) =>
		en`The changes of the repository ${folder} were not applied to the project: inkpod does not write to
			repositories of this kind.`,
	partial: (folder: string) =>
		en`The repository ${folder} was cloned without some of its objects. It is in the project without the settings
			with which git fetches them.`,
	unplain: {
		runs: en`The unfinished rebase was not applied to the project, because it runs programs or sets a strategy or
			signing option. Run it again, and finish it in the same command.`,
		patches: en`The unfinished \`git am\` or \`git rebase --apply\` was not applied to the project, because patches
			can write any file. Run it again, and finish it in the same command.`,
		writes: en`The changes of the unfinished rebase, cherry-pick or revert were not applied to the project, because
			git would write files that other programs run when it continues. Run it again, and finish it in the same
			command.`,
	},
	commits: (names: string) =>
		en`New commits change files that other programs run: ${names}. git writes these files when you check the commits
			out.`,
	unknownCommits: en`git could not tell which files the new commits change. They may change files that other programs
			run.`,
	kept: (ref: string, to: string) =>
		en`${ref} was changed from outside meanwhile. The command’s commit is kept as ${to}.`,
} as const;
