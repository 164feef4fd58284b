import type {CommandEnd} from './start-command.ts';

/** How a command ended, in a few words: `exit code 1`, `timed out after 120 s`. */
export function exitText(end: CommandEnd): string {
	return (words[end.type] as (end: CommandEnd) => string)(end);
}

const words: {readonly [Type in CommandEnd['type']]: (end: Extract<CommandEnd, {type: Type}>) => string} = {
	exit: ({code, left}) => `exit code ${code}${leftWords(left)}`,
	signal: ({name, left}) => `ended by signal ${name}${leftWords(left)}`,
	timeout: ({ms}) => `timed out after ${ms / 1000} s and was stopped`,
	too_much: ({maxBytes}) => `stopped: it wrote more than ${maxBytes / 1024 / 1024} MiB of output`,
	stopped: () => 'stopped',
};

function leftWords(left: boolean): string {
	return left ? '; what it left running was stopped' : '';
}
