export const nothingToOpen = 'Nothing to open here.';
export const changesDiscarded = 'Your changes were discarded: you edited a copy, and stored items never change.';

export function openedInLess(instead: string): string {
	return `The text contains control characters. less shows it, because ${instead} may pass them on to the terminal.`;
}

export function openTitle(way: string, at: number, count: number): string {
	return `View raw in ${way} · ${at} of ${count} · Enter open · Esc close`;
}
