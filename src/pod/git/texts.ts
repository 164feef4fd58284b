import {en, t} from '../../language/index.ts';

/** The texts that a user reads about git. */
export const gitTexts = {
	missing: t`git is not installed, or its program is in the project.`,
	failed: (complaint: string) => (complaint === '' ? en`git reports an error.` : en`git reports: ${complaint}`),
	timeout: en`git took too long.`,
	notStarted: en`git could not be started.`,
	moved: t`The working directory was moved or replaced.`,
	otherRoot: t`git finds another repository here than inkpod, so its changes are not shown.`,
	/** The following texts are ends of a sentence about an untracked file. */
	binary: t`binary`,
	secret: t`it looks like a secret, so it is not shown`,
	link: t`a link`,
	ownRepository: t`a repository of its own`,
	tooLarge: t`too large to show`,
	notShown: t`not shown`,
	unreadable: t`it cannot be read`,
	noFolder: (cause: string) => t`No temporary directory for git: ${cause}`,
};
