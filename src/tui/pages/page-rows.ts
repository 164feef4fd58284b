import type {AppState} from '../state/app-state.ts';
import type {Row} from '../text/row.ts';
import {btwPageRows} from './btw/btw-rows.ts';
import {configCaret, configPageRows} from './config/config-rows.ts';
import {contextPageRows} from './context/context-rows.ts';
import {loginCaret, loginPageRows} from './login/login-rows.ts';
import {modelsCaret, modelsPageRows} from './models/models-rows.ts';
import type {PageSize} from './page-size.ts';
import type {PageKind, PageOf} from './page-state.ts';
import {permissionsPageRows} from './permissions/permissions-rows.ts';
import {rewindPageRows} from './rewind/rewind-rows.ts';
import {tasksPageRows} from './tasks/tasks-rows.ts';
import {themesPageRows} from './themes/themes-rows.ts';
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
	models: modelsPageRows,
	login: loginPageRows,
	permissions: permissionsPageRows,
	btw: btwPageRows,
	themes: themesPageRows,
	config: configPageRows,
};

/** Returns the position of the cursor on the open page, if the page has a text field. */
export function pageCaret({page}: AppState, columns: number): {readonly x: number; readonly y: number} | undefined {
	if (page?.kind === 'config') return configCaret(page, columns);
	if (page?.kind === 'login') return loginCaret(page, columns);
	return page?.kind === 'models' ? modelsCaret(page, columns) : undefined;
}
