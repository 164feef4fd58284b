/** Whether an argument means a bundle and not the id of a session. */
export function namesBundle(argument: string): boolean {
	return argument.includes('/') || /\.(?:tar|tar\.gz|tgz)$/i.test(argument);
}
