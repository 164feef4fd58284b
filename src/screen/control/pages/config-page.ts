import {chordOf} from '../../model/keys/keymap.ts';
import {dismissAlerts, showAlert, type App} from '../app.ts';
import type {Key} from '../../terminal/input/input.ts';
import {fieldText} from '../../model/field-state.ts';
import {moveInList, withinList} from '../../model/pages/list.ts';
import type {PageSize} from '../../view/pages/page-size.ts';
import {roomOf} from '../../view/pages/config-rows.ts';
import {foundSettings, configPage, type ConfigPage} from '../../model/pages/config-state.ts';
import type {SettingInfo} from '../../../pod/protocol.ts';
import {configTexts} from '../../view/pages/config-texts.ts';

/**
Handles a key on the settings page. Keys move in the list. Enter begins to edit the highlighted setting, or saves its
new value. Left and Right step through the choices of a setting.
*/
export function pressOnConfig(app: App, page: ConfigPage, key: Key, size: PageSize): boolean {
	const {keymap} = app.state.setup;
	const found = foundSettings(page);
	const [count, room] = [found.length, roomOf(size)];
	const setting = found[withinList(page.list, count, room).at];
	const isSubmit = keymap.action(key) === 'submit';
	const step = steps[chordOf(key)];
	const {editing} = page;
	if (setting?.choices !== undefined && setting.fixed === undefined && step !== undefined) {
		app.dispatch({type: 'step setting', setting, step});
		dismissAlerts(app);
		return true;
	}
	if (editing !== undefined) {
		if (chordOf(key) === 'escape') app.dispatch({type: 'leave setting'});
		else if (isSubmit && setting !== undefined) void saveSetting(app, setting, fieldText(editing));
		else return false;
		return true;
	}
	const moved = moveInList(page.list, key, {keymap, count, room});
	if (moved !== undefined) {
		if (page.problem !== undefined) app.dispatch({type: 'leave setting'});
		app.dispatch({type: 'choose on page', list: moved});
	} else if (isSubmit && setting?.fixed !== undefined)
		app.dispatch({type: 'setting refused', sentence: setting.fixed});
	else if (isSubmit && setting !== undefined) {
		app.dispatch({type: 'edit setting', setting});
		dismissAlerts(app);
	} else return false;
	return true;
}

/** Opens the page with all settings. Resolves with a sentence if the configuration files cannot be read. */
export async function openConfig(app: App, query: string): Promise<string | undefined> {
	const {settings} = app.options;
	if (settings === undefined) return configTexts.unavailable;
	const read = await settings.list();
	if (!read.ok) return read.sentence;
	app.dispatch({type: 'open page', page: configPage(read.file, read.settings, query)});
	return undefined;
}

/** Saves a user setting and lists the settings again. */
export async function saveSetting(app: App, {path, key, when}: SettingInfo, typed: string): Promise<void> {
	const {settings} = app.options;
	if (settings === undefined) return;
	const problem = await settings.save(path, typed);
	if (problem !== undefined) {
		app.dispatch({type: 'setting refused', sentence: problem});
		app.changed('now');
		return;
	}
	const read = await settings.list();
	if (!read.ok) {
		showAlert(app, {level: 'error', text: read.sentence});
		return;
	}
	app.dispatch({type: 'settings listed', settings: read.settings});
	app.changed('now');
	const now = read.settings.find(each => each.key === key);
	const isOverridden = typed.trim() !== '' && now !== undefined && now.origin !== 'user';
	if (isOverridden) showAlert(app, {level: 'warn', text: configTexts.overridden(key, now.place ?? '')});
	else showAlert(app, {level: 'info', text: configTexts.saved(key, when)});
	if (when === 'now') useTheme(app, now?.value);
}

const steps: {readonly [chord: string]: 1 | -1 | undefined} = {left: -1, right: 1};

/** Uses the theme of a saved setting. Of the screen's settings, only the theme takes effect immediately. */
function useTheme(app: App, value = '"auto"'): void {
	const theme = app.options.themes?.list.find(({name}) => JSON.stringify(name) === value);
	if (theme === undefined) return;
	app.dispatch({type: 'theme saved', theme});
	app.changed('now');
}
