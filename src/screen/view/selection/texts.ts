import {t} from '../../../language/index.ts';

export const caretLabel = t`Select: `;

/** The key hints while keys select text. Some of these words follow the name of a key. */
export const caretKeys = {
	start: t`Space start`,
	drop: t`Space drop the start`,
	copy: t`copy`,
	copyLine: t`copy the line`,
	end: t`end`,
} as const;

export const needsFullScreen = t`Selecting with keys works only on the full screen. /copy copies an answer.`;
export const nothingToSelect = t`There is nothing to select yet.`;

export const cannotCopy = t`Copying is not available here.`;

export function copiedBy(what: string, program: string): string {
	return t`Copied ${what} (${program}).`;
}

/** The terminal does not report whether it copied the text. */
export function copiedByTerminal(what: string): string {
	return t`Copied ${what} via OSC 52 (if your terminal supports it).`;
}

export function lineCount(count: number): string {
	return t`${count} lines`;
}

export function characterCount(count: number, hasMore: boolean): string {
	return hasMore ? t`${count}+ characters` : `${count} ${count === 1 ? t`character` : t`characters`}`;
}
