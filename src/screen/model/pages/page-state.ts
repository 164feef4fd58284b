import type {Ledger, PermissionInfo} from '../../../pod/protocol.ts';
import {createField, fieldText, type Field} from '../field-state.ts';
import {reduceSideQuestion, type SideQuestionAction, type SideQuestionPage} from './tasks-state.ts';
import {withApprovals, type ApprovalsAction, type ApprovalsPage} from './approvals-state.ts';
import {reduceConfig, type ConfigAction, type ConfigPage} from './config-state.ts';
import {sortedLedger, withLedger, type ContextAction, type ContextPage} from './context-state.ts';
import {matchesOf, type FilterAction} from './filter.ts';
import {type ListState, listStart} from './list.ts';
import {reduceLogin, type LoginAction, type LoginPage} from './login-state.ts';
import {reduceModels, type ModelsAction, type ModelsPage} from './models-state.ts';
import type {Entry} from './rewind-points.ts';
import type {RewindPage} from './rewind-state.ts';
import {reduceTasks, type TasksAction, type TasksPage} from './tasks-state.ts';
import type {ThemesPage} from './config-state.ts';
import type {HelpPage, TextPage} from './text-page.ts';
import {permissionActions, permissionSources} from './texts.ts';

/** The page that covers the transcript until you close it. */
export type Page =
	| TextPage
	| HelpPage
	| RewindPage
	| ContextPage
	| TasksPage
	| ModelsPage
	| LoginPage
	| PermissionsPage
	| ApprovalsPage
	| SideQuestionPage
	| ThemesPage
	| ConfigPage;

export type PageAction =
	| {readonly type: 'open page'; readonly page: Page}
	| {readonly type: 'close page'}
	/** Scrolls a page with text to this row. */
	| {readonly type: 'scroll page'; readonly top: number}
	/** Highlights another entry of a list. */
	| {readonly type: 'choose on page'; readonly list: ListState}
	/**
	The rewind page lists its messages again after the session got new items. `asOf` is in milliseconds since the epoch.
	*/
	| {readonly type: 'rewind listed'; readonly entries: readonly Entry[]; readonly asOf: number}
	| {readonly type: 'ledger read'; readonly ledger: Ledger}
	| ContextAction
	| {readonly type: 'permissions listed'; readonly permissions: readonly PermissionInfo[]}
	| ApprovalsAction
	| FilterAction
	| TasksAction
	| SideQuestionAction
	| ModelsAction
	| LoginAction
	| ConfigAction;

/**
Returns the next page. `undefined` means that no page is open. An action for a page that is not open changes nothing.
*/
export function reducePage(page: Page | undefined, action: PageAction): Page | undefined {
	switch (action.type) {
		case 'open page':
			return action.page;
		case 'close page':
			return undefined;
		case 'choose on page':
			return page !== undefined && 'list' in page ? {...page, list: action.list} : page;
		case 'scroll page':
			return page !== undefined && 'top' in page ? {...page, top: action.top} : page;
		case 'filter page':
			return page !== undefined && 'query' in page ? filtered(page, action.query) : page;
		case 'rewind listed':
			return isPage(page, 'rewind') ? {...page, entries: action.entries, asOf: action.asOf} : page;
		case 'ledger read':
			return isPage(page, 'context') ? withLedger(page, action.ledger) : page;
		case 'sort context':
			return isPage(page, 'context') ? sortedLedger(page) : page;
		case 'permissions listed':
			return isPage(page, 'permissions') ? {...page, permissions: action.permissions} : page;
		case 'approvals listed':
			return isPage(page, 'approvals') ? withApprovals(page, action) : page;
		case 'open output':
		case 'close output':
		case 'scroll output':
		case 'output read':
			return isPage(page, 'tasks') ? reduceTasks(page, action) : page;
		case 'side question read':
		case 'scroll side question':
			return isPage(page, 'btw') ? reduceSideQuestion(page, action) : page;
		case 'models listed':
		case 'show all models':
		case 'set effort on page':
			return isPage(page, 'models') ? reduceModels(page, action) : page;
		case 'write key':
		case 'choose provider':
		case 'send key':
		case 'key refused':
			return isPage(page, 'login') ? reduceLogin(page, action) : page;
		case 'settings listed':
		case 'edit setting':
		case 'write setting':
		case 'leave setting':
		case 'step setting':
		case 'setting refused':
			return isPage(page, 'config') ? reduceConfig(page, action) : page;
		default:
			return action satisfies never;
	}
}

export type PageKind = Page['kind'];

export type PageOf<Kind extends PageKind> = {
	readonly [Each in Kind]: Extract<Page, {readonly kind: Each}> & {readonly kind: Each};
}[Kind];

export function isPage<Kind extends PageKind>(page: Page | undefined, kind: Kind): page is PageOf<Kind> {
	return page?.kind === kind;
}

/** The page that lists the permission rules: allow, ask and deny. */
export type PermissionsPage = {
	readonly kind: 'permissions';
	readonly list: ListState;
	readonly permissions: readonly PermissionInfo[];
	readonly query: Field;
};

export function permissionsPage(permissions: readonly PermissionInfo[]): PermissionsPage {
	return {kind: 'permissions', list: listStart, permissions, query: createField()};
}

/** Returns the rules that match the query. A word may also be in the action or the source of the rule. */
export function foundPermissions({permissions, query}: PermissionsPage): readonly PermissionInfo[] {
	return matchesOf(
		permissions,
		query,
		({action, source, text}) => `${permissionActions[action]} ${text} ${permissionSources[source]}`,
	);
}

/** Returns the page with another query. If its text changes, the first match is highlighted. */
function filtered(page: Extract<Page, {readonly query: Field}>, query: Field): Page {
	if (fieldText(query) === fieldText(page.query)) return {...page, query};
	return page.kind === 'help' ? {...page, query, top: 0} : {...page, query, list: listStart};
}
