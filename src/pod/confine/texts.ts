import {en, inLanguage, nested, t} from '../../language/index.ts';

/** Why commands cannot be confined here. */
export type Unconfinable = 'no_program' | 'forbidden' | 'failed' | 'unsupported' | 'untested';

/** The sentence for each reason. `detail` is the program's own message, on one line. */
export const unconfinableTexts: Readonly<Record<Unconfinable, (detail: string) => string>> = {
	no_program: () => en`bubblewrap (bwrap) is not installed.`,
	forbidden: detail =>
		detail === ''
			? en`This system does not let bubblewrap create namespaces.`
			: en`This system does not let bubblewrap create namespaces (${detail}).`,
	failed: detail =>
		detail === '' ? en`bubblewrap does not work here.` : en`bubblewrap does not work here (${detail}).`,
	unsupported: () => en`Commands can be confined on Linux and macOS only.`,
	untested: () => en`Confinement is off: it was not tested on macOS.`,
};

/** How the user can make confinement available. */
export const remedies: Readonly<Record<Unconfinable, string>> = {
	no_program: t`Install the package bubblewrap.`,
	forbidden: t`In a container, allow user namespaces (Docker: --security-opt seccomp=unconfined, or --privileged).
			On Ubuntu, allow them for bwrap in AppArmor, or set kernel.apparmor_restrict_unprivileged_userns=0.`,
	failed: t`Run \`bwrap --ro-bind / / true\` to see what it says.`,
	unsupported: t`Set [confine] mode = "off" to run commands without confinement.`,
	untested: t`Set [confine] mode = "auto" to use it all the same, or "off" to run commands without it.`,
};

export const confineTexts = {
	confined: (network: string) => t`Confined: can write this directory and a private /tmp · ${network}`,
	confinedRead: (network: string) => t`Confined: can write only a private /tmp · ${network}`,
	open: t`network open`,
	none: t`no network`,
	unconfined: (why: string) => t`Not confined: ${inLanguage(why)}`,
	off: t`Not confined: confinement is off.`,
	required: (why: string) => en`Not run: commands must be confined here, and cannot be. ${nested(why)}`,
	cause: (line: string) => en`[Confinement is the likely cause: ${nested(line)}]`,
	again: t`The command may have failed because it is confined. Run it again?`,
	withNetwork: t`Run once with network`,
	unconfinedOnce: t`Run once without confinement`,
	keep: t`No, keep this result`,
	ranWithNetwork: en`[The user ran the command again with network. This is the output of that.]`,
	ranUnconfined: en`[The user ran the command again without confinement. This is the output of that.]`,
	created: (names: string) => en`The command created or replaced what other programs run: ${names}`,
	restored: (names: string) => en`Restored, because the command wrote it under another name: ${names}`,
	setAside: (names: string) => en`Renamed, because git would run programs through it: ${names}`,
} as const;

/** What is said about git after a command that worked on a layer. */
export const gitCellTexts = {
	readOnly: (folder: string) =>
		en`The changes of the repository ${folder} were not taken over: inkpod does not write repositories like this.`,
	unplain: en`The unfinished rebase was not taken over, because its todo list runs programs or it has options. Run it again, and finish it in the same command.`,
	kept: (ref: string, to: string) =>
		en`${ref} was changed from outside meanwhile. The commit of the command is kept as ${to}.`,
} as const;
