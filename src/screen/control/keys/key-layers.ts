import {pressApproval} from '../approval/approval-effects.ts';
import {pasteOnCard, pressOnCard} from '../card/card-keys.ts';
import {pressCompletion} from '../completion/completion-keys.ts';
import {pressExternalEditor} from '../drafts/external-editor.ts';
import {pressFirstScreen} from '../first-screen/first-screen-keys.ts';
import {pressOpener} from '../opener/opener-effects.ts';
import {pressPage} from '../pages/page-keys.ts';
import {pasteOnLogin, pressLogin} from '../pages/login-effects.ts';
import {pasteOnPage} from '../pages/filter-keys.ts';
import {pressEffort} from '../pages/models-page.ts';
import {pressEscapeTwice} from '../pages/rewind/escape-twice.ts';
import type {Key, Mouse} from '../../terminal/input/input.ts';
import {pasteInPromptHistory, pressPromptHistory} from '../prompt-history/prompt-history-effects.ts';
import {pasteInSearch, pressSearch} from '../search/search-effects.ts';
import {pasteAtCaret, pressCaret} from '../selection/caret-keys.ts';
import {pressSelection, selectWithMouse} from '../selection/selection-effects.ts';
import {pressAttachAgain} from '../stale-files/stale-files-effects.ts';
import {mouseOnScreen} from '../scroll/transcript-mouse.ts';
import {pasteInReplay, pressReplay} from '../replay-keys.ts';
import {pressTaskList} from '../app.ts';
import {pressVimKey} from './vim-keys.ts';
import type {App} from '../app.ts';
import type {Press} from '../../model/keys/keys-state.ts';

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
The layers, in the order in which they get input. The layers are a table and not a set of mounted components, because a
key may open a layer that must get the next key of the same read.
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
	{press: pressPage, paste: pasteOnPage},
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
