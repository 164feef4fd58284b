/** Returns the code of a system error (`ENOENT`), or an empty string. */
export function errorCode(cause: unknown): string {
	return cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : '';
}
