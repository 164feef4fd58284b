import {chordOf} from '../../model/keys/keymap.ts';
import type {Key} from '../../terminal/input/input.ts';
import {showAlert, type App} from '../app.ts';
import {moveInList} from '../../model/pages/list.ts';
import type {PageSize} from '../../view/pages/page-size.ts';
import {sideQuestionPageTexts} from '../../model/pages/texts.ts';
import {sideQuestionBody, roomOf} from '../../view/pages/side-question-rows.ts';
import {changeSideQuestion} from './side-question-effects.ts';
import type {SideQuestionPage} from '../../model/pages/side-question-state.ts';

/** Handles a key on a side question: k keeps it, a attaches its answer, and the arrows scroll. Esc closes the page. */
export function pressOnSideQuestion(
	app: App,
	{answer, below}: SideQuestionPage,
	key: Key,
	{columns, height}: PageSize,
): boolean {
	const {keymap} = app.state.setup;
	const room = roomOf(height);
	const last = Math.max(0, sideQuestionBody(answer, columns, app.state).length - room);
	const at = Math.max(0, last - below);
	const moved = moveInList({at, top: 0}, key, {keymap, count: last + 1, room});
	const chord = chordOf(key);
	if (moved !== undefined) app.dispatch({type: 'scroll side question', below: last - moved.at});
	else if (chord === 'k') void changeSideQuestion(app, 'keep');
	else if (chord === 'a') void changeSideQuestion(app, 'attach');
	else if (keymap.action(key) === 'submit') showAlert(app, {level: 'info', text: sideQuestionPageTexts.one});
	else return false;
	return true;
}
