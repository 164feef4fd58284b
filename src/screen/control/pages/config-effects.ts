import type {SettingInfo} from '../../../pod/protocol.ts';
import {showAlert, type App} from '../app.ts';
import {configPage} from '../../model/pages/config-state.ts';
import {configTexts} from '../../view/pages/config-texts.ts';

/** Opens the page with all settings. Resolves with a sentence when the files cannot be read. */
export async function openConfig(app: App, query: string): Promise<string | undefined> {
	const {settings} = app.options;
	if (settings === undefined) return configTexts.unavailable;
	const read = await settings.list();
	if (!read.ok) return read.sentence;
	app.dispatch({type: 'open page', page: configPage(read.file, read.settings, query)});
	return undefined;
}

/** Saves a setting of the user, and lists the settings again. */
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

/** The theme is the one setting of the screen that takes effect at once. */
function useTheme(app: App, value = '"auto"'): void {
	const theme = app.options.themes?.list.find(({name}) => JSON.stringify(name) === value);
	if (theme === undefined) return;
	app.dispatch({type: 'theme saved', theme});
	app.changed('now');
}
