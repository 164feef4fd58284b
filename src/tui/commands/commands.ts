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
	help: {opens: true, sentence: 'Show the keys and commands, and what this terminal can send'},
	new: {opens: true, sentence: 'Begin a new session in this directory'},
	resume: {argument: '[id]', opens: true, sentence: 'Open another session of this directory'},
	copy: {argument: '[n]', sentence: 'Copy the last answer, or its n-th code block'},
	workflows: {opens: true, sentence: 'List the workflows, broken ones with what is wrong'},
	mcp: {opens: true, sentence: 'List the MCP servers and where each stands'},
	tasks: {opens: true, sentence: 'List background commands; show their output, stop them'},
	'add-dir': {argument: 'DIR', sentence: 'Let the session read a folder outside this directory'},
	approval: {argument: '[mode]', sentence: 'Say what tools may do without asking: ask, accept-edits or auto'},
	compact: {
		argument: '[hint]',
		sentence: 'Have what is long ago summarised; "undo" takes the last such summary back',
	},
	context: {opens: true, sentence: 'Show what the next request holds, item by item; drop, pin and restore'},
	rewind: {opens: true, sentence: 'Go back to before a message of yours; so does Esc Esc on an empty draft'},
	fork: {opens: true, sentence: 'Go on in a new session that begins as this one, which stays as it is'},
	quit: {sentence: 'Leave; the session can be resumed'},
} as const satisfies Record<string, Command>;

export const commandNames = Object.keys(commands) as readonly CommandName[];

/**
Whether a command has this name: it runs for `/name` at the start of a draft, and a workflow of that name does not.
*/
export function isCommandName(name: string): name is CommandName {
	return Object.hasOwn(commands, name);
}
