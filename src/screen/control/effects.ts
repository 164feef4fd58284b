import {approvalEffects} from './approval/approval-effects.ts';
import {watchPod} from './notification-effects.ts';
import {cardEffects} from './card/card-effects.ts';
import {stepDraft} from './card/card-keys.ts';
import {pasteEffects} from './pastes/paste-effects.ts';
import {firstScreenEffects} from './first-screen/first-screen-updates.ts';
import {closeExternalEditor, editOutside} from './drafts/external-editor.ts';
import {followVim} from './keys/vim-keys.ts';
import {showChord} from '../model/keys/keymap.ts';
import type {Action, ActionOf} from '../model/actions.ts';
import {pageEffects, pageSubscribers} from './pages/page-effects.ts';
import {followOpener, openerEffects} from './opener/opener-effects.ts';
import {followPromptHistory, promptHistoryEffects} from './prompt-history/prompt-history-effects.ts';
import {followSearch, searchEffects} from './search/search-effects.ts';
import {followEdge, selectionEffects} from './selection/selection-effects.ts';
import type {AppState} from '../model/app-state.ts';
import {showAlert, type App} from './app.ts';
import {autosaveDraft, saveLastDraft} from './drafts/draft-autosave.ts';
import {submitEffects} from './submit/submit.ts';
import {askForPopup, completionEffects} from './completion/completion-effects.ts';
import {confirmEffects, endConfirm} from './preflight/confirm-draft.ts';
import {askForDraft, preflightEffects} from './preflight/preflight-effects.ts';
import {recheckOnDraft, staleFilesEffects} from './stale-files/stale-files-effects.ts';
import {isEdited, isSetByProgram} from '../model/drafts/edits.ts';
import type {Effects, Subscriber} from './effect-types.ts';
import {mouseOff, mouseOn} from './texts.ts';

/**
Notifies the subscribers, then runs the effects of the action. In this order a subscriber sees each action separately,
although most effects dispatch another action.
*/
export function runEffects(app: App, action: Action, before: AppState): void {
	for (const subscriber of subscribers) subscriber(app, before, action);
	for (const effects of effectsAt(action.type)) runEffect(effects, app, action, before);
}

function runEffect<Type extends Action['type']>(
	effects: Effects,
	app: App,
	action: ActionOf<Type>,
	before: AppState,
): void {
	const type: Type = action.type;
	const effect: Effects[Type] = effects[type];
	effect?.(app, action, before);
}

/**
Returns the tables that have an effect for this action. The result is cached. For most actions only a few tables have an
effect, and one key causes several actions.
*/
function effectsAt(type: Action['type']): readonly Effects[] {
	let found = tablesByType.get(type);
	if (found === undefined) tablesByType.set(type, (found = tables.filter(effects => effects[type] !== undefined)));
	return found;
}

const tablesByType = new Map<Action['type'], readonly Effects[]>();

const screenEffects: Effects = {
	alert: app => app.changed('now'),
	'pod event': (app, {event}) => app.changed(event.type === 'delta' ? 'soon' : 'now'),
	resize: (app, {size: {columns}}) => app.state.transcript?.setLayout({columns}),
	'toggle mouse': handMouse,
	'split diffs': (app, {isSplit}) => app.state.transcript?.setLayout({isSplit}),
	'edit outside': editOutside,
	'leave screen': endAll,
};

/** Several tables may have an effect for one action. */
const tables: readonly Effects[] = [
	submitEffects,
	approvalEffects,
	cardEffects,
	pageEffects,
	selectionEffects,
	searchEffects,
	promptHistoryEffects,
	pasteEffects,
	openerEffects,
	completionEffects,
	preflightEffects,
	confirmEffects,
	staleFilesEffects,
	firstScreenEffects,
	screenEffects,
];

const subscribers: readonly Subscriber[] = [
	notifyEdited,
	watchPod,
	autosaveDraft,
	...pageSubscribers,
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
	closeExternalEditor,
	saveLastDraft,
	app => app.options.preload?.stop(),
	closePage,
	app => app.disconnect(),
];

function closePage(app: App): void {
	app.dispatch({type: 'close page'});
}

/** Runs all of these functions, even if some throw. Afterwards it throws the first error. */
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

/** Notifies the subscribers that the draft was edited. */
function notifyEdited(app: App, before: AppState, action: Action): void {
	if (!isEdited(before, app.state)) return;
	const isSet = isSetByProgram(before, app.state, action);
	stepDraft(app, isSet);
	if (!isSet) app.options.preload?.typed();
}

function handMouse(app: App): void {
	const {
		mouse,
		setup: {keymap},
	} = app.state;
	app.options.onMouse?.(mouse);
	const [chord] = keymap.chords('mouse');
	showAlert(app, {
		level: 'info',
		text: mouse ? mouseOn : mouseOff(chord === undefined ? undefined : showChord(chord)),
	});
}
