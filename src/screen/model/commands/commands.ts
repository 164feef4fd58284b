import {commandTexts, shadowedWorkflow} from './texts.ts';
import type {Segment, WorkflowInfo} from '../../../pod/protocol.ts';

/**
The names of the commands. A draft that begins with `/name` runs the command. A command has priority over a workflow
with the same name.
*/
export type CommandName = keyof typeof commands;

export type Command = {
	/** The argument that the help shows after the name. */
	readonly argument?: string;
	readonly sentence: string;
	/**
	Whether the command opens a page or another screen. Keys that you press while it opens go to that page or screen.
	*/
	readonly opens?: true;
	/** Whether the prompt history leaves out the argument, because it may be an API key that was typed by mistake. */
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

/** The meaning of a draft: a command of the screen, a shell command or a message for the model. */
export type DraftKind =
	| {readonly type: 'command'; readonly name: CommandName; readonly argument: string}
	/** The text after the `!` may be blank. */
	| {readonly type: 'shell'; readonly command: string}
	| {readonly type: 'message'};

/**
Returns the meaning of a draft. A command is one line of typed text: `/name` or `/name argument`. A shell command begins
with `!`. A draft with a backslash or a space before the `/` or `!` is a message.
*/
export function classifyDraft(segments: readonly Segment[]): DraftKind {
	const [first, ...rest] = segments;
	if (first?.type !== 'text') return message;
	if (first.text.startsWith('!')) return {type: 'shell', command: segments.map(shellText).join('').slice(1).trim()};
	const login = /^\/login(?:\s+(?<argument>\S*))?/.exec(first.text);
	// The text after `/login` may be an API key, typed or pasted. It must not reach a model.
	if (login !== null && /^\/login(?:\s|$)/.test(first.text))
		return {type: 'command', name: 'login', argument: login.groups?.['argument'] ?? ''};
	const found = rest.length === 0 ? /^\/(?<name>[a-z-]+)(?:[^\S\n]+(?<argument>.*))?$/.exec(first.text) : null;
	const name = commandNamed(found?.groups?.['name'] ?? '');
	return name === undefined ? message : {type: 'command', name, argument: (found?.groups?.['argument'] ?? '').trim()};
}

/** Returns a sentence for each workflow that a command of the same name hides. */
export function shadowedSentences(workflows: readonly WorkflowInfo[]): string[] {
	return workflows
		.filter(workflow => workflow.userInvocable && workflow.error === undefined && isCommandName(workflow.slug))
		.map(({slug, file}) => shadowedWorkflow(slug, file));
}

const shortNames: ReadonlyMap<string, CommandName> = new Map([['m', 'model']]);

const message: DraftKind = {type: 'message'};

/** A picked file becomes its path, quoted as one shell word. */
function shellText(segment: Segment): string {
	if (segment.type === 'text') return segment.text;
	if (segment.type === 'paste') return segment.content;
	if (segment.type === 'workflow') return `/${segment.slug}`;
	const path = segment.path.startsWith('-') ? `./${segment.path}` : segment.path;
	return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`;
}
