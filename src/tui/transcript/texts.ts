import {formatBytes, formatCached, formatCount, plural} from '../text/formats.ts';

/** What the transcript says. Parts that come from outside are inert already. */

export const orphanedResult = 'orphaned tool result';
export const noOutput = '(no output)';
export const emptyText = '(empty)';
export const plainRest = '… The rest is shown as plain text.';
export const finished = 'finished';
export const costUnknown = 'cost unknown';
export const thinking = 'thinking…';

/** What a tool row says of a call. `spoken`: for a screen reader, where that is more. */
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

/** Who denied a call. `what`: `command` or `call`. */
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

/** Why a model's answer ended early. A reason that this version does not know is shown as it is stored. */
export function stopText(stop: string): string | undefined {
	return stops.get(stop);
}

const stops: ReadonlyMap<string, string> = new Map([
	['length', 'output limit reached'],
	['refused', 'refused by the provider'],
	['aborted', 'interrupted'],
	['cut', 'interrupted: the connection was lost'],
	['error', 'failed'],
]);

export function thoughtFor(duration: string): string {
	return `thought for ${duration}`;
}

/** How a run ended, unless it simply finished. */
export const outcomes = {
	limit: 'limit reached',
	cancelled: 'cancelled',
	paused: 'interrupted',
	error: 'failed',
} as const;

/** `cached`: the part of it that came from the cache. */
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

/** What a part of the context is called, before its name. */
export const partLabels = {
	file: 'File',
	autoRead: 'Auto-read',
	dir: 'Dir',
	workflow: 'Workflow',
	knowledge: 'Knowledge',
	instructions: 'Instructions',
	command: 'Command',
} as const;

export function requiredBy(workflow: string): string {
	return `required by /${workflow}`;
}

/** What an item is called where others refer to it. */
export const itemNames = {
	compaction: 'the compaction',
	rewind: 'the rewind',
	context: 'the context change',
	setup: 'the setup',
	tool_result: 'an orphaned tool result',
} as const;

/** What comes back when an item is undone. */
export const undoneNames = {
	compaction: 'the summarised items',
	rewind: 'the rewound messages',
	context: 'the context before the change',
} as const;

/** Why a ref failed, after its chip. The sentence of the alert is the pod's. */
export const refFailures = {
	out_of_scope: 'outside the scope',
	not_found: 'not found',
	binary: 'not a text file',
	not_a_file: 'not a file',
	too_large: 'too large',
	bad_range: 'no such lines',
	too_many: 'too many files',
	budget: 'over the budget',
	denied: 'looks like a secret',
	aborted: 'cancelled',
	io: 'could not be read',
} as const;

/** What became of a file since the model saw it. */
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

/** What a block is called for a screen reader. */
export const spokenLabels = {
	user: 'You',
	assistant: 'Answer',
	thinking: 'Thinking',
	tool: 'Tool',
	notice: 'Notice',
	usage: 'Usage',
	compaction: 'Compacted',
	heading: 'Heading',
	code: 'Code',
} as const;

/** What can be opened of a block. */
export const sources = {
	provider: 'Kept for the provider',
	thoughts: 'Thoughts',
	systemPrompt: 'System prompt',
	setup: 'Setup',
	rewind: 'Rewind',
	context: 'Context change',
	request: 'Request',
	runEnd: 'End of the run',
	summary: 'Compaction summary',
	compaction: 'Compaction',
	user: 'Message',
	assistant: 'Answer',
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

/** How many blocks are new below the view. */
export function newBlocks(count: string): string {
	return `↓ ${count} new`;
}
