import {en} from '../../../language/index.ts';
import type {CommandEnd} from './start-command.ts';

/** Returns the end of a command in a few words: `exit code 1`, `timed out after 120 s`. */
export function exitText<Type extends CommandEnd['type']>(end: EndOf<Type>): string {
	const type: Type = end.type;
	return words[type](end);
}

type EndOf<Type extends CommandEnd['type']> = {
	readonly [Each in Type]: Extract<CommandEnd, {readonly type: Each}> & {readonly type: Each};
}[Type];

const words: {readonly [Type in CommandEnd['type']]: (end: EndOf<Type>) => string} = {
	exit: ({code, left}) => withLeft(en`exit code ${code}`, left),
	signal: ({name, left}) => withLeft(en`ended by signal ${name}`, left),
	timeout: ({ms}) => en`timed out after ${ms / 1000} s and was stopped`,
	too_much: ({maxBytes}) => en`stopped: it wrote more than ${maxBytes / 1024 / 1024} MiB of output`,
	stopped: () => en`stopped`,
};

function withLeft(end: string, left: boolean): string {
	return left ? en`${end}; what it left running was stopped` : end;
}
