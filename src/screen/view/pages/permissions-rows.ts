import type {PermissionInfo} from '../../../pod/protocol.ts';
import {blankRow, chosenRow, makeRow, textRow, type Row} from '../../spans/row.ts';
import {sanitizeLine} from '../../../text/sanitize.ts';
import type {Style} from '../../../text/span.ts';
import {cut, pad, width} from '../../../text/width.ts';
import {withinList} from '../../model/pages/list.ts';
import type {PageSize} from './page-size.ts';
import {pageHints, pageTitles, permissionActions, permissionSources} from '../../model/pages/texts.ts';
import {foundPermissions, type PermissionsPage} from '../../model/pages/page-state.ts';
import {filterRow, noMatchRow} from './filter-row.ts';

/** Returns the title, the search field, a row for each rule, and the keys if they fit. */
export function permissionsPageRows(page: PermissionsPage, {columns, height}: PageSize): readonly Row[] {
	const {list, query} = page;
	const permissions = foundPermissions(page);
	const room = roomOf(height);
	const {at, top} = withinList(list, permissions.length, room);
	const shown = permissions.slice(top, top + room);
	const sourceCells = Math.max(0, ...permissions.map(({source}) => width(permissionSources[source])));
	const rows = shown.map((permission, index) =>
		permissionRow(permission, {columns, sourceCells, isChosen: top + index === at}),
	);
	const body = rows.length === 0 ? [noMatchRow(columns)] : rows;
	const blank = Array.from({length: Math.max(0, room - body.length)}, () => blankRow);
	const keys = [...(permissions[at]?.id === undefined ? [] : [pageHints.remove]), pageHints.close].join(' · ');
	const foot = height < minWithKeys ? [] : [...blank, textRow(cut(keys, columns, '…'), 'dim')];
	const title = textRow(cut(pageTitles.permissions, columns, '…'), 'bold');
	return [title, filterRow(query, columns), ...body, ...foot].slice(0, height);
}

/** Returns the number of rows of the list. */
export function roomOf(height: number): number {
	return Math.max(1, height - (height < minWithKeys ? 2 : 3));
}

const minWithKeys = 5;

type RowFacts = {readonly columns: number; readonly sourceCells: number; readonly isChosen: boolean};

/**
Returns the row of a rule. The source of the rule is at the right edge if at least half of the row is left for the rule.
*/
function permissionRow({action, source, text}: PermissionInfo, {columns, sourceCells, isChosen}: RowFacts): Row {
	const room = Math.max(0, columns - 2);
	const verb = `${pad(permissionActions[action], actionCells)} `;
	const right = sourceCells * 2 <= room ? `  ${pad(permissionSources[source], sourceCells)}` : '';
	const rule = pad(
		cut(sanitizeLine(text), Math.max(0, room - width(verb) - width(right)), '…'),
		room - width(verb) - width(right),
	);
	if (isChosen) return chosenRow(`${verb}${rule}${right}`, columns);
	const cells = [
		{text: cut('  ', columns)},
		{text: cut(verb, room), style: actionStyles[action]},
		{text: rule},
		{text: right, style: 'dim' as const},
	];
	return makeRow(cells.filter(cell => cell.text !== ''));
}

const actionCells = Math.max(...Object.values(permissionActions).map(width));

const actionStyles: {readonly [Action in PermissionInfo['action']]: Style} = {
	allow: 'ok',
	ask: 'plain',
	deny: 'error',
};
