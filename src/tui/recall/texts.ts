export const recallLabel = 'Prompts: ';

/** These words follow the name of a key. */
export const recallKeys = {use: 'use', close: 'close', everywhere: 'all projects', here: 'this project'} as const;

export const searching = 'searching…';
export const noPrompts = 'no match';

/** `shown` prompts of `total` matches are in the list. */
export function promptCount(at: number, shown: number, total: number): string {
	return shown < total ? `${at} of ${shown} (${total.toLocaleString('en')} matches)` : `${at} of ${total}`;
}

export function recallFailed(reason: string): string {
	return `Earlier prompts could not be read: ${reason}`;
}
