export const searchLabel = 'Search: ';

/** What a key does, after its name. */
export const searchKeys = {confirm: 'confirm', close: 'close'} as const;

/** The keys that go through the matches. */
export const matchKeys = ['n next', 'N previous', '/ edit'] as const;

export const noMatch = 'no match';
export const searching = 'searching…';
export const hiddenMatch = ' (hidden in this view)';

export function matchOf(at: number, count: string): string {
	return `${at} of ${count}`;
}
