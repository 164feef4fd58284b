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
import {scrollView, toggleBlock} from '../../transcript/scroll/scroll-view.ts';
import {pasteCut} from '../texts.ts';

/** How long another Ctrl+C quits, in milliseconds. */
const quitWindow = 2000;

/** Takes in what the user gives to the screen. */
export function handleInput(app: App, input: Input): void {
	if (input.type === 'key') pressKey(app, input.key, input.arrival);
	else pasteText(app, input.text, input.cut);
}

/** Takes one key in, in the order in which they were pressed. */
export function pressKey(app: App, key: Key, arrival: Arrival = pressedAlone): void {
	if (app.state.quitting) return;
	const [chord, at] = [chordOf(key), app.options.now()];
	const press = pressOf(arrival, chord, at, app.state.lastPress);
	app.dispatch({type: 'press', press});
	if (holdKey(app, key, arrival)) return;
	// Another key after a Ctrl+C: the next Ctrl+C cancels, and does not quit.
	if (app.state.setup.keymap.action(key) !== 'cancel') disarmQuit(app);
	if (!offerKey(app, key, press)) perform(app, key);
	app.changed('now');
}

/**
Keeps a key for what is opening. Ctrl+C gives what waits back to the draft. A key that was kept came before its time: it
answers no card later.
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

/** Takes a paste in. It never submits. */
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

/** Takes one report of the mouse in. After the mouse was given back to the terminal, a late one may still arrive. */
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

/** Keys that have nowhere to go in an empty draft. */
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

/** Opens or folds the block at the top of the screen. */
function expandTop(app: App): void {
	const [top] = visibleRowsOf(app);
	if (top !== undefined) toggleBlock(app, top.block.id);
}

function submitDraft(app: App): void {
	app.dispatch({type: 'submit', way: 'send'});
}

/** In an empty draft the last queued message becomes the draft again; else the caret moves a row up. */
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
