import type {App} from '../app.ts';
import type {Key} from '../../terminal/input/input.ts';
import {moveInList, withinList} from '../../model/pages/list.ts';
import type {PageSize} from '../../view/pages/page-size.ts';
import {roomOf} from '../../view/pages/themes-rows.ts';
import {chooseTheme} from './themes-effects.ts';
import type {ThemesPage} from '../../model/pages/themes-state.ts';

/** Moves in the list, which shows the chosen theme at once. Enter saves it. */
export function pressOnThemes(app: App, page: ThemesPage, key: Key, size: PageSize): boolean {
	const {keymap} = app.state.setup;
	const {themes} = page;
	const [count, room] = [themes.length, roomOf(size, themes.length)];
	const moved = moveInList(page.list, key, {keymap, count, room});
	const chosen = themes[(moved ?? withinList(page.list, count, room)).at];
	if (moved !== undefined) {
		app.dispatch({type: 'choose on page', list: moved});
		if (chosen !== undefined) app.dispatch({type: 'try theme', theme: chosen});
	} else if (keymap.action(key) !== 'submit') return false;
	else if (chosen !== undefined) void chooseTheme(app, chosen);
	return true;
}
