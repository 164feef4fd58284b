import {join} from 'node:path';
import type {Rule} from '../permissions/approval/rule.ts';
import type {PriceList} from '../protocol/cost.ts';
import {configDirectory, writtenPath, type Env} from '../ground/env/env.ts';
import type {CountsSetting} from '../ground/counts/server-counts.ts';
import type {HookConfig} from '../platform/hook-process.ts';
import {pathExists} from '../ground/files/path-exists.ts';
import {fileBounds, timeoutsOf} from './limits.ts';
import {
	modelWish,
	type ModelWish,
	type ServerConfig,
	type ServerConfigs,
	type SettingsByModel,
} from './model-choice.ts';
import {optionSettings} from './model-choice.ts';
import type {WrittenConfig, WrittenLimits} from './config-schema.ts';
import {screenConfig, type ScreenConfig} from './screen-config.ts';

/** The user's settings for all projects. */
export type Config = ModelWish & {
	/** The path of the file, even if it does not exist. */
	readonly file: string;
	/** Sentences about settings that are ignored. */
	readonly warnings?: readonly string[];
	/** The context window of this model, in tokens. */
	readonly window?: number;
	/** The settings and the context windows of models, by the names of the models. */
	readonly settingsByModel?: SettingsByModel;
	readonly windows?: Readonly<Record<string, number>>;
	/** What each server's token counts include, by the names of the models. */
	readonly counts?: Readonly<Record<string, CountsSetting>>;
	/** The models that inkpod uses while the first model is overloaded or down. */
	readonly fallback?: readonly string[];
	/** Whether no other model may answer than the one that a request asks for. */
	readonly exact?: boolean | undefined;
	/** The prices of models, by the names of the models. */
	readonly prices?: PriceList;
	readonly servers: ServerConfigs;
	readonly limits: WrittenLimits;
	/** The settings of confined commands. */
	readonly confine?: NonNullable<WrittenConfig['confine']>;
	/** The commands that check files after an edit, by glob. */
	readonly diagnostics?: Readonly<Record<string, string>>;
	/**
	The chords that the user assigned to actions of the screen, by the names of the actions. Chords and names are not
	checked yet.
	*/
	readonly keys: Readonly<Record<string, readonly string[]>>;
	readonly screen: ScreenConfig;
	/** The number of days without a change after which inkpod moves a session to the trash. */
	readonly keepDays?: number;
	/** The ssh key that signs sessions, and whether it signs at the end of each run. */
	readonly record?: {readonly sign: boolean; readonly key: string} | undefined;
	readonly hooks: readonly HookConfig[];
	/**
	The folders whose project files inkpod uses even if another user owns them. The paths are real paths, and `/x/*`
	includes everything in `/x`.
	*/
	readonly safeDirectories: readonly string[];
	/** The permission rules in the order of the file. */
	readonly permissions: readonly Rule[];
};

type ConfigResult = {readonly ok: true; readonly config: Config} | {readonly ok: false; readonly sentence: string};

/**
Reads the user's `config.toml`. A missing file is not an error. A file that other users could have written is an error.
*/
export async function loadConfig(env: Env): Promise<ConfigResult> {
	const file = join(configDirectory(env), 'config.toml');
	const none: ConfigResult = {
		ok: true,
		config: {file, servers: {}, limits: {}, ...personal({}), screen: screenConfig()},
	};
	if (!(await pathExists(file))) return none;
	const [{readToml, ownFile, ownFileSentence}, {configSchema, screenWarnings}] = await Promise.all([
		import('./toml.ts'),
		import('./config-schema.ts'),
	]);
	const read = await readToml(file, configSchema, {maxBytes: fileBounds.config, ...ownFile(env)});
	if (!read.ok && read.reason === 'foreign') return {ok: false, sentence: ownFileSentence(read.foreign)};
	if (!read.ok) return read.reason === 'missing' ? none : {ok: false, sentence: read.sentence};
	const {
		model,
		models,
		prices,
		providers = {},
		keys,
		screen,
		composer,
		sessions,
		record,
		themes,
		hook,
		diagnostics,
		permission,
		trust,
		confine,
		...limits
	} = read.value;
	const warnings = [...read.warnings, ...screenWarnings(screen, themes)];
	return {
		ok: true,
		config: {
			file,
			...(warnings.length > 0 && {warnings}),
			...modelWish(model),
			...(model?.window !== undefined && {window: model.window}),
			...(model?.fallback !== undefined && {fallback: model.fallback}),
			exact: model?.exact,
			...(models !== undefined && byModel(models)),
			...(prices !== undefined && {prices: priceList(prices)}),
			...(diagnostics !== undefined && {diagnostics}),
			...(confine !== undefined && {confine}),
			servers: Object.fromEntries(
				Object.entries(providers).map(([provider, written]) => [provider, serverConfig(written)]),
			),
			limits: {...limits, model: timeoutsOf(model)},
			...personal({keys, hook, permission, trust}),
			screen: screenConfig(screen, themes, composer),
			...(sessions?.keep_days !== undefined && {keepDays: sessions.keep_days}),
			record:
				record?.key === undefined ? undefined : {sign: record.sign === true, key: writtenPath(env, record.key)},
		},
	};
}

function byModel(models: NonNullable<WrittenConfig['models']>): Pick<Config, 'settingsByModel' | 'windows' | 'counts'> {
	const written = Object.entries(models);
	return {
		settingsByModel: Object.fromEntries(
			written.map(([name, each]) => [
				name,
				{...(each.effort !== undefined && {reasoning: each.effort}), ...optionSettings(each)},
			]),
		),
		windows: Object.fromEntries(
			written.flatMap(([name, {window}]) => (window === undefined ? [] : [[name, window]])),
		),
		counts: Object.fromEntries(
			written.flatMap(([name, {counts}]) => (counts === undefined ? [] : [[name, counts]])),
		),
	};
}

function serverConfig({
	base_url: baseURL,
	key_env: keyVariable,
	wire,
	dialect,
	headers,
	cert,
	key,
}: NonNullable<WrittenConfig['providers']>[string]): ServerConfig {
	return {
		...(baseURL !== undefined && {baseURL}),
		...(keyVariable !== undefined && {keyVariable}),
		...(wire !== undefined && {wire}),
		...(dialect !== undefined && {dialect}),
		...(headers !== undefined && {headers}),
		...(cert !== undefined && key !== undefined && {certificate: {cert, key}}),
	};
}

function priceList(written: NonNullable<WrittenConfig['prices']>): PriceList {
	return Object.fromEntries(
		Object.entries(written).map(([name, {input, output, cache_read: cacheRead, cache_write: cacheWrite}]) => [
			name,
			[
				{
					input,
					output,
					...(cacheRead !== undefined && {cacheRead}),
					...(cacheWrite !== undefined && {cacheWrite}),
				},
			],
		]),
	);
}

type Personal = 'keys' | 'hook' | 'permission' | 'trust';

/** Returns the settings that only the user may set, never a project. */
function personal({
	keys = {},
	hook = [],
	permission = [],
	trust = {},
}: Pick<WrittenConfig, Personal>): Pick<Config, 'keys' | 'hooks' | 'permissions' | 'safeDirectories'> {
	return {
		keys: Object.fromEntries(
			Object.entries(keys).map(([action, chords]) => [action, typeof chords === 'string' ? [chords] : chords]),
		),
		hooks: hook.map(({event, command, timeout}) => ({
			event,
			command,
			timeoutMs: (timeout ?? defaultHookTimeout) * 1000,
		})),
		permissions: permission,
		safeDirectories: trust.safe_directories ?? [],
	};
}

/** The default time limit of a hook, in seconds. */
const defaultHookTimeout = 60;
