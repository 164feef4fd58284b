import type {Action} from '../../model/actions.ts';
import type {AppState} from '../../model/app-state.ts';
import type {App} from '../app.ts';
import type {Subscriber} from '../effect-types.ts';
import {watchSideQuestion} from './side-question-effects.ts';
import {readLedger} from './context-effects.ts';
import type {PageKind} from '../../model/pages/page-state.ts';
import {listAgain} from './rewind/load-rewind.ts';
import {watchTasks} from './tasks-effects.ts';

/** Functions that update the open page after a change of the state. */
export const pageSubscribers: readonly Subscriber[] = [watchTasks, watchSideQuestion, followHistory];

/** Updates a page that shows the session's history. */
const onHistory: {readonly [Kind in PageKind]?: (app: App) => void} = {rewind: listAgain, context: readLedger};

/** The state of the history that the open page of each app shows. */
const seen = new WeakMap<App, string>();

function followHistory(app: App, _: AppState, {type}: Action): void {
	const {
		page,
		transcript: {store: transcript},
	} = app.state;
	const update = page === undefined ? undefined : onHistory[page.kind];
	if (update === undefined || transcript === undefined) return;
	const {epoch, committed} = transcript.transcript;
	const mark = `${epoch}:${committed}`;
	if (seen.get(app) === mark && type !== 'open page') return;
	seen.set(app, mark);
	if (type !== 'open page') update(app);
}
