import {formatCount, plural} from '../../text/formats.ts';

/** Texts of notices and compactions. Parts from outside are already inert. */

export const processExited = 'Interrupted: inkpod exited. Press Enter to resume.';

/** `isStrict`: the server refused the usual form of a request. */
export function setupText(model: string, tools: number, promptChars: number, isStrict: boolean): string {
	const prompt = `system prompt ${promptChars.toLocaleString('en')} chars`;
	return `${model} · ${plural(tools, 'tool')} · ${prompt}${isStrict ? ' · strict message format' : ''}`;
}

export function rewoundText(to: string, isMessage: boolean): string {
	return `Rewound to ${isMessage ? 'before ' : ''}${to}; later messages are no longer in context`;
}

export const contextChanges = {
	drop: (names: string) => `Dropped from context: ${names}`,
	restore: (names: string) => `Restored to context: ${names}`,
	pin: (names: string) => `Pinned in context: ${names}`,
} as const;

/** These texts explain why the previous turn ended early. They replace the note for the model. */
export const interruptions: ReadonlyMap<string, string> = new Map([
	['cancelled', 'You cancelled the previous turn.'],
	['paused', 'You interrupted the previous turn.'],
	['error', 'The previous turn failed.'],
	['died', 'The previous turn was interrupted: inkpod exited.'],
]);

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
