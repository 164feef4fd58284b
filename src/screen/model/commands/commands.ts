import {commandTexts, shadowedWorkflow} from './texts.ts';
import type {Segment, WorkflowInfo} from '../../../pod/protocol.ts';

/**
The names of the commands. A draft that begins with `/name` runs the command. A command has priority over a workflow
with the same name.
*/
export type CommandName = keyof typeof commands;

export type Command = {
	/** The section of the help that lists the command. */
	readonly group: (typeof commandGroups)[number];
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

/** The groups of the commands, in the order of the help. */
export const commandGroups = ['sessions', 'context', 'work', 'settings'] as const;

/** Lists every command with its description, in the order of the help. The popup lists first what is used most. */
export const commands = {
	help: {group: 'sessions', opens: true, sentence: commandTexts.help},
	new: {group: 'sessions', opens: true, sentence: commandTexts.new},
	clear: {group: 'sessions', opens: true, sentence: commandTexts.clear},
	resume: {group: 'sessions', argument: '[id]', opens: true, sentence: commandTexts.resume},
	sessions: {group: 'sessions', opens: true, sentence: commandTexts.sessions},
	rename: {group: 'sessions', argument: '[TITLE]', sentence: commandTexts.rename},
	fork: {group: 'sessions', opens: true, sentence: commandTexts.fork},
	copy: {group: 'sessions', argument: '[n]', sentence: commandTexts.copy},
	export: {group: 'sessions', argument: '[FILE]', sentence: commandTexts.export},
	detach: {group: 'sessions', sentence: commandTexts.detach},
	quit: {group: 'sessions', sentence: commandTexts.quit},
	context: {group: 'context', opens: true, sentence: commandTexts.context},
	compact: {group: 'context', argument: '[hint]', sentence: commandTexts.compact},
	rewind: {group: 'context', opens: true, sentence: commandTexts.rewind},
	undo: {group: 'context', sentence: commandTexts.undo},
	request: {group: 'context', argument: '[id]', opens: true, sentence: commandTexts.request},
	cost: {group: 'context', opens: true, sentence: commandTexts.cost},
	btw: {group: 'context', argument: 'QUESTION', opens: true, sentence: commandTexts.btw},
	diff: {group: 'work', opens: true, sentence: commandTexts.diff},
	paste: {group: 'work', sentence: commandTexts.paste},
	'add-dir': {group: 'work', argument: 'DIR', sentence: commandTexts['add-dir']},
	workflows: {group: 'work', opens: true, sentence: commandTexts.workflows},
	mcp: {group: 'work', argument: '[action server]', opens: true, sentence: commandTexts.mcp},
	pod: {group: 'work', argument: 'TASK', sentence: commandTexts.pod},
	tasks: {group: 'work', opens: true, sentence: commandTexts.tasks},
	background: {group: 'work', sentence: commandTexts.background},
	approval: {group: 'settings', argument: '[mode]', sentence: commandTexts.approval},
	approvals: {group: 'settings', opens: true, sentence: commandTexts.approvals},
	permissions: {group: 'settings', opens: true, sentence: commandTexts.permissions},
	model: {group: 'settings', argument: '[name]', opens: true, sentence: commandTexts.model},
	effort: {group: 'settings', argument: '[level]', sentence: commandTexts.effort},
	login: {group: 'settings', argument: '[provider]', opens: true, hidesArgument: true, sentence: commandTexts.login},
	config: {group: 'settings', argument: '[search]', opens: true, sentence: commandTexts.config},
	theme: {group: 'settings', argument: '[name]', opens: true, sentence: commandTexts.theme},
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

/** What a draft is: a slash command, a shell command or a message for the model. */
export type DraftKind =
	| {readonly type: 'command'; readonly name: CommandName; readonly argument: string}
	/** The text after the `!` may be blank. */
	| {readonly type: 'shell'; readonly command: string}
	| {readonly type: 'message'};

/**
Tells what a draft is. A slash command is one line of typed text: `/name` or `/name argument`. A shell command begins
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

/** Returns a sentence for each workflow that a slash command with the same name hides. */
export function shadowedSentences(workflows: readonly WorkflowInfo[]): string[] {
	return workflows
		.filter(workflow => workflow.userInvocable && workflow.error === undefined && isCommandName(workflow.slug))
		.map(({slug, file}) => shadowedWorkflow(slug, file));
}

const shortNames: ReadonlyMap<string, CommandName> = new Map([['m', 'model']]);

const message: DraftKind = {type: 'message'};

/** Returns a segment as text for the shell. A picked file becomes its path, quoted as one shell word. */
function shellText(segment: Segment): string {
	if (segment.type === 'text') return segment.text;
	if (segment.type === 'paste') return segment.content;
	if (segment.type === 'workflow') return `/${segment.slug}`;
	const path = segment.path.startsWith('-') ? `./${segment.path}` : segment.path;
	return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`;
}
