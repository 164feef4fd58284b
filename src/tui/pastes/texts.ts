/** `key` opens the message in the user's editor. */
export function pasteTooLong(key: string | undefined): string {
	return `This paste is too long to open here.${key === undefined ? '' : ` ${key} opens the message in your editor.`}`;
}
