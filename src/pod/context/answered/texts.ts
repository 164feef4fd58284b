import {en, t} from '../../../language/index.ts';

/** The texts about answers from a model that inkpod did not request. */
export const otherModelTexts = {
	title: t`Another model answered. Send the next request anyway?`,
	send: t`Yes, in this session`,
	deny: t`No`,
	denied: t`Nothing was sent: another model answered. Choose a model with /model.`,
	/** The record of the user's answer. `pair`: the sentence about the two models. */
	accepted: (pair: string) => en`${pair}: accepted for this session`,
	stopped: (pair: string) => en`${pair}. The setting model.exact stops here.`,
	ofChild: (pair: string) => t`${pair}, in a child session`,
};
