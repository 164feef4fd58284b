import type {View} from '../../../../transcript/block.ts';

/**
The text of a block that the search reads. It is the text in the detail view, or the text of the expanded block in the
other views. `columns` is the width of the screen, which limits how much of a long command the title of a call shows.
*/
export type SearchForm = {readonly view: 'detail' | 'opened'; readonly columns: number};

export function searchFormOf({view, columns}: {readonly view: View; readonly columns: number}): SearchForm {
	return {view: view === 'detail' ? 'detail' : 'opened', columns};
}
