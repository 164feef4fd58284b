import {t} from '../../language/index.ts';
import {counted} from '../texts.ts';

/** The texts of `inkpod sign`, and of the signatures in `inkpod verify`. */
export const signingTexts = {
	noKey: t`No key is configured. Name one with --key FILE, or set key in the table [record] of your config.toml.`,
	empty: t`The session has no items yet.`,
	touch: t`This key is in a device. Touch it when it blinks.`,
	signed: (count: number, id: string, fingerprint: string) =>
		t`Signed ${counted(count, 'item')} of session ${id} with ${fingerprint}.`,
	noSigners: (path: string) => t`The file of signers cannot be read: ${path}`,
	unchecked: (count: number) => t`${counted(count, 'signature')}, not checked (check with --signers FILE)`,
	upTo: (signed: number, items: number, name: string, at: string) =>
		t`${signed} of ${counted(items, 'item')}, by ${name}, ${at}`,
	unsigned: (count: number) => t`${counted(count, 'item')} after the last signature: not signed`,
	none: (items: number) => t`0 of ${counted(items, 'item')}`,
} as const;
