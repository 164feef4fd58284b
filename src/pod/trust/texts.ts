import {t} from '../../language/index.ts';

/** The texts that a user reads about trust. Parts that quote contents are untrusted. */
export const trustTexts = {
	accept: t`Yes, trust it`,
	deny: t`No`,
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
