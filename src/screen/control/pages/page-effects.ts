import type {Action} from '../../model/actions.ts';
import type {AppState} from '../../model/app-state.ts';
import type {App} from '../app.ts';
import {readLedger} from './context-page.ts';
import type {PageKind} from '../../model/pages/page-state.ts';
import {listAgain} from './rewind/load-rewind.ts';

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

/** Updates a page that shows the session's history. */
const onHistory: {readonly [Kind in PageKind]?: (app: App) => void} = {rewind: listAgain, context: readLedger};

/** The state of the history that the open page of each app shows. */
const seen = new WeakMap<App, string>();
