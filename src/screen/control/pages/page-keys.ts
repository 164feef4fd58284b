import {chordOf} from '../../model/keys/keymap.ts';
import type {Key} from '../../terminal/input/input.ts';
import {transcriptHeightOf} from '../geometry.ts';
import {type App, dismissAlerts, send, showAlert} from '../app.ts';
import {pressOnSideQuestion} from './side-question-page.ts';
import {listApprovals, pressOnApprovals} from './approvals-page.ts';
import {pressOnConfig} from './config-page.ts';
import {pressOnContext, readLedger} from './context-page.ts';
import {pressOnModels} from './models-page.ts';
import type {PageSize} from '../../view/pages/page-size.ts';
import type {PageKind, PageOf} from '../../model/pages/page-state.ts';
import {pressOnRewind} from './rewind/rewind-keys.ts';
import {pressOnTasks} from './tasks-page.ts';
import {pressOnThemes} from './themes-page.ts';
import {pageColumns} from '../../view/pages/page-rows.ts';
import {pressOnFilter} from './filter-keys.ts';
import {pressOnHelp, pressOnText} from './text-keys.ts';
import {moveInList, withinList} from '../../model/pages/list.ts';
import {roomOf} from '../../view/pages/permissions-rows.ts';
import {foundPermissions, type PermissionsPage} from '../../model/pages/page-state.ts';
import type {PermissionInfo} from '../../../pod/protocol.ts';
import {permissionTexts} from '../../model/pages/texts.ts';
import type {Action} from '../../model/app-state.ts';
import type {AppState} from '../../model/app-state.ts';
import {listAgain} from './rewind/load-rewind.ts';

/**
Handles a key on the open page: the page's own keys, then those of its field, and then those that close the page. On a
page without a field, keys that would type text do nothing. Returns false if no page is open, or if another layer should
handle the key.
*/
export function pressPage(app: App, key: Key): boolean {
	const {page, terminal, setup} = app.state;
	const {keymap} = setup;
	if (page === undefined) return false;
	const size = {columns: pageColumns(app.state, terminal.size.columns), height: transcriptHeightOf(app)};
	if (pressOn(app, page, key, size) || pressOnFilter(app, key)) return true;
	if (keymap.action(key) === 'split diff') return false;
	if (!closing.has(chordOf(key)) && keymap.action(key) !== 'pause') return isTyping(key);
	app.dispatch({type: 'close page'});
	return true;
}

/** Updates the open page after a change of the session's history. */
export function followHistory(app: App, _: AppState, {type}: Action): void {
	const {page} = app.state;
	const {store} = app.state.transcript;
	const update = page === undefined ? undefined : onHistory[page.kind];
	if (update === undefined || store === undefined) return;
	const {epoch, committed} = store.transcript;
	const mark = `${epoch}:${committed}`;
	if (seen.get(app) === mark && type !== 'open page') return;
	seen.set(app, mark);
	if (type !== 'open page') update(app);
}

export function enteredKey(app: App): string {
	return keys.get(app) ?? '';
}

/**
Replaces the entered API key. All white space is removed, because a paste may contain white space. The page shows only
the length of the key.
*/
export function enterKey(app: App, text: string): void {
	const key = text.replaceAll(/\s/g, '').slice(0, maxLength);
	keys.set(app, key);
	app.dispatch({type: 'write key', length: key.length});
	app.changed('now');
}

export function forgetKey(app: App): void {
	keys.delete(app);
}

function pressOn<Kind extends PageKind>(app: App, page: PageOf<Kind>, key: Key, size: PageSize): boolean {
	const kind: Kind = page.kind;
	return pressByKind[kind](app, page, key, size);
}

type PressOn<Kind extends PageKind> = (app: App, page: PageOf<Kind>, key: Key, size: PageSize) => boolean;

const pressByKind: {readonly [Kind in PageKind]: PressOn<Kind>} = {
	text: pressOnText,
	help: pressOnHelp,
	rewind: pressOnRewind,
	context: pressOnContext,
	tasks: pressOnTasks,
	models: pressOnModels,
	permissions: pressOnPermissions,
	approvals: pressOnApprovals,
	btw: pressOnSideQuestion,
	themes: pressOnThemes,
	config: pressOnConfig,
	// The login page handles its keys before all other layers (login-effects.ts).
	login: () => false,
};

const closing: ReadonlySet<string> = new Set(['escape', 'q', 'Q']);

/**
Tells whether a key would change the draft, which the page hides. Keys with Ctrl keep their meaning, because they cancel
and quit.
*/
function isTyping({text, name, ctrl}: Key): boolean {
	return text !== undefined || (!ctrl && name !== '');
}

/** Handles a key on the permissions page. Ctrl+X asks whether to remove the highlighted rule. */
function pressOnPermissions(app: App, page: PermissionsPage, key: Key, {height}: PageSize): boolean {
	const permissions = foundPermissions(page);
	const {keymap} = app.state.setup;
	const [count, room] = [permissions.length, roomOf(height)];
	const moved = moveInList(page.list, key, {keymap, count, room});
	const permission = permissions[withinList(page.list, count, room).at];
	if (moved !== undefined) app.dispatch({type: 'choose on page', list: moved});
	else if (permission !== undefined && chordOf(key) === 'ctrl+x') void removePermission(app, permission);
	else return false;
	return true;
}

/** Asks the user whether to remove a rule, and removes the rule from the pod. */
async function removePermission(app: App, permission: PermissionInfo): Promise<void> {
	dismissAlerts(app);
	const {id, source} = permission;
	if (id === undefined) {
		const text = source === 'built_in' ? permissionTexts.builtIn : permissionTexts.inFile(source);
		showAlert(app, {level: 'info', text});
		return;
	}
	// The pod asks, so that every attached terminal shows the card.
	const receipt = await send(app, {method: 'remove_permission', rule: id, asks: true});
	if (!receipt.accepted && receipt.code === 'aborted') return;
	if (!receipt.accepted) showAlert(app, {level: 'error', text: receipt.sentence});
	const client = await app.client.promise;
	// If the connection to the pod was lost, other code reports it.
	const permissions = await client.permissions().catch(() => undefined);
	if (permissions === undefined) return;
	app.dispatch({type: 'permissions listed', permissions});
	app.changed('now');
}

/** The functions that update a page after a change of the session's history. */
const onHistory: {readonly [Kind in PageKind]?: (app: App) => void} = {
	rewind: listAgain,
	context: readLedger,
	approvals: listApprovals,
};

/** The version of the history that the open page of each app shows. */
const seen = new WeakMap<App, string>();

/**
The API key that you are entering on each screen. The key is not part of the state, so code that shows, stores or
reports the state cannot expose it.
*/
const keys = new WeakMap<App, string>();

const maxLength = 8192;
