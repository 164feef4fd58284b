import {returnToParent, showNextChild} from '../commands/child-keys.ts';
import {stayHere} from '../commands/detach.ts';
import {submit, takeBack} from '../submit/submit.ts';
import {actionOfKey} from '../../model/composer/composer-state.ts';
import {isEmpty} from '../../editor/draft.ts';
import {openPasteAtCaret} from '../pastes/paste-effects.ts';
import {dismissAlerts, leave, send, showAlert, update, type App} from '../app.ts';
import {waitingIn} from '../../model/queue.ts';
import {cancelAndTake, takeBackQueued} from '../submit/submit.ts';
import {isBusy, queueOf, statusOf} from '../../model/selectors.ts';
import {toolFactsOf} from '../../../pod/protocol.ts';
import {runningCalls} from '../../../transcript/lists/running-calls.ts';
import type {AppState} from '../../model/app-state.ts';
import {needsPlace} from '../drafts/draft-autosave.ts';
import type {HeldInput, Input} from '../../model/keys/keys-state.ts';
import {giveUpHold, holdKeys, keepInput} from '../hold-keys.ts';
import {chordOf, showChord, type ActionName} from '../../model/keys/keymap.ts';
import type {ScrollTo} from '../../model/scroll/read-again.ts';
import {offerKey, offerMouse, offerPaste} from './key-layers.ts';
import {pressedAlone, pressOf} from '../../model/keys/keys-state.ts';
import type {Arrival, Key, Mouse} from '../../terminal/input/input.ts';
import type {View} from '../../../transcript/block.ts';
import {expandNearest} from '../scroll/transcript-mouse.ts';
import {readTurn, readWhole} from '../scroll/transcript-mouse.ts';
import {scrollView} from '../scroll/transcript-mouse.ts';
import {readOrigins} from '../card/read-origins.ts';
import {linesStay, mouseOff, mouseOn, pasteCut, splitOnScreen, tooNarrowToSplit} from '../texts.ts';
import {minSplitColumns} from '../../rows/diff/diff-layout.ts';

/** A second Ctrl+C within this number of milliseconds quits. */
const quitWindow = 2000;

/** Handles the user's input. */
export function handleInput(app: App, input: Input): void {
	if (input.type === 'key') pressKey(app, input.key, input.arrival);
	else pasteText(app, input.text, input.cut);
}

/** Handles one key. The caller passes the keys in the order in which they were pressed. */
export function pressKey(app: App, key: Key, arrival: Arrival = pressedAlone): void {
	if (app.state.lifecycle.quitting) return;
	const [chord, at] = [chordOf(key), app.options.now()];
	const press = pressOf(arrival, chord, at, app.state.keys.lastPress);
	app.dispatch({type: 'press', press});
	if (holdKey(app, key, arrival)) return;
	// If another key is pressed between two presses of Ctrl+C, the second one cancels and does not quit.
	if (app.state.setup.keymap.action(key) !== 'cancel') disarmQuit(app);
	if (waitForPlace(app, key, arrival)) return;
	if (!offerKey(app, key, press)) perform(app, key);
	app.changed('now');
}

/** Buffers the key that submits until the draft slot is open. The message must be in a file before a frame shows it. */
function waitForPlace(app: App, key: Key, arrival: Arrival): boolean {
	const action = app.state.setup.keymap.action(key);
	if ((action !== 'submit' && action !== 'steer') || !needsPlace(app)) return false;
	void holdKeys(app, async () => {
		await app.options.drafts?.open();
		return true;
	});
	return holdKey(app, key, arrival);
}

/**
Buffers a key while a page or screen opens. Ctrl+C moves the buffered keys to the draft. A buffered key never answers a
card later, because it does not count as pressed alone.
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

/** Handles a paste. A paste never submits the draft. */
export function pasteText(app: App, text: string, cut: boolean): void {
	if (app.state.lifecycle.quitting) return;
	if (keepInput(app, {input: {type: 'paste', text, cut}, edit: {type: 'paste', text}, text})) return;
	disarmQuit(app);
	// If the terminal pastes an empty text, the clipboard probably contains an image.
	if (!offerPaste(app, text)) {
		if (text === '') void pasteClipboard(app);
		else update(app, {type: 'paste', text});
	}
	if (cut) showAlert(app, {level: 'warn', text: pasteCut});
	app.changed('now');
}

/** Attaches the image in the clipboard. The code for this is loaded on first use. */
async function pasteClipboard(app: App): Promise<void> {
	const {pasteImage} = await import('../commands/paste-image.ts');
	const sentence = await pasteImage(app);
	if (sentence !== undefined) showAlert(app, {level: 'warn', text: sentence});
	app.changed('now');
}

function disarmQuit(app: App): void {
	if (app.state.keys.quitUntil !== 0) app.dispatch({type: 'arm quit', until: 0});
}

/** Handles a mouse report. Ignores a report that arrives after mouse reports were turned off. */
export function takeMouse(app: App, mouse: Mouse): void {
	if (app.state.lifecycle.quitting || !app.state.terminal.mouse) return;
	if (offerMouse(app, mouse)) app.changed('now');
}

function perform(app: App, key: Key): void {
	const {keymap} = app.state.setup;
	if (chordOf(key) === 'ctrl+b' && isEmpty(app.state.composer.editor.draft) && runsCommand(app.state)) {
		void send(app, {method: 'move_to_background'});
		return;
	}
	const action = isEmpty(app.state.composer.editor.draft)
		? (jumps[chordOf(key)] ?? keymap.action(key))
		: keymap.action(key);
	const own = action === undefined ? undefined : performers[action];
	const edit = own === undefined ? actionOfKey(key, keymap) : undefined;
	own?.(app);
	if (edit !== undefined) update(app, edit);
}

/** The keys that scroll the transcript when the draft is empty. */
const jumps: {readonly [chord: string]: ActionName | undefined} = {home: 'top', end: 'bottom'};

const performers: {readonly [Name in ActionName]?: (app: App) => void} = {
	submit: app => submit(app, 'send'),
	'paste image': app => void pasteClipboard(app),
	steer: app => submit(app, 'steer'),
	up: editQueued,
	pick: openPasteAtCaret,
	'last queued first': promoteQueued,
	'next child': showNextChild,
	pause(app) {
		if (stayHere(app) || takeBack(app) || returnToParent(app)) return;
		if (isBusy(app.state)) void send(app, {method: 'pause'});
		else dismissAlerts(app);
	},
	cancel(app) {
		const {kind} = statusOf(app.state);
		if (app.state.keys.quitUntil > app.options.now()) {
			void leave(app);
			return;
		}
		app.dispatch({type: 'arm quit', until: app.options.now() + quitWindow});
		if (takeBack(app)) return;
		if (isBusy(app.state) || (kind === 'paused' && isEmpty(app.state.composer.editor.draft))) {
			void cancelAndTake(app);
			return;
		}
		update(app, {type: 'clear'});
		if (waitingIn(queueOf(app.state)).length > 0) void takeBackQueued(app);
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
	'previous message': toMessage(-1),
	'next message': toMessage(1),
	'switch view': switchView,
	expand: app => (app.state.setup.isSpoken === true ? readWhole(app) : expandNearest(app)),
	'split diff': splitDiffs,
	mouse: toggleMouse,
};

const nextView: {readonly [Each in View]: View} = {normal: 'detail', detail: 'overview', overview: 'normal'};

function switchView(app: App): void {
	const {store} = app.state.transcript;
	if (store === undefined) return;
	store.setLayout({view: nextView[store.layout.view]});
	if (store.layout.view === 'detail') readOrigins(app);
	app.dispatch({type: 'transcript changed'});
}

function splitDiffs(app: App): void {
	const {setup} = app.state;
	const {isSplit} = app.state.display;
	const {size} = app.state.terminal;
	if (setup.isSpoken === true) showAlert(app, {level: 'info', text: splitOnScreen});
	else if (!isSplit && size.columns < minSplitColumns)
		showAlert(app, {level: 'info', text: tooNarrowToSplit(minSplitColumns, size.columns)});
	else {
		app.dispatch({type: 'split diffs', isSplit: !isSplit});
		app.state.transcript.store?.setLayout({isSplit: !isSplit});
	}
}

/** Turns mouse reports on or off, and shows an alert about it. */
function toggleMouse(app: App): void {
	app.dispatch({type: 'toggle mouse'});
	const {terminal, setup} = app.state;
	app.options.onMouse?.(terminal.mouse);
	const [chord] = setup.keymap.chords('mouse');
	const off = mouseOff(chord === undefined ? undefined : showChord(chord));
	showAlert(app, {level: 'info', text: terminal.mouse ? mouseOn : off});
}

/** If the draft is new and empty, takes the last queued message back to edit it. Otherwise moves the caret up a row. */
function editQueued(app: App): void {
	const {editor, history} = app.state.composer;
	const isNew = isEmpty(editor.draft) && history.at === history.entries.length;
	const last = isNew ? waitingIn(queueOf(app.state)).at(-1) : undefined;
	if (last === undefined) update(app, {type: 'up'});
	else void takeBackQueued(app, [last.id]);
}

/** Moves the last queued message to the front of the queue. */
function promoteQueued(app: App): void {
	const waiting = waitingIn(queueOf(app.state));
	const [first] = waiting;
	const last = waiting.at(-1);
	if (first !== undefined && last !== undefined && first !== last)
		void send(app, {method: 'move_queued', message: last.id, before: first.id});
}

function scroll(to: ScrollTo): (app: App) => void {
	return app => {
		const {setup, page} = app.state;
		const [chord] = setup.keymap.chords('previous message');
		const isStep = page === undefined && (to.kind === 'page' || to.kind === 'rows');
		const isVain = setup.isSpoken === true && isStep && chord !== undefined;
		if (isVain) showAlert(app, {level: 'info', text: linesStay(showChord(chord))});
		else scrollView(app, to);
	};
}

/**
Scrolls to another message of the user. The screen for a screen reader cannot scroll, so the screen reader reads that
turn again.
*/
function toMessage(by: -1 | 1): (app: App) => void {
	return app => (app.state.setup.isSpoken === true ? readTurn(app, by) : scrollView(app, {kind: 'message', by}));
}

/** Tells whether the model is running a command. Such a command can be moved to the background. */
function runsCommand(state: AppState): boolean {
	const transcript = state.transcript.store?.transcript;
	if (transcript === undefined) return false;
	return runningCalls(statusOf(state), transcript).some(({name}) => toolFactsOf(name)?.subject.kind === 'command');
}
