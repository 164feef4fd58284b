import type {Stop, Usage} from '../../../history/item.ts';
import {storableUsage} from '../../events.ts';
import type {AnswerNotes} from '../answer-notes.ts';
import {countOf, textIn} from '../fields.ts';
import {elementsOf, fieldOf} from '../../values.ts';

/** Returns why a candidate ended, in the words of the API. Returns `undefined` if the candidate has not ended. */
export function finishReasonOf(candidate: unknown): string | undefined {
	const reason = textIn(candidate, 'finishReason', 'finish_reason')?.toUpperCase();
	if (reason === undefined || reason === 'FINISH_REASON_UNSPECIFIED') return undefined;
	return Object.hasOwn(otherWords, reason) ? otherWords[reason] : reason;
}

/** Returns why a prompt was blocked. Returns `undefined` if the prompt was not blocked. */
export function blockReasonOf(event: unknown): string | undefined {
	const feedback = fieldOf(event, 'promptFeedback') ?? fieldOf(event, 'prompt_feedback');
	const reason = textIn(feedback, 'blockReason', 'block_reason');
	return reason === undefined || /^BLOCK(ED)?_REASON_UNSPECIFIED$/.test(reason) ? undefined : reason;
}

/** Returns the stop reason of an item for a reason of the API. A stop reason in the notes has priority. */
export function stopOf(reason: string, hasCalls: boolean): Stop {
	if (reason === 'STOP') return hasCalls ? 'tool_calls' : 'end';
	return plain.get(reason) ?? 'other';
}

/**
Records an unusual end of a candidate, and the server's own words about it (ai.google.dev/api/generate-content,
"FinishReason").
*/
export function noteFinish(notes: AnswerNotes, reason: string, candidate: unknown): void {
	const message = textIn(candidate, 'finishMessage', 'finish_message');
	const ratings = fieldOf(candidate, 'safetyRatings') ?? fieldOf(candidate, 'safety_ratings');
	const explanation = message ?? [reason, ...blockedCategories(ratings)].join(', ');
	if (blocked.has(reason)) notes.setEnd({stop: 'blocked', explanation});
	else if (unreadCalls.has(reason) || /MALFORMED_(?:FUNCTION|TOOL)_CALL/i.test(reason))
		notes.setEnd({stop: 'unread_call', explanation});
	else if (!plain.has(reason)) notes.setEnd({stop: 'other', explanation});
	else if (reason === 'MAX_TOKENS' && message !== undefined) notes.setEnd({explanation: message});
}

/** Records that the prompt was blocked (ai.google.dev/api/generate-content, "BlockReason"). */
export function noteBlock(notes: AnswerNotes, reason: string, event: unknown): void {
	const feedback = fieldOf(event, 'promptFeedback') ?? fieldOf(event, 'prompt_feedback');
	const message = textIn(feedback, 'blockReasonMessage', 'block_reason_message');
	const ratings = fieldOf(feedback, 'safetyRatings') ?? fieldOf(feedback, 'safety_ratings');
	notes.setEnd({stop: 'blocked', explanation: message ?? [reason, ...blockedCategories(ratings)].join(', ')});
}

/** The token counts of an answer, under their names in the API. */
export type GeminiCounts = Partial<Record<keyof typeof usageNames, number>>;

/** Returns the token counts in a chunk. Later chunks may have other counts. */
export function countsOf(event: unknown): GeminiCounts {
	const usage = fieldOf(event, 'usageMetadata') ?? fieldOf(event, 'usage_metadata');
	if (usage === undefined || usage === null) return {};
	return Object.fromEntries(
		Object.entries(usageNames).flatMap(([name, other]): [string, number][] => {
			const count = countOf(fieldOf(usage, name)) ?? countOf(fieldOf(usage, other));
			return count === undefined ? [] : [[name, count]];
		}),
	);
}

/**
Returns the usage. The API's count for the answer does not include thoughts, and its count for the prompt does not
include results of the server's own tools.
*/
export function usageOf(counts: GeminiCounts): Usage {
	if (Object.keys(counts).length === 0) return {};
	const {promptTokenCount = 0, toolUsePromptTokenCount = 0, candidatesTokenCount = 0} = counts;
	const {cachedContentTokenCount: cacheRead = 0, thoughtsTokenCount: reasoning = 0} = counts;
	return storableUsage({
		input: promptTokenCount + toolUsePromptTokenCount,
		output: candidatesTokenCount + reasoning,
		cacheRead,
		cacheWrite: undefined,
		reasoning,
	});
}

const usageNames = {
	promptTokenCount: 'prompt_token_count',
	candidatesTokenCount: 'candidates_token_count',
	thoughtsTokenCount: 'thoughts_token_count',
	cachedContentTokenCount: 'cached_content_token_count',
	toolUsePromptTokenCount: 'tool_use_prompt_token_count',
	totalTokenCount: 'total_token_count',
} as const;

/**
The stop reasons for reasons that need no explanation. After `CONTINUATION`, the server would continue the answer in
another request.
*/
const plain: ReadonlyMap<string, Stop> = new Map([
	['STOP', 'end'],
	['MAX_TOKENS', 'length'],
	['CONTINUATION', 'paused'],
]);
const blocked: ReadonlySet<string> = new Set([
	'SAFETY',
	'RECITATION',
	'BLOCKLIST',
	'PROHIBITED_CONTENT',
	'SPII',
	'MODEL_ARMOR',
	'IMAGE_SAFETY',
	'IMAGE_PROHIBITED_CONTENT',
	'IMAGE_RECITATION',
]);
const unreadCalls: ReadonlySet<string> = new Set(['UNEXPECTED_TOOL_CALL', 'TOO_MANY_TOOL_CALLS']);

/** Maps the stop reasons of other APIs to those of this API, because some servers send them. */
const otherWords: Readonly<Record<string, string>> = {
	END_TURN: 'STOP',
	TOOL_CALLS: 'STOP',
	LENGTH: 'MAX_TOKENS',
	CONTENT_FILTER: 'SAFETY',
};

function blockedCategories(ratings: unknown): readonly string[] {
	return elementsOf(ratings).flatMap(rating => {
		const category = textIn(rating, 'category');
		const isBlocked = fieldOf(rating, 'blocked') === true || fieldOf(rating, 'probability') === 'HIGH';
		return category !== undefined && isBlocked ? [category] : [];
	});
}
