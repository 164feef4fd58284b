import type {RequestEnd} from '../../pod/protocol.ts';
import {formatBytes, formatCached, formatCount, plural} from '../text/formats.ts';

/** The texts of the transcript. Parts from outside are already inert. */

export const orphanedResult = 'orphaned tool result';
export const noOutput = '(no output)';
export const emptyText = '(empty)';
export const plainRest = '… The rest is shown as plain text.';
export const finished = 'finished';
export const costUnknown = 'cost unknown';
/** The text for a request of which inkpod never recorded the end of the answer, because inkpod was killed. */
export const answerLost = 'request sent, answer lost';
/** `more` is the number of places that earlier requests named. */
export function rewriteWords(rule: string, where: readonly string[], more = 0): string {
	return `rule ${rule}: ${where.join(', ')}${more === 0 ? '' : ` and ${more} more`}`;
}

export function exactRequest(id: string): string {
	return `exact body: /request ${id}`;
}

export function signatureWords(bytes: number): string {
	return `signature, ${bytes.toLocaleString('en')} bytes`;
}

export function encryptedWords(bytes: number): string {
	return `encrypted thoughts, ${bytes.toLocaleString('en')} bytes`;
}

/** The text that the detail view shows at a request whose answer follows. */
export const requestSent = 'request sent';
export const thinking = 'thinking…';

/** The states of a call that a tool row shows. `spoken` replaces the text for screen readers. */
export const callStates = {
	preparing: {shown: 'receiving arguments'},
	asking: {shown: 'needs approval'},
	queued: {shown: 'queued'},
	running: {shown: 'running'},
	background: {shown: '', spoken: 'started'},
	interrupted: {shown: 'interrupted'},
	denied: {shown: 'denied'},
	failed: {shown: '', spoken: 'failed'},
	done: {shown: '', spoken: 'finished'},
} as const satisfies Record<string, {readonly shown: string; readonly spoken?: string}>;

/** The state of a call that itself waits for the user. */
export const needsAnswer = 'needs your answer';
export const noAnswer = 'no answer';

/** The decisions about a plan. `reason` is already inert. */
export const planDecisions = {
	accepted: (mode = 'ask') => `Accepted · approval: ${mode}`,
	changes: (_mode: string | undefined, reason: string) => `You asked for changes: ${reason}`,
	kept: () => 'Not accepted yet',
	unattended: () => 'Printed, not carried out',
} as const satisfies Record<string, (mode: string | undefined, reason: string) => string>;

/** The texts that name who denied a call. `what` is `command` or `call`. */
export const denials = {
	user: (what: string, reason: string) => `You declined this ${what}${becauseOf(reason)}`,
	rule: (what: string, reason: string) => `A rule denies this ${what}${becauseOf(reason)}`,
	hook: (what: string, reason: string) => `A hook denied this ${what}${becauseOf(reason)}`,
	unattended: () => 'No one could approve it.',
} as const;

function becauseOf(reason: string): string {
	return reason === '' ? '.' : `: ${reason}`;
}

export const timedOut = 'timed out';

export function endedBySignal(signal: string): string {
	return `ended by signal ${signal}`;
}

export function exitText(code: number): string {
	return `exit ${code}`;
}

export function inBackground(id: string, isRunning: boolean): string {
	return `${isRunning ? 'running' : 'ran'} in background (${id})`;
}

/** Returns why an answer is incomplete, or `undefined` for an unknown reason, which is shown as stored. */
export function stopText(stop: string): string | undefined {
	return stops.get(stop);
}

/** In older histories, `refused` may also mean that a filter blocked the answer. */
const stopWords: Readonly<Record<Exclude<RequestEnd['stop'], 'end' | 'tool_calls'>, string>> = {
	length: 'output limit reached',
	refused: 'refused by the provider',
	blocked: 'blocked by a filter of the provider',
	empty: 'empty answer',
	unread_call: 'unreadable tool call',
	paused: 'paused by the provider',
	aborted: 'interrupted',
	cut: 'interrupted: the connection was lost',
	error: 'failed',
	other: 'ended for an unknown reason',
};
const stops: ReadonlyMap<string, string> = new Map(Object.entries(stopWords));

/** Returns the text for a part of an answer that cannot be shown. `type` is inert. */
export function unreadText(type: string, bytes: number | undefined): string {
	const what = bytes === undefined ? type : `${type}, ${formatBytes(bytes)}`;
	return `[${what}: inkpod cannot show this part]`;
}

export function thoughtFor(duration: string): string {
	return `thought for ${duration}`;
}

/** The texts for a run that did not end normally. */
export const outcomes = {
	limit: 'limit reached',
	cancelled: 'cancelled',
	paused: 'interrupted',
	error: 'failed',
} as const;

/** Stands after the outcome of a run whose key was refused. */
export const otherKey = '/login enters another key';

/** `cached` is the cached share of the input. */
/** `model` is the part of the time in which the model answered. */
export function turnTime(whole: string, model: string): string {
	return `${whole} (model ${model})`;
}

export function inputTokens(count: number, cached: number | undefined): string {
	return `${formatCount(count)} in${cached === undefined ? '' : ` (${formatCached(cached)})`}`;
}

export function outputTokens(count: number): string {
	return `${formatCount(count)} out`;
}

export function truncatedTo(bytes: number, totalBytes: number): string {
	return `truncated ${formatBytes(bytes)} of ${formatBytes(totalBytes)}`;
}

export const truncated = 'truncated';

/** The labels that precede the name of a part of the context. */
export const partLabels = {
	diagnostics: 'Diagnostics',
	file: 'File',
	editor: 'Editor',
	autoRead: 'Auto-read',
	dir: 'Dir',
	image: 'Image',
	document: 'Document',
	web: 'Web',
	workflow: 'Workflow',
	knowledge: 'Knowledge',
	instructions: 'Instructions',
	command: 'Command',
	btw: 'Side answer',
} as const;

export function requiredBy(workflow: string): string {
	return `required by /${workflow}`;
}

/** The names with which other texts refer to an item. */
export const itemNames = {
	compaction: 'the compaction',
	rewind: 'the rewind',
	context: 'the context change',
	setup: 'the setup',
	tool_result: 'an orphaned tool result',
} as const;

/** The names for what comes back when an item is undone. */
export const undoneNames = {
	compaction: 'the summarised items',
	rewind: 'the rewound messages',
	context: 'the context before the change',
} as const;

/** The reasons that follow the chip of a failed ref. For the alert, the pod writes its own sentence. */
export const refFailures = {
	out_of_scope: 'outside the scope',
	model: 'not for this model',
	fetch: 'could not be fetched',
	not_found: 'not found',
	binary: 'not a text file',
	not_a_file: 'not a file',
	too_large: 'too large',
	bad_range: 'no such lines',
	too_many: 'too many files',
	budget: 'over the size limit',
	denied: 'looks like a secret',
	aborted: 'cancelled',
	io: 'could not be read',
} as const;

/** The badges for files that changed after the model saw them. */
export const staleBadges = {changed: '▲ changed on disk', gone: '▲ missing on disk'} as const;

export function pasteChip(number: number, lines: number): string {
	return `[paste #${number}: ${plural(lines, 'line')}]`;
}

export function pasteTitle(number: number): string {
	return `paste #${number}`;
}

export function hiddenLines(count: number, word: 'more' | 'earlier'): string {
	return `… ${count} ${word} ${count === 1 ? 'line' : 'lines'}`;
}

export function moreLines(count: number): string {
	return ` … ${plural(count, 'more line')}`;
}

export function hiddenCharacters(count: number): string {
	return `… ${count.toLocaleString('en')} characters are hidden. Open the block in the pager to read them.`;
}

/** The names of blocks that a screen reader reads. */
export const spokenLabels = {
	user: 'You',
	assistant: 'Answer',
	thinking: 'Thinking',
	tool: 'Tool',
	notice: 'Notice',
	usage: 'Usage',
	compaction: 'Compacted',
	child: 'Child session',
	heading: 'Heading',
	code: 'Code',
} as const;

/** The states of a child session. */
export const childStates = {
	running: 'running',
	finished: 'finished',
	failed: 'failed',
	stopped: 'stopped',
	interrupted: 'interrupted',
} as const;

/** The line above the task of a child session, which is not the user's own message. */
export const taskLabel = 'Task from the parent session';

/** The title of a child session whose start is not in the history. */
export const unknownChild = 'Child session';

/** The names in the list of the texts of a block that you can open. */
export const sources = {
	provider: 'Kept for the provider',
	thoughts: 'Thoughts',
	systemPrompt: 'System prompt',
	setup: 'Setup',
	rewind: 'Rewind',
	context: 'Context change',
	request: 'Request',
	requestEnd: 'End of the answer',
	runEnd: 'End of the run',
	task: 'Task of the child session',
	childStarted: 'Start of the child session',
	childEnded: 'End of the child session',
	summary: 'Compaction summary',
	compaction: 'Compaction',
	user: 'Message',
	assistant: 'Answer',
	unread: 'Part of the answer',
	system: 'Notice',
} as const;

export function argumentsOf(tool: string): string {
	return `${tool} · arguments`;
}

export function outputOf(tool: string): string {
	return `${tool} · output`;
}

export function asJson(name: string): string {
	return `${name} (JSON)`;
}

/** Returns the text that counts the new blocks below the view. */
export function newBlocks(count: string): string {
	return `↓ ${count} new`;
}
