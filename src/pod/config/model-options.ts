import type {WrittenOptions} from './config-schema.ts';
import type {Settings} from '../../worker/index.ts';

/** Returns the options under the names of the setup. `tools` is a setting only if no tools are offered. */
export function optionSettings(written: WrittenOptions): Settings {
	const {max_output_tokens: maxOutputTokens, temperature, top_p: topP, stop, tools, merge_user: mergeUser} = written;
	return {
		...(mergeUser !== undefined && {mergeUser}),
		...(maxOutputTokens !== undefined && {maxOutputTokens}),
		...(temperature !== undefined && {temperature}),
		...(topP !== undefined && {topP}),
		...(stop !== undefined && {stop: [stop].flat()}),
		...(tools === false && {tools}),
	};
}

/** Returns the options and the effort among the settings of a setup item. */
export function recordedOptions(settings: Settings): Settings {
	return Object.fromEntries(Object.entries(settings).filter(([key]) => optionNames.has(key)));
}

const optionNames: ReadonlySet<string> = new Set([
	'reasoning',
	'mergeUser',
	'maxOutputTokens',
	'temperature',
	'topP',
	'stop',
	'tools',
]);
