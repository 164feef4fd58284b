import {
	lastSetup,
	stamp,
	type Clock,
	type History,
	type Interceptor,
	type Item,
	type Message,
} from '../../../worker/index.ts';
import type {Projection} from '../../ground/counts/context-sum.ts';
import {
	countsAnswer,
	countsTopic,
	hasTruncationNotice,
	isOfLocalKind,
	mayCut,
	truncatedTopic,
	type CountsAnswer,
} from '../../ground/counts/cut-notice.ts';
import {estimateItem} from '../../ground/counts/estimate.ts';
import {serverCounts, type CountsSetting, type Cut} from '../../ground/counts/server-counts.ts';
import {calibratedRatio, countKind, windowCut} from '../../ground/counts/usage.ts';
import {projectedItems} from '../../ground/history/reader.ts';
import type {Alert} from '../../protocol.ts';
import type {Asks} from '../../permissions/approval/asks.ts';
import {guardTexts, oneLine, truncatedText} from './texts.ts';

/** The known facts about the current model's server. `counts`: what its token counts include. */
export type ServerFacts = {
	/** The window in tokens, if the server or the user states one. */
	readonly window?: number | undefined;
	readonly counts?: CountsSetting | undefined;
};

/**
Returns the truncation of the last request, if the server's token count shows one. Some servers silently drop the
beginning of a prompt that exceeds their window, and answer only the remaining part. The function suspects only local
and unknown servers, and only if the request reached the stated window or the window is unknown. There are two signs:

- The request exceeded the stated window, but the server answered.
- The server's counts no longer grow (`serverCounts`). inkpod's own estimate alone is not a sign.
*/
export function lastTruncation(
	items: readonly Item[],
	project: Projection,
	{window, counts: setting}: ServerFacts = {},
): Cut | undefined {
	const isComparable = (setting ?? 'whole') === 'whole' && countsAnswer(items) !== 'ignore';
	if (!isComparable || !mayCut(lastSetup(items))) return undefined;
	const beyond = window === undefined ? undefined : windowCut(items, project, window);
	if (beyond !== undefined) return beyond;
	const cut = serverCounts(items)?.cut;
	const isReached = window === undefined || (cut !== undefined && cut.of > window);
	return isReached ? cut : undefined;
}

export type SendConfirmed =
	| {readonly ok: true}
	| {readonly ok: false; readonly code: 'untrusted' | 'aborted'; readonly sentence: string};

/** Reports requests whose beginning the server dropped, and asks the user before the next request. */
export type TruncationGuard = {
	/**
	Asks the user before a turn if the server truncated the last request. If no user can answer, the turn may begin.
	*/
	confirm(signal: AbortSignal): Promise<SendConfirmed>;
	/** `signal` is the signal of the run. */
	interceptor(signal: AbortSignal): Required<Pick<Interceptor, 'onAnswer' | 'preRequest' | 'onTurnEnd'>>;
	/**
	Ends a run before a request that exceeds the window. This interceptor runs after compaction, which may make the
	request fit.
	*/
	readonly fits: Required<Pick<Interceptor, 'preRequest'>>;
};

export function createTruncationGuard(options: TruncationOptions): TruncationGuard {
	const {history, asks, facts, onAlert, onTruncated} = options;
	const found = () => lastTruncation(history.items, projectedItems, facts());

	/**
	Returns whether to send, or `undefined` if the signal was aborted. The history records every answer except a denial.
	*/
	async function ask(open: Asks, cut: Cut, signal: AbortSignal): Promise<boolean | undefined> {
		const detail = truncatedText(cut, serverOf(history.items));
		const answer = await open.ask({title: guardTexts.title, detail, choices}, signal);
		if (answer === undefined) return undefined;
		if (answer.choice !== 'send' && answer.choice !== 'ignore') return false;
		await history.append([answerNotice(answer.choice, options)]);
		return true;
	}

	/**
	Returns a truncation that the user has not decided about yet. The function looks at the counts only after a notice,
	because that takes time.
	*/
	const unanswered = () =>
		hasTruncationNotice(history.items) && countsAnswer(history.items) === undefined ? found() : undefined;

	return {
		async confirm(signal) {
			const cut = asks === undefined ? undefined : unanswered();
			if (cut === undefined || asks === undefined) return {ok: true};
			const isSent = await ask(asks, cut, signal);
			if (isSent === true) return {ok: true};
			return {ok: false, code: isSent === undefined ? 'aborted' : 'untrusted', sentence: guardTexts.denied};
		},
		interceptor(signal) {
			const begun = history.items.length;
			return {
				onAnswer() {
					const cut = found();
					if (cut === undefined) return {type: 'continue'};
					onTruncated();
					if (hasTruncationNotice(history.items)) return {type: 'continue'};
					const notice = noticeOf(cut, options);
					if (asks === undefined) onAlert({level: 'warn', text: oneLine(notice.text)});
					return {type: 'continueWith', items: [notice]};
				},
				async preRequest() {
					const cut = asks === undefined ? undefined : unanswered();
					if (cut === undefined || asks === undefined) return {type: 'continue'};
					return (await ask(asks, cut, signal)) === true ? {type: 'continue'} : {type: 'pause'};
				},
				onTurnEnd() {
					const cut = asks === undefined || !hasNotice(history.items.slice(begun)) ? undefined : unanswered();
					if (cut !== undefined)
						onAlert({level: 'warn', text: oneLine(truncatedText(cut, serverOf(history.items)))});
					return {type: 'finish'};
				},
			};
		},
		fits: {
			async preRequest() {
				const setup = lastSetup(history.items);
				if (setup !== undefined && isOfLocalKind(setup)) await options.learnWindow();
				const reason = notFitting(history.items, options);
				return reason === undefined ? {type: 'continue'} : {type: 'cancel', reason};
			},
		},
	};
}

type TruncationOptions = {
	readonly history: History;
	readonly clock: Clock;
	readonly facts: () => ServerFacts;
	/** Estimates the tokens of the next request. */
	readonly size: (items: readonly Item[]) => number;
	/** The questions to the user. Absent if no user can answer. */
	readonly asks?: Asks;
	readonly onAlert: (alert: Alert) => void;
	/** Called when the server dropped the beginning of a request. */
	readonly onTruncated: () => void;
	/** Asks a server on this machine for its window, if the window is unknown. */
	readonly learnWindow: () => Promise<void>;
};

const choices = [
	{choice: 'send', label: guardTexts.send},
	{choice: 'deny', label: guardTexts.deny, refuses: true},
	{choice: 'ignore', label: guardTexts.ignore},
];

/**
Returns the reason why inkpod does not send the next request to a server that would drop its beginning. One reason is
that the system prompt and the tools alone fill the window or exceed it. The other reason applies only if no user can
answer: the whole request exceeds the window.
*/
function notFitting(items: readonly Item[], {facts, size, asks}: TruncationOptions): string | undefined {
	const {window, counts} = facts();
	const setup = lastSetup(items);
	if (window === undefined || setup === undefined || !mayCut(setup)) return undefined;
	const own = Math.round(calibratedRatio(items, projectedItems, counts) * estimateItem(setup));
	if (own >= window) return guardTexts.tooSmall({model: setup.model, window, own}, serverOf(items));
	const kind = countKind(items, counts);
	const tokens = asks === undefined && kind !== 'uncached' && counts !== 'ignore' ? size(items) : 0;
	return tokens > window ? guardTexts.tooLong({window, tokens}, serverOf(items)) : undefined;
}

function hasNotice(items: readonly Item[]): boolean {
	return items.some(item => item.type === 'message' && item.origin?.['about'] === truncatedTopic);
}

/** Returns the server's dialect, or its provider if the dialect does not name a kind of server. */
function serverOf(items: readonly Item[]): string {
	const {model = '', settings = {}} = lastSetup(items) ?? {};
	const {dialect} = settings;
	const provider = model.slice(0, Math.max(0, model.indexOf('/')));
	return typeof dialect === 'string' && dialect !== 'safe' && dialect !== 'strict' ? dialect : provider;
}

/** Creates the notice of a truncation. inkpod does not send the notice to the model. */
function noticeOf(cut: Cut, {history, clock}: TruncationOptions): Message {
	const text = truncatedText(cut, serverOf(history.items));
	const origin = {kind: 'notice', about: truncatedTopic, sent: false, ...cut};
	return stamp(clock, {type: 'message', role: 'system', text, origin});
}

function answerNotice(answer: CountsAnswer, {history, clock}: TruncationOptions): Message {
	const {model = ''} = lastSetup(history.items) ?? {};
	const origin = {kind: 'notice', about: countsTopic, sent: false, model, answer};
	return stamp(clock, {type: 'message', role: 'system', text: guardTexts.answers[answer], origin});
}
