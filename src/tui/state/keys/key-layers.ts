import {pressApproval} from '../../approval/approval-keys.ts';
import {pasteOnCard, pressOnCard} from '../../card/card-keys.ts';
import {pressCompletion} from '../../completion/completion-keys.ts';
import {pressExternalEditor} from '../drafts/external-editor.ts';
import {pressOpener} from '../../opener/opener-keys.ts';
import {pressPage} from '../../pages/page-keys.ts';
import {pressEscapeTwice} from '../../pages/rewind/escape-twice.ts';
import type {Key, Mouse} from '../../terminal/input/input.ts';
import {pasteInSearch, pressSearch} from '../../search/search-keys.ts';
import {pressSelection, selectWithMouse} from '../../selection/selection-mouse.ts';
import {pressAttachAgain} from '../../stale-files/attach-again.ts';
import {mouseOnScreen} from '../scroll/transcript-mouse.ts';
import type {App} from '../app.ts';
import type {Press} from './press.ts';

/** An open layer gets keys, pastes or mouse reports. Each handler returns whether it took the input. */
type KeyLayer = {
	readonly press?: (app: App, key: Key, press: Press) => boolean;
	readonly paste?: (app: App, text: string) => boolean;
	readonly mouse?: (app: App, mouse: Mouse) => boolean;
};

/**
The layers get input in this order. It is a table instead of mounted components, since a key may open a layer for the
next key of the same read.
*/
const layers: readonly KeyLayer[] = [
	{press: pressOnCard, paste: pasteOnCard},
	{press: pressExternalEditor},
	{press: pressSearch, paste: pasteInSearch},
	{press: pressSelection, mouse: selectWithMouse},
	{mouse: mouseOnScreen},
	{press: pressPage},
	{press: pressApproval},
	{press: pressOpener},
	{press: pressAttachAgain},
	{press: pressCompletion},
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
