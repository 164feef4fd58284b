import type {SettingInfo} from '../../../pod/protocol.ts';
import {createField, fieldText, type Field} from '../field-state.ts';
import type {ListState} from './list.ts';

/** The page with all settings. `editing` is the new value while you write one. */
export type ConfigPage = {
	readonly kind: 'config';
	/** The path of the user's file. */
	readonly file: string;
	readonly settings: readonly SettingInfo[];
	readonly query: Field;
	readonly list: ListState;
	readonly editing: Field | undefined;
	/** Why the value is not saved. */
	readonly problem: string | undefined;
};

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

/** Returns the settings that match: each word of the query is in the key or in its sentence. */
export function foundSettings({settings, query}: ConfigPage): readonly SettingInfo[] {
	const words = fieldText(query).toLowerCase().split(/\s+/).filter(Boolean);
	if (words.length === 0) return settings;
	return settings.filter(({key, about}) => {
		const text = `${key} ${about}`.toLowerCase();
		return words.every(word => text.includes(word));
	});
}

/** Returns the page with the settings after a change. The same setting stays chosen. */
export function withSettings(page: ConfigPage, settings: readonly SettingInfo[]): ConfigPage {
	const chosen = foundSettings(page)[page.list.at]?.key;
	const listed = {...page, settings, editing: undefined, problem: undefined};
	const at = foundSettings(listed).findIndex(({key}) => key === chosen);
	return {...listed, list: {...page.list, at: Math.max(0, at)}};
}
