import {pasteOnCard, pressOnCard, mayBypassCard} from '../card/card-keys.ts';
import {pressCompletion} from '../completion/completion-keys.ts';
import {pressExternalEditor} from '../drafts/external-editor.ts';
import {pressFirstScreen} from '../first-screen/first-screen-keys.ts';
import {pressOpener} from '../opener/opener-keys.ts';
import {pressPage} from '../pages/page-keys.ts';
import {pasteOnLogin, pressLogin} from '../pages/login-keys.ts';
import {pasteOnConfig} from '../pages/config-keys.ts';
import {pasteOnModels, pressEffort} from '../pages/models-keys.ts';
import {pressEscapeTwice} from '../pages/rewind/escape-twice.ts';
import type {Key, Mouse} from '../../terminal/input/input.ts';
import {pasteInPromptHistory, pressPromptHistory} from '../prompt-history/prompt-history-keys.ts';
import {pasteInSearch, pressSearch} from '../search/search-keys.ts';
import {pasteAtCaret, pressCaret} from '../selection/caret-keys.ts';
import {pressSelection, selectWithMouse} from '../selection/selection-mouse.ts';
import {pressAttachAgain} from '../stale-files/attach-again.ts';
import {mouseOnScreen} from '../scroll/transcript-mouse.ts';
import {pressVimKey} from './vim-keys.ts';
import {type App, showAlert, quit} from '../app.ts';
import type {Press} from '../../model/keys/press.ts';
import {spokenTasks} from '../../view/task-list/task-list-rows.ts';
import {approvalOf} from '../approval/approval-effects.ts';
import {changeOf} from '../../model/approval/approval-state.ts';
import type {ReplayStep} from '../../../pod/protocol.ts';
import {actions, chordOf} from '../../model/keys/keymap.ts';

/** Handles the keys of a replay. Apart from these, only the keys that look at the transcript work in it. */
function pressReplay(app: App, key: Key): boolean {
	const {replay} = app.options;
	if (replay === undefined) return false;
	const chord = key.text !== undefined && key.text !== '' ? key.text : chordOf(key);
	const step = steps.get(chord);
	const action = app.state.setup.keymap.action(key);
	if (step !== undefined) replay(step);
	else if (chord === 'c') void openContext(app);
	else if (chord === 'q' || action === 'cancel' || action === 'erase right or quit') void quit(app);
	else if (action === 'suspend' || action === 'redraw') return false;
	else return action === undefined || action === 'attach again' || actions[action].area !== 'transcript';
	return true;
}

/** A replay takes no text. */
function pasteInReplay(app: App): boolean {
	return app.options.replay !== undefined;
}

/** Shows the context as it was at this place. */
async function openContext(app: App): Promise<void> {
	const {runCommand} = await import('../commands/run-command.ts');
	await runCommand(app, 'context', '');
}

const steps: ReadonlyMap<string, ReplayStep> = new Map([
	['right', 'next item'],
	['left', 'previous item'],
	[']', 'next request'],
	['[', 'previous request'],
	['.', 'next second'],
	[',', 'previous second'],
	['home', 'start'],
	['end', 'end'],
	[' ', 'play'],
	['space', 'play'],
]);

/**
A layer, such as an open page or popup, that may get keys, pastes or mouse reports. Each handler returns whether it used
the input.
*/
type KeyLayer = {
	readonly press?: (app: App, key: Key, press: Press) => boolean;
	readonly paste?: (app: App, text: string) => boolean;
	readonly mouse?: (app: App, mouse: Mouse) => boolean;
};

/**
The layers, in the order in which they get input. This is a table and not a set of mounted components, because a key may
open a layer for the next key of the same read.
*/
const layers: readonly KeyLayer[] = [
	{press: pressLogin, paste: pasteOnLogin},
	{press: pressOnCard, paste: pasteOnCard},
	{press: pressExternalEditor},
	{press: pressPromptHistory, paste: pasteInPromptHistory},
	{press: pressCaret, paste: pasteAtCaret},
	{press: pressSearch, paste: pasteInSearch},
	{press: pressSelection, mouse: selectWithMouse},
	{mouse: mouseOnScreen},
	{press: pressPage, paste: (app, text) => pasteOnModels(app, text) || pasteOnConfig(app, text)},
	{press: pressReplay, paste: pasteInReplay},
	{press: pressEffort},
	{press: pressApproval},
	{press: pressTaskList},
	{press: pressOpener},
	{press: pressAttachAgain},
	{press: pressCompletion},
	{press: pressFirstScreen},
	{press: pressVimKey},
	{press: pressEscapeTwice},
];

export function offerKey(app: App, key: Key, press: Press): boolean {
	return layers.some(layer => layer.press?.(app, key, press) === true);
}

export function offerPaste(app: App, text: string): boolean {
	return layers.some(layer => layer.paste?.(app, text) === true);
}

export function offerMouse(app: App, mouse: Mouse): boolean {
	return layers.some(layer => layer.mouse?.(app, mouse) === true);
}

/** Handles the key that expands the task list. A screen reader has no list above the status, and reads it once. */
function pressTaskList(app: App, key: Key): boolean {
	if (app.state.setup.keymap.action(key) !== 'expand tasks') return false;
	if (app.state.setup.isSpoken === true) showAlert(app, {level: 'info', text: spokenTasks(app.state)});
	else app.dispatch({type: 'toggle task list'});
	app.changed('now');
	return true;
}

/**
Handles the key that cycles the approval mode. A key that cannot answer the card does not change the mode either,
because the new mode could answer the card.
*/
function pressApproval(app: App, key: Key, press: Press): boolean {
	if (app.state.setup.keymap.action(key) !== 'approval mode') return false;
	if (!mayBypassCard(app, press)) return true;
	const change = changeOf(app.state.approval, {
		mode: approvalOf(app.state),
		isHeld: press.isHeld,
		now: app.options.now(),
	});
	if (change !== undefined) app.dispatch({type: 'change approval', ...change});
	return true;
}
