import {composerRows, roomAbove, viewComposer} from '../composer/composer-view.ts';
import type {AppState} from '../state/app-state.ts';
import type {Row} from '../text/row.ts';
import {isWaiting, patience} from './completion-state.ts';
import {popupWindow, viewPopup} from './popup-view.ts';
import {openingSession, searching} from './texts.ts';

/** The rows of the popup, at most `maxRows`. */
export function completionRows(state: AppState, columns: number, maxRows: number): readonly Row[] {
	const {popup, top} = state.completion;
	if (popup.token === undefined || maxRows < 1) return [];
	return viewPopup(popup, {columns, maxRows, top, waiting: waitingNote(state)});
}

/** How many entries the popup shows at once: what Page Up and Page Down move by. */
export function completionPage(state: AppState): number {
	const {
		completion: {popup, top},
		composer,
		size: {rows},
	} = state;
	const maxRows = roomAbove(viewComposer(composer, composerRows(rows), '').rows.length, rows);
	return Math.max(1, popupWindow(popup, {maxRows, top, waiting: waitingNote(state)}).shown);
}

/** What the popup says while it waits for an answer that takes long. */
export function waitingNote({completion, isConnected, now}: AppState): string | undefined {
	if (!isWaiting(completion) || now < completion.since + patience) return undefined;
	return isConnected ? searching : openingSession;
}

/** When the popup changes by itself. */
export function nextCompletionChange({completion, now}: AppState): number | undefined {
	const at = completion.since + patience;
	return isWaiting(completion) && now < at ? at : undefined;
}
