import type {Key} from '../../../terminal/input/input.ts';
import type {App} from '../../app.ts';
import {mayOpenRewind} from '../../../model/selectors.ts';
import {isSecondEscape} from '../../../model/pages/rewind-state.ts';
import {withRewind} from './load-rewind.ts';

/**
Opens the rewind page when the user presses Esc twice on an empty draft while no turn is running. The first Esc still
does what it usually does.
*/
export function pressEscapeTwice(app: App, key: Key): boolean {
	const {state} = app;
	const {lastEscape} = state.keys;
	if (state.setup.keymap.action(key) !== 'pause' || !mayOpenRewind(state)) {
		if (lastEscape !== undefined) app.dispatch({type: 'forget escape'});
		return false;
	}
	const isSecond = isSecondEscape(lastEscape, app.options.now());
	app.dispatch({type: isSecond ? 'forget escape' : 'escape pressed'});
	if (isSecond) withRewind(app, async ({askForRewind}) => askForRewind(app));
	return isSecond;
}
