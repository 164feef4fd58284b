import {t, type Tag, type Told} from '../../language/index.ts';

/** The ends of sentences about a model that cannot be used. */
export const modelTexts = {
	setKey: (variable: string) => t`set ${variable}`,
	notRunning: t`its server is not running`,
	lookingForServer: t`looking for its server…`,
	didYouMean:
		(names: readonly string[]): Told =>
		t =>
			t`Did you mean ${names.join(t` or `)}?`,
	severalModels: (t: Tag) => t`several models have this name`,
	noSuchModel: (t: Tag) => t`no model has this name`,
};

/** The texts about the access to a model that needs no key. */
export const accessTexts = {local: t`on this machine`, noKey: t`no key needed`};

/** The reasons why nothing is sent to the model of a session yet. */
export const holdTexts = {
	/** `why`: the reason why the model cannot be used, as a sentence. */
	unusable: (why: string) => t`${why} Or choose another model with /model. Nothing was sent.`,
	unusableNow: (why: string) => t`${why} Or choose another model with /model.`,
	own:
		(name: string): Told =>
		t =>
			t`The model ${name} of this session belongs to the program that made it. To continue, choose another
				model.`,
	title: (to: string) => t`Send this session to ${to}?`,
	detail: (name: string, from: string, to: string) =>
		t`Model\n${name}\nServer so far\n${from}\nServer from now on\n${to}`,
	choices: [
		{choice: 'send', label: t`Yes, from now on`},
		{choice: 'deny', label: t`No`, refuses: true},
	],
	notSent: t`Nothing was sent. Choose a model with /model.`,
	moved: (name: string, from: string, to: string) =>
		t`This session used ${name} at ${from}, which is now configured at ${to}. To continue there, use
			--model ${name}.`,
	unknownServer: t`an address that was not recorded`,
};

export const fallbackTexts = {
	/** `message`: the reason why the first model cannot answer, as a sentence. */
	switched: (message: string, model: string) => t`${message} Continuing with ${model}.`,
	title: (model: string) => t`Continue with ${model} from another provider?`,
	detail: (why: string) => t`${why}\nThe session would be sent to that provider.`,
	choices: [
		{choice: 'send', label: t`Yes, in this session`},
		{choice: 'deny', label: t`No`, refuses: true},
	],
	restored: (model: string) => t`Using ${model} again.`,
};

/** The reasons why the default model cannot be saved. */
export const saveTexts = {
	otherModel: (model: string) =>
		t`The window and the options in your config.toml belong to ${model}. Change [model] there yourself.`,
	cannotEdit: (file: string) => t`${file} cannot be changed safely. Write the model into its [model] table yourself.`,
	changed: (file: string) => t`${file} has just changed. Try again.`,
	notSaved: (cause: string) => t`The default model is not saved: ${cause}`,
};
