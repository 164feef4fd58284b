import {t} from '../../../language/index.ts';

/** The texts that a user reads about completion. */
export const completionTexts = {
	outOfScope: t`Outside the directories of this session. Use /add-dir to add one.`,
	git: t`Files in .git are not listed.`,
	unreadable: t`This folder cannot be read.`,
	tooMany: t`Too many files to search. Type the name of a folder first.`,
	searchStopped: (cause: string) => t`File search stopped (${cause}). It restarts when you press the next key.`,
};
