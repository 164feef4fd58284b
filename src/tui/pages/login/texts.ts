/** The texts of the page on which you enter a key. */
export const loginTexts = {
	titleOfList: 'Enter a key for',
	titleOf: (provider: string) => `Key for ${provider}`,
	paste: 'paste or type the key; it is not shown',
	explanation:
		"The key is checked with the provider. It is stored in the system's keychain, or in a file that only you can read.",
	checking: 'Checking the key…',
	listHints: ['Esc close', 'Enter choose'],
	keyHints: ['Esc close', 'Enter check and store', 'Ctrl+U clear', 'Tab another provider'],
	noProviders: 'No provider with a key is known.',
	noKeyInMessage: 'Do not type a key after /login: the page asks for it, and does not show it.',
	offer: (chord: string | undefined) =>
		`Enter another key with ${chord === undefined ? '/login' : `${chord} or /login`}, and the turn continues.`,
	otherModel: (provider: string) => `Choose a model of ${provider} with /model.`,
} as const;
