import {t} from '../../language/index.ts';
import {z} from 'zod';
import {dialectNames, listedProviders, wireNames, type DialectName, type WireName} from '../../worker/index.ts';
import {matchProblem, toolProblem} from '../permissions/approval/rule-problem.ts';
import {rulesProblem} from '../permissions/approval/rule-size.ts';
import {efforts, type Effort} from '../protocol/effort-levels.ts';
import {ruleActions, type RuleAction} from '../permissions/approval/rule.ts';
import {screenSchema, themesSchema} from './screen-schema.ts';

export {screenWarnings} from './screen-schema.ts';

/**
The schemas of the two configuration files, with their keys as a user writes them. The module is loaded only if such a
file exists, because most starts have none.
*/

const count = z.number().int().min(1).optional();
const limits = {
	file_refs: z
		.strictObject({max_bytes: count, max_files: count, max_total_bytes: count, max_scan_bytes: count})
		.optional(),
	tools: z.strictObject({max_output_bytes: z.number().int().min(1024).optional()}).optional(),
	/** `max_wait` is in seconds. */
	retry: z.strictObject({max_attempts: count, max_wait: z.number().min(0).max(86_400).optional()}).optional(),
	compaction: z
		.strictObject({
			threshold: z.number().min(0.1).max(1).optional(),
			retained_tokens: count,
			auto_read_tokens: z.number().int().min(0).optional(),
		})
		.optional(),
	max_turns: count,
};

/** The limits of all requests together. A cost is in USD. Only the user sets them: a project spends your money. */
const cost = z.number().positive().max(1_000_000).optional();
const budget = z.strictObject({session_cost: cost, session_turns: count, day_cost: cost, day_turns: count});

const stopText = z.string().min(1).max(200);

/** The options of a model's requests. */
export const optionFields = {
	max_output_tokens: count,
	temperature: z.number().min(0).max(10).optional(),
	top_p: z.number().min(0).max(1).optional(),
	/** An answer ends before any of these texts. */
	stop: z.union([stopText, z.array(stopText).min(1).max(16)]).optional(),
	/** If false, the model gets no tools. */
	tools: z.boolean().optional(),
	merge_user: z.boolean().optional(),
};
export const optionsSchema = z.strictObject(optionFields);
export type WrittenOptions = Readonly<z.infer<typeof optionsSchema>>;

const effort = z.custom<Effort>(isOneOf(efforts), t`must be ${listed(efforts)}`).optional();

const model = {
	/** The format is `provider/model`. */
	name: z.string().min(1).optional(),
	effort,
	options: optionsSchema.optional(),
	/** The value is in seconds. */
	stall_timeout: z.number().min(1).max(86_400).optional(),
};
const optionsNeedName = {path: ['options'], message: t`belong to a named model: set model.name beside them`};
const effortNeedsName = {path: ['effort'], message: t`belongs to a named model: set model.name beside it`};
const windowNeedsName = {path: ['window'], message: t`belongs to a named model: set model.name beside it`};

/** The price is in USD per million tokens. */
const price = z.number().min(0).max(1_000_000);
const prices = z.strictObject({
	input: price,
	output: price,
	cache_read: price.optional(),
	cache_write: price.optional(),
});

const provider = z.strictObject({
	base_url: z
		.string()
		.regex(/^https?:\/\//, t`must begin with http:// or https://`)
		.optional(),
	/** The environment variable of the key. */
	key_env: z
		.string()
		.regex(/^[A-Za-z_]\w*$/, t`must be the name of an environment variable`)
		.optional(),
	wire: z.custom<WireName>(isOneOf(wireNames), t`must be ${listed(wireNames)}`).optional(),
	dialect: z.custom<DialectName>(isOneOf(dialectNames), t`must be ${listed(dialectNames)}`).optional(),
	headers: z
		.record(z.string().regex(/^[\w!#$%&'*+.^`|~-]+$/, 'must be the name of a header'), headerValue())
		.optional(),
});

/**
The servers by name. For a name that inkpod does not know, the entry names the wire and the address of the server.
*/
const providers = z.record(z.string(), provider).superRefine((servers, context) => {
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

function headerValue() {
	return z.string().regex(/^[\t\x20-\x7e\x80-\xff]*$/, t`must be text on one line`);
}

/** The events that call hooks. */
const hookEvents = ['UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'PreCompact'] as const;

/** A text, or a list of texts that is not empty. */
const words = (needed: string) =>
	z.custom<string | readonly string[]>(
		value => isWord(value) || (Array.isArray(value) && value.every(isWord)),
		needed,
	);

const hook = z.strictObject({
	event: z.custom<(typeof hookEvents)[number]>(
		value => hookEvents.some(event => event === value),
		t`must be ${listed(hookEvents)}: no other event calls a hook`,
	),
	/** A command for the shell, or a program and its arguments. */
	command: words(t`must be a command in quotes, or a list of a program and its arguments`).refine(
		command => command.length > 0,
		t`names no program`,
	),
	/** The value is in seconds. */
	timeout: z.number().min(0.1).max(600).optional(),
});

/**
The maximum number of characters, because every call is compared with every rule. inkpod offers no tool with a longer
name to a model.
*/
const maxToolLength = 128;
const maxMatchLength = 1000;

/** A rule about a tool's calls. `match` is a glob over a command, a path, or a tool's name. */
const permission = z
	.strictObject({
		tool: z.string().min(1).refine(isShort(maxToolLength), tooLong(maxToolLength)),
		match: z.string().min(1).refine(isShort(maxMatchLength), tooLong(maxMatchLength)).optional(),
		action: z.custom<RuleAction>(
			value => ruleActions.some(action => action === value),
			t`must be ${listed(ruleActions)}`,
		),
	})
	.superRefine(({tool, match}, context) => {
		const wrongTool = toolProblem(tool);
		if (wrongTool !== undefined) return context.addIssue({code: 'custom', path: ['tool'], message: wrongTool});
		const wrongMatch = match === undefined ? undefined : matchProblem(tool, match);
		if (wrongMatch !== undefined) context.addIssue({code: 'custom', path: ['match'], message: wrongMatch});
	});

/** The folders of projects whose files inkpod uses although another user could have written them. */
const safeDirectories = z
	.array(z.string())
	.refine(
		paths => paths.every(isFolderPath),
		t`must list absolute paths of folders; "/x/*" is /x and everything below it`,
	);

const permissions = z
	.array(z.unknown())
	.superRefine((rules, context) => {
		const problem = rulesProblem(rules);
		if (problem !== undefined) context.addIssue({code: 'custom', message: problem});
	})
	.pipe(z.array(permission));

/** The models that are used while the first one is overloaded or down. */
const fallbacks = z.array(z.string().min(1).max(300)).max(8);

/** The options of a model by its name (`provider/name`), with its window and its effort. */
const models = z.record(z.string(), z.strictObject({...optionFields, window: count, effort}));

const confineModes = z.enum(['auto', 'require', 'off'], t`must be "auto", "require" or "off"`);
const networks = z.enum(['open', 'none'], t`must be "open" or "none"`);
const confinePaths = z
	.array(z.string().regex(/^(?:\/|~\/)/, t`must be an absolute path, or begin with ~/`))
	.max(32)
	.optional();
/** The settings of confined commands. `shell` and `diagnostics`: whether those commands are confined, too. */
const confine = z.strictObject({
	mode: confineModes.optional(),
	network: networks.optional(),
	show: confinePaths,
	write: confinePaths,
	/** An older name for `write`. */
	caches: confinePaths,
	env: z
		.array(z.string().regex(/^[A-Za-z_]\w*$/, t`must be the name of a variable`))
		.max(64)
		.optional(),
	shell: z.boolean().optional(),
});
/** A project may only raise the confinement. */
const confineOfProject = z.strictObject({
	mode: z.enum(['auto', 'require'], t`must be "auto" or "require": a project may only raise it`).optional(),
	network: z.literal('none', t`must be "none": a project may only raise it`).optional(),
});

/** The user's `config.toml`. */
export const configSchema = z.strictObject({
	/** `window`: the number of tokens that the named model accepts. `fallback` needs no name. */
	model: z
		.strictObject({...model, window: count, fallback: fallbacks.optional()})
		.refine(optionsHaveName, optionsNeedName)
		.refine(effortHasName, effortNeedsName)
		.refine(windowHasName, windowNeedsName)
		.optional(),
	models: models.optional(),
	/** Maps a model's name (`provider/name`) to its prices. */
	prices: z.record(z.string(), prices).optional(),
	providers: providers.optional(),
	/** Maps an action's name to its chords. The screen checks whether they exist. */
	keys: z.record(z.string(), words(t`must be a key in quotes, or a list of keys`)).optional(),
	screen: screenSchema.optional(),
	themes: themesSchema.optional(),
	composer: z.strictObject({mode: z.enum(['standard', 'vim'], t`must be "standard" or "vim"`).optional()}).optional(),
	sessions: z.strictObject({keep_days: z.number().int().min(1).max(36_500).optional()}).optional(),
	/** Maps a glob of files to the command that checks them after an edit. */
	diagnostics: z.record(z.string().min(1), z.string().min(1).max(1000)).optional(),
	hook: z.array(hook).optional(),
	trust: z.strictObject({safe_directories: safeDirectories.optional()}).optional(),
	...limits,
	limits: budget.optional(),
	permission: permissions.optional(),
	confine: confine.optional(),
});

/** `inkpod.toml` of a project. */
export const manifestSchema = z.strictObject({
	scope: z.strictObject({pwd: z.string().min(1).optional(), writable: z.boolean().optional()}).optional(),
	model: z
		.strictObject({...model, base_url: z.string().optional()})
		.refine(optionsHaveName, optionsNeedName)
		.refine(effortHasName, effortNeedsName)
		.optional(),
	providers: z.record(z.string(), z.unknown()).optional(),
	...limits,
	permission: permissions.optional(),
	confine: confineOfProject.optional(),
});

export type WrittenConfig = z.infer<typeof configSchema>;
export type WrittenManifest = z.infer<typeof manifestSchema>;
/** The limits of a file, under the keys of the file. */
export type WrittenLimits = Pick<WrittenManifest, keyof typeof limits> & {
	readonly limits?: z.infer<typeof budget> | undefined;
	readonly model?: {readonly stall_timeout?: number | undefined} | undefined;
};

function isFolderPath(path: string): boolean {
	return path === '/*' || path === '/' || /^(?:\/(?!\.{1,2}(?:\/|$))[^/*\0]+)+(?:\/\*)?$/.test(path);
}

function isShort(maxLength: number): (text: string) => boolean {
	return text => text.length <= maxLength;
}

/** In this case the rest of the rule is not checked. */
function tooLong(maxLength: number): {readonly message: string; readonly abort: true} {
	return {message: t`has more than ${maxLength} characters: use a shorter glob`, abort: true};
}

function isWord(value: unknown): boolean {
	return typeof value === 'string' && value.trim() !== '';
}

function isOneOf(choices: readonly string[]): (value: unknown) => boolean {
	return value => choices.some(choice => choice === value);
}

function listed(choices: readonly string[]): string {
	return choices.map(choice => `"${choice}"`).join(' or ');
}

function windowHasName({
	window,
	name,
}: {
	readonly name?: string | undefined;
	readonly window?: number | undefined;
}): boolean {
	return window === undefined || name !== undefined;
}

function optionsHaveName({
	options,
	name,
}: {
	readonly name?: string | undefined;
	readonly options?: object | undefined;
}): boolean {
	return options === undefined || name !== undefined;
}

function effortHasName({
	effort,
	name,
}: {
	readonly name?: string | undefined;
	readonly effort?: Effort | undefined;
}): boolean {
	return effort === undefined || name !== undefined;
}
