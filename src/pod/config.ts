import {homedir} from 'node:os';
import {isAbsolute, join} from 'node:path';
import {isThere} from './is-there.ts';
import {modelWish, type BaseUrls, type ModelOptions} from './model-choice.ts';
import type {WrittenLimits} from './written.ts';

/** What the person set for all projects. */
export type Config = {
	/** Where it was read, or would be. */
	readonly file: string;
	/** `provider/model`. */
	readonly model?: string;
	readonly modelOptions?: ModelOptions;
	readonly baseUrls: BaseUrls;
	readonly limits: WrittenLimits;
};

export type ConfigResult = {readonly ok: true; readonly config: Config} | {readonly ok: false; readonly sentence: string};

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads the person's `config.toml`. A file that is not there says nothing, and is no error. */
export async function loadConfig(env: Environment): Promise<ConfigResult> {
	const file = join(configDirectory(env), 'config.toml');
	const none: ConfigResult = {ok: true, config: {file, baseUrls: {}, limits: {}}};
	if (!(await isThere(file))) return none;
	const [{readToml}, {configSchema}] = await Promise.all([import('./toml.ts'), import('./written.ts')]);
	const read = await readToml(file, configSchema);
	if (!read.ok) return read.reason === 'missing' ? none : {ok: false, sentence: read.sentence};
	const {model, providers = {}, ...limits} = read.value;
	return {
		ok: true,
		config: {
			file,
			...modelWish(model),
			baseUrls: Object.fromEntries(Object.entries(providers).flatMap(([provider, value]) => (value?.base_url === undefined ? [] : [[provider, value.base_url]]))),
			limits: {...limits, model: model === undefined ? undefined : {stall_timeout: model.stall_timeout}},
		},
	};
}

/** The folder of the person's configuration. As XDG asks, a relative XDG_CONFIG_HOME is passed over. */
export function configDirectory(env: Environment): string {
	const xdg = env['XDG_CONFIG_HOME'];
	const base = xdg !== undefined && isAbsolute(xdg) ? xdg : join(env['HOME'] ?? homedir(), '.config');
	return join(base, 'inkpod');
}
