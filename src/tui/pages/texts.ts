import {formatBytes, formatCount, plural} from '../text/formats.ts';

/** These hints name the keys of a page. */
export const pageHints = {
	close: 'Esc close',
	more: 'PgDn more',
	back: 'PgUp back',
	rewind: 'Enter rewind',
	fork: 'f fork',
	drop: 'd drop',
	pin: 'p pin',
	prune: 'x prune',
	restore: 'r restore',
	show: 'Enter show',
	open: 'Enter open',
	stop: 'x stop',
	remove: 'x remove',
	wake: 'w wake model',
	scroll: '↑↓ PgUp PgDn scroll',
	backToList: 'Esc back',
} as const;

export const pageTitles = {
	help: 'Help',
	mcp: 'MCP servers',
	workflows: 'Workflows',
	context: 'Context',
	cost: 'Cost of this session',
	diff: 'Changes',
	rewind: 'Rewind to before',
	permissions: 'Permissions',
	tasks: 'Child sessions and background commands',
	request: 'Request',
} as const;

export const btwPageTexts = {
	usage: 'Add a question: /btw why does this test fail?',
	title: 'Side question',
	sees: (items: number, isPartial: boolean) =>
		`The model sees this session (${plural(items, 'item')}${isPartial ? ', up to its last request' : ''}) and this:`,
	discard: 'Esc discard',
	keep: 'k keep as a session',
	attach: 'a attach the answer',
	attached: 'The answer is attached. The next request contains it.',
	attaching: 'The answer will be attached before the next request of this run.',
	kept: (session: string) => `Kept as a session: inkpod -r ${session}`,
	one: 'A side question has no second one. Keep it as a session to continue it.',
} as const;

export const permissionActions = {allow: 'allow', ask: 'ask', deny: 'deny'} as const;

export const permissionSources = {
	built_in: 'built in',
	user: 'your config.toml',
	project: "project's inkpod.toml",
	saved: 'saved on a card',
	session: 'this session',
} as const;

export const permissionTexts = {
	question: 'Remove this rule?',
	remove: 'Remove it',
	keep: 'No',
	builtIn: 'This is built in. The approval mode (/approval) or a rule in config.toml changes it.',
	inFile: (source: keyof typeof permissionSources) =>
		`This rule is in ${permissionSources[source]}. Edit the file to remove the rule.`,
} as const;

export const requestPageTexts = {
	headers: 'Headers',
	body: 'Body',
	moreHeaders: '  The headers of your configuration and those of every HTTP request come on top.',
	keyNotShown: 'not shown',
	headerSources: new Map([
		['key', 'your key'],
		['form', 'format of the provider'],
		['program', 'sent by inkpod'],
		['beta_header', 'rule beta_header'],
	]),
	form: 'format',
	unknown: 'no source (a defect of inkpod)',
	compared: (isSame: boolean | undefined) =>
		isSame === undefined ? 'not sent' : isSame ? 'exactly as sent' : 'differs from what was sent',
	hidden: (characters: number) => `… ${characters.toLocaleString('en')} characters not shown`,
	item: (id: string) => `item ${id}`,
	setup: (key: string) => `setup ${key}`,
	rule: (name: string) => `rule ${name}`,
	signature: (bytes: number) => `signature, ${bytes.toLocaleString('en')} bytes`,
} as const;

export function rowsOf(first: number, last: number, total: number): string {
	return `rows ${first}-${last} of ${total}`;
}

export function placeOf(at: number, count: number): string {
	return `${at} of ${count}`;
}

export const helpSections = {
	commands: 'Commands',
	newline: 'Newline in this terminal',
	session: 'Session keys',
	composer: 'Editing keys',
	transcript: 'Transcript keys',
} as const;

export const shorthands = {
	shell: 'Run a shell command; its output is added to the chat',
	file: 'Attach a file, some of its lines (@path:10-20) or a directory (@dir/)',
	escape: 'Escape: send a leading ! or / literally',
} as const;

export const escapeKeys = '\\! or a space';
export const noKey = '(no key)';
export const insertsNewline = 'Inserts a newline';

/** These texts say what Shift+Enter does. It depends on whether the terminal sends that key. */
export const shiftEnterTexts = {
	yes: insertsNewline,
	no: 'This terminal sends it as Enter, which sends the message',
	unknown: `${insertsNewline} if this terminal sends it differently from Enter`,
} as const;

export const altEnterText = `${insertsNewline} if the terminal sends Alt (macOS: Option as Meta)`;

export const mcpSections = {
	user: 'Your servers',
	editor: 'Servers of your editor',
	project: 'Project servers',
} as const;
export const noServers = 'No MCP servers. Add one in .mcp.json (project) or mcp.json (beside your config.toml):';
export const serversNeedTrust = 'Project servers start only after you trust them.';
export const serverStates = {
	idle: 'not started',
	starting: 'starting',
	ready: 'ready',
	failed: 'failed',
	untrusted: 'not trusted',
} as const;

export function toolCount(count: number): string {
	return plural(count, 'tool');
}

export const workflowSections = {
	available: 'Available',
	model: 'Invoked by the model only',
	disabled: 'Disabled',
	broken: 'Broken',
} as const;
export const noWorkflows = 'No workflows of your own yet. A workflow is a file .inkpod/workflows/NAME.md:';
export const knowledgeFiles =
	'The knowledge that this example requires is in .inkpod/knowledge/style.md. It is sent with the workflow.';
export const modelInvokesToo = 'the model can invoke it too';
export const workflowSources = {user: 'yours', skill: 'skill', shipped: 'built in'} as const;
export const hiddenByCommand = 'a command has this name: type a space before it to invoke the workflow';

export function overrides(file: string): string {
	return `overrides ${file}`;
}

export function requires(names: readonly string[]): string {
	return `requires ${names.join(', ')}`;
}

export const contextFlags = {
	dropped: 'dropped',
	pinned: 'pinned',
	pruned: 'output left out',
	changed: '▲ changed',
	gone: '▲ missing',
} as const;

export function aboutTokens(tokens: number): string {
	return `≈ ${formatCount(tokens)} tokens`;
}

/** `share` is a text such as `12%`. */
export function shareOfWindow(share: string, window: number | undefined): string {
	return window === undefined ? 'window unknown' : `${share} of ${formatCount(window)}`;
}

export function rowCount(count: number): string {
	return plural(count, 'row');
}

/** These compactions are in no request, but they cost money. */
export function unfinishedCompactions(count: number): string {
	return `${plural(count, 'compaction')} did not finish`;
}

export function bytesOf(bytes: number, totalBytes: number): string {
	return `${formatBytes(bytes)} of ${formatBytes(totalBytes)}`;
}

export function summaryOf(count: number): string {
	return `summary of ${plural(count, 'item')}`;
}

/** These texts explain why a key of the context page does nothing. */
export const contextRefusals = {
	dropped: 'Already dropped. Press r to restore it.',
	nothingToRestore: 'Nothing to restore: this item is not dropped, pinned or pruned.',
	notPrunable: 'Only the output of a tool can be pruned.',
	pruned: 'Already pruned. Press r to restore the output.',
	noItem: 'This row is not an item of the transcript.',
} as const;

export const noMessages = 'No messages to rewind to.';
export const noMessageToUndo = 'No message to undo.';
export const rewindUndone = 'Rewind undone. Files were not changed.';

/** `message` is the message that the session was rewound to. */
export function undoRewind(message: string | undefined): string {
	return message === undefined ? '← undo the rewind' : `← undo the rewind to before: ${message}`;
}

export function fileCount(count: number): string {
	return plural(count, 'file');
}

/** The card about changed files uses these texts. */
export const filesCard = {
	changedByTools: 'Tools have changed these files since that message. Changes by commands are not tracked.',
	restore: 'Yes, restore as shown',
	overwrite: 'Yes, overwrite',
	keep: 'No, keep the files',
	restoreAnyway: 'Restore anyway?',
	willBeDeleted: 'will be deleted (created by a tool)',
	nothingToShow: '  (not text, or nothing to show)',
	copyMissing: 'the saved copy is missing.',
} as const;

export function restoreFiles(count: number): string {
	return `Restore ${plural(count, 'file')} too?`;
}

export function othersAskedNext(count: number): string {
	const them = count === 1 ? 'it' : 'them';
	return `${plural(count, 'file')} also changed outside inkpod. The next question is about ${them}.`;
}

export function changedOutside(count: number): string {
	const files = count === 1 ? 'This file was' : 'These files were';
	return `${files} also changed outside inkpod; those changes will be lost.`;
}

export function fileLine(path: string): string {
	return `File: ${path}`;
}

export function cannotListFiles(cause: string): string {
	return `Cannot list the files that changed since: ${cause}`;
}

export function cannotRestore(path: string, sentence: string): string {
	return `Cannot restore ${path}: ${sentence}`;
}

export const noTasks = 'No child sessions and no background commands.';
export const taskEnded = 'ended';
export const loadingOutput = 'Loading output…';
export const noOutputYet = 'No output yet.';

/** `wakes`: whether a turn begins at the end of the task. */
export function wakesAtEnd(id: string, wakes: boolean): string {
	return wakes
		? `A turn begins when background task ${id} ends.`
		: `The model reads about the end of ${id} in the next turn.`;
}

export const wakesMark = 'wakes the model';

export function taskStopped(id: string): string {
	return `Stopped background task ${id}.`;
}

/** `title` is inert. */
export function childStopped(title: string): string {
	return `Stopped child session: ${title}`;
}

export const costTexts = {
	none: 'No requests yet.',
	total: 'Total',
	unknown: 'cost unknown',
	unknownModel: 'unknown model',
	input: (tokens: string) => `${tokens} input`,
	cached: (tokens: string) => `${tokens} cached`,
	cacheWritten: (tokens: string) => `${tokens} written to the cache`,
	output: (tokens: string) => `${tokens} output`,
	noTokens: 'tokens not reported',
	atLeast: '≥ means that part is unknown: a price, or the tokens of a stopped or lost answer.',
	unfinished: (count: number) => `Includes ${plural(count, 'compaction')} that did not finish.`,
} as const;

export function requestCount(count: number): string {
	return plural(count, 'request');
}

export const diffTexts = {
	byTools: 'Changed by tools in this session',
	noToolChanges: 'No files changed by tools. Changes by commands are not tracked here.',
	git: 'Uncommitted changes (git diff HEAD)',
	noGitChanges: 'No uncommitted changes below this directory.',
	untracked: 'Files that git does not track:',
	moreUntracked: 'More files that git does not track are not shown.',
	empty: 'empty',
	notRepository: 'Not a git repository.',
	truncated: 'The rest is not shown: the diff is too long.',
	moreFiles: (count: number) => `${plural(count, 'more file')} not shown.`,
	noText: 'not text, or too long to show',
} as const;
