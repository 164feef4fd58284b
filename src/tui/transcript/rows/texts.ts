import type {ItemOf, OriginOf} from '../../../pod/protocol.ts';
import {truncated} from '../texts.ts';
import {formatCount, plural} from '../../text/formats.ts';

/** The texts of notices and compactions. Parts from outside are already inert. */

/** The beginning of the row that says that the last run was interrupted. The useful keys follow. */
export const interrupted = {paused: 'Interrupted', cut: 'Interrupted: inkpod exited'} as const;

/** Returns what continues an interrupted run and what discards it. A key is absent if the user removed it. */
export function keysAfterInterruption(submit: string | undefined, cancel: string | undefined): readonly string[] {
	return [
		...(submit === undefined ? [] : [`${submit} to continue`]),
		...(cancel === undefined ? [] : [`${cancel} to discard`]),
	];
}

type SetupFacts = {
	readonly model: string;
	readonly tools: number;
	readonly promptChars: number;
	readonly settings: Readonly<Record<string, unknown>>;
};

/** The server refused the usual form of a request if the dialect is strict. */
export function setupText({model, tools, promptChars, settings}: SetupFacts): string {
	const prompt = `system prompt ${promptChars.toLocaleString('en')} chars`;
	const strict = settings['dialect'] === 'strict' ? ['strict message format'] : [];
	return [model, ...optionTexts(settings), plural(tools, 'tool'), prompt, ...strict].join(' · ');
}

/** Returns what a session begins with, in one row: the model, the number of tools and the instructions. */
export function startFacts(
	setup: Pick<ItemOf<'setup'>, 'model' | 'tools' | 'settings'> | undefined,
	files: ReadonlyArray<Pick<OriginOf<'instructions'>, 'path' | 'truncated'>>,
): string {
	const {model, tools, settings} = setup ?? {model: '', tools: [], settings: {}};
	const about = setup === undefined ? [] : [model, ...optionTexts(settings), plural(tools.length, 'tool')];
	const names = files.map(({path, truncated: isCut}) => (isCut ? `${path} (${truncated})` : path));
	return [...about, ...names].join(' · ');
}

/** The texts for several finished calls in one row. `isFirst`: whether the text begins the row. */
export const foldedCalls = {
	read: (count: number, isFirst: boolean) => `${isFirst ? 'Read' : 'read'} ${plural(count, 'file')}`,
	searched: (count: number, isFirst: boolean) => `${isFirst ? 'Searched' : 'searched'} ${plural(count, 'pattern')}`,
} as const;

/** Returns the options of the model's requests. */
function optionTexts({reasoning, maxOutputTokens, temperature, topP, stop}: SetupFacts['settings']): readonly string[] {
	return [
		...(typeof reasoning === 'string' ? [`effort ${reasoning}`] : []),
		...(typeof maxOutputTokens === 'number' ? [`at most ${formatCount(maxOutputTokens)} output tokens`] : []),
		...(typeof temperature === 'number' ? [`temperature ${temperature}`] : []),
		...(typeof topP === 'number' ? [`top_p ${topP}`] : []),
		...(Array.isArray(stop) ? [plural(stop.length, 'stop text')] : []),
	];
}

export function rewoundText(to: string, isMessage: boolean): string {
	return `Rewound to ${isMessage ? 'before ' : ''}${to}; later messages are no longer in context`;
}

export const contextChanges = {
	drop: (names: string) => `Dropped from context: ${names}`,
	restore: (names: string) => `Restored to context: ${names}`,
	pin: (names: string) => `Pinned in context: ${names}`,
	prune: (names: string) => `Output left out of context: ${names}`,
} as const;

/** The texts about outputs that inkpod left out by itself. `/compact undo` restores them. */
export const leftOut = {
	cache_expired: (outputs: string, size: string) =>
		`${outputs} left out (${size}) · /compact undo restores · the provider no longer caches them`,
	too_long: (outputs: string, size: string) =>
		`${outputs} left out (${size}) · /compact undo restores · the request was too long`,
} as const;

/** The texts that explain why the previous turn ended early. They replace the text that was written for the model. */
export const interruptions: ReadonlyMap<string, string> = new Map([
	['cancelled', 'You cancelled the previous turn.'],
	['paused', 'You interrupted the previous turn.'],
	['error', 'The previous turn failed.'],
	['died', 'The previous turn was interrupted: inkpod exited.'],
]);

/** The texts about plan mode. The hash names the plan that you accepted. */
export const planChanges = {
	on: () => 'Plan mode on: no changes until you accept a plan',
	off: () => 'Plan mode off',
	accepted: (mode = 'ask', sha256 = '') => `Plan accepted · approval: ${mode} · sha256 ${sha256.slice(0, 12)}`,
} as const satisfies Record<string, (mode?: string, sha256?: string) => string>;

export const continuing = 'Continuing the interrupted answer';

export function movedTo(path: string): string {
	return `Session moved to ${path}`;
}

export function restoredFile(path: string, isDeleted: boolean): string {
	return isDeleted ? `Deleted ${path} (it was created by a tool)` : `Restored ${path}`;
}

export function andMore(count: number): string {
	return `and ${count} more`;
}

export const instructionsGone = 'removed';

export const compacted = 'Compacted';
export const compactionLists = {kept: 'kept', read: 're-read', refs: 'references', refused: 'not re-read'} as const;

/** The detail view shows this above the conversation in which a summary was written. */
export const conversationTitle = 'The conversation that wrote this summary:';
export const loadingConversation = 'Loading the conversation that wrote this summary…';

export function compactedTokens(before: number, after: number): string {
	return `${formatCount(before)} → ${formatCount(after)} tokens`;
}

export function compactedTokensSpoken(before: number, after: number): string {
	return `from ${formatCount(before)} to ${formatCount(after)} tokens`;
}

export function summarisedItems(count: number): string {
	return `${plural(count, 'item')} summarised`;
}

export function keptItems(count: number): string {
	return `${count} kept`;
}

export function compactedBy(model: string, from: string): string {
	return `by ${model} · kept verbatim from ${from}`;
}
