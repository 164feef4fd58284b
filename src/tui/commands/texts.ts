/** The help shows these descriptions of the commands. */
export const commandTexts = {
	help: 'Show commands, keys, and which keys this terminal can send',
	new: 'Start a new session',
	clear: 'Start a new session (same as /new)',
	resume: 'Resume another session of this directory',
	sessions: 'List which sessions run or need an answer, and open one',
	diff: 'Show what tools changed in this session, and the uncommitted changes (git diff)',
	copy: 'Copy the last answer, or its nth code block',
	export: 'Write this session to a file without its secrets (.md, .html or .json)',
	paste: 'Attach the image in the clipboard (or press Ctrl+V)',
	workflows: 'List workflows (and errors)',
	mcp: 'List MCP servers and their status',
	tasks: 'List child sessions and background commands, open them, or stop them',
	pod: 'Start a child session that works on a task in the background',
	background: 'Move the running command to the background (Ctrl+B while the message is empty)',
	'add-dir': 'Allow the session to read a folder outside this directory',
	approval: 'Set approval mode: ask, accept-edits or auto',
	permissions: 'List what is allowed, asked and denied, and remove what you allowed',
	model: 'Choose the model; also /m',
	login: 'Enter a key for a provider (not shown, and never in the chat)',
	effort: 'Set how much the model reasons: none, minimal, low, medium, high or max',
	btw: 'Ask a side question that does not enter this session',
	compact: 'Summarise older messages to free context (/compact undo reverts)',
	context: 'Show context usage, and drop, pin, prune or restore items',
	request: 'Show the last request exactly as sent, and the source of each part',
	cost: 'Show tokens and cost of this session by model',
	rewind: 'Rewind to before a message (or press Esc twice when input is empty)',
	undo: 'Rewind to before your last message, and ask whether to restore its files',
	fork: 'Fork this session (the original is untouched)',
	detach: 'Continue the session without this terminal, in the server (inkpod serve)',
	quit: 'Quit (session can be resumed)',
} as const;

export const noCompaction = 'No compaction to undo.';
export const outputsRestored = 'The tool outputs are in context again, and stay there.';
export const compactionUndone =
	'Compaction undone: the summarised items are in context again. Later messages are unchanged.';

export const cannotCopy = 'Copying is not available here.';
export const cannotExport = 'A session can only be exported on the machine that has it.';
export const nothingToCopy = 'No answer to copy yet.';
export const copyUsage = 'Usage: /copy [n], where n is the number of a code block.';
export const lastAnswer = 'the last answer';

export function codeBlockOf(number: string): string {
	return `code block ${number} of the last answer`;
}

/** Names the copied part of an answer that still streams. */
export function soFar(name: string): string {
	return `${name} so far`;
}

export function codeBlocksThereAre(count: number): string {
	return `The last answer has ${count === 0 ? 'no' : count} code ${count === 1 ? 'block' : 'blocks'}.`;
}

export function shadowedWorkflow(slug: string, file: string): string {
	return `/${slug} is a built-in command. To invoke the workflow ${file}, type a space before it.`;
}

export function noArgument(name: string): string {
	return `/${name} takes no argument.`;
}

export const addDirUsage = 'Usage: /add-dir DIR';

export function directoryAdded(path: string): string {
	return `${path} can be read from the next request on.`;
}

/** These texts explain why the screen does not switch to another session. */
export const switchRefusals = {
	single: 'This screen cannot switch sessions.',
	running: 'Still running. Stop it first (Esc) or cancel (Ctrl+C).',
	queued: 'Messages are queued. Send them first, or take them back with ↑ when input is empty.',
	background: 'Background commands are still running.',
} as const;

/** The reasons why a session cannot be handed over to the server. */
export const detachTexts = {
	child: 'This is a child session. Press Esc to return to its parent first.',
	background: 'Commands are running in the background. Wait for them, or stop them in /tasks first.',
	children: 'Child sessions are working in the background. Wait for them, or stop them in /tasks first.',
} as const;

export const cannotPaste = 'The clipboard cannot be read here.';

export const childCommand = {
	usage: 'Usage: /pod TASK. The child session sees only the task, and works in the background.',
	nested: 'A child session cannot start children.',
	started: 'Child session started. /tasks lists it; Alt+N opens it.',
} as const;
