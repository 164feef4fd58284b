import {z} from 'zod';
import {t} from '../../language/index.ts';
import {budget, limits} from './limit-schema.ts';
import {
	modelSchema,
	modelsSchema,
	pricesSchema,
	projectModelSchema,
	projectProvidersSchema,
	providersSchema,
} from './model-schema.ts';
import {confineSchema, hookSchema, permissionsSchema, projectConfineSchema, trustSchema} from './rule-schema.ts';
import {screenSchema, themesSchema} from './screen-schema.ts';
import {words} from './value-schema.ts';

export {optionFields, optionsSchema, type WrittenOptions} from './model-schema.ts';
export {screenWarnings} from './screen-schema.ts';

/**
The schemas of the two configuration files, with the keys as a user writes them and the description of each key. The
module is loaded only if such a file exists, because most users have none.
*/

/** The user's `config.toml`. */
export const configSchema = z.strictObject({
	model: modelSchema.optional(),
	models: modelsSchema.optional(),
	prices: pricesSchema.optional(),
	providers: providersSchema.optional(),
	/** Maps an action's name to its chords. The screen checks whether the action and the chords exist. */
	keys: z
		.record(
			z.string(),
			words(t`must be a key in quotes, or a list of keys`).meta({
				about: 'the keys of the action with this name; `[]` removes all of them',
				type: 'key, or list of keys',
				fallback: 'see `/help`',
				more: 'keys.md',
			}),
		)
		.optional(),
	screen: screenSchema.optional(),
	themes: themesSchema.optional(),
	composer: z
		.strictObject({
			mode: z
				.enum(['standard', 'vim'], t`must be "standard" or "vim"`)
				.optional()
				.meta({
					about: 'the keys of the composer',
					fallback: '"standard"',
					more: 'keys.md#vim-keys',
				}),
		})
		.optional(),
	sessions: z
		.strictObject({
			keep_days: z.number().int().min(1).max(36_500).optional().meta({
				about: 'when inkpod starts, sessions not used for this number of days go to the trash; unset: never',
				type: 'days',
			}),
		})
		.optional(),
	record: z
		.strictObject({
			sign: z.boolean().optional().meta({
				about: 'sign the session at the end of each run, if the key needs no passphrase and no touch',
				fallback: 'false',
				more: 'export.md#signatures',
			}),
			key: z
				.string()
				.regex(/^(?:\/|~\/)/, t`must be an absolute path, or begin with ~/`)
				.optional()
				.meta({
					about: 'the ssh key that signs sessions: a private key, or a public key whose private key is in an agent',
					type: 'absolute path',
					more: 'export.md#signatures',
				}),
		})
		.refine(({sign, key}) => sign !== true || key !== undefined, {
			path: ['sign'],
			message: t`needs a key: set key, too`,
		})
		.optional(),
	/** Maps a glob of files to the command that checks them after an edit. */
	diagnostics: z
		.record(
			z.string().min(1),
			z.string().min(1).max(1000).meta({
				about: '`<name>` is a glob: the command runs after an edit of a file that matches it',
				type: 'command for the shell',
				fallback: 'unset',
				more: 'hooks.md#diagnostics-after-an-edit',
			}),
		)
		.optional(),
	hook: z.array(hookSchema).optional(),
	trust: trustSchema.optional(),
	...limits,
	limits: budget.optional(),
	permission: permissionsSchema.optional(),
	confine: confineSchema.optional(),
});

/** `inkpod.toml` of a project. */
export const manifestSchema = z.strictObject({
	scope: z
		.strictObject({
			pwd: z.string().min(1).optional().meta({
				about: 'the working directory',
				type: 'path relative to this file',
				fallback: 'the folder of the file',
			}),
			writable: z.boolean().optional().meta({about: '`false`: tools change nothing', fallback: 'true'}),
		})
		.optional(),
	model: projectModelSchema.optional(),
	providers: projectProvidersSchema.optional(),
	...limits,
	permission: permissionsSchema.optional(),
	confine: projectConfineSchema.optional(),
});

export type WrittenConfig = z.infer<typeof configSchema>;
export type WrittenManifest = z.infer<typeof manifestSchema>;
/** The time-outs in the table `model` of a file, in seconds. */
export type WrittenTimeouts = Pick<NonNullable<WrittenConfig['model']>, 'first_token_timeout' | 'stall_timeout'>;
/** The limits in a configuration file, under the keys that the file uses. */
export type WrittenLimits = Pick<WrittenManifest, keyof typeof limits> & {
	readonly limits?: z.infer<typeof budget> | undefined;
	readonly model?: WrittenTimeouts | undefined;
};
