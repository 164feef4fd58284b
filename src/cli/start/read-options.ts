import {parseArgs} from 'node:util';
import {t} from '../../language/index.ts';
import type {Options, Values} from './options.ts';

type Read =
	| {readonly ok: true; readonly values: Values; readonly words: readonly string[]}
	| {readonly ok: false; readonly sentence: string};

/** Reads the options and the other words of argv. If there is a mistake, it returns one sentence. */
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
Matches the beginning of a ULID in Crockford's base 32. It must be longer than an ordinary word. A lowercase prefix must
begin with 0, as all current ULIDs do.
*/
const sessionIdPrefix = /^(?:[0-9A-HJKMNP-TV-Z]{4,26}|0[0-9a-hjkmnp-tv-z]{3,25})$/;

/** `problem` is Node's message. Its advice about `--` at the end does not help here. */
function badOption(problem: string): string {
	const [text = problem] = problem.split('. To specify');
	return t`${optionProblem(text.replace(/\.$/, ''))}. Try inkpod --help.`;
}

/** The problems that Node reports, in the user's language. */
function optionProblem(text: string): string {
	const [, unknown] = /^Unknown option '([^']+)'$/.exec(text) ?? [];
	if (unknown !== undefined) return t`Unknown option '${unknown}'`;
	const [, missing] = /^Option '([^']+)' argument missing$/.exec(text) ?? [];
	return missing === undefined ? text : t`Option '${missing}' argument missing`;
}
