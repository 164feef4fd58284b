import type {View} from '../../../../transcript/block.ts';

/**
What the search reads of a block: all that the detail view shows, or what the other views show once it is opened.
`columns` decide how much of a long command the title of a call shows.
*/
export type SearchForm = {readonly view: 'detail' | 'opened'; readonly columns: number};

export function searchFormOf({view, columns}: {readonly view: View; readonly columns: number}): SearchForm {
	return {view: view === 'detail' ? 'detail' : 'opened', columns};
}
