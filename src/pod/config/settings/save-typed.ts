import {parse} from 'smol-toml';
import type {Env} from '../../ground/env/env.ts';
import type {SettingValue} from '../toml-text.ts';
import {saveSetting} from './save-setting.ts';

/**
Saves a setting as a user types it: as TOML, as a text without quotes, or as a list without brackets. An empty text
removes the setting. Resolves with a sentence when nothing was written.
*/
export async function saveTyped(env: Env, path: readonly string[], typed: string): Promise<string | undefined> {
	const value = typedValue(typed);
	const problem = await saveSetting(env, path, value);
	if (problem === undefined || typeof value !== 'string') return problem;
	const list = value
		.split(',')
		.map(each => each.trim())
		.filter(each => each !== '');
	return (await saveSetting(env, path, list)) === undefined ? undefined : problem;
}

function typedValue(typed: string): SettingValue | undefined {
	const text = typed.trim();
	if (text === '') return undefined;
	try {
		const {x} = parse(`x = ${text}`);
		if (typeof x === 'string' || typeof x === 'number' || typeof x === 'boolean') return x;
		if (Array.isArray(x) && x.every(each => typeof each === 'string')) return x;
	} catch {
		// A text without quotes is not TOML.
	}
	return text;
}
