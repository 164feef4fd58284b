/** The texts that a user reads about git. */
export const gitTexts = {
	missing: 'git is not installed, or its program is in the project.',
	failed: (complaint: string) => `git reports: ${complaint === '' ? 'an error' : complaint}`,
	timeout: 'git took too long.',
	notStarted: 'git could not be started.',
	moved: 'The working directory was moved or replaced.',
	otherRoot: 'git finds another repository here than inkpod, so its changes are not shown.',
	/** The following texts are ends of a sentence about an untracked file. */
	binary: 'binary',
	secret: 'it looks like a secret, so it is not shown',
	link: 'a link',
	ownRepository: 'a repository of its own',
	tooLarge: 'too large to show',
	notShown: 'not shown',
	unreadable: 'it cannot be read',
	noFolder: (cause: string) => `No temporary directory for git: ${cause}`,
};
