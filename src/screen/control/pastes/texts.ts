import {t} from '../../../language/index.ts';

/** `key` opens the message in the user's editor. */
export function pasteTooLong(key: string | undefined): string {
	return t`This paste is too long to open
		here.${key === undefined ? '' : t` ${key} opens the message in your editor.`}`;
}
