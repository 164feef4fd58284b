import type {SettingInfo, NamedTheme, ThemeChoice} from '../../../pod/protocol.ts';
import {createField, fieldText, type Field} from '../field-state.ts';
import type {ListState} from './list.ts';

/** The page with all settings. `editing` is the setting that you are editing, with its new value. */
export type ConfigPage = {
	readonly kind: 'config';
	/** The path of the user's settings file. */
	readonly file: string;
	readonly settings: readonly SettingInfo[];
	readonly query: Field;
	readonly list: ListState;
	readonly editing: Field | undefined;
	/** The reason why inkpod did not save the value. */
	readonly problem: string | undefined;
};

export type ConfigAction =
	/** Replaces the settings on the page after a change. */
	| {readonly type: 'settings listed'; readonly settings: readonly SettingInfo[]}
	| {readonly type: 'write settings query'; readonly query: Field}
	/** These three actions begin to edit a setting, change its new value, and stop editing. */
	| {readonly type: 'edit setting'; readonly setting: SettingInfo}
	| {readonly type: 'write setting'; readonly field: Field}
	| {readonly type: 'leave setting'}
	/** inkpod did not save the setting. */
	| {readonly type: 'setting refused'; readonly sentence: string};

export function configPage(file: string, settings: readonly SettingInfo[], query: string): ConfigPage {
	return {
		kind: 'config',
		file,
		settings,
		query: createField(query),
		list: {at: 0, top: 0},
		editing: undefined,
		problem: undefined,
	};
}

export function reduceConfig(page: ConfigPage, action: ConfigAction): ConfigPage {
	switch (action.type) {
		case 'settings listed':
			return withSettings(page, action.settings);
		case 'write settings query': {
			const {query} = action;
			const isSame = fieldText(query) === fieldText(page.query);
			return {...page, query, list: isSame ? page.list : {at: 0, top: 0}};
		}
		case 'edit setting': {
			const {own, value} = action.setting;
			return {...page, editing: createField(own ?? value ?? ''), problem: undefined};
		}
		case 'write setting':
			return {...page, editing: action.field, problem: undefined};
		case 'leave setting':
			return {...page, editing: undefined, problem: undefined};
		case 'setting refused':
			return {...page, problem: action.sentence};
		default:
			return action satisfies never;
	}
}

/**
Returns the settings that match the query. Each word of the query must be in the setting's key or in its description.
*/
export function foundSettings({settings, query}: ConfigPage): readonly SettingInfo[] {
	const words = fieldText(query).toLowerCase().split(/\s+/).filter(Boolean);
	if (words.length === 0) return settings;
	return settings.filter(({key, about}) => {
		const text = `${key} ${about}`.toLowerCase();
		return words.every(word => text.includes(word));
	});
}

/** The page on which you choose a theme. The screen uses the highlighted theme at once as a preview. */
export type ThemesPage = {
	readonly kind: 'themes';
	readonly themes: readonly NamedTheme[];
	/** The name of the theme that is in use. */
	readonly current: string;
	readonly list: ListState;
	/** The theme that the screen uses again if you close the page without a choice. */
	readonly before: ThemeChoice | undefined;
	/** Whether the terminal has few colours, so that every theme shows the terminal's own colours. */
	readonly hasFewColours?: boolean | undefined;
};

/** Opens the page with the current theme highlighted. */
export function themesPage(
	themes: readonly NamedTheme[],
	current: string,
	before: ThemeChoice | undefined,
	hasFewColours?: boolean,
): ThemesPage {
	const at = Math.max(
		0,
		themes.findIndex(({name}) => name === current),
	);
	return {kind: 'themes', themes, current, list: {at, top: 0}, before, hasFewColours};
}

/** Returns the page with new settings. The highlight stays on the same setting. */
function withSettings(page: ConfigPage, settings: readonly SettingInfo[]): ConfigPage {
	const chosen = foundSettings(page)[page.list.at]?.key;
	const listed = {...page, settings, editing: undefined, problem: undefined};
	const at = foundSettings(listed).findIndex(({key}) => key === chosen);
	return {...listed, list: {...page.list, at: Math.max(0, at)}};
}
