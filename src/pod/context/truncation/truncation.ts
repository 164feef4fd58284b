import {
	answerEnd,
	answerStart,
	dialects,
	foldOf,
	lastSetup,
	type Item,
	type Settings,
	type Usage,
	stamp,
	type Clock,
	type History,
	type Interceptor,
	type Message,
} from '../../../worker/index.ts';
import {createContextSum, type Projection} from '../../ground/counts/context-sum.ts';
import {truncatedRequest, truncatedTopic} from '../../ground/counts/usage.ts';
import {changesContext, estimateItem, requestId} from '../../ground/counts/usage.ts';
import {projectedItems} from '../../ground/history/reader.ts';
import type {Alert} from '../../protocol.ts';
import type {Asks} from '../../permissions/approval/asks.ts';
import {en, t} from '../../../language/index.ts';

/** A request whose beginning the server dropped. Both counts are in tokens. */
type Truncation = {
	/** The id of the request. */
	readonly request: string;
	readonly read: number;
	readonly of: number;
};

/**
Returns the truncation of the last request, if the provider's count shows one. Some servers drop the beginning of a
prompt that exceeds their window, and answer as if nothing had happened.

- The count is below half of inkpod's estimate. The estimate of a tokenizer's count is never that far off.
- Or the context has only grown since an earlier count, but the new count has not: it is lower, or much was added and
  hardly any of it was counted.

Thoughts do not count as sent, because most servers get none of the earlier ones. A count that is absent or tiny is not
what a server read. inkpod's own models have no real counts.
*/
export function lastTruncation(items: readonly Item[], project: Projection): Truncation | undefined {
	const at = items.findLastIndex(item => answerEnd(item) !== undefined);
	const read = tokensRead(answerEnd(items[at])?.usage);
	const start = at < 0 ? 0 : answerStart(items, at);
	const request = items[at]?.type === 'request' ? items[at] : items[start - 1];
	if (read === undefined || request?.type !== 'request' || ownModel.test(request.model)) return undefined;
	const sent = sentTokens(items, project, start);
	const expected = expectedCount(items, {at, start, sent}, project);
	const isCut = 2 * read < sent || (expected !== undefined && read < expected.least);
	return isCut ? {request: request.id, read, of: Math.max(sent, expected?.usual ?? 0)} : undefined;
}

const ownModel = /^(?:offline$|scripted:)/;

/** Servers have windows of thousands of tokens. */
const leastCount = 256;

/** Cached tokens were read, too. Some servers do not include them in their count of the input. */
function tokensRead({input, cacheRead = 0, cacheWrite = 0}: Usage = {}): number | undefined {
	if (input === undefined) return undefined;
	const read = cacheRead > input ? input + cacheRead + cacheWrite : input;
	return read < leastCount ? undefined : read;
}

type Last = {readonly at: number; readonly start: number; readonly sent: number};

type Expected = {readonly least: number; readonly usual: number};

/**
Returns the count to expect after earlier ones, or `undefined` if there are none, or if the context has not only grown
since then. The last count is a lower limit. So that slow growth is noticed, the limit also follows from the last count
since which enough was added.
*/
function expectedCount(items: readonly Item[], last: Last, project: Projection): Expected | undefined {
	if (countsVary(items)) return undefined;
	// The notice of a truncated request follows its end.
	const cut = new Set<string>();
	let expected: Expected | undefined;
	let added = 0;
	for (let at = last.at - 1; at >= 0 && added < leastAdded; at--) {
		const item = items[at];
		if (item === undefined || (at < last.start && changesContext(item))) break;
		const about = truncatedRequest(item);
		if (about !== undefined) cut.add(about);
		if (!isCounted(item, cut)) continue;
		const start = answerStart(items, at);
		if (items.slice(start, at).some(changesContext)) break;
		added = last.sent - sentTokens(items, project, start);
		const usual = (tokensRead(answerEnd(item)?.usage) ?? 0) - thoughtsIn(items, project, start);
		const least = added < leastAdded ? usual - noise : usual + added * leastShare;
		expected = {
			least: Math.max(least, expected?.least ?? 0),
			usual: Math.max(usual + Math.max(0, added), expected?.usual ?? 0),
		};
	}
	return expected;
}

/** The number of added tokens from which their count matters, and the least share of them that is counted. */
const leastAdded = 400;

const leastShare = 0.25;

/** Templates add a few tokens of their own, such as a date. */
const noise = 32;

const noRequests: ReadonlySet<string> = new Set();

function isCounted(item: Item, cut: ReadonlySet<string>): boolean {
	return tokensRead(answerEnd(item)?.usage) !== undefined && !cut.has(requestId(item));
}

/** OpenRouter may give each request to another model, whose tokenizer counts in its own way. */
function countsVary(items: readonly Item[]): boolean {
	const setup = lastSetup(items);
	return setup === undefined || setup.model.startsWith('openrouter/') || setup.settings['dialect'] === 'openrouter';
}

/** Returns the estimated tokens of a request without its thoughts. */
const sentTokens = createContextSum(item => (item.type === 'reasoning' ? 0 : estimateItem(item)));

/** Returns how many tokens of thoughts an earlier request may have had that a later one has not. */
function thoughtsIn(items: readonly Item[], project: Projection, end: number): number {
	if (sendsNoThoughts(lastSetup(items)?.settings)) return 0;
	// A tokenizer may count twice as much for a text as inkpod.
	return Math.max(2 * shownThoughts(items, project, end), countedThoughts(items, project, end));
}

const shownThoughts = createContextSum(item => (item.type === 'reasoning' ? estimateItem(item) : 0));

const countedThoughts = createContextSum(item => answerEnd(item)?.usage.reasoning ?? 0);

function sendsNoThoughts({dialect}: Settings = {}): boolean {
	return Object.entries(dialects).some(([name, facts]) => name === dialect && !('thoughts' in facts));
}

/**
Returns the notice of the last truncation, unless the context was changed since then, or a later request was read
completely.
*/
export const openTruncation: (items: readonly Item[]) => Item | undefined = foldOf<Item | undefined>(
	() => undefined,
	(open, item) => {
		if (changesContext(item)) return undefined;
		if (truncatedRequest(item) !== undefined) return item;
		return isCounted(item, noRequests) ? undefined : open;
	},
);

export type SendConfirmed =
	| {readonly ok: true}
	| {readonly ok: false; readonly code: 'untrusted' | 'aborted'; readonly sentence: string};

/** Reports requests whose beginning the server dropped, and asks before the next one. */
export type TruncationGuard = {
	/** Asks before a turn, if the last request was truncated. Without a user the turn may begin: you started it. */
	confirm(signal: AbortSignal): Promise<SendConfirmed>;
	/** `signal` is the signal of the run. Without a user, a run ends at the request after a truncated one. */
	interceptor(signal: AbortSignal): Required<Pick<Interceptor, 'onAnswer' | 'preRequest' | 'onTurnEnd'>>;
};

export function createTruncationGuard(options: TruncationOptions): TruncationGuard {
	const {history, asks, onAlert, onTruncated} = options;
	/** The run, and the model, for which the user allowed truncated requests. */
	let allowedRun: AbortSignal | undefined;
	let allowedModel: string | undefined;

	const modelName = () => lastSetup(history.items)?.model;
	const isAllowed = (signal: AbortSignal) => allowedRun === signal || allowedModel === (modelName() ?? '');

	/** Returns the user's choice, or `undefined` if the signal was aborted. */
	async function ask(open: Asks, detail: string, signal: AbortSignal): Promise<'send' | 'deny' | undefined> {
		const answer = await open.ask({title: guardTexts.title, detail, choices}, signal);
		if (answer === undefined) return undefined;
		if (answer.choice === 'turn') allowedRun = signal;
		if (answer.choice === 'session') allowedModel = modelName();
		return answer.choice === 'deny' ? 'deny' : 'send';
	}

	return {
		async confirm(signal) {
			const notice = openNotice(history);
			if (notice === undefined || asks === undefined || isAllowed(signal)) return {ok: true};
			const answer = await ask(asks, notice.text, signal);
			if (answer === 'send') return {ok: true};
			return {ok: false, code: answer === undefined ? 'aborted' : 'untrusted', sentence: guardTexts.denied};
		},
		interceptor(signal) {
			const begun = history.items.length;
			/** A notice of this run that the user has not been asked about. */
			const newNotice = () => {
				const notice = openNotice(history);
				return notice === undefined || history.items.lastIndexOf(notice) < begun ? undefined : notice;
			};
			return {
				onAnswer() {
					const found = lastTruncation(history.items, projectedItems);
					if (found === undefined) return {type: 'continue'};
					onTruncated();
					return {type: 'continueWith', items: [noticeOf(found, options)]};
				},
				async preRequest() {
					const notice = newNotice();
					if (notice === undefined || isAllowed(signal)) return {type: 'continue'};
					if (asks === undefined) return {type: 'cancel', reason: guardTexts.stopped(notice.text)};
					return (await ask(asks, notice.text, signal)) === 'send' ? {type: 'continue'} : {type: 'pause'};
				},
				onTurnEnd() {
					const notice = newNotice();
					if (notice !== undefined && !isAllowed(signal))
						onAlert({level: 'warn', text: oneLine(notice.text)});
					return {type: 'finish'};
				},
			};
		},
	};
}

type TruncationOptions = {
	readonly history: History;
	readonly clock: Clock;
	/** The questions to the user. They are absent if no one can answer. */
	readonly asks?: Asks;
	readonly onAlert: (alert: Alert) => void;
	/** It is called when the server dropped the beginning of a request. */
	readonly onTruncated: () => void;
};

const guardTexts = {
	title: t`The server drops the beginning of the context. Send the next request anyway?`,
	turn: t`Send in this turn`,
	session: t`Send in this session`,
	deny: t`Do not send`,
	denied: t`Nothing was sent: the server drops the beginning of the context.`,
	/** `text`: the text of the notice. */
	stopped: (text: string) => en`The next request was not sent. ${oneLine(text)}`,
};

const choices = [
	{choice: 'turn', label: guardTexts.turn},
	{choice: 'session', label: guardTexts.session},
	{choice: 'deny', label: guardTexts.deny, refuses: true},
];

function openNotice({items}: History): Message | undefined {
	const notice = openTruncation(items);
	return notice?.type === 'message' ? notice : undefined;
}

function noticeOf({request, read, of}: Truncation, {history, clock}: TruncationOptions): Message {
	const {model = '', settings = {}} = lastSetup(history.items) ?? {};
	const {dialect} = settings;
	const provider = model.slice(0, model.indexOf('/'));
	const server = typeof dialect === 'string' && dialect !== 'safe' && dialect !== 'strict' ? dialect : provider;
	return stamp(clock, {
		type: 'message',
		role: 'system',
		text: truncatedText(read, of, server),
		origin: {kind: 'notice', about: truncatedTopic, request, read, of},
	});
}

/** The text of the notice, which the model reads, too. `server`: the provider or the dialect of the server. */
function truncatedText(read: number, of: number, server: string): string {
	const what = en`The server read about ${read} of ${of} tokens: the beginning of the context was dropped.`;
	return `${what}\n${fixes.get(server) ?? otherFix}`;
}

/** The ways to enlarge the window, by server. */
const fixes: ReadonlyMap<string, string> = new Map([
	[
		'ollama',
		en`Give Ollama a larger window: start it with OLLAMA_CONTEXT_LENGTH=32768, or set num_ctx in the model’s Modelfile.`,
	],
	['lmstudio', en`Load the model in LM Studio again with a larger context length.`],
	['llama.cpp', en`Start llama-server again with a larger --ctx-size.`],
	['vllm', en`Start vLLM again with a larger --max-model-len.`],
]);

const otherFix = en`Give the server a larger context window, use another model, or shorten the context with /compact.`;

function oneLine(text: string): string {
	return text.replaceAll('\n', ' ');
}
