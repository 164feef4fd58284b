export const caretLabel = 'Select: ';

/** Some of these words follow the name of a key. */
export const caretKeys = {
	start: 'Space start',
	drop: 'Space drop the start',
	copy: 'copy',
	copyLine: 'copy the line',
	end: 'end',
} as const;

export const needsFullScreen = 'Selecting with keys works only on the full screen. /copy copies an answer.';
export const nothingToSelect = 'There is nothing to select yet.';

export const cannotCopy = 'Copying is not available here.';

export function copiedBy(what: string, program: string): string {
	return `Copied ${what} (${program}).`;
}

/** The terminal does not report whether it took the text. */
export function copiedByTerminal(what: string): string {
	return `Copied ${what} via OSC 52 (if your terminal supports it).`;
}

export function lineCount(count: number): string {
	return `${count} lines`;
}

export function characterCount(count: number, hasMore: boolean): string {
	return hasMore ? `${count}+ characters` : `${count} ${count === 1 ? 'character' : 'characters'}`;
}
