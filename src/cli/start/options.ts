import {approvalModes, efforts} from '../../pod/first-frame.ts';
import {inputFormats, outputFormats, type Place} from './launch.ts';
import {parseArgs} from 'node:util';
import {t} from '../../language/index.ts';

/** The completions that a shell offers for a word: paths, ids of sessions, or these words. */
export type Completes = 'files' | 'folders' | 'sessions' | 'sessions and files' | readonly string[];

/** A command-line option. An option without a `value` is a switch. */
export type Option = {
	/** The letter of the option's short form. */
	readonly short?: string;
	/** The name of the option's value in the help. */
	readonly value?: string;
	readonly isRepeatable?: true;
	readonly completes?: Completes;
	/** The description of the option, in English. The help keeps its line breaks. */
	readonly about?: string;
	/**
	The place of the option in the help. `list`: in the list of options. `form`: as a way to start inkpod, with `words`
	after it. By default the usage line of its subcommand shows it. `hidden`: the help does not show it, because only
	inkpod itself uses it.
	*/
	readonly shown?: 'list' | 'form' | 'hidden';
	readonly words?: string;
};

export type Options = Readonly<Record<string, Option>>;

/** The values of the options that were given. */
export type ValuesOf<O extends Options> = {
	readonly [Name in keyof O]?: O[Name] extends {readonly value: string}
		? O[Name] extends {readonly isRepeatable: true}
			? readonly string[]
			: string
		: boolean;
};

/** The values of all options that were given, by their names. */
export type Values = Readonly<Record<string, string | boolean | ReadonlyArray<string | boolean> | undefined>>;

export function areValuesOf<O extends Options>(options: Options, values: Values): values is Values & ValuesOf<O> {
	return Object.entries(options).every(([name, {value, isRepeatable}]) => {
		const given = values[name];
		if (given === undefined) return true;
		return isRepeatable === true
			? Array.isArray(given)
			: typeof given === (value === undefined ? 'boolean' : 'string');
	});
}

/** The options of a chat, in the order of the help. Most subcommands read some of them. */
export const chatOptions = {
	continue: {short: 'c', shown: 'form', about: 'continue the most recent session in this directory'},
	resume: {
		short: 'r',
		value: 'ID',
		shown: 'form',
		words: '[id]',
		completes: 'sessions',
		about: 'resume a session by id or unique prefix; without an id, choose one from a list',
	},
	fork: {shown: 'form', words: '[-r [id]]', about: 'resume as a copy, leaving the original unchanged'},
	bg: {
		shown: 'form',
		words: '[-r ID] TASK',
		about: 'begin a task in the server, without a terminal, and print its session id',
	},
	print: {short: 'p', shown: 'list', about: 'print mode'},
	'output-format': {
		value: 'FORMAT',
		shown: 'list',
		completes: outputFormats,
		about: 'text, json or stream-json (print mode)',
	},
	'input-format': {
		value: 'FORMAT',
		shown: 'list',
		completes: inputFormats,
		about: 'text or stream-json: one method per line on stdin (print mode)',
	},
	'json-schema': {
		value: 'FILE',
		shown: 'list',
		completes: 'files',
		about: 'the last answer must match this JSON Schema (print mode)',
	},
	model: {
		value: 'PROVIDER/NAME',
		shown: 'list',
		about:
			'anthropic, openai, google, openrouter, ollama, lmstudio, llama.cpp,\n' +
			'openai-compatible, offline or scripted:FILE',
	},
	effort: {
		value: 'LEVEL',
		shown: 'list',
		completes: efforts,
		about: 'none, minimal, low, medium, high or max: how much the model reasons',
	},
	'model-exact': {shown: 'list', about: 'stop before the next request if another model answered'},
	option: {
		value: 'KEY=VALUE',
		isRepeatable: true,
		shown: 'list',
		about: 'set max_output_tokens, temperature, top_p, stop or tools; repeat for more',
	},
	'max-turns': {value: 'N', shown: 'list', about: 'stop a turn after N model calls'},
	'max-cost': {
		value: 'USD',
		shown: 'list',
		about: 'ask before the session costs more; print mode ends with exit code 4',
	},
	cwd: {value: 'DIR', shown: 'list', completes: 'folders', about: 'work in DIR'},
	'read-only': {shown: 'list', about: 'read-only: no file changes'},
	writable: {shown: 'list', about: 'let a session that was read-only change files again'},
	'add-dir': {
		value: 'DIR',
		isRepeatable: true,
		shown: 'list',
		completes: 'folders',
		about: 'also allow reading DIR (repeatable)',
	},
	manifest: {value: 'FILE', shown: 'list', completes: 'files', about: 'use this inkpod.toml'},
	approval: {
		value: 'MODE',
		shown: 'list',
		completes: approvalModes,
		about: 'ask, accept-edits, plan or auto: which tools run without asking',
	},
	plan: {shown: 'list', about: 'start in plan mode: read-only until you accept a plan'},
	allow: {
		value: 'RULE',
		isRepeatable: true,
		shown: 'list',
		about: "allow calls: a tool, or TOOL(PATTERN) such as 'bash(npm test*)' (repeatable)",
	},
	deny: {value: 'RULE', isRepeatable: true, shown: 'list', about: 'deny calls; wins over --allow (repeatable)'},
	'system-prompt-file': {
		value: 'FILE',
		shown: 'list',
		completes: 'files',
		about: "use this system prompt instead of inkpod's own",
	},
	trust: {shown: 'list', about: "trust this project's config for this run"},
	'trust-owner': {shown: 'list', about: "treat files of this directory's owner as yours for this run"},
	'no-confine': {shown: 'list', about: 'run commands without confinement (bubblewrap)'},
	'no-socket': {shown: 'list', about: 'do not let other terminals attach'},
	'no-mouse': {shown: 'list', about: 'leave the mouse to the terminal'},
	inline: {shown: 'list', about: 'render inline instead of using the alternate screen'},
	'screen-reader': {shown: 'list', about: 'print plain lines for a screen reader instead of the full screen'},
	dump: {shown: 'list', about: 'print the transcript to the terminal when the chat ends'},
	version: {short: 'v', shown: 'list', about: 'print the version'},
	help: {short: 'h', shown: 'list', about: 'print this text'},
} as const satisfies Options;

export type ChatValues = ValuesOf<typeof chatOptions>;

/** Returns the options that say where a command looks for the project. */
export function where({cwd, manifest, 'trust-owner': trustOwner}: ChatValues): Place {
	return {
		cwd,
		manifest,
		...(trustOwner === true && {trustOwner}),
	};
}

/** Reads the options and the other words of argv. If there is a mistake, returns one sentence. */
export function readOptions(argv: readonly string[], options: Options): Read {
	const forNode = Object.entries(options).map(([name, {short, value, isRepeatable = false}]) => {
		const type = value === undefined ? ('boolean' as const) : ('string' as const);
		return [name, {type, multiple: isRepeatable, ...(short !== undefined && {short})}] as const;
	});
	try {
		const {values, positionals} = parseArgs({
			args: withResumeValue(argv),
			options: Object.fromEntries(forNode),
			allowPositionals: true,
		});
		return {ok: true, values, words: positionals};
	} catch (error) {
		return {ok: false, sentence: badOption(error instanceof Error ? error.message : String(error))};
	}
}

type Read =
	| {readonly ok: true; readonly values: Values; readonly words: readonly string[]}
	| {readonly ok: false; readonly sentence: string};

/**
Joins `-r` with its id, because parseArgs has no optional values. The word after `-r` is an id if it looks like one, and
part of the prompt otherwise.
*/
function withResumeValue(argv: readonly string[]): readonly string[] {
	const end = argv.includes('--') ? argv.indexOf('--') : argv.length;
	const options = argv.slice(0, end);
	const read = options.flatMap((arg, at) => {
		if (isResume(arg)) return [`--resume=${idIn(options[at + 1])}`];
		return isResume(options[at - 1]) && idIn(arg) !== '' ? [] : [arg];
	});
	return [...read, ...argv.slice(end)];
}

function isResume(arg: string | undefined): boolean {
	return arg === '-r' || arg === '--resume';
}

function idIn(arg = ''): string {
	return sessionIdPrefix.test(arg) ? arg : '';
}

/**
Matches the beginning of a ULID in Crockford's base 32. The beginning must be longer than an ordinary word. A lowercase
prefix must begin with 0, as all current ULIDs do.
*/
const sessionIdPrefix = /^(?:[0-9A-HJKMNP-TV-Z]{4,26}|0[0-9a-hjkmnp-tv-z]{3,25})$/;

/**
Returns the sentence about a wrong option. `problem` is Node's message. The advice about `--` at the end of that message
is removed, because it would not help.
*/
function badOption(problem: string): string {
	const [text = problem] = problem.split('. To specify');
	return t`${optionProblem(text.replace(/\.$/, ''))}. Try inkpod --help.`;
}

/** Returns the sentence about a problem that Node reports, in the user's language. */
function optionProblem(text: string): string {
	const [, unknown] = /^Unknown option '([^']+)'$/.exec(text) ?? [];
	if (unknown !== undefined) return t`Unknown option '${unknown}'`;
	const [, missing] = /^Option '([^']+)' argument missing$/.exec(text) ?? [];
	return missing === undefined ? text : t`Option '${missing}' argument missing`;
}
