import type {AppState} from '../state/app-state.ts';
import type {Row} from '../text/row.ts';
import {contextPageRows} from './context/context-rows.ts';
import type {PageSize} from './page-size.ts';
import type {PageKind, PageOf} from './page-state.ts';
import {rewindPageRows} from './rewind/rewind-rows.ts';
import {tasksPageRows} from './tasks/tasks-rows.ts';
import {textPageRows} from './text/text-rows.ts';

/** Returns the rows of the open page that fit, or `undefined` when no page is open. */
export function pageRows(state: AppState, columns: number, height: number): readonly Row[] | undefined {
	const {page} = state;
	return page === undefined ? undefined : rowsOf(page, {columns, height}, state);
}

function rowsOf<Kind extends PageKind>(page: PageOf<Kind>, size: PageSize, state: AppState): readonly Row[] {
	const kind: Kind = page.kind;
	return rowsByKind[kind](page, size, state);
}

type RowsOf<Kind extends PageKind> = (page: PageOf<Kind>, size: PageSize, state: AppState) => readonly Row[];

const rowsByKind: {readonly [Kind in PageKind]: RowsOf<Kind>} = {
	text: textPageRows,
	rewind: rewindPageRows,
	context: contextPageRows,
	tasks: tasksPageRows,
};
