import {isEmpty} from '../../../editor/draft.ts';
import type {Key} from '../../../terminal/input/input.ts';
import type {App} from '../../app.ts';
import {asksOf, isBusy} from '../../../model/selectors.ts';
import type {AppState} from '../../../model/app-state.ts';
import {isSecondEscape} from '../../../model/pages/rewind-state.ts';

/**
Opens the rewind page when you press Esc twice on an empty draft while nothing runs. The first Esc keeps its usual
meaning.
*/
export function pressEscapeTwice(app: App, key: Key): boolean {
	const {state} = app;
	if (state.setup.keymap.action(key) !== 'pause' || !mayOpenRewind(state)) {
		if (state.lastEscape !== undefined) app.dispatch({type: 'forget escape'});
		return false;
	}
	const isSecond = isSecondEscape(state.lastEscape, app.options.now());
	app.dispatch({type: isSecond ? 'ask for rewind' : 'escape pressed'});
	return isSecond;
}

/** Tells whether Esc has no other use now, so that it can open the rewind page. */
export function mayOpenRewind(state: AppState): boolean {
	const isFree = state.page === undefined && asksOf(state).length === 0 && !isBusy(state);
	return isFree && isEmpty(state.composer.editor.draft);
}
