import {commandTexts} from './texts.ts';

/** What a draft that begins with `/name` can ask of the screen itself. They win over workflows of the same name. */
export type CommandName = keyof typeof commands;

export type Command = {
	/** What may follow the name, as the help shows it. */
	readonly argument?: string;
	readonly sentence: string;
	/** It opens a page or another screen, which gets the keys that come meanwhile. */
	readonly opens?: true;
};

/** Every command with what it does, in the order of the help. */
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

/**
Whether a command has this name: it runs for `/name` at the start of a draft, and a workflow of that name does not.
*/
export function isCommandName(name: string): name is CommandName {
	return Object.hasOwn(commands, name);
}
