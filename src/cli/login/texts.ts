import {t} from '../../language/index.ts';

/** The texts of `inkpod login` and `inkpod logout`. */
export const loginTexts = {
	prompt: (provider: string) => t`Key for ${provider} (it is not shown): `,
	noSuchProvider: (names: readonly string[]) =>
		t`No such provider with a key. The providers are ${names.join(', ')}.`,
} as const;
