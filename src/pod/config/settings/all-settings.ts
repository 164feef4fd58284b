import {z} from 'zod';
import {t, translated} from '../../../language/index.ts';
import {configSchema, manifestSchema, type WrittenConfig, type WrittenManifest} from '../config-schema.ts';
import {required} from '../../ground/values/is-record.ts';

/** The description of a setting. `<name>` in the key is a name that the user chooses. */
export type Setting = {
	readonly key: string;
	/** The heading of the setting in docs/settings.md. */
	readonly group: string;
	/** The files that may contain the setting: config.toml, a project's inkpod.toml, or both. */
	readonly files: 'user' | 'project' | 'both';
	/** The values, in words. Choices are listed in quotes. */
	readonly type: string;
	/** The default, in words or as a value. */
	readonly fallback: string;
	readonly about: string;
	/** All possible values, as TOML, if the schema lists them. */
	readonly choices?: readonly string[] | undefined;
	readonly when: 'now' | 'session' | 'start';
} & Pick<Meaning, 'more' | 'variable' | 'isSecret'>;

/** The tables of both files and the keys without a table, in the order of docs/settings.md. */
const groups: Readonly<Record<keyof WrittenConfig | keyof WrittenManifest, string>> = {
	model: 'Model',
	models: 'Model',
	providers: 'Providers and prices',
	prices: 'Providers and prices',
	max_turns: 'Limits',
	limits: 'Limits',
	retry: 'Limits',
	tools: 'Limits',
	file_refs: 'Limits',
	compaction: 'Compaction',
	scope: 'Scope, rules and hooks',
	permission: 'Scope, rules and hooks',
	confine: 'Scope, rules and hooks',
	hook: 'Scope, rules and hooks',
	sessions: 'Scope, rules and hooks',
	record: 'Scope, rules and hooks',
	trust: 'Scope, rules and hooks',
	diagnostics: 'Diagnostics',
	keys: 'Screen and keys',
	screen: 'Screen and keys',
	composer: 'Screen and keys',
	themes: 'Screen and keys',
};

/** Returns every setting of config.toml and inkpod.toml. Code in a text is in backticks. */
export function allSettings(): readonly Setting[] {
	const user = new Map(keysOf(configSchema, []));
	const project = new Map(keysOf(manifestSchema, []));
	const keys = [...new Set([...user.keys(), ...project.keys()])];
	return Object.entries(groups).flatMap(([table, group]) =>
		keys
			.filter(key => key.split('.')[0] === table)
			.map(key => {
				const files = !project.has(key) ? 'user' : user.has(key) ? 'both' : 'project';
				return settingOf(key, group, files, required(user.get(key) ?? project.get(key), key));
			}),
	);
}

/** Returns the English texts about all settings. Each text is the key of its translation. */
export function settingKeys(): readonly string[] {
	return [configSchema, manifestSchema]
		.flatMap(schema => keysOf(schema, []))
		.flatMap(([, schema]) => {
			const {about = [], type = [], fallback = [], unit = []} = z.globalRegistry.get(schema) ?? {};
			return [about, type, fallback, unit].flat();
		})
		.filter(text => !/^(?:"\w+"|true|false|\[\]|[\d.]+)$/.test(text));
}

/**
Returns each setting's key with its schema. The key contains `<name>` for a table with free names. For a list of tables,
the settings of an entry are returned.
*/
function keysOf(schema: z.core.$ZodType, path: readonly string[]): ReadonlyArray<readonly [string, z.core.$ZodType]> {
	const inner = unwrapped(schema);
	if (inner instanceof z.ZodRecord) return keysOf(inner.valueType, [...path, '<name>']);
	if (!(inner instanceof z.ZodObject)) return [[path.join('.'), schema]];
	return Object.entries(inner.shape).flatMap(([key, each]) => keysOf(each, [...path, key]));
}

function unwrapped(schema: unknown): unknown {
	if (schema instanceof z.ZodOptional) return unwrapped(schema.unwrap());
	if (schema instanceof z.ZodPipe) return unwrapped(schema.out);
	return schema instanceof z.ZodArray && schema.element instanceof z.ZodObject ? schema.element : schema;
}

function settingOf(key: string, group: string, files: Setting['files'], schema: z.core.$ZodType): Setting {
	const {about, type, fallback, unit, when = 'session', ...rest} = z.globalRegistry.get(schema) ?? {};
	return {
		key,
		group,
		files,
		type: type === undefined ? typeOf(key, unwrapped(schema), unit) : translated(type),
		fallback: fallback === undefined ? defaultOf(schema) : translated(fallback),
		about: translated(required(about, `the meaning of ${key}`)),
		choices: choicesOf(unwrapped(schema)),
		when,
		...rest,
	};
}

function defaultOf(schema: z.core.$ZodType): string {
	return schema instanceof z.ZodOptional ? t`unset` : t`required`;
}

/** Returns the values of a schema with a fixed list of values. */
function choicesOf(schema: unknown): Setting['choices'] {
	if (schema instanceof z.ZodBoolean) return ['true', 'false'];
	return schema instanceof z.ZodEnum ? schema.options.map(option => `"${option}"`) : undefined;
}

/** Returns the values that a schema allows, in words. */
function typeOf(key: string, schema: unknown, unit: string | undefined): string {
	if (schema instanceof z.ZodBoolean) return t`boolean`;
	if (schema instanceof z.ZodString) return t`text`;
	if (schema instanceof z.ZodEnum) return schema.options.map(option => `"${option}"`).join(', ');
	if (!(schema instanceof z.ZodNumber)) throw new Error(`${key} needs a type in words`);
	const {minValue: from, maxValue: to, isInt} = schema;
	if (isInt) return (from ?? 0) > 1 ? t`integer, at least ${from}` : t`integer`;
	return unit === undefined ? t`${from} to ${to}` : t`${translated(unit)}, ${from} to ${to}`;
}

/**
A schema's description of a setting, in its `.meta()`. `allSettings` turns these descriptions into the settings page,
docs/settings.md and the JSON schema. The texts are English. The code that shows a text translates it, because a
translation here would slow each start with a configuration. Code in a text is in backticks.
*/
type Meaning = {
	readonly about?: string;
	/** The values, in words. By default derived from the schema: `boolean`, `integer`, a range, or the choices. */
	readonly type?: string;
	/** The unit of the numbers in the range. */
	readonly unit?: string;
	/** The default, in words or as a value. By default `unset`, or `required` if the schema requires it. */
	readonly fallback?: string;
	/** The page of docs/ with more information. */
	readonly more?: string;
	/** The environment variable that has priority over the files. */
	readonly variable?: string;
	/** When a change takes effect, if that is not the next session. */
	readonly when?: 'now' | 'start';
	/** Whether the value may be an API key. Such a value is never shown. */
	readonly isSecret?: boolean;
};

declare module 'zod' {
	// Only an interface can extend a type of another module.
	// oxlint-disable-next-line typescript/consistent-type-definitions, typescript/no-empty-object-type
	interface GlobalMeta extends Meaning {}
}
