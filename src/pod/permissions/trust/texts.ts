import {t} from '../../../language/index.ts';

/** The texts that a user reads about trust. The contents that these texts quote are untrusted. */
export const trustTexts = {
	accept: t`Yes, trust it`,
	deny: t`No`,
	acceptAll: t`Yes, trust all`,
	askEach: t`Ask about each`,
	denyAll: t`No, none`,
	/** The heading of one of several contents on a card. */
	part: (title: string) => `── ${title}`,
	changes: t`Changes since you trusted it:`,
	removed: (name: string) => t`${name}: removed`,
	unchanged: (name: string) => t`${name}: unchanged`,
	added: (name: string, text: string) => t`${name} (new):\n${text}`,
	whole: (name: string, text: string) => `${name}:\n${text === '' ? t`(empty)` : text}`,
	tooManyChanges: (name: string, text: string) => t`${name} has too many changes to list. It is now:\n${text}`,
	notSaved: (why: string) => t`Trust was not saved and applies to this session only. ${why}`,
	storeInProject: (folder: string) =>
		t`Trust was not saved and applies to this session only: ${folder} is inside the project.`,
};
