import {t} from '../../language/index.ts';

const remedy = t`Change into that folder, and start inkpod there.`;

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
		t`This shell allows only ${size} KB of memory addresses (ulimit -v), and inkpod needs ${least} KB.`,
} as const;
