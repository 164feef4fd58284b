import {join} from 'node:path';
import {configSchema, manifestSchema} from '../../config/config-schema.ts';
import {fileBounds} from '../../config/limits.ts';
import {ownFile, ownFileSentence, readToml} from '../../config/toml.ts';
import {tomlKey, tomlValue} from '../../config/toml-statements.ts';
import {configDirectory, type Env} from '../../ground/env/env.ts';
import type {Manifest} from '../manifest/load-manifest.ts';
import type {SettingInfo, SettingOrigin} from '../../protocol/settings.ts';
import {findProject} from '../start/find-project.ts';
import type {ProjectOptions} from '../start/options.ts';
import {isRecord} from '../../ground/values/is-record.ts';
import {allSettings, type Setting} from '../../config/settings/all-settings.ts';
import {t, tCount} from '../../../language/index.ts';

/** A setting. `raw` is its value in effect, or a placeholder for a secret. */
export type ReadSetting = SettingInfo & {readonly raw?: unknown};

export type ReadSettings =
	| {readonly ok: true; readonly file: string; readonly settings: readonly ReadSetting[]}
	| {readonly ok: false; readonly sentence: string};

/** A command-line option that sets a setting. */
export type Flag = {readonly path: readonly string[]; readonly value: unknown; readonly name: string};

type SettingsOptions = {
	readonly env: Env;
	readonly where: ProjectOptions;
	readonly flags?: readonly Flag[];
	/** Whether the session runs in another process. In this case, this terminal can change only its own settings. */
	readonly isAttached?: boolean;
};

/** Returns all settings with their values and the source of each value. An untrusted project can only restrict. */
export async function readSettings(options: SettingsOptions): Promise<ReadSettings> {
	const {env, where} = options;
	const file = join(configDirectory(env), 'config.toml');
	const read = await readToml(file, configSchema, {maxBytes: fileBounds.config, ...ownFile(env)});
	if (!read.ok && read.reason === 'foreign') return {ok: false, sentence: ownFileSentence(read.foreign)};
	if (!read.ok && read.reason !== 'missing') return {ok: false, sentence: read.sentence};
	const project = await findProject(where, env);
	if (!project.ok) return {ok: false, sentence: project.sentence};
	const sources: Sources = {
		...options,
		user: {table: read.ok ? read.value : {}, place: file},
		project: {table: await projectTable(project.manifest), place: project.manifest.file ?? ''},
	};
	return {
		ok: true,
		file,
		settings: [...allSettings().flatMap(setting => found(setting, sources)), ...lists(sources)],
	};
}

type Source = {readonly table: unknown; readonly place: string};

type Sources = SettingsOptions & {readonly user: Source; readonly project: Source};

/** Returns the settings of a project that are in effect. Server addresses are never in effect. */
async function projectTable({file, untrusted}: Manifest): Promise<unknown> {
	if (file === undefined) return {};
	const read = await readToml(file, manifestSchema, {maxBytes: fileBounds.manifest});
	if (!read.ok) return {};
	const {scope, confine, permission, model, providers: _, ...limits} = read.value;
	if (untrusted !== undefined) {
		const {pwd: _pwd, ...narrower} = scope ?? {};
		return {scope: narrower, confine, permission: permission?.filter(({action}) => action !== 'allow')};
	}
	const {base_url: _address, ...wish} = model ?? {};
	return {scope, confine, permission, model: wish, ...limits};
}

/** The lists of tables. The settings page shows each list as one row. */
const listNames = ['permission', 'hook'] as const;

function found(setting: Setting, sources: Sources): readonly ReadSetting[] {
	const pattern = setting.key.split('.');
	if (listNames.some(name => name === pattern[0])) return [];
	if (setting.files === 'project' && pattern[0] !== 'scope') return [];
	return pathsOf(pattern, sources).map(path => settingAt(path, setting, sources));
}

/** Returns the paths that match a pattern. `<name>` matches each name in the files. */
function pathsOf(pattern: readonly string[], {user, project}: Sources): ReadonlyArray<readonly string[]> {
	if (!pattern.includes(anyName)) return [pattern];
	const paths = [user, project].flatMap(({table}) => matching(table, pattern));
	return [...new Map(paths.map(path => [tomlKey(path), path])).values()];
}

const anyName = '<name>';

function matching(table: unknown, [key, ...rest]: readonly string[]): ReadonlyArray<readonly string[]> {
	if (key === undefined) return table === undefined ? [] : [[]];
	if (!isRecord(table)) return [];
	const names = key === anyName ? Object.keys(table) : [key];
	return names.flatMap(name => matching(ownValue(table, name), rest).map(path => [name, ...path]));
}

function settingAt(path: readonly string[], setting: Setting, sources: Sources): ReadSetting {
	const {user, env} = sources;
	const {files, variable, when, choices, isSecret = false} = setting;
	const fallback = withoutMarks(setting.fallback);
	const own = valueAt(user.table, path);
	const {raw, origin, place} = effective(path, variable, sources);
	const shown = (value: unknown) => (isSecret ? settingTexts.hidden : text(value));
	const ofProject = files === 'project' ? settingTexts.ofProject : undefined;
	const fixed = isSecret ? settingTexts.mayBeKey : (ofProject ?? fixedHere(path, sources));
	return {
		path,
		key: tomlKey(path),
		...(raw !== undefined && {raw: isSecret ? settingTexts.hidden : raw, value: shown(raw)}),
		origin,
		place,
		...(own !== undefined && !isSecret && {own: text(own)}),
		type: withoutMarks(setting.type),
		fallback:
			variable === 'INKPOD_LANGUAGE' && env['LANG'] !== undefined ? `${fallback} (${env['LANG']})` : fallback,
		about: withoutMarks(setting.about),
		choices,
		when,
		fixed,
	};
}

function fixedHere([table = '']: readonly string[], {isAttached}: Sources): string | undefined {
	const isOfTerminal = ['screen', 'themes', 'keys'].includes(table);
	return isAttached === true && !isOfTerminal ? settingTexts.ofServer : undefined;
}

/** Removes the backticks around code. */
function withoutMarks(text: string): string {
	return text.replaceAll('`', '');
}

type Effective = {readonly raw?: unknown; readonly origin: SettingOrigin; readonly place?: string};

/**
Returns the value in effect and its source. The command line has priority over the environment, then come the project's
file and the user's file.
*/
function effective(path: readonly string[], variable: string | undefined, sources: Sources): Effective {
	const {env, flags = [], user, project} = sources;
	const key = path.join('.');
	const flag = flags.find(each => each.path.join('.') === key);
	if (flag !== undefined) return {raw: flag.value, origin: 'flag', place: flag.name};
	const said = variable === undefined ? undefined : env[variable];
	if (variable !== undefined && said !== undefined && said !== '')
		return {raw: said, origin: 'environment', place: variable};
	const [own, ofProject] = [valueAt(user.table, path), valueAt(project.table, path)];
	const isRaised = path[0] !== 'confine' || own === undefined || strictness(ofProject) > strictness(own);
	if (ofProject !== undefined && isRaised) return {raw: ofProject, origin: 'project', place: project.place};
	return own === undefined ? {origin: 'default'} : {raw: own, origin: 'user', place: user.place};
}

/**
Returns the rank of a value of `confine`: a higher rank is stricter. A project may only make the confinement stricter.
*/
function strictness(value: unknown): number {
	return ['off', 'open', 'auto', 'require', 'none'].findIndex(each => each === value);
}

/** Returns a row for each list of tables. */
function lists({user, project}: Sources): readonly ReadSetting[] {
	return listNames.map((name): ReadSetting => {
		const entries = [user, project].flatMap(({table, place}) => {
			const value = listAt(table, name);
			return value.length > 0 ? [{value, place}] : [];
		});
		const raw = entries.flatMap(({value}) => value);
		const [first] = entries;
		const origin = first === undefined ? 'default' : first.place === user.place ? 'user' : 'project';
		return {
			path: [name],
			key: name,
			...(first !== undefined && {raw, value: settingTexts.entries(raw.length), place: first.place}),
			origin,
			type: settingTexts.listType,
			fallback: settingTexts.empty,
			about: name === 'hook' ? settingTexts.hooks : settingTexts.rules,
			when: 'session',
			fixed: settingTexts.inList,
		};
	});
}

function listAt(table: unknown, name: string): readonly unknown[] {
	const value = valueAt(table, [name]);
	return Array.isArray(value) ? value : [];
}

function text(value: unknown): string {
	if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return tomlValue(value);
	if (Array.isArray(value)) return tomlValue(value.map(String));
	return settingTexts.hidden;
}

function valueAt(table: unknown, path: readonly string[]): unknown {
	return path.reduce(ownValue, table);
}

function ownValue(table: unknown, key: string): unknown {
	return isRecord(table) && Object.hasOwn(table, key) ? table[key] : undefined;
}

/** The texts about the values of settings. */
const settingTexts = {
	hidden: t`(not shown)`,
	mayBeKey: t`This may contain a key, so it is not shown. Edit it in the file.`,
	entries: (count: number) => tCount(count, 'entry', 'entries'),
	inList: t`Edit this list in the file.`,
	ofProject: t`Only a project's inkpod.toml sets this.`,
	ofServer: t`This terminal is attached to a session elsewhere. Change this setting where the session runs.`,
	listType: t`list of tables`,
	empty: t`none`,
	rules: t`rules about tools: what inkpod allows, asks about and denies; /permissions lists all of them`,
	hooks: t`your commands that run before or after something happens`,
};
