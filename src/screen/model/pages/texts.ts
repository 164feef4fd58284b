import {t} from '../../../language/index.ts';
import {formatBytes, formatCount, plural} from '../../../text/formats.ts';

/** The key hints of a page. */
export const pageHints = {
	close: t`Esc close`,
	search: t`type to search`,
	noMatch: t`Nothing matches.`,
	more: t`PgDn more`,
	back: t`PgUp back`,
	rewind: t`Enter rewind`,
	fork: t`Ctrl+O fork`,
	drop: t`Ctrl+X drop`,
	pin: t`Ctrl+T pin`,
	prune: t`Ctrl+O prune`,
	restore: t`Ctrl+R restore`,
	bySize: t`Ctrl+S sort by size`,
	inOrder: t`Ctrl+S sort by order`,
	show: t`Enter show`,
	open: t`Enter open`,
	stop: t`x stop`,
	remove: t`Ctrl+X remove`,
	wake: t`w wake model`,
	scroll: t`↑↓ PgUp PgDn scroll`,
	backToList: t`Esc back`,
} as const;

export const pageTitles = {
	help: t`Help`,
	mcp: t`MCP servers`,
	workflows: t`Workflows`,
	context: t`Context`,
	cost: t`Cost of this session`,
	diff: t`Changes`,
	rewind: t`Rewind to before`,
	permissions: t`Permissions`,
	approvals: t`Approvals in this session`,
	tasks: t`Child sessions and background commands`,
	request: t`Request`,
} as const;

export const sideQuestionPageTexts = {
	usage: t`Add a question: /btw why does this test fail?`,
	title: t`Side question`,
	sees: (items: number, isPartial: boolean) =>
		t`The model sees this session (${plural(items, 'item')}${isPartial ? t`, up to its last request` : ''}) and
			this:`,
	discard: t`Esc discard`,
	keep: t`k keep as a session`,
	attach: t`a attach the answer`,
	keepShort: t`k keep`,
	attachShort: t`a attach`,
	attached: t`The answer is attached. The next request contains it.`,
	attaching: t`The answer will be attached before the next request of this run.`,
	kept: (session: string) => t`Kept as a session: inkpod -r ${session}`,
	one: t`You can ask only one question here. To continue, keep the side question as a session.`,
} as const;

/** Words for a screen reader: the label of a search field, and the mark of the entry in use. */
export const searchLabel = t`Search: `;
export const inUse = t`in use`;

export const permissionActions = {allow: t`allow`, ask: t`ask`, deny: t`deny`} as const;

export const permissionSources = {
	built_in: t`built in`,
	user: t`your config.toml`,
	project: t`project's inkpod.toml`,
	saved: t`saved on a card`,
	session: t`this session`,
} as const;

export const permissionTexts = {
	builtIn: t`This is built in. The approval mode (/approval) or a rule in config.toml changes it.`,
	inFile: (source: keyof typeof permissionSources) =>
		t`This rule is in ${permissionSources[source]}. Edit the file to remove the rule.`,
} as const;

export const requestPageTexts = {
	headers: t`Headers`,
	body: t`Body`,
	moreHeaders: t`  inkpod also sends the headers from your configuration, and the usual headers of an HTTP request.`,
	keyNotShown: t`not shown`,
	headerSources: new Map([
		['key', t`your key`],
		['form', t`format of the provider`],
		['program', t`sent by inkpod`],
		['beta_header', t`rule beta_header`],
	]),
	form: t`format`,
	unknown: t`no source (a bug in inkpod)`,
	compared: (isSame: boolean | undefined) =>
		isSame === undefined ? t`not sent` : isSame ? t`exactly as sent` : t`differs from what was sent`,
	hidden: (characters: number) => t`… ${characters.toLocaleString('en')} characters not shown`,
	item: (id: string) => t`item ${id}`,
	setup: (key: string) => t`setup ${key}`,
	rule: (name: string) => t`rule ${name}`,
	signature: (bytes: number) => t`signature, ${bytes.toLocaleString('en')} bytes`,
} as const;

export function rowsOf(first: number, last: number, total: number): string {
	return t`rows ${first}-${last} of ${total}`;
}

export function placeOf(at: number, count: number): string {
	return t`${at} of ${count}`;
}

export const helpSections = {
	sessions: t`Commands for sessions`,
	context: t`Commands for the context`,
	work: t`Commands for files, tools and tasks`,
	settings: t`Commands for permissions, models and settings`,
	message: t`At the start of a message`,
	newline: t`Newline in this terminal`,
	session: t`Session keys`,
	composer: t`Editing keys`,
	transcript: t`Transcript keys`,
} as const;

export const shorthands = {
	shell: t`Run a shell command; its output is added to the chat`,
	file: t`Attach a file, some of its lines (@path:10-20) or a directory (@dir/)`,
	escape: t`Escape: send a leading ! or / literally`,
} as const;

export const escapeKeys = t`\\! or a space`;
export const noKey = t`(no key)`;
export const insertsNewline = t`Inserts a newline`;

/** The texts about Shift+Enter. The right text depends on whether the terminal sends that key. */
export const shiftEnterTexts = {
	yes: insertsNewline,
	no: t`This terminal sends it as Enter, which sends the message`,
	unknown: t`${insertsNewline} if this terminal sends it differently from Enter`,
} as const;

export const altEnterText = t`${insertsNewline} if the terminal sends Alt (macOS: Option as Meta)`;

export const mcpSections = {
	user: t`Your servers`,
	editor: t`Servers of your editor`,
	project: t`Project servers`,
} as const;
export const noServers = t`No MCP servers. Add one in .mcp.json (project) or mcp.json (beside your config.toml):`;
export const serversNeedTrust = t`Project servers start only after you trust them.`;
export const serverStates = {
	idle: t`not started`,
	starting: t`starting`,
	ready: t`ready`,
	failed: t`failed`,
	untrusted: t`not trusted`,
	disabled: t`disabled`,
} as const;

export function toolCount(count: number): string {
	return plural(count, 'tool');
}

export const workflowSections = {
	available: t`Available`,
	model: t`Invoked by the model only`,
	disabled: t`Disabled`,
	broken: t`Broken`,
} as const;
export const noWorkflows = t`No workflows of your own yet. A workflow is a file .inkpod/workflows/NAME.md:`;
export const knowledgeFiles = t`The knowledge that this example requires is in .inkpod/knowledge/style.md. It is
	sent with the workflow.`;
export const modelInvokesToo = t`the model can invoke it too`;
export const workflowSources = {user: t`yours`, skill: t`skill`, shipped: t`built in`} as const;
export const hiddenByCommand = t`a command has this name: type a space before it to invoke the workflow`;

export function overrides(file: string): string {
	return t`overrides ${file}`;
}

export function requires(names: readonly string[]): string {
	return t`requires ${names.join(', ')}`;
}

export const contextFlags = {
	dropped: t`dropped`,
	pinned: t`pinned`,
	pruned: t`output left out`,
	changed: t`▲ changed`,
	gone: t`▲ missing`,
} as const;

export function aboutTokens(tokens: number): string {
	return t`≈ ${formatCount(tokens)} tokens`;
}

/** `share` is a text such as `12%`. */
export function shareOfWindow(share: string, window: number | undefined): string {
	return window === undefined ? t`window unknown` : t`${share} of ${formatCount(window)}`;
}

export function rowCount(count: number): string {
	return plural(count, 'row');
}

/** Returns the row for compactions that did not finish. These are in no request, but they cost money. */
export function unfinishedCompactions(count: number): string {
	return t`${plural(count, 'compaction')} did not finish`;
}

export function bytesOf(bytes: number, totalBytes: number): string {
	return t`${formatBytes(bytes)} of ${formatBytes(totalBytes)}`;
}

export function summaryOf(count: number): string {
	return t`summary of ${plural(count, 'item')}`;
}

/** The reasons why a key of the context page does nothing. */
export const contextRefusals = {
	dropped: t`Already dropped. Press Ctrl+R to restore it.`,
	nothingToRestore: t`Nothing to restore: this item is not dropped, pinned or pruned.`,
	notPrunable: t`Only the output of a tool can be pruned.`,
	pruned: t`Already pruned. Press Ctrl+R to restore the output.`,
	noItem: t`This row is not an item of the transcript.`,
} as const;

export const noMessages = t`No messages to rewind to.`;
export const noMessageToUndo = t`No message to undo.`;
export const rewindUndone = t`Rewind undone. Files were not changed.`;

/** `message` is the message before which the session was rewound. */
export function undoRewind(message: string | undefined): string {
	return message === undefined ? t`← undo the rewind` : t`← undo the rewind to before: ${message}`;
}

export function fileCount(count: number): string {
	return plural(count, 'file');
}

/** The texts of the card about changed files. */
export const filesCard = {
	changedByTools: t`Tools have changed these files since that message. Changes by commands are not tracked.`,
	restore: t`Yes, restore as shown`,
	overwrite: t`Yes, overwrite`,
	keep: t`No, keep the files`,
	restoreAnyway: t`Restore anyway?`,
	willBeDeleted: t`will be deleted (created by a tool)`,
	nothingToShow: t`  (not text, or nothing to show)`,
	copyMissing: t`the saved copy is missing.`,
} as const;

export function restoreFiles(count: number): string {
	return t`Restore ${plural(count, 'file')} too?`;
}

export function othersAskedNext(count: number): string {
	const them = count === 1 ? t`it` : t`them`;
	return t`${plural(count, 'file')} also changed outside inkpod. The next question is about ${them}.`;
}

export function changedOutside(count: number): string {
	const files = count === 1 ? t`This file was` : t`These files were`;
	return t`${files} also changed outside inkpod; those changes will be lost.`;
}

export function fileLine(path: string): string {
	return t`File: ${path}`;
}

export function cannotListFiles(cause: string): string {
	return t`Cannot list the files that changed since then: ${cause}`;
}

export function cannotRestore(path: string, sentence: string): string {
	return t`Cannot restore ${path}: ${sentence}`;
}

export const noTasks = t`No child sessions and no background commands.`;
export const taskEnded = t`ended`;
export const loadingOutput = t`Loading output…`;
export const noOutputYet = t`No output yet.`;

/** `wakes`: whether a turn begins when the task ends. */
export function wakesAtEnd(id: string, wakes: boolean): string {
	return wakes
		? t`A turn begins when background task ${id} ends.`
		: t`The model learns in the next turn that ${id} has ended.`;
}

export const wakesMark = t`wakes the model`;

export function taskStopped(id: string): string {
	return t`Stopped background task ${id}.`;
}

/** `title` is already sanitized. */
export function childStopped(title: string): string {
	return t`Stopped child session: ${title}`;
}

export const costTexts = {
	none: t`No requests yet.`,
	total: t`Total`,
	unknown: t`cost unknown`,
	unknownModel: t`unknown model`,
	input: (tokens: string) => t`${tokens} input`,
	cached: (tokens: string) => t`${tokens} cached`,
	cacheWritten: (tokens: string) => t`${tokens} written to the cache`,
	output: (tokens: string) => t`${tokens} output`,
	noTokens: t`tokens not reported`,
	atLeast: t`≥ means that a part of the cost is unknown: a price, or the tokens of a stopped or lost answer.`,
	unfinished: (count: number) => t`Includes ${plural(count, 'compaction')} that did not finish.`,
} as const;

export function requestCount(count: number): string {
	return plural(count, 'request');
}

export const diffTexts = {
	byTools: t`Changed by tools in this session`,
	noToolChanges: t`No files changed by tools. Changes by commands are not tracked here.`,
	git: t`Uncommitted changes (git diff HEAD)`,
	noGitChanges: t`No uncommitted changes below this directory.`,
	untracked: t`Files that git does not track:`,
	moreUntracked: t`More files that git does not track are not shown.`,
	empty: t`empty`,
	notRepository: t`Not a git repository.`,
	truncated: t`The rest is not shown: the diff is too long.`,
	moreFiles: (count: number) => t`${plural(count, 'more file')} not shown.`,
	noText: t`not text, or too long to show`,
} as const;

export const mcpUsage = t`Usage: /mcp, or /mcp enable, disable or reconnect with the name of a server.`;
