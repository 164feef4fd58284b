import {z} from 'zod';
import type {Item, ToolDefinition} from '../history/item.ts';
import {en} from '../../language/index.ts';

/** The effect of a tool: `read` runs without approval, while `write` and `execute` need approval. */
export type ToolEffect = 'read' | 'write' | 'execute';

/** A tool as the worker runs it. `execute` may throw. The worker then returns an error result. */
export type Tool = {
	readonly definition: ToolDefinition;
	readonly effect: ToolEffect;
	/** Checks arguments that were parsed from JSON. */
	check(args: unknown): CheckedArguments;
	/**
	Returns the real path that a call will use, if the arguments alone do not determine the path. All decisions are
	about this path. The function has no side effects. Before the tool does anything, it compares this target with the
	path that it opened (see `ToolMoved`).
	*/
	target?(args: unknown): Promise<string>;
	/**
	Tells whether other programs execute the target's contents on their own. Decisions depend on this. The tool checks
	this again before it changes the target, and returns `ToolMoved` if the result differs.
	*/
	isRunLater?(target: string): Promise<boolean>;
	/**
	Tells whether a call would create the target. The tool checks this again before it writes, as with `isRunLater`.
	*/
	isNew?(target: string): Promise<boolean>;
	execute(args: unknown, call: ToolCallContext): Promise<ToolOutput | ToolMoved>;
	/**
	Returns a description of everything that a call would do, for the user who approves the call. The function has no
	side effects. If the function is absent, the user sees the arguments.
	*/
	preview?(args: unknown, inspection: ToolInspection): Promise<ToolPreview>;
	/**
	Returns what the user must confirm before a call runs, even if the rules allow the call. The function has no side
	effects. `execute` refuses everything that the user did not confirm.
	*/
	confirmation?(args: unknown, inspection: ToolInspection): Promise<ToolConfirmation | undefined>;
};

/** The arguments with their defaults, or a sentence for the model about what is wrong with the arguments. */
type CheckedArguments = {readonly ok: true; readonly args: unknown} | {readonly ok: false; readonly message: string};

/**
The result of a tool that opened another file than the target, and so did nothing. The worker then makes the decisions
again and restarts the call.
*/
export type ToolMoved = 'moved';

/** `target`, `isRunLater` and `isNew` are the results of the tool's own functions for this call. */
export type ToolInspection = {
	readonly target?: string | undefined;
	readonly isRunLater?: boolean;
	readonly isNew?: boolean;
	readonly signal: AbortSignal;
};

/** `confirm` is called when the user agrees to the call with exactly these arguments. The text is untrusted. */
export type ToolConfirmation = {readonly title: string; readonly detail: string; readonly confirm: () => void};

/**
`detail` is the complete command or unified diff. The text is untrusted. `fails` is the tool's sentence about why the
call would fail now.
*/
export type ToolPreview = {
	readonly title: string;
	readonly detail: string;
	readonly shows: 'command' | 'diff' | 'text';
	/** A sentence about the call for the approval card, for example about what a command can access. */
	readonly note?: string;
	readonly fails?: string;
};

export type ToolCallContext = ToolInspection & {
	/** The id of the call's item. It is unique, unlike the model's `callId`. */
	readonly id: string;
	readonly callId: string;
	/** Shows live output on the screen. Only the returned content is stored. */
	readonly progress: (text: string) => void;
};

export type ToolOutput = {
	/** A single line for the screen. */
	readonly summary: string;
	/** The text that the model reads. */
	readonly content: string;
	readonly isError?: boolean;
	/** Data for the result's item. No request contains this data. */
	readonly details?: Readonly<Record<string, unknown>>;
	/** Items that are committed with the result, in one append. */
	readonly items?: readonly Item[];
	/** Set if the call was stopped early and the content is the output until then. The call stays unanswered. */
	readonly isPartial?: boolean;
	/** The milliseconds that the work took, if the call may also have waited for the user. */
	readonly ms?: number | undefined;
	/**
	The worker calls this when the result is in the history. Until then the tool keeps the data to which the result
	refers.
	*/
	readonly onCommitted?: () => Promise<void>;
};

/** The specification of a tool for `defineTool`. Its functions get the arguments that its schema describes. */
type ToolSpec<Input extends z.ZodObject> = {
	readonly name: string;
	readonly description: string;
	readonly effect: ToolEffect;
	readonly input: Input;
	readonly target?: (args: z.infer<Input>) => Promise<string>;
	readonly isRunLater?: (target: string) => Promise<boolean>;
	readonly isNew?: (target: string) => Promise<boolean>;
	readonly execute: (args: z.infer<Input>, call: ToolCallContext) => Promise<ToolOutput | ToolMoved>;
	readonly preview?: (args: z.infer<Input>, inspection: ToolInspection) => Promise<ToolPreview>;
	readonly confirmation?: (args: z.infer<Input>, inspection: ToolInspection) => Promise<ToolConfirmation | undefined>;
};

/**
Creates a tool from a zod schema. The schema determines the JSON schema of the definition and the check of the
arguments. The worker checks arguments before it calls these functions, so the functions can trust the types.
*/
export function defineTool<Input extends z.ZodObject>(spec: ToolSpec<Input>): Tool {
	const {target, isRunLater, isNew, preview, confirmation} = spec;
	let parameters: ToolDefinition['parameters'] | undefined;
	const typed = (args: unknown) => args as z.infer<Input>;
	return {
		definition: {
			name: spec.name,
			description: spec.description,
			// Creating the JSON schemas of all tools takes 10 ms, so each schema is created when it is first needed.
			get parameters() {
				return (parameters ??= parametersOf(spec.input));
			},
		},
		effect: spec.effect,
		check(args) {
			const parsed = spec.input.safeParse(args);
			if (parsed.success) return {ok: true, args: parsed.data};
			return {ok: false, message: argumentProblems(parsed.error, args)};
		},
		execute: async (args, call) => spec.execute(typed(args), call),
		...(target && {target: async (args: unknown) => target(typed(args))}),
		isRunLater,
		isNew,
		...(preview && {
			preview: async (args: unknown, inspection: ToolInspection) => preview(typed(args), inspection),
		}),
		...(confirmation && {
			confirmation: async (args: unknown, inspection: ToolInspection) => confirmation(typed(args), inspection),
		}),
	};
}

/**
Returns the JSON schema without defaults and without limits of lengths and numbers, because they would add tokens to
every request. The descriptions name the limits that a model needs, and the check of the arguments reports the others.
*/
function parametersOf(input: z.ZodObject): ToolDefinition['parameters'] {
	const {$schema: _, ...parameters} = z.toJSONSchema(input, {
		io: 'input',
		override({jsonSchema}) {
			for (const key of leftOut) delete jsonSchema[key];
		},
	});
	return parameters;
}

const leftOut = [
	'minLength',
	'maxLength',
	'minItems',
	'maxItems',
	'minimum',
	'maximum',
	'exclusiveMinimum',
	'default',
] as const;

/** Returns sentences for the model about the arguments that do not match the tool's schema. */
function argumentProblems({issues}: z.ZodError, args: unknown): string {
	return issues.map(issue => problemOf(issue, args)).join('\n');
}

function problemOf(issue: z.core.$ZodIssue, args: unknown): string {
	const name = issue.path.length === 0 ? 'The arguments' : nameOf(issue.path);
	if (issue.code === 'unrecognized_keys') {
		const keys = issue.keys.map(key => JSON.stringify(key)).join(', ');
		return issue.path.length === 0 ? en`The tool has no argument ${keys}.` : en`${name} has no argument ${keys}.`;
	}
	if (issue.code === 'invalid_value') return en`${name} must be ${issue.values.map(asJson).join(' or ')}.`;
	if (issue.code !== 'invalid_type') return `${name}: ${issue.message}.`;
	const value = valueAt(args, issue.path);
	if (value === undefined) return en`${name} is missing. It must be ${withArticle(issue.expected)}.`;
	return en`${name} must be ${withArticle(issue.expected)}, not ${kindOf(value)}.`;
}

/** Returns the name of an argument: `"edits[0].old"`. */
function nameOf(path: readonly PropertyKey[]): string {
	const [first, ...rest] = path;
	const parts = rest.map(part => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`));
	return JSON.stringify(String(first) + parts.join(''));
}

function valueAt(args: unknown, path: readonly PropertyKey[]): unknown {
	let value = args;
	for (const part of path) value = value instanceof Object ? Reflect.get(value, part) : undefined;
	return value;
}

function kindOf(value: unknown): string {
	if (value === null) return 'null';
	return withArticle(Array.isArray(value) ? 'array' : typeof value);
}

function withArticle(kind: string): string {
	return kinds.get(kind) ?? `${/^[aeiou]/.test(kind) ? 'an' : 'a'} ${kind}`;
}

const kinds: ReadonlyMap<string, string> = new Map([
	['string', en`a string`],
	['number', en`a number`],
	['int', en`an integer`],
	['boolean', en`a boolean`],
	['array', en`an array`],
	['object', en`an object`],
]);

function asJson(value: unknown): string {
	return typeof value === 'bigint' ? String(value) : (JSON.stringify(value) ?? String(value));
}
