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
