import {t} from '../../language/index.ts';

/** The errors in the arguments that several subcommands report. */
export function noArguments(subcommand: string, words: readonly string[]): string {
	return t`inkpod ${subcommand} takes no arguments (got ${words.join(' ')}).`;
}

export function needsOneId(subcommand: string): string {
	return t`inkpod ${subcommand} needs one session id or prefix.`;
}

export function notOneOf(option: string, value: string, allowed: readonly string[]): string {
	return t`Invalid ${option} "${value}". Use ${allowed.slice(0, -1).join(', ')} or ${allowed.at(-1)}.`;
}

/** The error for an option that the chat does not have. `subcommands` are the subcommands that have it. */
export function onlyWith(option: string, subcommands: readonly string[]): string {
	const [first, ...others] = subcommands;
	return others.length === 0
		? t`${option} only works with inkpod ${first}.`
		: t`${option} needs a subcommand, such as inkpod ${first}.`;
}
