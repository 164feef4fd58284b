export const noMatches = 'No matching files or directories.';
export const indexing = 'indexing…';
export const searching = 'searching…';
export const openingSession = 'Opening the session…';

export function completionFailed(reason: string): string {
	return `Completion failed: ${reason}`;
}
