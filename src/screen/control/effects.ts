import {watchPod} from './notification-effects.ts';
import {runCardEvent} from './card/card-effects.ts';
import {stepDraft} from './card/card-keys.ts';
import {makeChip} from './pastes/paste-effects.ts';
import {closeExternalEditor} from './drafts/external-editor.ts';
import {followVim} from './keys/vim-keys.ts';
import type {Action, ActionOf} from '../model/app-state.ts';
import {forgetKey} from './pages/page-keys.ts';
import {offerLogin} from './pages/login-effects.ts';
import {followHistory} from './pages/page-keys.ts';
import {watchSideQuestion} from './pages/side-question-page.ts';
import {watchTasks} from './pages/tasks-page.ts';
import {followOpener} from './opener/opener-effects.ts';
import {followPromptHistory, recallOnUp} from './prompt-history/prompt-history-effects.ts';
import {followSearch} from './search/search-effects.ts';
import {followEdge} from './selection/selection-effects.ts';
import type {AppState} from '../model/app-state.ts';
import type {App} from './app.ts';
import type {Event} from '../../pod/protocol.ts';
import {autosaveDraft, saveLastDraft} from './drafts/draft-autosave.ts';
import {takeRefused} from './submit/submit.ts';
import {askForPopup, stopAsking} from './completion/completion-effects.ts';
import {abortConfirm, endConfirm} from './preflight/preflight-effects.ts';
import {askAfterRun, askForDraft, stopPreflight} from './preflight/preflight-effects.ts';
import {lookAfterRun, lookOnFocus, recheckOnDraft} from './stale-files/stale-files-effects.ts';
import {isEdited, isSetByProgram} from '../model/drafts/edits.ts';

/**
Notifies the subscribers, then runs the effect of the action. Most effects dispatch another action. The subscribers run
first, so that they see this action before the later one.
*/
export function runEffects<Type extends Action['type']>(app: App, action: ActionOf<Type>, before: AppState): void {
	for (const subscriber of subscribers) subscriber(app, before, action);
	const type: Type = action.type;
	const effect: Effects[Type] = effects[type];
	effect?.(app, action, before);
}

type Effects = {
	readonly [Each in Action['type']]?: (app: App, action: ActionOf<Each>, before: AppState) => void;
};

/**
The effects of actions that several files dispatch, or that several files react to. For other actions, the code that
dispatches the action calls the functions itself. `before` is the state before the action.
*/
const effects: Effects = {
	'pod event'(app, {event}) {
		takeRefused(app, event);
		offerLogin(app, event);
		askAfterRun(app, event);
		lookAfterRun(app);
		app.changed(event.type === 'delta' ? 'soon' : waits(event) ? 'later' : 'now');
	},
	compose(app, {action}, before) {
		recallOnUp(app, action, before);
		makeChip(app, action, before);
	},
	'card event': runCardEvent,
	'open page': app => app.changed('now'),
	'close page'(app) {
		forgetKey(app);
		app.changed('now');
	},
	resize: (app, {size: {columns}}) => app.state.transcript.store?.setLayout({columns}),
	focus: (app, {focused}, before) => lookOnFocus(app, focused, before),
	'leave screen': endAll,
};

/**
Tells whether the frame for an event can wait. Such events arrive after Enter and before the request to the model. The
message is already on the screen, and another frame would delay the request.
*/
function waits(event: Event): boolean {
	if (event.type === 'status') {
		const {kind, asks, queue} = event.status;
		return kind === 'running' && asks.length === 0 && queue.length === 0;
	}
	if (event.type !== 'item') return false;
	const {item} = event;
	return item.type === 'setup' || item.type === 'request' || (item.type === 'message' && item.role !== 'assistant');
}

/** The functions that run after every action and react to changes of the state. They must be fast. */
const subscribers: ReadonlyArray<(app: App, before: AppState, action: Action) => void> = [
	notifyEdited,
	watchPod,
	autosaveDraft,
	watchTasks,
	watchSideQuestion,
	followHistory,
	followEdge,
	followSearch,
	followPromptHistory,
	followOpener,
	followVim,
	askForPopup,
	askForDraft,
	endConfirm,
	recheckOnDraft,
];

/** The functions that run when the screen closes, in this order. */
const endings: ReadonlyArray<(app: App) => void> = [
	app => app.dispatch({type: 'close prompt history'}),
	stopAsking,
	stopPreflight,
	abortConfirm,
	closeExternalEditor,
	saveLastDraft,
	app => app.options.preload?.stop(),
	app => app.dispatch({type: 'close page'}),
	app => app.disconnect(),
];

/** Runs all `endings`, even if some of them throw. Then throws the error. */
function endAll(app: App): void {
	const failures = endings.flatMap(end => {
		try {
			end(app);
			return [];
		} catch (error) {
			return [error];
		}
	});
	if (failures.length > 0) throw failures[0];
}

/** Runs the effects of an edited draft. */
function notifyEdited(app: App, before: AppState, action: Action): void {
	if (!isEdited(before, app.state)) return;
	const isSet = isSetByProgram(before, app.state, action);
	stepDraft(app, isSet);
	if (!isSet) app.options.preload?.typed();
}
