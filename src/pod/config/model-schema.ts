import {z} from 'zod';
import {t} from '../../language/index.ts';
import {dialectNames, listedProviders, wireNames} from '../../worker/index.ts';
import {efforts} from '../protocol/effort-levels.ts';
import {count, oneOf} from './value-schema.ts';

const stopText = z.string().min(1).max(200);

/** The options of a model's requests. */
export const optionFields = {
	max_output_tokens: count.meta({about: "the longest answer, in tokens; unset: the model's maximum"}),
	temperature: z.number().min(0).max(10).optional().meta({
		about: "sent unchanged; unset: the provider's default",
	}),
	top_p: z.number().min(0).max(1).optional().meta({about: "sent unchanged; unset: the provider's default"}),
	stop: z
		.union([stopText, z.array(stopText).min(1).max(16)])
		.optional()
		.meta({about: 'an answer ends before any of these texts', type: 'text, or up to 16 texts'}),
	tools: z.boolean().optional().meta({about: '`false` offers the model no tools', fallback: 'true'}),
	merge_user: z.boolean().optional().meta({
		about: 'joins consecutive user messages into one, for servers that need it; unset: depends on the dialect',
	}),
};
export const optionsSchema = z.strictObject(optionFields);
export type WrittenOptions = Readonly<z.infer<typeof optionsSchema>>;

const effort = oneOf(efforts).optional().meta({
	about: "how much the model reasons; unset: the provider's default",
});

const fields = {
	name: z.string().min(1).optional().meta({
		about: 'the model of new sessions; unset: the first provider with a key',
		type: '`provider/model`',
		more: 'models.md',
		variable: 'INKPOD_MODEL',
	}),
	effort,
	first_token_timeout: z.number().min(1).max(86_400).optional().meta({
		about: 'the longest wait for the first word of an answer; unset: 600 for a local server',
		unit: 'seconds',
		fallback: '300',
	}),
	stall_timeout: z.number().min(1).max(86_400).optional().meta({
		about: 'the longest silence within an answer; unset: 300 for a local server',
		unit: 'seconds',
		fallback: '90',
	}),
};

const window = count.meta({
	about: 'the maximum number of tokens in a request and its answer together',
	fallback: 'from the catalogue or the server',
});

const counts = oneOf(['whole', 'uncached', 'ignore']).optional().meta({
	about: 'what the server counts: the whole prompt, only what it had not cached, or nothing comparable',
	fallback: 'detected from the counts',
	more: 'models.md',
});

const optionsNeedName = {path: ['options'], message: t`belong to a named model: set model.name in the same file`};
const effortNeedsName = {path: ['effort'], message: t`belongs to a named model: set model.name in the same file`};
const windowNeedsName = {path: ['window'], message: t`belongs to a named model: set model.name in the same file`};

/** The table `model` in the user's file. `fallback` and `exact` are allowed without `name`. */
export const modelSchema = z
	.strictObject({
		...fields,
		window,
		/** The models that inkpod uses while the first model is overloaded or down. */
		fallback: z.array(z.string().min(1).max(300)).max(8).optional().meta({
			about: 'used in this order while the model is overloaded or down',
			type: 'up to 8 models',
			fallback: '[]',
		}),
		exact: z.boolean().optional().meta({
			about: '`true` stops before the next request if another model answered; also `--model-exact`',
			fallback: 'false',
			more: 'models.md',
		}),
		options: optionsSchema.optional(),
	})
	.refine(optionsHaveName, optionsNeedName)
	.refine(effortHasName, effortNeedsName)
	.refine(windowHasName, windowNeedsName);

const noAddress = 'ignored with a warning: a project never sets addresses';

/** The table `model` in a project's file. */
export const projectModelSchema = z
	.strictObject({
		...fields,
		options: optionsSchema.optional(),
		base_url: z.string().optional().meta({about: noAddress}),
	})
	.refine(optionsHaveName, optionsNeedName)
	.refine(effortHasName, effortNeedsName);

/** Maps a model's name (`provider/name`) to its options, its context window and its effort. */
export const modelsSchema = z.record(z.string(), z.strictObject({effort, window, counts, ...optionFields}));

const price = z.number().min(0).max(1_000_000);
const pricing = {type: 'USD per million tokens', more: 'tokens.md'};

/** Maps a model's name (`provider/name`) to its prices. */
export const pricesSchema = z.record(
	z.string(),
	z.strictObject({
		input: price.meta({about: 'tokens of requests', fallback: 'from the catalogue', ...pricing}),
		output: price.meta({about: 'tokens of answers', fallback: 'from the catalogue', ...pricing}),
		cache_read: price.optional().meta({
			about: 'tokens that were read from the cache',
			fallback: 'the price of input',
			...pricing,
		}),
		cache_write: price.optional().meta({
			about: 'tokens that were written to the cache',
			fallback: 'the price of input',
			...pricing,
		}),
	}),
);

const pemFile = z
	.string()
	.regex(/^(?:\/|~\/)/, t`must be an absolute path, or begin with ~/`)
	.optional();
const bothFiles = {path: ['cert'], message: t`and key belong together: set both`};

const provider = z
	.strictObject({
		base_url: z
			.string()
			.regex(/^https?:\/\//, t`must begin with http:// or https://`)
			.optional()
			.meta({
				about: 'the address of the server',
				type: '`http://` or `https://`',
				fallback: 'from the provider',
				more: 'providers.md',
			}),
		key_env: z
			.string()
			.regex(/^[A-Za-z_]\w*$/, t`must be the name of an environment variable`)
			.optional()
			.meta({
				about: 'the environment variable with the key',
				type: 'name of a variable',
				fallback: 'from the provider',
			}),
		wire: oneOf(wireNames).optional().meta({
			about: 'the format of requests; required for your own server',
			type: 'name of a wire',
			fallback: 'from the provider',
		}),
		dialect: oneOf(dialectNames).optional().meta({
			about: 'what the server accepts besides the common format',
			type: 'name of a dialect',
			fallback: '`"safe"` for your own server',
		}),
		headers: z
			.record(
				z.string().regex(/^[\w!#$%&'*+.^`|~-]+$/, 'must be the name of a header'),
				z
					.string()
					.regex(/^[\t\x20-\x7e\x80-\xff]*$/, t`must be text on one line`)
					.meta({
						about: 'a header that each request has',
						type: 'text on one line',
						fallback: 'unset',
						isSecret: true,
					}),
			)
			.optional(),
		cert: pemFile.meta({
			about: 'a PEM file with the certificate that shows the server who you are',
			type: 'absolute path',
			fallback: 'unset',
			more: 'network.md',
		}),
		key: pemFile.meta({about: "the PEM file of the certificate's key", type: 'absolute path', fallback: 'unset'}),
	})
	.refine(({cert, key}) => (cert === undefined) === (key === undefined), bothFiles);

/**
Maps a provider's name to its server. For a name that inkpod does not know, the entry must set the wire and the address
of the server.
*/
export const providersSchema = z.record(z.string(), provider).superRefine((servers, context) => {
	for (const [name, {wire, base_url: address}] of Object.entries(servers)) {
		const issue = (message: string) => context.addIssue({code: 'custom', path: [name], message});
		if (listedProviders.some(known => known.provider === name)) continue;
		if (!/^[a-z][a-z0-9_.-]{0,39}$/.test(name) || reservedNames.includes(name))
			issue(t`is not a name for a provider: use small letters, digits, "-", "_" and "."`);
		else if (wire === undefined || address === undefined)
			issue(t`is not a provider that inkpod knows: set its wire and base_url`);
	}
});
const reservedNames: readonly string[] = ['offline', 'scripted'];

export const projectProvidersSchema = z.record(
	z.string(),
	z.unknown().meta({about: noAddress, type: 'table', fallback: 'unset'}),
);

type Named = {readonly name?: string | undefined};

function windowHasName({window: tokens, name}: Named & {readonly window?: number | undefined}): boolean {
	return tokens === undefined || name !== undefined;
}

function optionsHaveName({options, name}: Named & {readonly options?: object | undefined}): boolean {
	return options === undefined || name !== undefined;
}

function effortHasName({effort: level, name}: Named & {readonly effort?: string | undefined}): boolean {
	return level === undefined || name !== undefined;
}
