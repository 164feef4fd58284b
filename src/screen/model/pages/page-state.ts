import type {Ledger, PermissionInfo} from '../../../pod/protocol.ts';
import {reduceSideQuestion, type SideQuestionAction, type SideQuestionPage} from './tasks-state.ts';
import {reduceConfig, type ConfigAction, type ConfigPage} from './config-state.ts';
import {withLedger, type ContextPage} from './context-state.ts';
import {type ListState, listStart} from './list.ts';
import {reduceLogin, type LoginAction, type LoginPage} from './login-state.ts';
import {reduceModels, type ModelsAction, type ModelsPage} from './models-state.ts';
import type {Entry} from './rewind-points.ts';
import type {RewindPage} from './rewind-state.ts';
import {reduceTasks, type TasksAction, type TasksPage} from './tasks-state.ts';
import type {ThemesPage} from './config-state.ts';
import type {TextPage} from './text-page.ts';

/** The page that covers the transcript until you close it. */
export type Page =
	| TextPage
	| RewindPage
	| ContextPage
	| TasksPage
	| ModelsPage
	| LoginPage
	| PermissionsPage
	| SideQuestionPage
	| ThemesPage
	| ConfigPage;

export type PageAction =
	| {readonly type: 'open page'; readonly page: Page}
	| {readonly type: 'close page'}
	/** Scrolls a text page to this row. */
	| {readonly type: 'scroll page'; readonly top: number}
	/** Highlights another entry of a list. */
	| {readonly type: 'choose on page'; readonly list: ListState}
	/**
	The rewind page lists its messages again after the session got new items. `asOf` is in milliseconds since the epoch.
	*/
	| {readonly type: 'rewind listed'; readonly entries: readonly Entry[]; readonly asOf: number}
	| {readonly type: 'ledger read'; readonly ledger: Ledger}
	| {readonly type: 'permissions listed'; readonly permissions: readonly PermissionInfo[]}
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
			return isPage(page, 'text') ? {...page, top: action.top} : page;
		case 'rewind listed':
			return isPage(page, 'rewind') ? {...page, entries: action.entries, asOf: action.asOf} : page;
		case 'ledger read':
			return isPage(page, 'context') ? withLedger(page, action.ledger) : page;
		case 'permissions listed':
			return isPage(page, 'permissions') ? {...page, permissions: action.permissions} : page;
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
		case 'write models query':
		case 'set effort on page':
			return isPage(page, 'models') ? reduceModels(page, action) : page;
		case 'write key':
		case 'choose provider':
		case 'send key':
		case 'key refused':
			return isPage(page, 'login') ? reduceLogin(page, action) : page;
		case 'settings listed':
		case 'write settings query':
		case 'edit setting':
		case 'write setting':
		case 'leave setting':
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
};

export function permissionsPage(permissions: readonly PermissionInfo[]): PermissionsPage {
	return {kind: 'permissions', list: listStart, permissions};
}
