import {t} from '../../../language/index.ts';

/** The sentences about stored keys. They contain no key. */
export const keyTexts = {
	noSuchProvider: (provider: string, names: readonly string[]) =>
		t`There is no provider ${provider} that uses a key. The providers with a key are ${names.join(', ')}.`,
	needsNoKey: (provider: string) => t`${provider} runs on this machine and needs no key.`,
	noKey: t`No key was entered.`,
	notAKey: t`This is not a key: a key is one word of at most 4096 letters, digits and signs.`,
	stored: (provider: string, place: string) => t`The key for ${provider} is stored in ${place}.`,
	keychain: t`the system's keychain`,
	chosenOverVariable: (variable: string) =>
		t`${variable} is still set, and other processes use its key instead of the stored one: unset the variable
			there.`,
	notChecked: (why: string) => t`inkpod did not check the key: ${why}`,
	accepted: (host: string) => t`${host} accepts it.`,
	notStored: (sentence: string) => t`The key is not stored. ${sentence}`,
	keychainTimedOut: (program: string) => t`The keychain (${program}) did not answer within 2 s.`,
	keychainFailed: (program: string) => t`The keychain (${program}) refused the key.`,
	keychainUnfit: (program: string) => t`The keychain (${program}) cannot take this key safely.`,
	keyLost: (provider: string) => t`The keychain no longer has the key for ${provider}.`,
	removed: (provider: string, from: readonly string[]) =>
		t`The key for ${provider} is removed from ${from.join(t` and `)}.`,
	nothingStored: (provider: string) => t`No key for ${provider} is stored.`,
	stillSet: (variable: string) => t`${variable} is still set in the environment.`,
	mayRemain: (provider: string) => t`A key for ${provider} may still be stored: try again.`,
} as const;

/** The reasons why the file with the keys is not used. `file` is its path. */
export const fileTexts = {
	notRegular: (file: string) => t`${file} is not used: it is not a regular file.`,
	owner: (file: string, uid: number) => t`${file} is not used: it belongs to another user (uid ${uid}).`,
	open: (file: string) => t`${file} is not used: other users can read or change it. Run: chmod 600 ${file}`,
	tooLarge: (file: string) => t`${file} is not used: it is too large.`,
	invalid: (file: string) => t`${file} is not used: its contents are damaged. Remove it, and log in again.`,
	unreadable: (file: string, code: string) => t`${file} cannot be read (${code}).`,
	unwritable: (file: string, code: string) => t`${file} cannot be written (${code}).`,
} as const;
