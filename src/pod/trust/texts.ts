/** The texts that a user reads about trust. Parts that quote contents are untrusted. */
export const trustTexts = {
	accept: 'Yes, trust it',
	deny: 'No',
	changes: 'Changes since you trusted it:',
	removed: (name: string) => `${name}: removed`,
	unchanged: (name: string) => `${name}: unchanged`,
	added: (name: string, text: string) => `${name} (new):\n${text}`,
	whole: (name: string, text: string) => `${name}:\n${text === '' ? '(empty)' : text}`,
	tooManyChanges: (name: string, text: string) => `${name} has too many changes to list. It is now:\n${text}`,
	notSaved: (why: string) => `Trust was not saved and applies to this session only. ${why}`,
	storeInProject: (folder: string) =>
		`Trust was not saved and applies to this session only: ${folder} is inside the project.`,
};
