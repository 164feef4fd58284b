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
