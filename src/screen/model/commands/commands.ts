import {commandTexts} from './texts.ts';

/**
The names of the commands. A draft that begins with `/name` runs the command. A command has priority over a workflow
with the same name.
*/
export type CommandName = keyof typeof commands;

export type Command = {
	/** The argument that the help shows after the name. */
	readonly argument?: string;
	readonly sentence: string;
	/** Whether the command opens a page or another screen, which gets the keys that you press meanwhile. */
	readonly opens?: true;
	/** Whether the argument is not kept for recall, because it may be a key by mistake. */
	readonly hidesArgument?: true;
};

/** Lists every command with its description, in the order of the help. */
export const commands = {
	help: {opens: true, sentence: commandTexts.help},
	new: {opens: true, sentence: commandTexts.new},
	clear: {opens: true, sentence: commandTexts.clear},
	resume: {argument: '[id]', opens: true, sentence: commandTexts.resume},
	sessions: {opens: true, sentence: commandTexts.sessions},
	diff: {opens: true, sentence: commandTexts.diff},
	copy: {argument: '[n]', sentence: commandTexts.copy},
	paste: {sentence: commandTexts.paste},
	workflows: {opens: true, sentence: commandTexts.workflows},
	mcp: {argument: '[action server]', opens: true, sentence: commandTexts.mcp},
	tasks: {opens: true, sentence: commandTexts.tasks},
	pod: {argument: 'TASK', sentence: commandTexts.pod},
	background: {sentence: commandTexts.background},
	'add-dir': {argument: 'DIR', sentence: commandTexts['add-dir']},
	permissions: {opens: true, sentence: commandTexts.permissions},
	approval: {argument: '[mode]', sentence: commandTexts.approval},
	model: {argument: '[name]', opens: true, sentence: commandTexts.model},
	login: {argument: '[provider]', opens: true, hidesArgument: true, sentence: commandTexts.login},
	config: {argument: '[search]', opens: true, sentence: commandTexts.config},
	theme: {argument: '[name]', opens: true, sentence: commandTexts.theme},
	effort: {argument: '[level]', sentence: commandTexts.effort},
	btw: {argument: 'QUESTION', opens: true, sentence: commandTexts.btw},
	compact: {argument: '[hint]', sentence: commandTexts.compact},
	context: {opens: true, sentence: commandTexts.context},
	request: {argument: '[id]', opens: true, sentence: commandTexts.request},
	cost: {opens: true, sentence: commandTexts.cost},
	rewind: {opens: true, sentence: commandTexts.rewind},
	rename: {argument: '[TITLE]', sentence: commandTexts.rename},
	undo: {sentence: commandTexts.undo},
	fork: {opens: true, sentence: commandTexts.fork},
	export: {argument: '[FILE]', sentence: commandTexts.export},
	detach: {sentence: commandTexts.detach},
	quit: {sentence: commandTexts.quit},
} as const satisfies Record<string, Command>;

export const commandNames = Object.keys(commands) as readonly CommandName[];

/** Tells whether a command has this name. If so, `/name` at the start of a draft runs the command, not a workflow. */
export function isCommandName(name: string): boolean {
	return commandNamed(name) !== undefined;
}

/** Returns the command with this name or short name. */
export function commandNamed(name: string): CommandName | undefined {
	return shortNames.get(name) ?? commandNames.find(each => each === name);
}

const shortNames: ReadonlyMap<string, CommandName> = new Map([['m', 'model']]);
