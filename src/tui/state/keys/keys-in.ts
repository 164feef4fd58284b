import {takeBack} from '../submit/submit.ts';
import {actionOfKey} from '../../composer/composer-state.ts';
import {isEmpty} from '../../composer/editor/draft.ts';
import {dismissAlerts, leave, send, showAlert, update, type App} from '../app.ts';
import {isBusy, statusOf} from '../selectors.ts';
import type {HeldInput, Input} from '../../hold/hold.ts';
import {giveUpHold, keepInput} from '../../hold/hold-keys.ts';
import {chordOf, type ActionName} from '../../keymap.ts';
import type {ScrollTo} from '../../transcript/scroll/scroll-to.ts';
import {visibleRowsOf} from '../../geometry.ts';
import {offerKey, offerMouse, offerPaste} from './key-layers.ts';
import {pressedAlone, pressOf} from './press.ts';
import type {Arrival, Key, Mouse} from '../../terminal/input/input.ts';
import type {View} from '../../transcript/fold/block.ts';
import {scrollView, toggleBlock} from '../scroll/scroll-view.ts';
import {pasteCut} from '../texts.ts';

/** Another Ctrl+C within these milliseconds quits. */
const quitWindow = 2000;

/** Handles the user's input. */
export function handleInput(app: App, input: Input): void {
	if (input.type === 'key') pressKey(app, input.key, input.arrival);
	else pasteText(app, input.text, input.cut);
}

/** Handles one key. Keys come in the order in which they were pressed. */
export function pressKey(app: App, key: Key, arrival: Arrival = pressedAlone): void {
	if (app.state.quitting) return;
	const [chord, at] = [chordOf(key), app.options.now()];
	const press = pressOf(arrival, chord, at, app.state.lastPress);
	app.dispatch({type: 'press', press});
	if (holdKey(app, key, arrival)) return;
	// Another key between two presses of Ctrl+C means that the second one cancels instead of quitting.
	if (app.state.setup.keymap.action(key) !== 'cancel') disarmQuit(app);
	if (!offerKey(app, key, press)) perform(app, key);
	app.changed('now');
}

/**
Keeps a key for something that opens. Ctrl+C returns the held keys to the draft. A held key never answers a card later.
*/
function holdKey(app: App, key: Key, arrival: Arrival): boolean {
	const action = app.state.setup.keymap.action(key);
	if (action === 'suspend' || action === 'redraw') return false;
	if (action === 'cancel') {
		const isGivenUp = giveUpHold(app);
		if (isGivenUp) app.changed('now');
		return isGivenUp;
	}
	const edit = actionOfKey(key, app.state.setup.keymap);
	const kept: HeldInput = {
		input: {type: 'key', key, arrival: {...arrival, alone: false}},
		edit: edit?.type === 'insert' && key.text === undefined ? undefined : edit,
		text: key.text ?? '',
	};
	const isKept = keepInput(app, kept);
	if (isKept) app.changed('now');
	return isKept;
}

/** Handles a paste. It never submits. */
export function pasteText(app: App, text: string, cut: boolean): void {
	if (app.state.quitting) return;
	if (keepInput(app, {input: {type: 'paste', text, cut}, edit: {type: 'paste', text}, text})) return;
	disarmQuit(app);
	if (!offerPaste(app, text)) update(app, {type: 'paste', text});
	if (cut) showAlert(app, {level: 'warn', text: pasteCut});
	app.changed('now');
}

function disarmQuit(app: App): void {
	if (app.state.quitUntil !== 0) app.dispatch({type: 'arm quit', until: 0});
}

/** Handles a mouse report. A late report may arrive after mouse reports were turned off. */
export function takeMouse(app: App, mouse: Mouse): void {
	if (app.state.quitting || !app.state.mouse) return;
	if (offerMouse(app, mouse)) app.changed('now');
}

function perform(app: App, key: Key): void {
	const {keymap} = app.state.setup;
	const action = isEmpty(app.state.composer.editor.draft)
		? (jumps[chordOf(key)] ?? keymap.action(key))
		: keymap.action(key);
	const own = action === undefined ? undefined : performers[action];
	const edit = own === undefined ? actionOfKey(key, keymap) : undefined;
	own?.(app);
	if (edit !== undefined) update(app, edit);
}

/** These keys move the transcript when the draft is empty. */
const jumps: {readonly [chord: string]: ActionName | undefined} = {home: 'top', end: 'bottom'};

const performers: {readonly [Name in ActionName]?: (app: App) => void} = {
	submit: submitDraft,
	steer: app => app.dispatch({type: 'submit', way: 'steer'}),
	up: editQueued,
	pause(app) {
		if (takeBack(app)) return;
		if (isBusy(app.state)) void send(app, {method: 'pause'});
		else dismissAlerts(app);
	},
	cancel(app) {
		const {kind} = statusOf(app.state);
		if (app.state.quitUntil > app.options.now()) {
			void leave(app);
			return;
		}
		app.dispatch({type: 'arm quit', until: app.options.now() + quitWindow});
		if (takeBack(app)) return;
		if (isBusy(app.state) || (kind === 'paused' && isEmpty(app.state.composer.editor.draft)))
			void send(app, {method: 'cancel'});
		else update(app, {type: 'clear'});
		app.dispatch({type: 'return queue'});
	},
	'erase right or quit'(app) {
		if (isEmpty(app.state.composer.editor.draft)) void leave(app);
		else update(app, {type: 'erase', to: 'right'});
	},
	suspend: app => app.options.onSuspend(),
	redraw: app => app.options.onRedraw(),
	'page up': scroll({kind: 'page', by: -1}),
	'page down': scroll({kind: 'page', by: 1}),
	'row up': scroll({kind: 'rows', by: -1}),
	'row down': scroll({kind: 'rows', by: 1}),
	top: scroll({kind: 'home'}),
	bottom: scroll({kind: 'end'}),
	'previous message': scroll({kind: 'message', by: -1}),
	'next message': scroll({kind: 'message', by: 1}),
	'switch view': switchView,
	expand: expandTop,
	mouse: app => app.dispatch({type: 'toggle mouse'}),
};

const nextView: {readonly [Each in View]: View} = {normal: 'detail', detail: 'overview', overview: 'normal'};

function switchView(app: App): void {
	const {transcript: store} = app.state;
	if (store === undefined) return;
	store.setLayout({view: nextView[store.layout.view]});
	app.dispatch({type: 'transcript changed'});
}

/** Expands or folds the block at the top of the screen. */
function expandTop(app: App): void {
	const [top] = visibleRowsOf(app);
	if (top !== undefined) toggleBlock(app, top.block.id);
}

function submitDraft(app: App): void {
	app.dispatch({type: 'submit', way: 'send'});
}

/** Edits the last queued message if the draft is empty. Otherwise the caret moves up a row. */
function editQueued(app: App): void {
	const {
		composer: {editor, history},
		queue,
	} = app.state;
	const isNew = isEmpty(editor.draft) && history.at === history.entries.length;
	if (isNew && queue.length > 0) app.dispatch({type: 'edit queued'});
	else update(app, {type: 'up'});
}

function scroll(to: ScrollTo): (app: App) => void {
	return app => scrollView(app, to);
}
