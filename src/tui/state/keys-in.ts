import {takeBack} from './send.ts';
import {steerDraft, submitDraft} from './submit.ts';
import type {ScrollTo} from './app-state.ts';
import {actionOfKey} from '../composer/composer-state.ts';
import {isEmpty} from '../composer/draft.ts';
import {dismissAlerts, isBusy, leave, say, statusOf, tell, update, type App} from './app.ts';
import {pasteOnCard, pressOnCard} from '../card/card-keys.ts';
import type {HeldInput, Input} from '../hold/hold.ts';
import {giveUpHold, keepInput} from '../hold/hold-keys.ts';
import {chordOf, showChord, type ActionName} from '../keys.ts';
import {withdraw} from '../queue/queue.ts';
import {scrollTo} from '../scroll-to.ts';
import {pressedAlone, pressOf} from './press.ts';
import type {Arrival, Key, Mouse} from '../screen/stdin.ts';
import {views} from '../transcript/fold/block.ts';
import {end, home, keeping, pageBy, scrollBy, toMessage} from '../transcript/viewport.ts';

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
	// Whoever goes on after a Ctrl+C cancels the next thing with the next one.
	if (app.state.setup.keymap.action(key) !== 'cancel') app.dispatch({type: 'arm quit', until: 0});
	if (!pressOnCard(app, key, press, submitDraft) && !app.options.parts.some(part => part.press?.(app, key, press) === true)) perform(app, key);
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
	app.dispatch({type: 'arm quit', until: 0});
	if (!pasteOnCard(app, text) && !app.options.parts.some(part => part.paste?.(app, text) === true)) update(app, {type: 'paste', text});
	if (cut) tell(app, {level: 'warn', text: 'The paste was longer than 10 MB: the rest of it was dropped.'});
	app.changed('now');
}

/** Takes one report of the mouse in. While the mouse is the terminal's, one may still be under way. */
export function takeMouse(app: App, mouse: Mouse): void {
	if (app.state.quitting || !app.state.mouse) return;
	if (app.options.parts.some(part => part.mouse?.(app, mouse) === true)) app.changed('now');
}

function perform(app: App, key: Key): void {
	const {keymap} = app.state.setup;
	const action = isEmpty(app.state.composer.editor.draft) ? (jumps[chordOf(key)] ?? keymap.action(key)) : keymap.action(key);
	const own = action === undefined ? undefined : performers[action];
	const edit = own === undefined ? actionOfKey(key, keymap) : undefined;
	own?.(app);
	if (edit !== undefined) update(app, edit);
}

/** Keys that have nowhere to go in an empty draft. */
const jumps: {readonly [chord: string]: ActionName | undefined} = {home: 'top', end: 'bottom'};

const performers: {readonly [Name in ActionName]?: (app: App) => void} = {
	submit: submitDraft,
	steer: steerDraft,
	up: editQueued,
	pause(app) {
		if (takeBack(app)) return;
		if (isBusy(app.state)) void say(app, {method: 'pause'});
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
		if (isBusy(app.state) || (kind === 'paused' && isEmpty(app.state.composer.editor.draft))) void say(app, {method: 'cancel'});
		else update(app, {type: 'clear'});
		app.dispatch({type: 'return queue'});
	},
	'erase right or quit'(app) {
		if (isEmpty(app.state.composer.editor.draft)) void leave(app);
		else update(app, {type: 'erase', to: 'right'});
	},
	suspend: app => app.options.onSuspend(),
	redraw: app => app.options.onRedraw(),
	'page up': scroll((...at) => pageBy(...at, -1)),
	'page down': scroll((...at) => pageBy(...at, 1)),
	'row up': scroll((...at) => scrollBy(...at, -1)),
	'row down': scroll((...at) => scrollBy(...at, 1)),
	top: scroll(home),
	bottom: scroll(end),
	'previous message': scroll((...at) => toMessage(...at, -1)),
	'next message': scroll((...at) => toMessage(...at, 1)),
	'switch view'({state: {transcript: store}}) {
		if (store !== undefined) store.setLayout({view: views[(views.indexOf(store.layout.view) + 1) % views.length]!});
	},
	expand(app) {
		const {transcript: store} = app.state; const {frame: {transcript, transcriptHeight}} = app;
		const [top] = transcript.rows;
		if (store !== undefined && top !== undefined) app.dispatch({type: 'scroll', scroll: keeping(store, app.state.scroll, transcriptHeight, () => store.toggle(top.block.id))});
	},
	mouse(app) {
		app.dispatch({type: 'set mouse', isOurs: !app.state.mouse});
		app.options.onMouse?.(app.state.mouse);
		const back = app.state.setup.keymap.chords('mouse').slice(0, 1).map(chord => ` ${showChord(chord)} takes it back.`).join('');
		tell(app, {level: 'info', text: app.state.mouse ? 'The mouse is on: drag copies what is stored. Shift+drag is the terminal\'s own selection.' : `The mouse is off: it selects and scrolls as the terminal has it.${back}`});
	},
};

/** On an empty draft the message that waits last becomes the draft again; else a row up. */
function editQueued(app: App): void {
	const {editor: {draft}, history} = app.state.composer;
	const isNew = isEmpty(draft) && history.at === history.entries.length;
	const taken = isNew ? withdraw(app.state.queue) : undefined;
	if (taken === undefined) {
		update(app, {type: 'up'});
		return;
	}
	app.dispatch({type: 'set queue', queue: taken.queue});
	update(app, {type: 'returned', segments: taken.segments});
}

function scroll(to: ScrollTo): (app: App) => void {
	return app => scrollTo(app, to);
}
