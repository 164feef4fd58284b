import type {AppState} from '../../model/app-state.ts';
import {textOf, type Row} from '../../spans/row.ts';
import {sideQuestionRows} from './side-question-rows.ts';
import {configCaret, configPageRows} from './config-rows.ts';
import {contextPageRows} from './context-rows.ts';
import {loginCaret, loginPageRows} from './login-rows.ts';
import {modelsPageRows} from './models-rows.ts';
import {filterAt, filterCaret, filterSign} from './filter-row.ts';
import {helpPageRows} from './help-page.ts';
import type {PageSize} from './page-size.ts';
import {inUse, searchLabel} from '../../model/pages/texts.ts';
import type {Page, PageKind, PageOf} from '../../model/pages/page-state.ts';
import {approvalsPageRows} from './approvals-rows.ts';
import {permissionsPageRows} from './permissions-rows.ts';
import {rewindPageRows} from './rewind-rows.ts';
import {tasksPageRows} from './tasks-rows.ts';
import {themesPageRows} from './themes-rows.ts';
import {textPageRows} from './text-rows.ts';

/** Returns the rows of the open page that fit, or `undefined` if no page is open. */
export function pageRows(state: AppState, columns: number, height: number): readonly Row[] | undefined {
	const {page, setup} = state;
	if (page === undefined) return undefined;
	const rows = rowsOf(page, {columns: pageColumns(state, columns), height}, state);
	if (setup.isSpoken !== true) return rows;
	const isList = isSpokenList(page);
	return rows.map((row, index) => {
		if (index === filterAt && 'query' in page) return spokenField(row);
		return isList ? spokenEntry(row) : row;
	});
}

/**
Returns the width of the open page. For a screen reader it is smaller on a list page, because Ink writes "(selected) "
before the highlighted entry.
*/
export function pageColumns({page, setup}: Pick<AppState, 'page' | 'setup'>, columns: number): number {
	const isList = setup.isSpoken === true && page !== undefined && isSpokenList(page);
	return isList ? Math.max(1, columns - '(selected) '.length) : columns;
}

/** Tells whether a page is a list whose rows have columns, and not the text of a file or an output. */
function isSpokenList(page: Page): boolean {
	return page.kind === 'tasks' ? page.opened === undefined : spokenLists.has(page.kind);
}

const spokenLists: ReadonlySet<PageKind> = new Set([
	'rewind',
	'context',
	'permissions',
	'approvals',
	'themes',
	'models',
	'config',
]);

/** Replaces the sign of the search field with its label, for a screen reader. */
function spokenField(row: Row): Row {
	const text = textOf(row);
	return text.startsWith(filterSign) ? {...row, spans: [{text: searchLabel + text.slice(filterSign.length)}]} : row;
}

/**
Puts commas between the columns of a row, because a screen reader does not read the gaps. Replaces the sign `✓` with
words.
*/
function spokenEntry(row: Row): Row {
	const before = textOf(row);
	const [, name, rest = ''] = /^ *✓ (\S+)(.*)$/.exec(before) ?? [];
	const named = name === undefined ? before : `${name} (${inUse})${rest}`;
	const text = named.trim().replaceAll(/ {2,}/g, ', ');
	return text === before ? row : {...row, spans: [{text, style: row.spans.at(-1)?.style ?? 'plain'}]};
}

function rowsOf<Kind extends PageKind>(page: PageOf<Kind>, size: PageSize, state: AppState): readonly Row[] {
	const kind: Kind = page.kind;
	return rowsByKind[kind](page, size, state);
}

type RowsOf<Kind extends PageKind> = (page: PageOf<Kind>, size: PageSize, state: AppState) => readonly Row[];

const rowsByKind: {readonly [Kind in PageKind]: RowsOf<Kind>} = {
	text: textPageRows,
	help: helpPageRows,
	rewind: rewindPageRows,
	context: contextPageRows,
	tasks: tasksPageRows,
	models: modelsPageRows,
	login: loginPageRows,
	permissions: permissionsPageRows,
	approvals: approvalsPageRows,
	btw: sideQuestionRows,
	themes: themesPageRows,
	config: configPageRows,
};

/** Returns the position of the cursor on the open page, if the page has a text field. */
export function pageCaret({page}: AppState, columns: number): {readonly x: number; readonly y: number} | undefined {
	if (page?.kind === 'config') return configCaret(page, columns);
	if (page?.kind === 'login') return loginCaret(page, columns);
	return page !== undefined && 'query' in page ? filterCaret(page.query, columns) : undefined;
}
