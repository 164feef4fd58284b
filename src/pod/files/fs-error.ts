/** The code of a system error (`ENOENT`), or an empty text. */
export function errorCode(cause: unknown): string {
	return cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : '';
}
