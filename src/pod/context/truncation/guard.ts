import {lastSetup, stamp, type Clock, type History, type Interceptor, type Message} from '../../../worker/index.ts';
import {lastTruncation, openTruncation, type Truncation} from './truncation.ts';
import {truncatedTopic} from '../../ground/counts/truncated-counts.ts';
import {projectedItems} from '../../ground/history/reader.ts';
import type {Alert} from '../../protocol.ts';
import type {Asks} from '../../permissions/approval/asks.ts';
import {en, t} from '../../../language/index.ts';

type TruncationOptions = {
	readonly history: History;
	readonly clock: Clock;
	/** The questions to the user. They are absent if no one can answer. */
	readonly asks?: Asks;
	readonly onAlert: (alert: Alert) => void;
	/** It is called when the server dropped the beginning of a request. */
	readonly onTruncated: () => void;
};

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
