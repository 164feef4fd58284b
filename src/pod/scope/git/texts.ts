import {en, t} from '../../../language/index.ts';

/** The texts about git for the user. */
export const gitTexts = {
	missing: en`git was not found in PATH. inkpod does not use a git program that is inside the project.`,
	failed: (complaint: string) => (complaint === '' ? en`git reports an error.` : en`git reports: ${complaint}`),
	timeout: en`git took too long.`,
	notStarted: en`git could not be started.`,
	moved: en`The working directory was moved or replaced.`,
	otherRoot: en`git finds a different repository here than inkpod does, so inkpod uses neither.`,
	noGitFolder: en`The .git file of the repository does not name a git folder.`,
	noTree: en`The configuration of the repository says that it has no working tree.`,
	largeConfig: (path: string) => en`${path} is too large for a git configuration.`,
	brokenConfig: (path: string, line: number) => en`git cannot read line ${line} of ${path}.`,
	unknownFormat: (what: string) => en`The repository has a format that inkpod does not support: ${what}.`,
	noFolder: (cause: string) => en`No temporary directory for git: ${cause}`,
	/** The following texts are ends of a sentence about an untracked file. */
	binary: t`binary`,
	secret: t`it looks like a secret, so it is not shown`,
	link: t`a link`,
	ownRepository: t`a nested repository`,
	tooLarge: t`too large to show`,
	notShown: t`not shown`,
	unreadable: t`it cannot be read`,
};
