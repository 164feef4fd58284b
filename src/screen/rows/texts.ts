import {t} from '../../language/index.ts';
import type {ItemOf, OriginOf} from '../../pod/protocol.ts';
import {setupTools, truncated} from '../../transcript/texts.ts';
import {formatCount, plural} from '../../text/formats.ts';

/** The texts of notices and compactions. Parts from outside are already sanitized. */

/** The beginning of the row that says that the last run was interrupted. Texts about the useful keys follow. */
export const interrupted = {paused: t`Interrupted`, cut: t`Interrupted: inkpod exited`} as const;

/**
Returns texts about the keys that continue or discard an interrupted run. A text is left out if the user has removed its
key.
*/
export function keysAfterInterruption(submit: string | undefined, cancel: string | undefined): readonly string[] {
	return [
		...(submit === undefined ? [] : [t`${submit} to continue`]),
		...(cancel === undefined ? [] : [t`${cancel} to discard`]),
	];
}

type SetupFacts = {
	readonly model: string;
	readonly tools: ItemOf<'setup'>['tools'];
	readonly promptChars: number;
	readonly settings: Readonly<Record<string, unknown>>;
};

export function setupText({model, tools, promptChars, settings}: SetupFacts): string {
	const prompt = t`system prompt ${promptChars.toLocaleString('en')} chars`;
	const strict = settings['dialect'] === 'strict' ? [t`strict message format`] : [];
	const changes = changesOf(settings);
	return [
		named(model, settings),
		...optionTexts(settings),
		...(changes.length > 0 ? [t`changed for this server: ${changes.join(', ')}`] : []),
		...(isCachedLonger(settings) ? [t`prompt cached for 1 hour`] : []),
		setupTools(tools),
		prompt,
		...strict,
	].join(' · ');
}

/**
Returns texts about the parts of requests that have another form because the server refused the default one. The latest
change comes first, because a narrow screen cuts the row.
*/
function changesOf({forms}: SetupFacts['settings']): readonly string[] {
	return Array.isArray(forms) ? forms.toReversed().flatMap(name => changedForms.get(name) ?? []) : [];
}

function isCachedLonger({cacheTime, forms}: SetupFacts['settings']): boolean {
	return cacheTime === '1h' && !(Array.isArray(forms) && forms.includes('short_cache'));
}

const changedForms: ReadonlyMap<unknown, string> = new Map([
	['no_stream_options', t`no stream_options`],
	['max_completion_tokens', t`max_completion_tokens instead of max_tokens`],
	['max_tokens', t`max_tokens instead of max_completion_tokens`],
	['empty_content', t`empty content instead of null`],
	['reasoning_content', t`thoughts are sent back`],
	['no_thoughts', t`thoughts are not sent back`],
	['old_thoughts', t`earlier thoughts are left out`],
	['no_betas', t`no beta features`],
	['short_cache', t`prompt cached for 5 minutes`],
	['call_marks', t`tool calls have a signature`],
	['short_ids', t`short ids of tool calls`],
	['separate_roles', t`alternating roles`],
	['prompt_in_message', t`system prompt in the first message`],
	['bare_calls', t`tool calls without extra fields`],
]);

/** Returns a text about the start of a session: the model, the number of tools and the instructions. */
export function startFacts(
	setup: Pick<ItemOf<'setup'>, 'model' | 'tools' | 'settings'> | undefined,
	files: ReadonlyArray<Pick<OriginOf<'instructions'>, 'path' | 'truncated'>>,
): string {
	const {model, tools, settings} = setup ?? {model: '', tools: [], settings: {}};
	const about = setup === undefined ? [] : [named(model, settings), ...optionTexts(settings), setupTools(tools)];
	const names = files.map(({path, truncated: isCut}) => (isCut ? `${path} (${truncated})` : path));
	return [...about, ...names].join(' · ');
}

/** The texts for several finished calls in one row. `isFirst`: the text is at the beginning of the row. */
export const foldedCalls = {
	read: (count: number, isFirst: boolean) => `${isFirst ? t`Read` : t`read`} ${plural(count, 'file')}`,
	searched: (count: number, isFirst: boolean) => `${isFirst ? t`Searched` : t`searched`} ${plural(count, 'pattern')}`,
} as const;

/** Returns the name of a model, and the server if it is not the provider's own server. */
function named(model: string, {server}: SetupFacts['settings']): string {
	return typeof server === 'string' ? t`${model} at ${server}` : model;
}

/** Returns texts about the options of the requests to the model. */
function optionTexts({reasoning, maxOutputTokens, temperature, topP, stop}: SetupFacts['settings']): readonly string[] {
	return [
		...(typeof reasoning === 'string' ? [t`effort ${reasoning}`] : []),
		...(typeof maxOutputTokens === 'number' ? [t`at most ${formatCount(maxOutputTokens)} output tokens`] : []),
		...(typeof temperature === 'number' ? [t`temperature ${temperature}`] : []),
		...(typeof topP === 'number' ? [t`top_p ${topP}`] : []),
		...(Array.isArray(stop) ? [plural(stop.length, 'stop text')] : []),
	];
}

export function rewoundText(to: string, isMessage: boolean): string {
	return t`Rewound to ${isMessage ? t`before ` : ''}${to}; later messages are no longer in context`;
}

export function renamedTo(title: string): string {
	return title === '' ? t`Title removed` : t`Renamed to “${title}”`;
}

export const contextChanges = {
	drop: (names: string) => t`Dropped from context: ${names}`,
	restore: (names: string) => t`Restored to context: ${names}`,
	pin: (names: string) => t`Pinned in context: ${names}`,
	prune: (names: string) => t`Output left out of context: ${names}`,
} as const;

/**
The texts about outputs that inkpod automatically left out of the context. `/compact undo` restores these outputs.
*/
export const leftOut = {
	cache_expired: (outputs: string, size: string) =>
		t`${outputs} left out (${size}), because the provider no longer caches them · /compact undo restores them`,
	too_long: (outputs: string, size: string) =>
		t`${outputs} left out (${size}), because the request was too long · /compact undo restores them`,
} as const;

/** The texts that explain why the previous turn ended early. They replace the text that was written for the model. */
export const interruptions: ReadonlyMap<string, string> = new Map([
	['cancelled', t`You cancelled the previous turn.`],
	['paused', t`You interrupted the previous turn.`],
	['error', t`The previous turn failed.`],
	['died', t`The previous turn was interrupted: inkpod exited.`],
]);

/** The texts about plan mode. `hash` identifies the plan that you accepted. */
export const planChanges = {
	on: () => t`Plan mode on: no changes until you accept a plan`,
	off: () => t`Plan mode off`,
	accepted: (mode = 'ask', sha256 = '') => t`Plan accepted · approval: ${mode} · sha256 ${sha256.slice(0, 12)}`,
} as const satisfies Record<string, (mode?: string, sha256?: string) => string>;

export const continuing = t`Continuing the interrupted answer`;

export function movedTo(path: string): string {
	return t`Session moved to ${path}`;
}

export function restoredFile(path: string, isDeleted: boolean): string {
	return isDeleted ? t`Deleted ${path} (it was created by a tool)` : t`Restored ${path}`;
}

export function andMore(count: number): string {
	return t`and ${count} more`;
}

export const instructionsGone = t`removed`;

export const compacted = t`Compacted`;
export const compactionLists = {kept: t`kept`, read: t`re-read`, refs: t`references`, refused: t`not re-read`} as const;

/** The detail view shows this title above the conversation in which the model wrote a summary. */
export const conversationTitle = t`The conversation in which the model wrote this summary:`;
export const loadingConversation = t`Loading the conversation in which the model wrote this summary…`;

export function compactedTokens(before: number, after: number): string {
	return t`${formatCount(before)} → ${formatCount(after)} tokens`;
}

export function compactedTokensSpoken(before: number, after: number): string {
	return t`from ${formatCount(before)} to ${formatCount(after)} tokens`;
}

export function summarisedItems(count: number): string {
	return t`${plural(count, 'item')} summarised`;
}

export function keptItems(count: number): string {
	return t`${count} kept`;
}

export function compactedBy(model: string, from: string): string {
	return t`by ${model} · kept verbatim from ${from}`;
}
