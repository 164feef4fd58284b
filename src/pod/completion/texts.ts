/** The texts that a user reads about completion. */
export const completionTexts = {
	outOfScope: 'Outside the directories of this session. Use /add-dir to add one.',
	git: 'Files in .git are not listed.',
	unreadable: 'This folder cannot be read.',
	tooMany: 'Too many files to search. Type the name of a folder first.',
	searchStopped: (cause: string) => `File search stopped (${cause}). It restarts with the next key.`,
};
