/** The maximum number of characters of a description. */
const maxDescription = 1024;

/** Returns a description on one line, cut to the maximum length. */
export function short(description: string): string {
	const line = Array.from(description.trim().replaceAll(/\s+/gu, ' '));
	return line.length <= maxDescription ? line.join('') : `${line.slice(0, maxDescription - 1).join('')}…`;
}
