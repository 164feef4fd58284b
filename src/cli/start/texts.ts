import {t} from '../../language/index.ts';

const remedy = t`Change into the folder of the file, and start inkpod there.`;

export function replacedArgument(argument: string): string {
	const shown = JSON.stringify(argument);
	return t`The argument ${shown} is not valid UTF-8, so inkpod cannot tell which file it means. ${remedy}`;
}

export function replacedVariable(name: string): string {
	return t`The variable ${name} is not valid UTF-8, so inkpod cannot tell which folder it means. Set it to another
		path.`;
}

/** The reasons why inkpod cannot work within the limits of the shell or the system. */
export const shortages = {
	files: (wanted: number) => t`Too few files can be opened at once. Run: ulimit -n ${wanted}`,
	heap: (size: number, least: number) =>
		t`Node may use only ${size} MB for objects (--max-old-space-size), and inkpod needs ${least} MB.`,
	/** The sizes are in KB, as in `ulimit -v`. */
	space: (size: number, least: number) =>
		t`This shell allows only ${size} KB of virtual memory (ulimit -v), and inkpod needs ${least} KB.`,
} as const;

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
