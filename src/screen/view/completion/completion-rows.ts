import {composerRows, roomAbove, viewComposer} from '../../model/composer/composer-view.ts';
import type {AppState} from '../../model/app-state.ts';
import type {Row} from '../../spans/row.ts';
import {isWaiting, patience} from '../../model/completion/completion-state.ts';
import {popupWindow, viewPopup} from './popup-view.ts';
import {openingSession, searching} from './texts.ts';

/** Returns the rows of the popup, at most `maxRows`. */
export function completionRows(state: AppState, columns: number, maxRows: number): readonly Row[] {
	const {popup, top} = state.completion;
	if (popup.token === undefined || maxRows < 1) return [];
	return viewPopup(popup, {columns, maxRows, top, waiting: waitingNote(state)});
}

/** Returns the number of entries that the popup shows. Page Up and Page Down move by this number. */
export function completionPage(state: AppState): number {
	const {popup, top} = state.completion;
	const {rows} = state.terminal.size;
	const maxRows = roomAbove(viewComposer(state.composer, composerRows(rows), '').rows.length, rows);
	return Math.max(1, popupWindow(popup, {maxRows, top, waiting: waitingNote(state)}).shown);
}

/** Returns the note that the popup shows while a slow answer is missing. */
export function waitingNote({completion, lifecycle: {isConnected}, now}: AppState): string | undefined {
	if (!isWaiting(completion) || now < completion.since + patience) return undefined;
	return isConnected ? searching : openingSession;
}

/** Returns the time when the popup changes without a key. */
export function nextCompletionChange({completion, now}: AppState): number | undefined {
	const at = completion.since + patience;
	return isWaiting(completion) && now < at ? at : undefined;
}
