import {t} from '../../../language/index.ts';

/** The descriptions of the commands in the help. */
export const commandTexts = {
	help: t`Show commands, keys, and which keys this terminal can send`,
	new: t`Start a new session`,
	clear: t`Start a new session (same as /new)`,
	resume: t`Resume another session of this directory`,
	sessions: t`Show running sessions, and those that wait for you`,
	diff: t`Show what tools changed in this session, and the uncommitted changes (git diff)`,
	copy: t`Copy the last answer, or its nth code block`,
	export: t`Write this session to a file without its secrets (.md, .html or .json)`,
	paste: t`Attach the image in the clipboard (or press Ctrl+V)`,
	workflows: t`List workflows (and errors)`,
	mcp: t`List MCP servers; enable, disable or reconnect one`,
	tasks: t`List child sessions and background commands, open them, or stop them`,
	pod: t`Start a child session that works on a task in the background`,
	background: t`Move the running command to the background (Ctrl+B while the message is empty)`,
	'add-dir': t`Allow the session to read a folder outside this directory`,
	approval: t`Set approval mode: ask, accept-edits, plan or auto`,
	approvals: t`Show which calls were approved or denied in this session, by whom and when`,
	permissions: t`List what inkpod allows, asks about and denies, and remove what you allowed`,
	model: t`Choose the model; also /m`,
	login: t`Enter a key for a provider (not shown, and never in the chat)`,
	config: t`Show all settings with their values, and change yours`,
	theme: t`Choose the colours of the screen, and save the choice`,
	effort: t`Set how much the model reasons: none, minimal, low, medium, high or max`,
	btw: t`Ask a side question that does not enter this session`,
	compact: t`Summarise older messages to free context (/compact undo reverts)`,
	context: t`Show context usage, and drop, pin, prune or restore items`,
	request: t`Show the last request exactly as sent, and the source of each part`,
	cost: t`Show tokens and cost of this session by model`,
	rewind: t`Rewind to before a message (Esc twice when input is empty)`,
	rename: t`Name this session, or remove its name`,
	undo: t`Rewind to before your last message, and ask whether to restore files that changed since`,
	fork: t`Fork this session (the original is untouched)`,
	detach: t`Continue the session without this terminal, in the server (inkpod serve)`,
	quit: t`Quit (session can be resumed)`,
} as const;

export const noCompaction = t`No compaction to undo.`;
export const outputsRestored = t`The tool outputs are in context again, and stay there.`;
export const compactionUndone = t`Compaction undone: the summarised items are in context again. Later messages are
	unchanged.`;

export const cannotCopy = t`Copying is not available here.`;
export const cannotExport = t`A session can only be exported on the machine that has it.`;
export const nothingToCopy = t`No answer to copy yet.`;
export const copyUsage = t`Usage: /copy [n], where n is the number of a code block.`;
export const lastAnswer = t`the last answer`;

export function codeBlockOf(number: string): string {
	return t`code block ${number} of the last answer`;
}

/** Returns the name of the copied part of an answer that still streams. */
export function soFar(name: string): string {
	return t`${name} so far`;
}

export function codeBlocksThereAre(count: number): string {
	return t`The last answer has ${count === 0 ? t`no` : count} code ${count === 1 ? t`block` : t`blocks`}.`;
}

export function shadowedWorkflow(slug: string, file: string): string {
	return t`/${slug} is a built-in command. To invoke the workflow ${file}, type a space before it.`;
}

export function noArgument(name: string): string {
	return t`/${name} takes no argument.`;
}

export const addDirUsage = t`Usage: /add-dir DIR`;

export function directoryAdded(path: string): string {
	return t`${path} can be read from the next request on.`;
}

/** The reasons why the screen does not switch to another session. */
export const switchRefusals = {
	single: t`This screen cannot switch sessions.`,
	running: t`Still running. Stop it first (Esc) or cancel (Ctrl+C).`,
	queued: t`Messages are queued. Send them first, or take them back with ↑ when input is empty.`,
	background: t`Background commands are still running.`,
} as const;

/** The reasons why a session cannot be moved to the server. */
export const detachTexts = {
	child: t`This is a child session. Press Esc to return to its parent first.`,
	background: t`Commands are running in the background. Wait for them, or stop them in /tasks first.`,
	children: t`Child sessions are working in the background. Wait for them, or stop them in /tasks first.`,
} as const;

export const cannotPaste = t`The clipboard cannot be read here.`;

export const childCommand = {
	usage: t`Usage: /pod TASK. The child session sees only the task, and works in the background.`,
	nested: t`A child session cannot start children.`,
	started: t`Child session started. /tasks lists it; Alt+N opens it.`,
} as const;
