export const searchLabel = 'Search: ';

/** These words follow the name of a key. */
export const searchKeys = {confirm: 'confirm', close: 'close'} as const;

/** These keys move between matches. */
export const matchKeys = ['n next', 'N previous', '/ edit'] as const;

export const noMatch = 'no match';
export const searching = 'searching…';
export const hiddenMatch = ' (hidden in this view)';

export function matchOf(at: number, count: string): string {
	return `${at} of ${count}`;
}
