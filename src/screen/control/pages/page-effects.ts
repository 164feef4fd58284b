import type {Action} from '../../model/actions.ts';
import type {AppState} from '../../model/app-state.ts';
import type {App} from '../app.ts';
import type {Effects, Subscriber} from '../effect-types.ts';
import {sideQuestionEffects, watchSideQuestion} from './side-question-effects.ts';
import {configEffects} from './config-effects.ts';
import {contextEffects, readLedger} from './context-effects.ts';
import {forgetKey} from './entered-keys.ts';
import {loginEffects} from './login-effects.ts';
import {modelsEffects} from './models-effects.ts';
import type {PageKind} from '../../model/pages/page-state.ts';
import {permissionsEffects} from './permissions-effects.ts';
import {listAgain, rewindEffects} from './rewind/rewind-effects.ts';
import {themesEffects} from './themes-effects.ts';
import {tasksEffects, watchTasks} from './tasks-effects.ts';

/** Effects of page actions on the pod, timers and the screen. */
export const pageEffects: Effects = {
	'open page': app => app.changed('now'),
	'close page'(app) {
		forgetKey(app);
		app.changed('now');
	},
	...rewindEffects,
	...contextEffects,
	...tasksEffects,
	...modelsEffects,
	...loginEffects,
	...permissionsEffects,
	...sideQuestionEffects,
	...themesEffects,
	...configEffects,
};

/** Functions that update the open page after a change of the state. */
export const pageSubscribers: readonly Subscriber[] = [watchTasks, watchSideQuestion, followHistory];

/** Updates a page that shows the session's history. */
const onHistory: {readonly [Kind in PageKind]?: (app: App) => void} = {rewind: listAgain, context: readLedger};

/** The state of the history that the open page of each app shows. */
const seen = new WeakMap<App, string>();

function followHistory(app: App, _: AppState, {type}: Action): void {
	const {page, transcript} = app.state;
	const update = page === undefined ? undefined : onHistory[page.kind];
	if (update === undefined || transcript === undefined) return;
	const {epoch, committed} = transcript.transcript;
	const mark = `${epoch}:${committed}`;
	if (seen.get(app) === mark && type !== 'open page') return;
	seen.set(app, mark);
	if (type !== 'open page') update(app);
}
