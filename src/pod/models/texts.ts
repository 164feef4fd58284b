/** The ends of sentences about a model that cannot be used. */
export const modelTexts = {
	setKey: (variable: string) => `set ${variable}`,
	notRunning: 'its server is not running',
	lookingForServer: 'looking for its server…',
	didYouMean: (names: readonly string[]) => `Did you mean ${names.join(' or ')}?`,
	severalModels: 'several models have this name',
	noSuchModel: 'no model has this name',
};

/** How a model is reached that needs no key. */
export const accessTexts = {local: 'on this machine', noKey: 'no key needed'};

export const fallbackTexts = {
	/** `message`: why the first model cannot answer, as a sentence. */
	switched: (message: string, model: string) => `${message} Continuing with ${model}.`,
	restored: (model: string) => `Using ${model} again.`,
};

/** Why the default model cannot be saved. */
export const saveTexts = {
	otherModel: (model: string) =>
		`The window and the options in your config.toml belong to ${model}. Change [model] there yourself.`,
	cannotEdit: (file: string) => `${file} cannot be changed safely. Write the model into its [model] table yourself.`,
	changed: (file: string) => `${file} has just changed. Try again.`,
	notSaved: (cause: string) => `The default model is not saved: ${cause}`,
};
