import {commandTexts} from './texts.ts';

/** A draft that begins with `/name` runs one of these commands. Commands win over workflows of the same name. */
export type CommandName = keyof typeof commands;

export type Command = {
	/** The help shows this argument after the name. */
	readonly argument?: string;
	readonly sentence: string;
	/** The command opens a page or another screen, which gets the keys that you press meanwhile. */
	readonly opens?: true;
};

/** Lists every command with its description, in the order of the help. */
export const commands = {
	help: {opens: true, sentence: commandTexts.help},
	new: {opens: true, sentence: commandTexts.new},
	resume: {argument: '[id]', opens: true, sentence: commandTexts.resume},
	copy: {argument: '[n]', sentence: commandTexts.copy},
	workflows: {opens: true, sentence: commandTexts.workflows},
	mcp: {opens: true, sentence: commandTexts.mcp},
	tasks: {opens: true, sentence: commandTexts.tasks},
	'add-dir': {argument: 'DIR', sentence: commandTexts['add-dir']},
	approval: {argument: '[mode]', sentence: commandTexts.approval},
	compact: {argument: '[hint]', sentence: commandTexts.compact},
	context: {opens: true, sentence: commandTexts.context},
	rewind: {opens: true, sentence: commandTexts.rewind},
	fork: {opens: true, sentence: commandTexts.fork},
	quit: {sentence: commandTexts.quit},
} as const satisfies Record<string, Command>;

export const commandNames = Object.keys(commands) as readonly CommandName[];

/** Checks whether a command has this name. `/name` at the start of a draft then runs the command, not a workflow. */
export function isCommandName(name: string): name is CommandName {
	return Object.hasOwn(commands, name);
}
