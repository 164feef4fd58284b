import type {Stop} from '../../../history/item.ts';
import {fieldOf, isRecord} from '../../values.ts';
import {errorWords, maxRaw, wordOf} from '../error-words.ts';

/** The reason why an answer of chat completions ended, in a form that does not depend on the server's word. */
export type Finish = {
	readonly kind: FinishKind;
	/** The word that the server itself used. */
	readonly raw: string;
};

type FinishKind =
	| 'stop'
	| 'length'
	| 'tool_calls'
	| 'blocked'
	| 'refused'
	| 'unread_call'
	| 'paused'
	| 'error'
	| 'other';

/** The `stop` of the finish event for each kind. */
export const stops: Readonly<Record<FinishKind, Stop | 'error'>> = {
	stop: 'end',
	length: 'length',
	tool_calls: 'tool_calls',
	blocked: 'blocked',
	refused: 'refused',
	unread_call: 'unread_call',
	paused: 'paused',
	other: 'other',
	error: 'error',
};

/** Searches an event and its choice for a finish. Returns `undefined` if the answer continues. */
export function finishIn(event: unknown, choice: unknown): Finish | undefined {
	// A gateway may send the provider's native reason in addition to its own reason
	// (openrouter.ai/docs/api-reference/overview#finish-reason).
	const told =
		finishOf(fieldOf(choice, 'finish_reason')) ??
		finishOf(fieldOf(choice, 'finishReason')) ??
		finishOf(fieldOf(fieldOf(choice, 'delta'), 'finish_reason')) ??
		finishOf(fieldOf(fieldOf(choice, 'message'), 'finish_reason')) ??
		finishOf(fieldOf(event, 'finish_reason')) ??
		// The fields of Ollama's own API (docs.ollama.com/api/chat), which some gateways pass on.
		(fieldOf(event, 'done') === true ? finishOf(fieldOf(event, 'done_reason')) : undefined) ??
		knownOf(fieldOf(choice, 'stop_reason')) ??
		knownOf(fieldOf(event, 'stop_reason'));
	if (told === undefined) return undefined;
	const native = knownOf(fieldOf(choice, 'native_finish_reason'));
	return native?.kind === 'unread_call' || (told.kind === 'other' && native !== undefined) ? native : told;
}

/**
Returns the finish that matches the parts of the answer, because some servers send `stop` after calls, or `tool_calls`
without calls.
*/
export function settledFinish(
	finish: Finish,
	{
		hasCalls,
		hasText,
		hasUnread,
	}: {readonly hasCalls: boolean; readonly hasText: boolean; readonly hasUnread: boolean},
): Finish {
	const {kind, raw} = finish;
	if (kind !== 'stop' && kind !== 'tool_calls') return finish;
	if (hasCalls) return {kind: 'tool_calls', raw};
	if (hasUnread) return {kind: 'unread_call', raw};
	return hasText ? {kind: 'stop', raw} : finish;
}

function finishOf(value: unknown): Finish | undefined {
	const raw = isRecord(value) ? (value['type'] ?? value['reason']) : value;
	if (typeof raw !== 'string') return undefined;
	const word = wordOf(raw);
	if (word === '' || notYet.has(word)) return undefined;
	const kind = kinds.get(word) ?? (unreadWords.some(unread => word.includes(unread)) ? 'unread_call' : 'other');
	return {kind, raw: raw.slice(0, maxRaw)};
}

/** Returns a finish only for a known word, because in vLLM, `stop_reason` is the stop text that ended the answer. */
function knownOf(value: unknown): Finish | undefined {
	const finish = finishOf(value);
	return finish?.kind === 'other' ? undefined : finish;
}

/** The finish words that mean that the answer continues. DashScope sends "null" as a string. */
const notYet: ReadonlySet<string> = new Set(['null', 'none', 'unspecified', 'undefined', 'notstopped', 'inprogress']);

/**
The finish words that servers use, by kind. Sources: platform.openai.com/docs/api-reference/chat/object,
api-docs.deepseek.com/api/create-chat-completion, docs.mistral.ai/api (model_length, error), docs.bigmodel.cn
(sensitive, network_error), huggingface.co/docs/text-generation-inference (eos_token, stop_sequence), docs.vllm.ai
(abort), ai.google.dev/api/generate-content#FinishReason, docs.anthropic.com/en/api/handling-stop-reasons,
docs.together.ai (eos), docs.cohere.com/reference/chat (COMPLETE, MAX_TOKENS).
*/
const words: Readonly<Record<FinishKind, string>> = {
	stop: `stop stopped stopsequence stoptoken stopword eos eostoken eot eotid endturn endofturn end complete completed
		finish finished done normal success`,
	length: `length maxtokens maxtoken maxoutputtokens maxcompletiontokens maxnewtokens maxlength modellength tokenlimit
		lengthlimit outputlimit modelcontextwindowexceeded contextlength contextlengthexceeded truncated`,
	tool_calls: 'toolcalls toolcall tooluse functioncall functioncalls tools',
	blocked: `contentfilter contentfiltered contentblocked contentpolicy safety prohibitedcontent blocklist spii
		recitation sensitive imagesafety moderation blocked guardrailintervened guardrail errortoxic`,
	refused: 'refusal refused',
	unread_call: 'malformedfunctioncall unexpectedtoolcall malformedtoolcall',
	paused: 'pauseturn paused',
	error: errorWords.join(' '),
	other: '',
};

/** Gateways add other words to these, such as `function_call_filter: MALFORMED_FUNCTION_CALL`. */
const unreadWords = words.unread_call.split(' ');

const kinds: ReadonlyMap<string, FinishKind> = new Map(
	(Object.keys(words) as FinishKind[]).flatMap(kind =>
		words[kind]
			.split(/\s+/)
			.filter(word => word !== '')
			.map(word => [word, kind] as const),
	),
);
