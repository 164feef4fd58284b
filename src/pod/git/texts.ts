/** The texts that a user reads about git. */
export const gitTexts = {
	missing: 'git is not installed, or its program is in the project.',
	failed: (complaint: string) => `git reports: ${complaint === '' ? 'an error' : complaint}`,
	timeout: 'git took too long.',
	notStarted: 'git could not be started.',
	moved: 'The working directory was moved or replaced.',
	otherRoot: 'git finds another repository here than inkpod, so its changes are not shown.',
	noFolder: (cause: string) => `No temporary directory for git: ${cause}`,
};
