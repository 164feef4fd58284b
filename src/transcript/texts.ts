import {t} from '../language/index.ts';
import type {ItemOf, RequestEnd, ToolVerb} from '../pod/protocol.ts';
import {sanitizeLine} from '../text/sanitize.ts';
import {formatBytes, formatCached, formatCount, plural} from '../text/formats.ts';

/**
This file contains the texts of the transcript. The arguments of its functions are already sanitized, unless a comment
says otherwise.
*/

export const orphanedResult = t`orphaned tool result`;
/**
Returns the text that says what the model reads. The row of a result has this text if it shows a diff instead of the
result.
*/
export function modelReads(content: string): string {
	return t`the model reads: ${content}`;
}

export const noOutput = t`(no output)`;
export const emptyText = t`(empty)`;
export const plainRest = t`… The rest is shown as plain text.`;
export const finished = t`finished`;
export const costUnknown = t`cost unknown`;
/** The text for a request if inkpod was killed before it recorded the end of the answer. */
export const answerLost = t`request sent, answer lost`;
/** `more` is the number of places that `where` does not name. */
export function rewriteWords(rule: string, where: readonly string[], more = 0): string {
	return t`rule ${rule}: ${where.join(', ')}${more === 0 ? '' : t` and ${more} more`}`;
}

/**
Returns the number of tools of a setup: the tools in the list of a request, and the tools that the model can find with
`find_tools`.
*/
export function setupTools(tools: ItemOf<'setup'>['tools']): string {
	const more = tools.reduce((sum, {deferred = 0}) => sum + deferred, 0);
	const count = plural(tools.length, 'tool');
	return more === 0 ? count : t`${count}, ${more} more on demand`;
}

export function exactRequest(id: string): string {
	return t`exact body: /request ${id}`;
}

export function signatureWords(bytes: number): string {
	return t`signature, ${bytes.toLocaleString('en')} bytes`;
}

export function encryptedWords(bytes: number): string {
	return t`encrypted thoughts, ${bytes.toLocaleString('en')} bytes`;
}

/** The text of the detail view for a request whose answer follows. */
export const requestSent = t`request sent`;
export const thinking = t`thinking…`;

/** The verbs before the subject of a call: `Read src/a.ts`, `Run npm test`. */
export const toolVerbs = {
	ask: t`Ask`,
	edit: t`Edit`,
	fetch: t`Fetch`,
	find: t`Find`,
	plan: t`Plan`,
	read: t`Read`,
	run: t`Run`,
	search: t`Search`,
	tasks: t`Tasks`,
	write: t`Write`,
} as const satisfies Record<ToolVerb, string>;

/** The states of a call that a tool row shows. `spoken` replaces the text for screen readers. */
export const callStates = {
	preparing: {shown: t`receiving arguments`},
	asking: {shown: t`needs approval`},
	queued: {shown: t`queued`},
	running: {shown: t`running`},
	background: {shown: '', spoken: t`started`},
	interrupted: {shown: t`interrupted`},
	denied: {shown: t`denied`},
	failed: {shown: '', spoken: t`failed`},
	done: {shown: '', spoken: t`finished`},
} as const satisfies Record<string, {readonly shown: string; readonly spoken?: string}>;

/** The state of a call that waits for the user's answer, such as a question. */
export const needsAnswer = t`needs your answer`;
export const noAnswer = t`no answer`;

/** The decisions about a plan. `reason` is already sanitized. */
export const planDecisions = {
	accepted: (mode = 'ask') => t`Accepted · approval: ${mode}`,
	changes: (_mode: string | undefined, reason: string) => t`You asked for changes: ${reason}`,
	kept: () => t`Not accepted yet`,
	unattended: () => t`Printed, not carried out`,
} as const satisfies Record<string, (mode: string | undefined, reason: string) => string>;

const denied = {command: t`command`, call: t`call`};
type Denied = keyof typeof denied;

/** The texts that name who denied a call. */
export const denials = {
	user: (what: Denied, reason: string) => t`You declined this ${denied[what]}${becauseOf(reason)}`,
	rule: (what: Denied, reason: string) => t`A rule denies this ${denied[what]}${becauseOf(reason)}`,
	hook: (what: Denied, reason: string) => t`A hook denied this ${denied[what]}${becauseOf(reason)}`,
	unattended: () => t`No one could approve it.`,
} as const;

function becauseOf(reason: string): string {
	return reason === '' ? t`.` : `: ${reason}`;
}

export const timedOut = t`timed out`;

export function endedBySignal(signal: string): string {
	return t`ended by signal ${signal}`;
}

export function exitText(code: number): string {
	return t`exit ${code}`;
}

/**
The effects of a command in addition to its output. `others`: the command changed folders, modes or repositories, but no
file.
*/
export const commandEffects = {
	none: t`no changes`,
	/** `changes`: the counts, such as `+3 ~2 -1`. */
	files: (changes: string, count: number) => (count === 1 ? t`${changes} file` : t`${changes} files`),
	others: t`changed`,
	discarded: t`discarded`,
	network: t`network`,
	unconfined: t`unconfined`,
} as const;

export function inBackground(id: string, isRunning: boolean): string {
	return t`${isRunning ? t`running` : t`ran`} in background (${id})`;
}

/** Returns why an answer is incomplete, or `undefined` for an unknown reason, which is shown as stored. */
export function stopText(stop: string): string | undefined {
	return stops.get(stop);
}

/** In older histories, `refused` may also mean that a filter blocked the answer. */
const stopWords: Readonly<Record<Exclude<RequestEnd['stop'], 'end' | 'tool_calls'>, string>> = {
	length: t`output limit reached`,
	refused: t`refused by the provider`,
	blocked: t`blocked by the provider’s filter`,
	empty: t`empty answer`,
	unread_call: t`unreadable tool call`,
	paused: t`paused by the provider`,
	aborted: t`interrupted`,
	cut: t`interrupted: the connection was lost`,
	error: t`failed`,
	other: t`ended for an unknown reason`,
};
const stops: ReadonlyMap<string, string> = new Map(Object.entries(stopWords));

/** Returns the text for a part of an answer that cannot be shown. `type` is already sanitized. */
export function unreadText(type: string, bytes: number | undefined): string {
	const what = bytes === undefined ? type : `${type}, ${formatBytes(bytes)}`;
	return t`[${what}: inkpod cannot show this part]`;
}

export function thoughtFor(duration: string): string {
	return t`thought for ${duration}`;
}

/** The texts for a run that did not end normally. */
export const outcomes = {
	limit: t`limit reached`,
	cancelled: t`cancelled`,
	paused: t`interrupted`,
	error: t`failed`,
} as const;

/** The advice after the outcome of a run if the provider refused the API key. */
export const otherKey = t`use /login to enter another key`;

/** `model` is the part of the time in which the model answered. */
export function turnTime(whole: string, model: string): string {
	return t`${whole} (model ${model})`;
}

/** `cached` is the cached share of the input. */
export function inputTokens(count: number, cached: number | undefined): string {
	return t`${formatCount(count)} in${cached === undefined ? '' : ` (${formatCached(cached)})`}`;
}

export function outputTokens(count: number): string {
	return t`${formatCount(count)} out`;
}

export function truncatedTo(bytes: number, totalBytes: number): string {
	return t`truncated ${formatBytes(bytes)} of ${formatBytes(totalBytes)}`;
}

export const truncated = t`truncated`;

/** The labels that precede the name of a part of the context. */
export const partLabels = {
	diagnostics: t`Diagnostics`,
	file: t`File`,
	editor: t`Editor`,
	autoRead: t`Auto-read`,
	dir: t`Dir`,
	image: t`Image`,
	document: t`Document`,
	web: t`Web`,
	resource: t`Resource`,
	prompt: t`Prompt`,
	workflow: t`Workflow`,
	knowledge: t`Knowledge`,
	instructions: t`Instructions`,
	command: t`Command`,
	btw: t`Side answer`,
} as const;

export function requiredBy(workflow: string): string {
	return t`required by /${workflow}`;
}

/** The names with which other texts refer to an item. */
export const itemNames = {
	compaction: t`the compaction`,
	rewind: t`the rewind`,
	context: t`the context change`,
	setup: t`the setup`,
	tool_result: t`an orphaned tool result`,
} as const;

/** The names of the content that is restored when an item is undone. */
export const undoneNames = {
	compaction: t`the summarised items`,
	rewind: t`the rewound messages`,
	context: t`the context before the change`,
} as const;

/** The reasons after the chip of a failed file reference. For the alert, the pod writes its own sentence. */
export const refFailures = {
	out_of_scope: t`outside the scope`,
	model: t`not for this model`,
	fetch: t`could not be fetched`,
	resource: t`could not be read`,
	not_found: t`not found`,
	binary: t`not a text file`,
	not_a_file: t`not a file`,
	too_large: t`too large`,
	bad_range: t`no such lines`,
	too_many: t`too many files`,
	budget: t`over the size limit`,
	denied: t`looks like a secret`,
	aborted: t`cancelled`,
	io: t`could not be read`,
} as const;

/** The badges for files that changed after the model saw them. */
export const staleBadges = {changed: t`▲ changed on disk`, gone: t`▲ missing on disk`} as const;

export function pasteChip(number: number, lines: number): string {
	return t`[paste #${number}: ${plural(lines, 'line')}]`;
}

export function pasteTitle(number: number): string {
	return t`paste #${number}`;
}

export function hiddenLines(count: number, word: 'more' | 'earlier'): string {
	return `… ${word === 'more' ? plural(count, 'more line') : plural(count, 'earlier line')}`;
}

export function moreLines(count: number): string {
	return ` … ${plural(count, 'more line')}`;
}

export function hiddenCharacters(count: number): string {
	return t`… ${count.toLocaleString('en')} characters are hidden. Open the block in the pager to read them.`;
}

/** Returns the name of a heading for a screen reader. `level`: 1 is the title of a text. */
export function headingLabel(level: number): string {
	return t`Heading ${level}`;
}

/** The names of blocks that a screen reader reads. */
export const spokenLabels = {
	user: t`You`,
	assistant: t`Answer`,
	thinking: t`Thinking`,
	tool: t`Tool`,
	notice: t`Notice`,
	usage: t`Usage`,
	compaction: t`Compacted`,
	child: t`Child session`,
	quote: t`Quote`,
	code: t`Code`,
} as const;

/** The states of a child session. */
export const childStates = {
	running: t`running`,
	finished: t`finished`,
	failed: t`failed`,
	stopped: t`stopped`,
	interrupted: t`interrupted`,
} as const;

/** The line above the task of a child session, which is not the user's own message. */
export const taskLabel = t`Task from the parent session`;

/** The title of a child session whose start is not in the history. */
export const unknownChild = t`Child session`;

/** The names in the list of a block's texts that the user can open. */
export const sources = {
	provider: t`Data for the provider`,
	thoughts: t`Thoughts`,
	systemPrompt: t`System prompt`,
	setup: t`Setup`,
	rewind: t`Rewind`,
	context: t`Context change`,
	request: t`Request`,
	requestEnd: t`End of the answer`,
	runEnd: t`End of the run`,
	task: t`Task of the child session`,
	childStarted: t`Start of the child session`,
	childEnded: t`End of the child session`,
	redaction: t`Removed texts`,
	title: t`Title`,
	rename: t`Change of the title`,
	mode: t`Settings of the session`,
	summary: t`Compaction summary`,
	compaction: t`Compaction`,
	user: t`Message`,
	assistant: t`Answer`,
	unread: t`Part of the answer`,
	system: t`Notice`,
} as const;

export function argumentsOf(tool: string): string {
	return t`${tool} · arguments`;
}

export function outputOf(tool: string): string {
	return t`${tool} · output`;
}

export function asJson(name: string): string {
	return t`${name} (JSON)`;
}

/** Returns the text with the number of new blocks below the visible part. */
export function newBlocks(count: string): string {
	return t`↓ ${count} new`;
}

/** Returns one line that tells how much text the user removed from the history. */
export function redactionText({count, lines}: ItemOf<'redaction'>): string {
	return t`You removed ${plural(count, 'text')} from ${plural(lines.length, 'item')} of this session`;
}

/** Returns one line about the texts that the user removed from an item. The id and the rule are untrusted text. */
export function redactedLineText(id: string, rule: string, marks: ReadonlyArray<{readonly bytes: number}>): string {
	return t`${sanitizeLine(id)}: ${plural(marks.length, 'text')} (${sanitizeLine(rule)}), ${formatBytes(
		marks.reduce((all, {bytes}) => all + bytes, 0),
	)}`;
}

/** Returns one line about the user's settings for a session. The folders are untrusted text. */
export function modeText({approval = 'ask', readOnly, addDirs = [], limits}: ItemOf<'mode'>): string {
	return [
		t`Approval: ${approval}`,
		...(readOnly === true ? [t`read-only`] : []),
		...(addDirs.length > 0 ? [t`also reads ${addDirs.join(', ')}`] : []),
		...(limits?.maxTurns === undefined ? [] : [t`at most ${limits.maxTurns} requests in a turn`]),
		...(limits?.maxCost === undefined ? [] : [t`at most $${limits.maxCost} for the session`]),
	].join(' · ');
}
