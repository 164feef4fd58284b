import {t} from '../../../language/index.ts';

/** The texts of the page on which you enter an API key. */
export const loginTexts = {
	titleOfList: t`Enter a key for`,
	titleOf: (provider: string) => t`Key for ${provider}`,
	paste: t`paste or type the key; it is not shown`,
	explanation: t`The key is checked with the provider. It is stored in the system's keychain, or in a file that
		only you can read.`,
	checking: t`Checking the key…`,
	listHints: [t`Esc close`, t`Enter choose`],
	keyHints: [t`Esc close`, t`Enter check and store`, t`Ctrl+U clear`, t`Tab another provider`],
	noProviders: t`No provider with a key is known.`,
	noKeyInMessage: t`Do not type a key after /login: the page asks for it, and does not show it.`,
	offer: (chord: string | undefined) =>
		t`Enter another key with ${chord === undefined ? t`/login` : t`${chord} or /login`}, and the turn continues.`,
	otherModel: (provider: string) => t`Choose a model of ${provider} with /model.`,
} as const;
