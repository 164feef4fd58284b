import type {SettingInfo, NamedTheme, ThemeChoice} from '../../../pod/protocol.ts';
import {createField, fieldText, type Field} from '../field-state.ts';
import {bestFirst, isMatch, matchesOf} from './filter.ts';
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
	/** These three actions begin to edit a setting, change its new value, and stop editing the setting. */
	| {readonly type: 'edit setting'; readonly setting: SettingInfo}
	| {readonly type: 'write setting'; readonly field: Field}
	| {readonly type: 'leave setting'}
	/** Edits a setting with choices, and replaces its new value with the next or the previous choice. */
	| {readonly type: 'step setting'; readonly setting: SettingInfo; readonly step: 1 | -1}
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
		case 'edit setting':
			return {...page, editing: createField(valueOf(action.setting)), problem: undefined};
		case 'step setting':
			return {
				...page,
				editing: createField(steppedChoice(page, action.setting, action.step)),
				problem: undefined,
			};
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
Returns the settings that match the query. Each word of the query must be in the setting's key, value, choices or
description. The settings whose key has all words are first.
*/
export function foundSettings({settings, query}: ConfigPage): readonly SettingInfo[] {
	const found = matchesOf(settings, query, ({key, value, fallback, choices = [], about}) =>
		[key, value ?? fallback, ...choices, about].join(' '),
	);
	return bestFirst(found, ({key}) => isMatch(key, query));
}

/** The page on which you choose a theme. The screen immediately uses the highlighted theme as a preview. */
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

/** Returns the value in effect, or an empty text for the default. */
function valueOf({own, value}: SettingInfo): string {
	return own ?? value ?? '';
}

/** Returns the next or the previous choice. It stops at the ends. An empty value counts as the default. */
function steppedChoice({editing}: ConfigPage, setting: SettingInfo, step: 1 | -1): string {
	const {choices = [], fallback} = setting;
	const typed = editing === undefined ? valueOf(setting) : fieldText(editing).trim();
	const at = choices.indexOf(typed === '' ? fallback : typed);
	const to = at === -1 ? 0 : Math.max(0, Math.min(choices.length - 1, at + step));
	return choices[to] ?? typed;
}

/** Returns the page with new settings. The highlight stays on the same setting. */
function withSettings(page: ConfigPage, settings: readonly SettingInfo[]): ConfigPage {
	const chosen = foundSettings(page)[page.list.at]?.key;
	const listed = {...page, settings, editing: undefined, problem: undefined};
	const at = foundSettings(listed).findIndex(({key}) => key === chosen);
	return {...listed, list: {...page.list, at: Math.max(0, at)}};
}
